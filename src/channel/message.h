#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "base/result.h"

// How a command inside a sandbox reaches the supervisor outside: one line of JSON each way over a
// unix socket. Who asks is known by the socket, never by the message.
namespace pf {

inline constexpr const char* kChannelVariable = "PAIRFLOW_CHANNEL";  // path of the agent's socket
inline constexpr std::size_t kMaxMessage = 4u << 20;

struct Option {
  std::string name;
  std::vector<std::string> values;
  PF_FIELDS(PF_ALWAYS(name, values));
};

// A command with its options, texts and files read.
struct Ask {
  std::string verb;
  std::vector<Option> options;
  bool json = false;
  PF_FIELDS(PF_ALWAYS(verb, options, json));
};

// What it printed and how it ended.
struct Answered {
  int exit = 0;
  std::string out, err;
  PF_FIELDS(PF_ALWAYS(exit, out, err));
};

std::string line_of(const Ask& ask);
std::string line_of(const Answered& answered);
Result<Ask> parse_ask(std::string_view line);
Result<Answered> parse_answered(std::string_view line);

}  // namespace pf
