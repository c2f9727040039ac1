#pragma once
#include <ucontext.h>

#include <functional>
#include <memory>
#include <vector>

namespace pf::sim {

// Stacks to be used again by the next fiber.
class Stacks {
 public:
  static constexpr std::size_t kBytes = 1u << 20;
  using Stack = std::unique_ptr<std::byte[]>;
  Stack take();
  void give_back(Stack stack) { free_.push_back(std::move(stack)); }

 private:
  std::vector<Stack> free_;
};

// A function with a stack of its own that can stop in the middle. The function must return (throw
// nothing) before the fiber is destroyed, or never have been resumed.
class Fiber {
 public:
  Fiber(Stacks& stacks, std::function<void()> body);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // Runs it until it suspends or returns.
  void resume();
  // From inside: back to the one that resumed it.
  void suspend();
  bool started() const { return started_; }
  bool done() const { return done_; }

 private:
  static void enter(unsigned high, unsigned low);

  Stacks& stacks_;
  Stacks::Stack stack_;
  std::function<void()> body_;
  ucontext_t inside_{};
  ucontext_t outside_{};
  void* fake_inside_ = nullptr;  // the address sanitizer's own stacks
  void* fake_outside_ = nullptr;
  const void* outside_bottom_ = nullptr;
  std::size_t outside_size_ = 0;
  bool started_ = false;
  bool done_ = false;
};

}  // namespace pf::sim
