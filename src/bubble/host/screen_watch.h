#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"

namespace pf {

// When an agent's screen is worth a look. One at work paints without end; one that has come to rest
// may show a dialog. Each is looked at when it rests, and now and then while it does not. Pure.
class ScreenWatch {
 public:
  static constexpr Duration kRest = std::chrono::milliseconds(1500);
  static constexpr Duration kLongestUnseen = std::chrono::seconds(4);

  void painted(const std::string& holder, MonoTime now);

  struct Look {
    std::string holder;
    bool still = false;  // it has come to rest
    friend bool operator==(const Look&, const Look&) = default;
  };
  // Each is told once. A screen that was not still is told again when it rests, painted or not.
  std::vector<Look> take_due(MonoTime now);

  // When the next look is due; nothing: no screen has changed.
  std::optional<MonoTime> wake_at() const;

 private:
  struct Painted {
    MonoTime unseen, last;  // since when it changes unseen, and when it did last
    MonoTime due() const { return std::min(last + kRest, unseen + kLongestUnseen); }
  };
  std::map<std::string, Painted> screens_;
};

}  // namespace pf
