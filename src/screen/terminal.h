#pragma once
#include <memory>

#include "os/environment.h"
#include "screen/key.h"
#include "screen/row.h"

namespace pf::screen {

// A terminal that is drawn on. Its destructor gives it back as it was.
class Terminal {
 public:
  // Nothing is typed, and the last picture stays behind.
  explicit Terminal(Environment& env);
  // Typed at as well, on a screen of its own that is gone at the end. Standard input and output
  // have to be a terminal that knows cursor and colours.
  static Result<std::unique_ptr<Terminal>> open(Environment& env);
  Terminal(Environment& env, std::unique_ptr<Keys> keys);
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal();

  // Writes the rows that have changed.
  void draw(Picture picture);
  void forget() { drawn_.reset(); }  // what is on it is not ours any more

  int input() const { return keys_ && !gone_ ? keys_->fd() : -1; }
  void wake_after(Duration time);
  // Never waits. An interrupt when the terminal is gone.
  std::vector<Key> keys();

 private:
  std::string painted(const Row& row) const;

  Environment& env_;
  std::unique_ptr<Keys> keys_;  // nothing: drawn on only
  Ink ink_;
  KeyReader reader_;
  bool gone_ = false;
  std::optional<Picture> drawn_;
  std::size_t used_ = 1;  // rows
};

}  // namespace pf::screen
