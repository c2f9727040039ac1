#pragma once
#include <memory>

#include "os/environment.h"
#include "screen/key.h"
#include "screen/picture.h"

namespace pf::tui {

// A terminal that is drawn on and typed at. Its destructor gives it back as it was.
class Terminal {
 public:
  // Standard input and output have to be a terminal that knows cursor and colours.
  static Result<std::unique_ptr<Terminal>> open(Environment& env);
  Terminal(Environment& env, std::unique_ptr<Keys> keys);
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal();

  // Writes the rows that have changed.
  void draw(const Picture& picture);
  void forget() { drawn_.clear(); }  // what is on it is not ours any more

  int input() const { return gone_ ? -1 : keys_->fd(); }
  void wake_after(Duration time) { keys_->wake_after(time); }
  // Never waits. An interrupt when the terminal is gone.
  std::vector<Key> keys();

 private:
  std::string painted(const Row& row) const;

  Environment& env_;
  std::unique_ptr<Keys> keys_;
  KeyReader reader_;
  bool colour_;
  bool gone_ = false;
  std::vector<Row> drawn_;
};

}  // namespace pf::tui
