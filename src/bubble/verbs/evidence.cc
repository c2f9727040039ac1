#include "bubble/domain/evidence.h"

#include <fmt/format.h>

#include "base/codec.h"
#include "base/find.h"
#include "base/text.h"
#include "bubble/verbs/verbs.h"
#include "config/check_profile.h"

namespace pf {
namespace {

std::string in_words(Caller& caller, const BubblePaths& paths, const bubble::State& state) {
  std::string out;
  if (!state.target) {
    const auto* asked =
        find_in(state.questions, bubble::QuestionKind::base, &bubble::Question::kind);
    if (asked == nullptr)
      asked = find_in(state.questions, bubble::QuestionKind::unable, &bubble::Question::kind);
    if (asked == nullptr) return "nothing has been handed over yet\n";
    return fmt::format("nothing has been handed over yet; of the base you are asked:\n{}\n",
                       printable_lines(asked->text));
  }
  const auto flaky = bubble::flaky_checks(state);
  out += fmt::format("tree {}  {}{}\n", state.target->str().substr(0, 12),
                     name_of(bubble::evidence_standing(state)),
                     flaky.empty() ? "" : fmt::format(" (flaky: {})", join(flaky, ", ")));
  for (const bubble::Check& check : state.policy.profile.checks)
    out += fmt::format("  {}: {}{}\n", check.name, printable(check.command),
                       check.from.empty() ? "" : fmt::format("   ({})", printable(check.from)));
  if (!state.policy.profile.dropped.empty())
    out += fmt::format("  dropped by you: {}\n", join(state.policy.profile.dropped, ", "));
  if (!state.policy.profile.not_available.empty())
    out += fmt::format("  no checks: {}\n", printable(state.policy.profile.not_available));
  const auto* seen = bubble::evidence_for(state, *state.target);
  if (seen == nullptr || seen->log.empty()) return out;
  const Path log = paths.artifacts / seen->log;
  out += fmt::format("log {}\n", log.string());
  constexpr std::size_t kTail = 4000;  // what a terminal shows at once
  if (const auto text = caller.os.files.read_if_there(log); text && *text) {
    const std::string_view all = **text;
    out += "\n" + printable_lines(all.size() > kTail ? all.substr(all.size() - kTail) : all);
  }
  return out;
}

Result<NamedCommand> named_check(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == 0 || equals == std::string::npos || trim(text.substr(equals + 1)).empty())
    return fail(Exit::usage, fmt::format("--check '{}' is no check", clip(printable(text), 60)),
                "it has a name and a command", "write --check \"lint=make lint\"");
  return NamedCommand{text.substr(0, equals), text.substr(equals + 1)};
}

}  // namespace

Result<Said> run_evidence_verb(Caller& caller, const Args& args) {
  BubbleLoop loop(caller.os, TRY(bubble_of(caller, args)));
  if (args.has("rerun")) {
    TRY(require_human(caller));
    return said_of(TRY(decide_as_human(caller, args, loop, bubble::RerunChecks{})));
  }
  const bubble::State state = TRY(loop.load());
  Said said;
  said.json["id"] = state.id.str();
  said.json["evidence"] = name_of(bubble::evidence_standing(state));
  said.json["flaky"] = codec::encode(bubble::flaky_checks(state));
  said.json["tree"] = codec::encode(state.target);
  said.json["profile"] = codec::encode(state.policy.profile);
  said.json["results"] = codec::encode(state.evidence);
  said.text = in_words(caller, loop.paths(), state);
  return said;
}

Result<Said> run_profile(Caller& caller, const Args& args) {
  BubbleLoop loop(caller.os, TRY(bubble_of(caller, args)));
  const bubble::Profile now = TRY(loop.load()).policy.profile;
  CheckProfile profile;
  profile.dropped = now.dropped;
  for (const auto& [name, command, from] : now.checks)
    profile.checks.push_back({name, command, from});
  const bool changes =
      args.has("test") || args.has("typecheck") || args.has("check") || args.has("drop-check");
  if (changes == args.has("no-tests"))
    return fail(Exit::usage, "how is this change checked?",
                "either by commands, or not at all with a reason",
                "add --test CMD, --typecheck CMD, --check NAME=CMD, --drop-check NAME, or "
                "--no-tests \"<reason>\"");
  std::vector<NamedCommand> set;
  for (const char* name : {"test", "typecheck"})
    if (args.has(name)) set.push_back({name, args.text(name)});
  for (const std::string& text : args.all("check")) set.push_back(TRY(named_check(text)));
  TRY(change_by_flags(profile, set, args.all("drop-check")));
  if (changes && profile.checks.empty())
    return fail(Exit::usage, "no check is left", "all of them are dropped",
                "keep one, or say why there are none: --no-tests \"<reason>\"");
  bubble::ChangeProfile change;
  change.profile.manual_checks = now.manual_checks;
  change.profile.not_available = args.text("no-tests");
  change.profile.dropped = profile.dropped;
  for (const auto& [name, command, from] : profile.checks)
    if (changes)
      change.profile.checks.push_back({name, command, from});
    else
      change.profile.dropped.push_back(name);
  return said_of(TRY(decide_as_human(caller, args, loop, change)));
}

}  // namespace pf
