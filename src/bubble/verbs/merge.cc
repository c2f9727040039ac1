// How a finished bubble's change comes into its base branch. Where that has moved, the checks are
// run on what the merge would make, before anything is decided; then the intent is recorded and
// carried out. A base that moves meanwhile makes the result worthless: it is all done again.
#include <fmt/format.h>

#include "base/text.h"
#include "bubble/domain/evidence.h"
#include "bubble/host/supervision.h"
#include "bubble/verbs/verbs.h"

namespace pf {
namespace {

using bubble::MergeStanding;

constexpr int kMergeTries = 3;  // with a base that moves during each

void say(Caller& caller, const std::string& text) {
  if (!caller.json) caller.os.env.print(Stream::err, text);
}

// The tree that has to be judged before the merge can be decided on, if there is one.
Result<std::optional<TreeId>> tree_to_judge(BubbleLoop& loop, const bubble::State& state) {
  if (state.phase != bubble::Phase::done || state.merge) return std::nullopt;
  const MergeFact fact =
      TRY(loop.workspace(state).look_at_merge(state.committed, state.place.base_branch));
  if (fact.contains || !fact.dirty.empty() || !fact.conflicts.empty()) return std::nullopt;
  const MergeStanding standing = bubble::merge_standing(state, fact.tree);
  if (standing != MergeStanding::unjudged && standing != MergeStanding::unable) return std::nullopt;
  return fact.tree;
}

Status judge(Caller& caller, BubbleLoop& loop, const bubble::State& state, const TreeId& tree) {
  std::vector<std::string> names;
  for (const bubble::Check& check : state.policy.profile.checks) names.push_back(check.name);
  say(caller, fmt::format("{} has moved: running {} on the merge result {} (it can be interrupted "
                          "and given again) …\n",
                          printable(state.place.base_branch), printable(join(names, ", ")),
                          tree.str().substr(0, 12)));
  const bubble::ReportEvidence seen = TRY(check_merge_result(loop, tree));
  say(caller, fmt::format("{}{}{}\n", name_of(seen.status), seen.what.empty() ? "" : ": ",
                          printable(seen.what)));
  if (seen.status == bubble::EvidenceStatus::green) return {};
  constexpr std::size_t kEnd = 2000;
  const auto log = caller.os.files.read_if_there(loop.paths().artifacts / seen.log);
  if (!log || !*log) return {};
  const std::string_view text = **log;
  say(caller, printable_lines(text.substr(text.size() - std::min(text.size(), kEnd))));
  return {};
}

// The intent, once what it would make is judged.
Result<BubbleEngine::Answer> decide_merge(Caller& caller, const Args& args, BubbleLoop& loop,
                                          const bubble::Merge& merge) {
  for (int attempt = 1;; ++attempt) {
    const bubble::State state = TRY(loop.load());
    const auto tree = merge.unchecked.empty() ? TRY(tree_to_judge(loop, state)) : std::nullopt;
    if (tree) TRY(judge(caller, loop, state, *tree));
    auto answer = decide_or_retry(caller, args, loop, merge, [](const bubble::State& now) {
      return !now.merge && now.merged.empty();  // abandoned
    });
    if (answer || attempt == kMergeTries) return answer;
    const auto next = TRY(tree_to_judge(loop, TRY(loop.load())));
    if (!next || next == tree || !merge.unchecked.empty()) return answer;
  }
}

}  // namespace

Result<Said> run_merge(Caller& caller, const Args& args) {
  BubbleLoop loop(caller.os, TRY(bubble_of(caller, args)));
  const bubble::Merge merge{args.text("unchecked")};
  if (args.has("unchecked") && trim(merge.unchecked).empty())
    return fail(Exit::usage, "--unchecked needs a reason", "it is recorded",
                "--unchecked \"<why it is merged without a green run>\"");
  Args given = args;
  for (int attempt = 1;; ++attempt) {
    auto answer = TRY(decide_merge(caller, given, loop, merge));
    Said said = said_of(answer);
    const auto intent = answer.state.merge;
    TRY(settle_now(loop, [](const bubble::State& state) { return !state.merge; }));
    const bubble::State state = TRY(loop.load());
    if (!state.merged.empty()) {
      said.json = state_json(state);
      said.json["merged"] = state.merged.str();
      said.json["base"] = state.place.base_branch;
      said.text += fmt::format("{} is at {}\n", state.place.base_branch, state.merged.str());
      return said;
    }
    const auto now = loop.workspace(state).look_at_merge(state.committed, state.place.base_branch);
    const bool moved = intent && now && now->tree != intent->tree;
    if (!moved || attempt == kMergeTries)
      return fail(Exit::refused, "the merge was abandoned", state.actions.back().text,
                  "mend what it names, then run the same command again");
    given.set("request", {caller.os.random.token(16)});
  }
}

}  // namespace pf
