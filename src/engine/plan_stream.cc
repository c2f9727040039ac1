#include "engine/plan_stream.h"

#include "base/text.h"
#include "plan/describe.h"

namespace pf {
namespace {

// What somebody said in it, whole.
std::string said_in(const plan::Body& body) {
  return std::visit(
      []<class B>(const B& b) -> std::string {
        if constexpr (requires { b.message; })
          return b.message;
        else if constexpr (requires { b.note; })
          return b.note;
        else if constexpr (std::is_same_v<B, plan::ChangesRequested>)
          return b.text;
        else
          return "";
      },
      body);
}

}  // namespace

// The description has one line and is cut; a longer text follows below it.
StreamLine line_of(const plan::Event& event) {
  StreamLine line{std::string(plan::type_of(event.body)), event.ts, "", plan::describe(event),
                  event.seq};
  const auto end = line.text.find("] ");
  if (line.text.starts_with('[') && end != std::string::npos) {
    line.prefix = line.text.substr(0, end + 1);
    line.text.erase(0, end + 2);
  }
  const std::string said = printable_lines(said_in(event.body));
  if (!said.empty() && line.text.find(said) == std::string::npos) line.text += "\n" + said;
  return line;
}

}  // namespace pf
