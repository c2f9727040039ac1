#include "bubble/verbs/finding_object.h"

#include <array>

#include "base/codec.h"
#include "base/text.h"
#include "bubble/domain/ledger.h"

namespace pf {
namespace {

constexpr std::string_view kForm =
    R"(give {"severity":"P1","title":"…","path":"…","line":1} or {"repeat":"F1.2"})";

struct Given {
  std::optional<std::string> repeat, title, path;
  std::optional<bubble::Severity> severity;
  std::optional<int> line;
  PF_FIELDS(PF_IF_SET(repeat, severity, title, path, line));
};

std::unexpected<Error> no_finding(std::string why) {
  return fail(Exit::usage, "this object is not a finding", std::move(why), std::string(kForm));
}

Status check_members(const JsonObject& object) {
  constexpr std::array<std::string_view, 5> kMembers = {"repeat", "severity", "title", "path",
                                                        "line"};
  for (const auto& member : object)
    if (std::ranges::count(kMembers, std::string_view(member.key())) == 0)
      return no_finding(fmt::format("there is no member '{}'", clip(printable(member.key()), 40)));
  return {};
}

}  // namespace

JsonArray finding_schemas() {
  constexpr std::string_view kSchemas = R"([
    {"type": "object",
     "description": "a new finding; P0 and P1 are serious",
     "properties": {
       "severity": {"type": "string", "enum": ["P0", "P1", "P2", "P3"]},
       "title": {"type": "string", "description": "one line"},
       "path": {"type": "string", "description": "the file it is in, from the worktree's top"},
       "line": {"type": "integer", "minimum": 1}},
     "required": ["severity", "title"],
     "additionalProperties": false},
    {"type": "object",
     "description": "a known finding that still stands",
     "properties": {"repeat": {"type": "string", "description": "its id, as F1.2"}},
     "required": ["repeat"],
     "additionalProperties": false}
  ])";
  return parse_json(kSchemas)->get_array();
}

Result<std::string> finding_text(const JsonObject& object) {
  TRY(check_members(object));
  Given given;
  if (auto decoded = codec::decode_fields(object, given); !decoded)
    return no_finding(printable(decoded.error().what));
  const bool anew = given.severity || given.title || given.path || given.line;
  if (given.repeat && anew) return no_finding("repeat stands alone");
  if (!given.repeat && !given.severity) return no_finding("severity is missing");
  if (!given.repeat && !given.title) return no_finding("title is missing");
  if (given.line && *given.line < 1) return no_finding("a line is at least 1");
  bubble::Reported reported;
  reported.repeat = FindingId(given.repeat.value_or(""));
  reported.severity = given.severity.value_or(reported.severity);
  reported.title = given.title.value_or("");
  reported.path = given.path.value_or("");
  reported.line = given.line.value_or(0);
  return bubble::write_reported(reported);
}

}  // namespace pf
