#include <fmt/format.h>

#include "base/codec.h"
#include "base/text.h"
#include "role/domain/describe.h"
#include "role/domain/views.h"
#include "role/host/driver.h"
#include "role/host/launch.h"
#include "role/verbs/verbs.h"
#include "verbs/core/rows.h"

namespace pf {
namespace {

// One line, or one object, for each thing that happens.
class LineWatcher : public RoleWatcher {
 public:
  LineWatcher(Os& os, bool json) : os_(os), json_(json) {}

  void tell(const role::Event& event) override {
    if (!json_ && std::holds_alternative<role::FileWritten>(event.body)) return;
    if (const auto* posted = std::get_if<role::SummaryPosted>(&event.body))
      return line(event.ts, role::type_of(event.body), "[pairflow]", posted->text);
    const std::string text = role::describe(event);
    const auto end = text.find("] ");
    if (!text.starts_with('[') || end == std::string::npos)
      return line(event.ts, role::type_of(event.body), "[pairflow]", text);
    line(event.ts, role::type_of(event.body), text.substr(0, end + 1), text.substr(end + 2));
  }
  void say(const std::string& prefix, const std::string& text) override {
    line(iso8601(os_.clock.wall()), "said", prefix, text);
  }

 private:
  void line(const std::string& ts, std::string_view type, const std::string& prefix,
            const std::string& text) {
    if (json_) {
      JsonObject json{{"type", type}, {"ts", ts}, {"prefix", prefix}, {"text", text}};
      return os_.env.print(Stream::out, dump(json) + "\n");
    }
    std::string out;
    const std::string shown = printable_lines(text);
    for (const std::string_view part : split(trim(shown), '\n'))
      out += fmt::format("{} {}\n", out.empty() ? printable(prefix) : "   ", part);
    os_.env.print(Stream::out, out);
  }

  Os& os_;
  bool json_;
};

Result<Said> farewell(Caller& caller, RoleLoop& loop) {
  const role::State state = TRY(loop.load());
  Said said;
  const auto items = role::inbox_of(state);
  if (caller.json) {
    said.json = state_json(state);
    said.json["type"] = "left";
    said.json["rests"] = state.halted;
    return said;
  }
  said.text = fmt::format("The agents rest: {}\n", printable(state.halted));
  for (const InboxItem& item : items)
    if (item.kind != "resting") said.text += fmt::format("  → {}\n", item.command);
  return said;
}

Result<Said> run_roles(Caller& caller, const Args& args) {
  RoleLoop loop(caller.os, RolePaths(TRY(repository_of(caller, args))));
  TRY(adopt_policy(loop, TRY(loop.load())));
  const role::State state = TRY(loop.load());
  TRY(check_role_agents(loop, state.policy));
  LineWatcher watcher(caller.os, caller.json);
  TRY(drive_roles(loop, watcher, request_of(caller, args, human_caller(caller), state)));
  return farewell(caller, loop);
}

constexpr Row kDriverRows[] = {
    {"role",
     "run",
     "Launch the agent of the current role, and the next one after each switch; stays until "
     "they rest.",
     "pairflow role run",
     Audience::human,
     {},
     run_roles}};

}  // namespace

Verbs role_drivers() { return packed<kDriverRows>; }

}  // namespace pf
