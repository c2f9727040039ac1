#include <fmt/format.h>

#include "base/text.h"
#include "loop/viewer.h"
#include "role/domain/views.h"
#include "role/host/driver.h"
#include "role/host/landing.h"
#include "role/host/launch.h"
#include "role/verbs/verbs.h"

namespace pf {
namespace {

// One line, or one object, for each thing that happens.
class ViewedRoles : public Viewed {
 public:
  ViewedRoles(RoleLoop& loop, bool json) : loop_(loop), env_(loop.os().env), json_(json) {}

  Result<Look> look() override {
    const role::State state = TRY(loop_.load());
    const bool wanted = wants_driver(state);
    return Look{state.mark, wanted, !wanted};
  }
  Result<std::vector<StreamLine>> events(const Mark& from) override {
    std::vector<StreamLine> lines;
    for (const role::Event& event : TRY(loop_.events(from)))
      if (json_ || !std::holds_alternative<role::FileWritten>(event.body))
        lines.push_back(line_of(event));
    return lines;
  }
  void say(const StreamLine& line) override {
    if (json_) {
      const JsonObject json{
          {"type", line.type}, {"ts", line.ts}, {"prefix", line.prefix}, {"text", line.text}};
      return env_.print(Stream::out, dump(json) + "\n");
    }
    std::string out;
    const std::string shown = printable_lines(line.text);
    for (const std::string_view part : split(trim(shown), '\n'))
      out += fmt::format("{} {}\n", out.empty() ? printable(line.prefix) : "   ", part);
    env_.print(Stream::out, out);
  }
  void complain(const std::string& text) override {
    env_.print(Stream::err, fmt::format("pairflow: {}\n", printable_lines(text)));
  }

 private:
  static StreamLine line_of(const role::Event& event) {
    StreamLine line{std::string(type_of(event.body)), event.ts, "[pairflow]", role::describe(event),
                    event.seq};
    if (const auto* posted = std::get_if<role::SummaryPosted>(&event.body)) {
      line.text = posted->text;
    } else if (const auto end = line.text.find("] ");
               line.text.starts_with('[') && end != std::string::npos) {
      line.prefix = line.text.substr(0, end + 1);
      line.text.erase(0, end + 2);
    }
    return line;
  }

  RoleLoop& loop_;
  Environment& env_;
  bool json_;
};

Result<Said> farewell(Caller& caller, RoleLoop& loop, Left left) {
  const role::State state = TRY(loop.load());
  Said said;
  const auto items = role::inbox_of(state);
  if (caller.json) {
    said.json = state_json(state);
    said.json["type"] = "left";
    said.json["rests"] = state.halted;
    said.json["goes_on"] = wants_driver(state);
    return said;
  }
  if (left == Left::by_user && wants_driver(state)) {
    said.text =
        "The agents go on without you; look again: pairflow role run; stop them: pairflow role "
        "pause\n";
    return said;
  }
  said.text = fmt::format("The agents rest: {}\n", printable(state.halted));
  for (const InboxItem& item : items)
    if (item.kind != "resting") said.text += fmt::format("  → {}\n", item.command);
  return said;
}

}  // namespace

Result<Said> run_roles(Caller& caller, const Args& args) {
  RoleLoop loop(caller.os, TRY(roles_of(caller, args)));
  TRY(adopt_policy(loop, TRY(loop.load())));
  const role::State state = TRY(loop.load());
  TRY(check_role_agents(loop, state.policy));
  TRY(check_role_filters(loop));
  // A run that was interrupted goes on under its name.
  const std::string run =
      state.automation.empty() ? "run-" + caller.os.random.token(6) : state.automation;
  TRY(loop.execute(request_of(caller, args, human_caller(caller), state), role::Automate{run}));
  ViewedRoles viewed(loop, caller.json);
  const Left left = TRY(attach(caller.os, roles_driver(loop.paths()),
                               StreamTail(caller.os, loop.paths().stream, state.mark), viewed));
  return farewell(caller, loop, left);
}

Status drive_roles_now(Caller& caller, const Args& args) {
  RoleLoop loop(caller.os, TRY(roles_of(caller, args)));
  return drive_roles(loop);
}

Result<Said> run_role_checks(Caller& caller, const Args& args) {
  RoleLoop loop(caller.os, TRY(roles_of(caller, args)));
  TRY(require_supervisor(caller, loop.paths().lease));
  const role::State state = TRY(loop.load());
  const role::Landing* landing = state.landing(args.number("landing", 0));
  if (landing == nullptr) return Said{};
  const bool of_merge = landing->stage == role::Stage::merge_checks;
  if (landing->stage != role::Stage::checks && !of_merge) return Said{};
  TRY(loop.report(TRY(run_landing_checks(
      loop, {landing->number, of_merge ? landing->merged : landing->commit, of_merge}))));
  return Said{};
}

}  // namespace pf
