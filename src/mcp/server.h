#pragma once
#include <functional>
#include <optional>

#include "channel/message.h"
#include "verbs/core/verb.h"

namespace pf::mcp {

inline constexpr std::size_t kMaxLine = 4u << 20;  // bytes of one message

// How one tool's verb is run: as on a command line, with what it prints and its exit code.
using Run = std::function<Answered(const Verb& verb, const Args& args)>;

// Answers JSON-RPC messages of an MCP client. Keeps nothing between them.
class Server {
 public:
  // Offers the agents' verbs among `table`; with a role, those of a plan's or the role loop's
  // agent.
  Server(const Table& table, Run run, std::string_view role = {});

  // The answer to one message, a line without its newline; nothing to a notification, to a response
  // and to an empty line. Never fails: what cannot be understood is answered with an error.
  std::optional<std::string> answer(std::string_view line) const;
  // To one that was longer than kMaxLine and is lost.
  std::string answer_too_long() const;

 private:
  Json call(const JsonObject& request) const;
  Json handle(const JsonObject& request, std::string_view method) const;

  std::string_view instructions_;
  std::vector<Verb> tools_;
  Run run_;
};

// `pairflow mcp`: serves the agents' verbs on standard input and output, one message a line, one
// after the other, until the input ends.
Verbs serve_verbs();

}  // namespace pf::mcp
