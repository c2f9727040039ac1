#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/codec.h"
#include "base/text.h"
#include "bubble/host/commit_hooks.h"
#include "bubble/host/done_package.h"
#include "bubble/host/supervision.h"
#include "bubble/verbs/verbs.h"
#include "verbs/core/show.h"

namespace pf {
namespace {

constexpr std::size_t kMaxCommitMessage = kMaxText;

std::string default_message(const bubble::State& state) {
  const std::string task = printable_lines(state.task);
  const std::string_view first = trim(split(task, '\n').front());
  return fmt::format("{}\n\nBubble: {}\nReviewed-by: {}\nReviewed-by: {}\n",
                     clip(first.empty() ? state.id.str() : first, 72), state.id.str(),
                     state.policy.roles.implementer.str(), state.policy.roles.reviewer.str());
}

// --message, else what the agents suggest, else the task's first line.
Result<std::string> commit_message(const Args& args, BubbleLoop& loop, const bubble::State& state) {
  if (args.has("message")) return args.text("message");
  std::string suggested = TRY(part_text(loop, state, bubble::Part::message));
  if (suggested.empty()) return default_message(state);
  return clip(suggested, kMaxCommitMessage) + "\n";
}

Result<std::vector<std::size_t>> checked_places(const Args& args) {
  std::vector<std::size_t> places;
  for (const std::string& text : args.all("checked")) {
    std::size_t place = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), place);
    if (error != std::errc() || end != text.data() + text.size() || place == 0)
      return fail(Exit::usage,
                  fmt::format("--checked '{}' is no number", clip(printable(text), 20)),
                  "the manual checks are counted from 1", "add --checked 1 --checked 2 …");
    places.push_back(place);
  }
  return places;
}

// Each manual check that was not confirmed on the command line is asked for.
Status ask_for_checks(Caller& caller, const std::vector<std::string>& items,
                      std::vector<std::size_t>& checked) {
  for (std::size_t place = 1; place <= items.size(); ++place) {
    if (std::ranges::find(checked, place) != checked.end()) continue;
    if (!confirmed(caller, fmt::format("Check {} of {}: {} — is it so?", place, items.size(),
                                       printable(items[place - 1]))))
      return fail(Exit::refused, fmt::format("check {} is not confirmed", place),
                  "nothing was changed", "");
    checked.push_back(place);
  }
  return {};
}

CommitHooks::Show printing(Caller& caller) {
  return [&caller](const std::string& output) {
    caller.os.env.print(Stream::err, printable_lines(output));
  };
}

// The hooks that git would run before a commit; the message as they leave it. Nothing when none are
// wanted, or there is no commit to be made any more.
Result<std::optional<CommitHooks>> run_hooks(Caller& caller, BubbleLoop& loop,
                                             const bubble::State& state, bubble::Commit& commit) {
  if (!commit.hooks || state.phase != bubble::Phase::approved || state.commit ||
      !state.approved_tree)
    return std::nullopt;
  TRY(require_human(caller));
  auto hooks = TRY(CommitHooks::of(loop, state, printing(caller)));
  commit.message = TRY(hooks.before(commit.message));
  TRY(check_text("the message that commit-msg left", commit.message, kMaxCommitMessage));
  if (trim(commit.message).empty())
    return fail(Exit::refused, "the hook commit-msg left an empty message", "",
                "commit without --run-hooks, or mend the hook");
  return hooks;
}

// Also when the commit was made by a command that was killed.
void after_commit(Caller& caller, BubbleLoop& loop, const bubble::State& state,
                  std::optional<CommitHooks>& hooks, Said& said) {
  if (!hooks) {
    auto late = CommitHooks::of(loop, state, printing(caller));
    if (!late) return said.warnings.push_back(late.error().what);
    hooks.emplace(*std::move(late));
  }
  const auto done = hooks->after(state.committed);
  const std::string trouble = done ? *done : done.error().what;
  if (!trouble.empty()) said.warnings.push_back(trouble);
  said.json["hooks"] = hooks->enforcement().empty() ? "none" : hooks->enforcement();
  if (hooks->enforcement().starts_with("advisory"))
    said.warnings.push_back("the hooks ran without a sandbox (" + hooks->enforcement() + ")");
}

}  // namespace

