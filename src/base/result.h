#pragma once
#include <expected>
#include <string>
#include <utility>

namespace pf {

// What a process says when it ends; documented in docs/protocol.md.
enum class Exit : int {
  done = 0,     // the batch is durable, whatever happened later
  refused = 1,  // refused by state or policy; nothing changed
  usage = 2,    // wrong usage; nothing changed
  machine = 3,  // something on this machine is missing or failed; the same command continues it
  damaged = 4,  // data is damaged
};

// A failure a person can act on: what happened, why, and the command or step that fixes it.
struct Error {
  Exit exit = Exit::machine;
  std::string what;
  std::string why = {};
  std::string fix = {};
  friend bool operator==(const Error&, const Error&) = default;
};

template <class T>
using Result = std::expected<T, Error>;
using Status = Result<void>;

inline std::unexpected<Error> fail(Exit exit, std::string what, std::string why = {},
                                   std::string fix = {}) {
  return std::unexpected(Error{exit, std::move(what), std::move(why), std::move(fix)});
}

namespace detail {
template <class T, class E>
T take(std::expected<T, E>&& result) {
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}
}  // namespace detail

}  // namespace pf

// The value of a Result (or another expected), or return its error from the calling function.
#define TRY(...) PF_TRY_AS(PF_TRY_NAME(__COUNTER__), __VA_ARGS__)
#define PF_TRY_NAME(n) PF_TRY_JOIN(try_result_, n)
#define PF_TRY_JOIN(a, b) a##b
#define PF_TRY_AS(name, ...)                                    \
  __extension__({                                               \
    auto name = (__VA_ARGS__);                                  \
    if (!name) return std::unexpected(std::move(name).error()); \
    ::pf::detail::take(std::move(name));                        \
  })
