// A finished bubble whose change cannot be merged goes on as another one: on today's base, with its
// task, its findings, what was said, and its commit merged with the base. Nothing is written to the
// old one: the new one's journal names it.
#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"
#include "base/hash.h"
#include "base/text.h"
#include "bubble/verbs/verbs.h"

namespace pf {
namespace {

constexpr std::size_t kLongestId = 40;
constexpr int kMostContinued = 1000;

// "fix-login-3" after "fix-login-2", "fix-login-2" after "fix-login".
std::string numbered(const std::string& id, int by) {
  std::string stem = id;
  int number = 1;
  if (const auto dash = id.rfind('-'); dash != std::string::npos)
    if (const auto found = parse_number<int>(id.substr(dash + 1)); found && *found > 1)
      stem = id.substr(0, dash), number = *found;
  const std::string ending = fmt::format("-{}", number + by);
  return stem.substr(0, kLongestId - ending.size()) + ending;
}

struct Others {
  std::optional<bubble::State> goes_on;  // one that goes on with it already
  std::vector<BubbleId> taken;
};
Result<Others> others_of(Caller& caller, const Repository& repository, const BubbleId& id) {
  Others others;
  for (ListedBubble& listed : TRY(all_bubbles(caller.os, repository))) {
    others.taken.push_back(listed.id);
    if (!listed.state) continue;
    const auto& continues = listed.state->continues;
    if (continues && continues->bubble == id && !bubble::is_final(listed.state->phase))
      others.goes_on = std::move(*listed.state);
  }
  return others;
}

Result<BubblePaths> next_bubble(Caller& caller, const Repository& repository, const BubbleId& id,
                                const Others& others) {
  for (int by = 1; by < kMostContinued; ++by) {
    BubblePaths paths(repository, TRY(parse_bubble_id(numbered(id.str(), by))));
    const bool taken = std::ranges::find(others.taken, paths.id) != others.taken.end();
    if (!taken && !TRY(caller.os.files.exists(paths.worktree))) return paths;
  }
  return fail(Exit::refused, fmt::format("there is no id left after {}", id.str()), "",
              "delete some of them");
}

// What was said, as files of the new bubble, so that its agents can read it.
Status bring_talk(BubbleLoop& old, const BubblePaths& paths) {
  Os& os = old.os();
  const Path earlier = paths.artifacts / "earlier";
  TRY(os.files.make_directories(earlier));
  for (const bubble::Event& event : TRY(old.events()))
    if (const std::string name = bubble::message_file(event); !name.empty())
      TRY(os.files.replace(earlier / fmt::format("{}-{}", old.paths().id.str(), name),
                           bubble::message_text(event), Durable::no));
  const Path before = old.paths().artifacts / "earlier";  // it went on with another one itself
  if (!TRY(os.files.exists(before))) return {};
  for (const Entry& entry : TRY(os.files.list(before)))
    if (entry.kind == FileKind::file)
      TRY(os.files.replace(earlier / entry.name, TRY(os.files.read(before / entry.name)),
                           Durable::no));
  return {};
}

Status refuse_unfinished(const bubble::State& state) {
  if (state.phase == bubble::Phase::done) return {};
  const bool active = bubble::has_session(state.phase);
  return fail(Exit::refused, fmt::format("bubble {} is {}", state.id.str(), name_of(state.phase)),
              "one that is DONE and cannot be merged goes on as another",
              active
                  ? fmt::format("bring its base in: pairflow bubble sync --id {}", state.id.str())
                  : "create a new one: pairflow bubble create --id <new id> …");
}

struct Planned {
  bubble::Create create;
  std::string toml;
  std::vector<std::string> warnings;
};
Result<Planned> plan(Caller& caller, BubbleLoop& old, const bubble::State& state,
                     const BubblePaths& paths) {
  const std::string& branch = state.place.base_branch;
  Settings settings = TRY(old.settings());
  settings.id = paths.id.str();
  settings.repo_path = paths.repository.top.string();
  settings.bubble_branch = "bubble/" + paths.id.str();
  const BaseCheck base =
      TRY(check_base(caller.os, paths.repository, branch, settings.bubble_branch));
  Workspace workspace = old.workspace(state);
  const MergedTree merged = TRY(workspace.merged_tree(state.committed, base.commit));
  Planned planned;
  planned.warnings = base.warnings;
  planned.toml = render_bubble_toml(settings);
  bubble::Create& create = planned.create;
  create.policy = policy_of(settings);
  create.policy.profile = state.policy.profile;
  create.policy.base_first = true;
  create.place = {
      branch,   settings.bubble_branch, state.place.work_mode, paths.worktree.string(), base.commit,
      base.tree};
  create.task = state.task;
  create.config = hash_of(planned.toml);
  create.continues =
      bubble::Continued{state.id, state.committed, TreeId(merged.tree), merged.conflicts};
  create.findings = state.findings;
  return planned;
}

Said said_continued(const Args& args, const BubbleId& old, const BubbleEngine::Answer& answer) {
  const bubble::Continued& from = *answer.state.continues;
  Said said = said_created(args, answer);
  said.json["continues"] = old.str();
  said.json["conflicts"] = codec::encode(from.conflicts);
  const std::string conflicts = from.conflicts.empty()
                                    ? ", without conflicts"
                                    : fmt::format("; conflicts to be resolved by {}: {}",
                                                  answer.state.policy.roles.implementer.str(),
                                                  printable(name_some(from.conflicts, 20)));
  said.text.insert(
      0, fmt::format("{} goes on as {}, on top of {}{}\n", old.str(), answer.state.id.str(),
                     answer.state.place.base_branch, conflicts));
  return said;
}

}  // namespace

Result<Said> run_continue(Caller& caller, const Args& args) {
  BubbleLoop old(caller.os, TRY(bubble_of(caller, args)));
  const bubble::State state = TRY(old.load());
  TRY(refuse_unfinished(state));
  const Repository& repository = old.paths().repository;
  const Others others = TRY(others_of(caller, repository, state.id));
  if (others.goes_on) {  // given again
    BubbleEngine::Answer answer;
    answer.state = *others.goes_on;
    answer.repeated = true;
    return said_continued(args, state.id, answer);
  }
  Workspace workspace = old.workspace(state);
  const MergeFact fact = TRY(workspace.look_at_merge(state.committed, state.place.base_branch));
  if (fact.contains)
    return fail(Exit::refused,
                fmt::format("{} has this change already", printable(state.place.base_branch)),
                fmt::format("it is at {}", fact.base.str()),
                "create a new bubble for what comes next");
  const BubblePaths paths = TRY(next_bubble(caller, repository, state.id, others));
  const Planned planned = TRY(plan(caller, old, state, paths));
  const TreeId& tree = planned.create.continues->tree;
  const auto answer =
      TRY(record_bubble(caller, args, paths, planned.toml, planned.create, [&]() -> Status {
        bubble::State begun;
        begun.place = planned.create.place;
        TRY(BubbleLoop(caller.os, paths)
                .workspace(begun)
                .anchor("trees/" + tree.str(), tree.str()));
        return bring_talk(old, paths);
      }));
  Said said = said_continued(args, state.id, answer);
  for (const std::string& warning : planned.warnings) said.warnings.push_back(warning);
  return said;
}

}  // namespace pf