Result<Said> run_package(Caller& caller, const Args& args) {
  BubbleLoop loop(caller.os, TRY(bubble_of(caller, args)));
  const bubble::State state = TRY(loop.load());
  Said said;
  said.text = TRY(done_package(loop, state));
  said.json = state_json(state);
  said.json["package"] = said.text;
  said.json["missing"] = codec::encode(bubble::missing_parts(state.package));
  return said;
}

Result<Said> run_approve(Caller& caller, const Args& args) {
  BubbleLoop loop(caller.os, TRY(bubble_of(caller, args)));
  const bubble::State state = TRY(loop.load());
  TRY(require_unmoved(loop.paths(), state));
  bubble::Approve approve;
  if (args.has("tree")) approve.tree = TreeId(args.text("tree"));
  approve.checked = TRY(checked_places(args));
  if (state.phase == bubble::Phase::ready && human_caller(caller).kind == PrincipalKind::human) {
    TRY(write_done_package(loop, state));
    const bool asks = can_ask(caller);
    if (asks && !args.has("yes") && !args.has("tree"))
      TRY(show_in_pager(caller, loop.paths().package));
    if (asks)
      TRY(ask_for_checks(caller, bubble::manual_items(state.policy.profile.manual_checks),
                         approve.checked));
    TRY(need_confirmation(
        caller, args,
        fmt::format("Approve exactly tree {}?", state.converged_tree->str().substr(0, 12)),
        "add --tree <id> with the tree that you looked at, or --yes"));
  }
  // The decision is about the turn that was shown.
  const Request request = request_of(caller, args, human_caller(caller), state);
  auto answer = TRY(loop.execute(request, approve));
  keep_supervised(loop, answer.state, answer.warnings);
  Said said = said_of(answer);
  said.text += fmt::format("Next: pairflow bubble commit --id {}\n", state.id.str());
  return said;
}

Result<Said> run_commit(Caller& caller, const Args& args) {
  BubbleLoop loop(caller.os, TRY(bubble_of(caller, args)));
  const bubble::State before = TRY(loop.load());
  bubble::Commit commit;
  commit.message = TRY(commit_message(args, loop, before));
  commit.squash = args.has("squash");
  commit.override_scope = args.text("override-scope");
  commit.hooks = args.has("run-hooks");
  auto hooks = TRY(run_hooks(caller, loop, before, commit));
  auto answer = TRY(decide_or_retry(caller, args, loop, commit, [](const bubble::State& state) {
    return state.phase == bubble::Phase::approved && !state.commit;  // abandoned
  }));
  Said said = said_of(answer);
  TRY(settle_now(loop, [](const bubble::State& state) {
    return state.phase == bubble::Phase::done || !state.commit;
  }));
  const bubble::State state = TRY(loop.load());
  if (state.phase != bubble::Phase::done)
    return fail(Exit::refused, "the commit was abandoned",
                fmt::format("{} was moved meanwhile", state.place.bubble_branch),
                "look at the branch, then commit again (--squash keeps what was committed there)");
  keep_supervised(loop, state, said.warnings);
  said.json = state_json(state);
  if (commit.hooks) after_commit(caller, loop, state, hooks, said);
  said.json["commit"] = state.committed.str();
  said.json["tree"] = codec::encode(state.approved_tree);
  said.json["branch"] = state.place.bubble_branch;
  said.text += fmt::format("{}  {}  on {}\nTake it over: pairflow bubble merge --id {}\n",
                           name_of(state.phase), state.committed.str(), state.place.bubble_branch,
                           state.id.str());
  return said;
}

}  // namespace pf
