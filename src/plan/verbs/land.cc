// How a plan comes home: the page, the human's word, commits, and from a worktree the merge. Every
// part is recorded before it is carried out, and the same command goes on where one was cut off.
#include <fmt/format.h>

#include "base/codec.h"
#include "base/diffstat.h"
#include "base/text.h"
#include "plan/host/decision.h"
#include "plan/host/landing.h"
#include "plan/verbs/verbs.h"
#include "verbs/core/show.h"

namespace pf {
namespace {

constexpr int kMergeTries = 3;  // with a base that moves during each

void say(Caller& caller, const std::string& text) {
  if (!caller.json) caller.os.env.print(Stream::err, text);
}

bool has_unlanded(const plan::State& state) {
  return !state.verdicts.empty() && state.verdicts.back().seq > state.landed_to;
}

bool is_in_worktree(const plan::State& state) {
  return state.policy.workspace == plan::Workspace::worktree;
}

// Shows the diff in the pager.
Status page_diff(Caller& caller, PlanLoop& loop, const plan::State& state, const PlanRange& range) {
  const Path file = Path(loop.paths().errors) += ".diff";
  TRY(caller.os.files.make_directories(file.parent_path()));
  TRY(caller.os.files.replace(file, TRY(plan_diff(loop, state, range)), Durable::no));
  TRY(show_in_pager(caller, file));
  return caller.os.files.remove(file);
}

// The page, then the question; `d` shows the diff.
Status ask(Caller& caller, const Args& args, PlanLoop& loop, const plan::State& state,
           const PlanDecision& decision) {
  if (args.has("yes") || args.has("tree")) return {};
  if (!can_ask(caller)) return need_confirmation(caller, args, "", "add --yes, or --tree <id>");
  say(caller, page_of(decision));
  for (;;) {
    caller.os.env.print(Stream::err, fmt::format("Land exactly tree {}? [y/N, d for the diff] ",
                                                 decision.tree.substr(0, 12)));
    const auto line = caller.os.env.read_line();
    if (line && (*line == "d" || *line == "D")) {
      TRY(page_diff(caller, loop, state, {decision.from, decision.tree}));
      continue;
    }
    if (line && (*line == "y" || *line == "Y" || *line == "yes")) return {};
    return fail(Exit::refused, "not confirmed", "nothing was changed", "");
  }
}

// The tree that the merge would make, green by the checks where the branch has moved; nothing when
// the decision needs no run of them. A red one is refused.
Result<TreeId> judge(Caller& caller, PlanLoop& loop, const plan::State& state) {
  const MergeFact fact = TRY(look_at_merge(loop, state));
  if (fact.contains || !fact.dirty.empty() || !fact.conflicts.empty()) return fact.tree;
  const TreeId landed = TRY(loop.git().tree_of(state.landed.str()));
  if (fact.tree == landed || TRY(loop.settings()).commands.empty()) return fact.tree;
  say(caller, fmt::format("{} has moved: running the checks on the merge result {} …\n",
                          printable(state.branch), fact.tree.str().substr(0, 12)));
  const std::string failed = TRY(check_landing(loop, fact.tree));
  if (failed.empty()) return fact.tree;
  return fail(
      Exit::refused,
      fmt::format("the checks are red on the merge of {} with {}", loop.paths().branch(),
                  printable(state.branch)),
      failed,
      fmt::format("{0} has the commits: mend it there, or merge it as it is: pairflow plan land "
                  "{1} --unchecked \"<reason>\"",
                  loop.paths().branch(), state.feature.str()));
}

// Into the branch that the plan began at. One that moves meanwhile is tried anew.
Status merge_into_base(Caller& caller, PlanLoop& loop, const std::string& unchecked) {
  for (int attempt = 1;; ++attempt) {
    const plan::State state = TRY(loop.load());
    if (!state.merged.empty()) return {};
    if (!state.merge) {
      plan::Merge merge;
      merge.unchecked = unchecked;
      if (!state.branch.empty() && unchecked.empty()) merge.green = TRY(judge(caller, loop, state));
      TRY(loop.execute({RequestId(caller.os.random.token(16)), human_caller(caller), Seq::none},
                       merge));
    }
    TRY(settle_landing(loop));
    const plan::State now = TRY(loop.load());
    if (!now.merged.empty()) return {};
    if (attempt == kMergeTries)
      return fail(Exit::refused, "the merge was given up", now.actions.back().text,
                  "mend what it names, then run the same command again");
  }
}

Said landed(const plan::State& state) {
  Said said;
  said.json = state_json(state);
  said.json["commit"] = state.landed.str();
  const std::string feature = state.feature.str();
  const std::string own = is_in_worktree(state) ? "plan/" + feature : printable(state.branch);
  said.json["branch"] = own;
  said.text = fmt::format("{} is at {}\n", own, state.landed.str());
  if (is_in_worktree(state)) {
    said.json["merged"] = state.merged.str();
    said.json["into"] = state.branch;
    said.text += fmt::format("{} is at {}\n", printable(state.branch), state.merged.str());
  }
  return said;
}

}  // namespace

Result<Said> run_plan_land(Caller& caller, const Args& args) {
  PlanLoop loop(caller.os, TRY(plan_of(caller, args)));
  TRY(require_human(caller, "plan"));
  if (args.has("unchecked") && trim(args.text("unchecked")).empty())
    return fail(Exit::usage, "--unchecked needs a reason", "it is recorded",
                "--unchecked \"<why it is merged without a green run>\"");
  plan::State state = TRY(loop.load());
  if (!state.landing && (has_unlanded(state) || state.landed.empty())) {
    const PlanDecision decision = TRY(plan_decision(loop, state));
    const plan::Land land{args.has("one"), args.has("so-far"), TreeId(args.text("tree"))};
    const Request request = request_of(caller, args, human_caller(caller), state);
    const bool asks = !decision.tree.empty() && (decision.open.empty() || land.so_far);
    if (asks) TRY(ask(caller, args, loop, state, decision));
    TRY(loop.execute(request, land));
  }
  TRY(settle_landing(loop));
  state = TRY(loop.load());
  if (state.landed.empty() || has_unlanded(state))
    return fail(Exit::refused, "the landing was given up", state.actions.back().text,
                "mend what it names, then run the same command again");
  if (is_in_worktree(state)) TRY(merge_into_base(caller, loop, args.text("unchecked")));
  return landed(TRY(loop.load()));
}

Result<Said> run_plan_diff(Caller& caller, const Args& args) {
  PlanLoop loop(caller.os, TRY(plan_of(caller, args)));
  const plan::State state = TRY(loop.load());
  const PlanRange range = TRY(plan_range(loop, state, args.text("step")));
  const auto changed = TRY(loop.workspace(state.base).changed(range.from, range.to));
  Said said;
  said.json["from"] = range.from;
  said.json["to"] = range.to;
  said.json["files"] = codec::encode(changed);
  said.text =
      args.has("stat") || caller.json ? diffstat(changed) : TRY(plan_diff(loop, state, range));
  return said;
}

Result<Said> run_plan_decision(Caller& caller, const Args& args) {
  PlanLoop loop(caller.os, TRY(plan_of(caller, args)));
  const PlanDecision decision = TRY(plan_decision(loop, TRY(loop.load())));
  Said said;
  said.json = codec::encode(decision).as_object();
  said.text = page_of(decision);
  return said;
}

}  // namespace pf
