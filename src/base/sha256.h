#pragma once
#include <memory>
#include <string>
#include <string_view>

namespace pf {

// SHA-256 of bytes that come in parts.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void add(std::string_view bytes);
  std::string hex();  // of all that was added; nothing can be added any more

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pf
