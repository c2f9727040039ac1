#include "fiber.h"

#include <cstdint>

#include "base/check.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace pf::sim {
namespace {

// The address sanitizer wants to be told of every change of stack.
#if defined(__SANITIZE_ADDRESS__)
void leaving(void** fake, const void* bottom, std::size_t size) {
  __sanitizer_start_switch_fiber(fake, bottom, size);
}
void arrived(void* fake, const void** bottom, std::size_t* size) {
  __sanitizer_finish_switch_fiber(fake, bottom, size);
}
#else
void leaving(void**, const void*, std::size_t) {}
void arrived(void*, const void**, std::size_t*) {}
#endif

}  // namespace

Stacks::Stack Stacks::take() {
  if (free_.empty()) return std::make_unique_for_overwrite<std::byte[]>(kBytes);
  Stack stack = std::move(free_.back());
  free_.pop_back();
  return stack;
}

Fiber::Fiber(Stacks& stacks, std::function<void()> body)
    : stacks_(stacks), stack_(stacks.take()), body_(std::move(body)) {
  PF_CHECK(::getcontext(&inside_) == 0);
  inside_.uc_stack.ss_sp = stack_.get();
  inside_.uc_stack.ss_size = Stacks::kBytes;
  inside_.uc_link = &outside_;
  const auto self = reinterpret_cast<std::uintptr_t>(this);
  ::makecontext(&inside_, reinterpret_cast<void (*)()>(&Fiber::enter), 2,
                static_cast<unsigned>(self >> 32), static_cast<unsigned>(self));
}

Fiber::~Fiber() {
  PF_CHECK(done_ || !started_);
  stacks_.give_back(std::move(stack_));
}

void Fiber::enter(unsigned high, unsigned low) {
  auto* self = reinterpret_cast<Fiber*>((static_cast<std::uintptr_t>(high) << 32) | low);
  arrived(nullptr, &self->outside_bottom_, &self->outside_size_);
  self->body_();
  self->done_ = true;
  leaving(nullptr, self->outside_bottom_, self->outside_size_);
}

void Fiber::resume() {
  PF_CHECK(!done_);
  started_ = true;
  leaving(&fake_outside_, stack_.get(), Stacks::kBytes);
  PF_CHECK(::swapcontext(&outside_, &inside_) == 0);
  arrived(fake_outside_, nullptr, nullptr);
}

void Fiber::suspend() {
  leaving(&fake_inside_, outside_bottom_, outside_size_);
  PF_CHECK(::swapcontext(&inside_, &outside_) == 0);
  arrived(fake_inside_, &outside_bottom_, &outside_size_);
}

}  // namespace pf::sim
