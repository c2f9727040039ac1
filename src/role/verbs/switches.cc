#include <fmt/format.h>

#include "base/codec.h"
#include "base/text.h"
#include "channel/hook_event.h"
#include "role/domain/reading.h"
#include "role/domain/views.h"
#include "role/verbs/verbs.h"

namespace pf {
namespace {

// PLANNER, planner, …
Result<role::Role> role_named(std::string_view option, const std::string& text) {
  for (const auto& [role, name] : names_of(role::Role{}))
    if (lower(text) == lower(name)) return role;
  return fail(Exit::usage, fmt::format("'{}' is no role", clip(printable(text), 40)),
              fmt::format("--{} takes PLANNER, CODER or REVIEWER", option),
              fmt::format("--{} CODER, for example", option));
}

// However the lines ended where it came from.
std::string note_in(const Args& args) {
  std::string note = args.text("message");
  for (auto at = note.find("\r\n"); at != std::string::npos; at = note.find("\r\n", at))
    note.erase(at, 1);
  return note;
}

Result<std::optional<role::Role>> own_role(const Args& args) {
  if (!args.has("role")) return std::nullopt;
  return TRY(role_named("role", args.text("role")));
}

Result<Said> ask(Caller& caller, const Args& args, const role::Command& command) {
  RoleLoop loop(caller.os, TRY(roles_of(caller, args)));
  TRY(loop.load());
  return ask_role(caller, args, loop, command);
}

// A human's word on what is merged is asked for twice.
Status confirm(Caller& caller, const Args& args, std::string_view question) {
  const RolePaths paths = TRY(roles_of(caller, args));
  if (TRY(role_caller(caller, paths)).kind != PrincipalKind::human) return {};
  return need_confirmation(caller, args, question);
}

}  // namespace

Result<Said> run_role_init(Caller& caller, const Args& args) {
  RoleLoop loop(caller.os, TRY(roles_of(caller, args)));
  const role::State state = TRY(loop.load_or_none());
  const role::Policy policy = TRY(role_policy(loop, TRY(loop.settings()), state));
  TRY(loop.git().look(policy.default_branch,
                      policy.default_branch));  // what is refused leaves nothing behind
  TRY(exclude_control_directory(caller.os, loop.paths().repository));
  TRY(caller.os.files.make_directories(loop.paths().directory));
  Said said = TRY(ask_role(caller, args, loop, role::Init{policy}));
  said.text += fmt::format("Features begin at {}, and are merged into it.\n",
                           printable(policy.default_branch));
  if (!TRY(loop.load()).clean)
    said.warnings.push_back(
        fmt::format("{}; the first feature would take it in: {}",
                    role::name_foreign_changes(role::foreign_changes_in(TRY(loop.git().dirty()))),
                    role::kForeignChangesFix));
  return said;
}

Result<Said> run_role_start(Caller& caller, const Args& args) {
  return ask(caller, args, role::Start{TRY(own_role(args))});
}

Result<Said> run_role_handoff(Caller& caller, const Args& args) {
  role::Handoff handoff;
  handoff.to = TRY(role_named("to", args.text("to")));
  handoff.msg = note_in(args);
  handoff.role = TRY(own_role(args));
  handoff.feature = args.text("feature");
  handoff.type = args.text("type");
  handoff.branch = args.text("branch");
  handoff.task = args.text("task");
  handoff.risk = args.text("risk");
  return ask(caller, args, handoff);
}

Result<Said> run_role_block(Caller& caller, const Args& args) {
  role::Block block;
  block.human = lower(args.text("by")) == "human";
  if (!block.human) block.by = TRY(role_named("by", args.text("by")));
  block.msg = note_in(args);
  block.role = TRY(own_role(args));
  return ask(caller, args, block);
}

Result<Said> run_role_approve_task(Caller& caller, const Args& args) {
  return ask(caller, args, role::ApproveTask{note_in(args)});
}

Result<Said> run_role_approve_feature(Caller& caller, const Args& args) {
  TRY(confirm(caller, args, "Close the feature and merge it?"));
  return ask(caller, args, role::ApproveFeature{note_in(args), args.text("feature")});
}

Result<Said> run_role_decline(Caller& caller, const Args& args) {
  TRY(confirm(caller, args, "Decline what was approved? The work is kept on its branch."));
  Said said = TRY(ask(caller, args, role::Decline{args.text("feature"), note_in(args)}));
  RoleLoop loop(caller.os, TRY(roles_of(caller, args)));
  const role::State state = TRY(loop.load());
  for (const role::Landing& landing : state.landings)
    if (landing.declined && landing.feature == args.text("feature"))
      said.json["next"] = role::declined_text(landing);
  if (const auto* next = said.json.if_contains("next")) said.text += std::string(next->as_string());
  return said;
}

Result<Said> run_role_rework(Caller& caller, const Args& args) {
  return ask(caller, args, role::Rework{args.text("feature"), note_in(args), args.text("task")});
}

Result<Said> run_role_autopilot(Caller& caller, const Args& args) {
  const std::string text = args.text("level");
  if (const auto level = parse_name<role::Autopilot>(text))
    return ask(caller, args, role::SetAutopilot{*level, args.text("without-checks")});
  return fail(Exit::usage, fmt::format("'{}' is no level", clip(printable(text), 40)),
              "autopilot is off, review_only or full",
              "off: everything waits for you; full: what is approved and green is merged");
}

Result<Said> run_role_release(Caller& caller, const Args& args) {
  return ask(caller, args, role::Release{});
}

Result<Said> run_role_pause(Caller& caller, const Args& args) {
  return ask(caller, args, role::StopAutomation{"you have paused them"});
}

Result<Said> run_role_hook(Caller& caller, const Args& args) {
  if (hook_event(args.text("event"), "", "").kind != HookEvent::Kind::tool) return Said{};
  RoleLoop loop(caller.os, TRY(roles_of(caller, args)));
  std::vector<std::string> problems;
  for (const role::Event& event : TRY(loop.report(role::CheckDocuments{})).events)
    if (const auto* seen = std::get_if<role::Validated>(&event.body))  // nobody is told twice
      for (const role::Problem& problem : seen->found.problems)
        problems.push_back(document::in_words(seen->found.file, problem));
  Said said;
  if (!problems.empty()) said.text = sent_back("Mend this first: " + join(problems, "; "));
  return said;
}

}  // namespace pf
