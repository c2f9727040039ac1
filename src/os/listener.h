#pragma once

namespace pf {

// A stream socket that others call; gone when this is.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual int fd() const = 0;  // readable when somebody calls
  virtual int accept() = 0;    // the connection, the caller's to close; -1 when there is none
};

}  // namespace pf
