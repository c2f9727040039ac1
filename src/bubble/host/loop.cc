#include "bubble/host/loop.h"

#include <fmt/format.h>

#include <algorithm>

#include "agents/kind.h"
#include "base/hash.h"
#include "base/text.h"
#include "bubble/domain/hidden_text.h"
#include "bubble/host/presence.h"
#include "bubble/host/review_checkout.h"
#include "loop/hidden_places.h"

namespace pf {

template class Engine<bubble::Domain>;
template class Loop<bubble::Domain, BubblePaths>;
namespace {

Duration since(const Moment& then, const Moment& now) {
  // After a reboot only the time since then is sure.
  const std::int64_t from = now.boot == then.boot ? then.mono_ms : 0;
  return std::chrono::milliseconds(std::max<std::int64_t>(0, now.mono_ms - from));
}

}  // namespace

BubbleLoopPaths::BubbleLoopPaths(Repository where, BubbleId which)
    : LoopPaths(std::move(where), which.str(), Path("bubbles") / which.str(), "transcript.ndjson"),
      id(std::move(which)) {}

BubblePaths::BubblePaths(Repository where, BubbleId which)
    : BubbleLoopPaths(std::move(where), std::move(which)) {
  config = directory / "bubble.toml";
  artifacts = directory / "artifacts";
  messages = artifacts / "messages";
  blobs = artifacts / "blobs";
  index = directory / "workspace.index";
  rules_index = directory / "rules.index";
  setup_log = artifacts / "setup.log";
  package = artifacts / "done-package.md";
  git_dir = directory / "git";
  starting = control / "locks" / (id.str() + ".start.lock");
  checking = control / "locks" / (id.str() + ".checks.lock");
  hooks_git = directory / "hooks.git";
  repo_lock = control / "locks" / "repo.lock";
  supervisor = runtime / (id.str() + ".json");
  hook_plan = runtime / (id.str() + ".hook.launch");
  shell_plan = runtime / (id.str() + ".shell.launch");
  worktree = beside(id.str());
  checks = beside(id.str() + ".checks");
  checks_kept = directory / "checks.json";
  review = beside(id.str() + ".review");
  review_kept = directory / "review.tree";
}

Result<std::vector<ListedBubble>> all_bubbles(Os& os, const Repository& repository) {
  std::vector<ListedBubble> listed;
  for (const Entry& entry : TRY(os.files.list(repository.top / ".pairflow" / "bubbles"))) {
    const auto id = parse_bubble_id(entry.name);
    if (!id || entry.kind != FileKind::directory) continue;
    auto state = read_state<bubble::Domain>(os, BubbleLoopPaths(repository, *id).loop_files());
    if (!state)
      listed.push_back({*id, std::unexpected(std::move(state).error())});
    else if (*state)  // a create that was interrupted has left no journal
      listed.push_back({*id, std::move(**state)});
  }
  return listed;
}

Result<Error> BubbleLoop::not_begun() const {
  const std::string& id = paths_.id.str();
  const std::string near = TRY(nearest_in(paths_.control / "bubbles", id));
  return Error{
      Exit::refused, fmt::format("there is no bubble '{}'", id),
      fmt::format("in {}", paths_.repository.top.string()),
      near.empty() ? "see: pairflow bubble list" : fmt::format("did you mean '{}'?", near)};
}

// The names carry the numbers.
Status BubbleLoop::tell(const std::vector<bubble::Event>& events) {
  for (const bubble::Event& event : events) {
    const std::string name = bubble::message_file(event);
    if (name.empty()) continue;
    TRY(os_.files.make_directories(paths_.messages));
    TRY(os_.files.replace(paths_.messages / name, bubble::message_text(event), Durable::no));
  }
  return {};
}

Workspace BubbleLoop::workspace(const bubble::State& state) const {
  WorkspaceSpec spec;
  spec.repository = paths_.repository;
  spec.bubble = paths_.id.str();
  spec.branch = state.place.bubble_branch;
  spec.base = state.place.base_commit;
  spec.mode = state.place.work_mode;
  spec.worktree = state.place.worktree;
  spec.index = paths_.index;
  spec.tree = state.target;
  if (!spec.tree && state.continues) spec.tree = state.continues->tree;
  if (!state.rules.empty())
    spec.rules = FrozenRules{paths_.blobs / state.rules.str(), state.rules, paths_.git_dir};
  return Workspace(os_, std::move(spec));
}

TreeCheckout BubbleLoop::tree_checkout(const bubble::State& state, const Path& directory) const {
  return {.repository = paths_.repository,
          .directory = directory,
          .index = paths_.index,
          .rules = workspace(state).spec().rules,
          .base = state.place.base_commit,
          .base_branch = state.place.base_branch,
          .branch = state.place.bubble_branch};
}

std::optional<Distance> BubbleLoop::base_distance(const bubble::State& state,
                                                  const std::optional<Distance>& known) const {
  return distance_of(os_, paths_.repository, state.place.base_branch, state.place.base_commit,
                     known);
}

// A bubble whose own configuration is missing or wrong can still be looked at and stopped.
Result<std::string> BubbleLoop::socket() const {
  if (const auto own = settings()) return tmux_socket(os_, *own);
  return tmux_socket(os_,
                     TRY(load_settings(os_, paths_.repository.top, std::nullopt, agent_kinds())));
}

Result<TmuxSession> BubbleLoop::terminal(const bubble::State& state) const {
  SessionSpec spec;
  spec.socket = TRY(socket());
  spec.bubble = paths_.id.str();
  spec.directory = state.place.worktree;
  spec.status_command = {
      os_.env.executable().string(),  "bubble", "status",       "--watch", "--repo",
      paths_.repository.top.string(), "--id",   paths_.id.str()};
  spec.owner = hash_of(paths_.repository.top.string()).str();
  spec.agents = {state.policy.roles.implementer.str(), state.policy.roles.reviewer.str()};
  return TmuxSession(os_, std::move(spec));
}

Status BubbleLoop::gather(const std::vector<Need>& needs, const bubble::State& state,
                          const bubble::Command& command, Facts& facts) {
  for (const Need need : needs) {
    switch (need) {
      case Need::tree: TRY(gather_tree(state, false, facts)); break;
      case Need::cold_tree: TRY(gather_tree(state, true, facts)); break;
      case Need::shown_tree: TRY(gather_shown(state, command, facts)); break;
      case Need::idle: facts.idle = idle_fact(state); break;
      case Need::liveness: facts.dead = TRY(dead_agents(state)); break;
      case Need::merge:
        facts.merge = TRY(workspace(state).look_at_merge(state.committed, state.place.base_branch));
        break;
      case Need::sync: TRY(gather_sync(state, facts)); break;
      case Need::commit: TRY(gather_commit(state, std::get<bubble::Commit>(command), facts)); break;
      case Need::documents:
      case Need::time:
      case Need::repository:
      case Need::claim:
      case Need::landing: break;  // a bubble is about a tree of its own
    }
  }
  return {};
}

// What the agent's hooks told and what its screen shows: the human has to know where it hangs.
IdleFact BubbleLoop::idle_fact(const bubble::State& state) const {
  const Moment now = os_.clock.moment();
  IdleFact fact{since(state.last_activity, now), {}, os_.clock.wall()};
  if (state.turn_opened.boot == now.boot) fact.turn = since(state.turn_opened, now);
  if (!state.active_agent) return fact;
  const bubble::Agent* agent = state.agent(*state.active_agent);
  const auto presence = read_presence(os_, paths_, *state.active_agent);
  if (presence) fact.idle = std::min(fact.idle, since(presence->moment, now));
  if (agent != nullptr && presence) {
    const Whereabouts where = whereabouts(*agent, !agent->exited, presence);
    fact.seen = fmt::format("Last seen: {} at {} ({}).", where.what, presence->at, where.how);
  }
  const auto screen = active_screen(state);
  if (!screen) return fact;
  if (screen->trouble)
    fact.seen += fmt::format(" Its screen says: {}.", screen->trouble->line);
  else if (presence && (presence->event == "UserPromptSubmit" || presence->event == "PostToolUse"))
    fact.seen += " Its model hangs: it has not answered since.";
  return fact;
}

Result<AgentScreen> BubbleLoop::active_screen(const bubble::State& state) const {
  TmuxSession terminal = TRY(this->terminal(state));
  for (const PaneSeen& pane : TRY(terminal.observe()))
    if (pane.holder == state.active_agent->str() && !pane.dead) return read_screen(terminal, pane);
  return AgentScreen{};
}

// Every tree the journal may name is anchored first: git prunes what no ref reaches.
Status BubbleLoop::gather_tree(const bubble::State& state, bool cold, Facts& facts) {
  Workspace workspace = this->workspace(state);
  facts.tree = TRY(workspace.snapshot(cold));
  facts.cold = cold;
  const TreeId& tree = facts.tree->tree;
  if (tree != state.place.base_tree && state.target != tree)
    TRY(workspace.anchor("trees/" + tree.str(), tree.str()));
  const auto& judged = state.converged_tree ? state.converged_tree : state.target;
  if (judged && *judged != tree)
    facts.tree->moved = TRY(workspace.changed(judged->str(), tree.str()));
  facts.tree->conflicted = TRY(workspace.marked(tree, state.conflicts));
  if (cold && !state.converged_tree) facts.tree->hidden = TRY(hidden_text(state, tree));
  return {};
}

// The reviewer's own checkout is a tree by its making: nothing is taken from files.
Status BubbleLoop::gather_shown(const bubble::State& state, const bubble::Command& command,
                                Facts& facts) {
  Workspace workspace = this->workspace(state);
  TreeFact fact{TRY(shown_tree(os_, paths_)).value_or(TreeId()), state.place.base_tree, {}, {}};
  fact.tip = TRY(workspace.tip());
  if (state.target == fact.tree) {
    fact.changed = TRY(workspace.changed(state.place.base_commit.str(), fact.tree.str()));
    if (std::holds_alternative<bubble::Converge>(command))
      fact.hidden = TRY(hidden_text(state, fact.tree));
  }
  facts.tree = std::move(fact);
  facts.cold = true;
  return {};
}

Result<std::vector<HiddenText>> BubbleLoop::hidden_text(const bubble::State& state,
                                                        const TreeId& tree) const {
  constexpr std::size_t kLookedAt = 64u << 20;
  return bubble::hidden_text(
      TRY(workspace(state).diff(state.place.base_commit.str(), tree.str(), kLookedAt)));
}

Status BubbleLoop::gather_sync(const bubble::State& state, Facts& facts) {
  Workspace workspace = this->workspace(state);
  facts.sync = TRY(workspace.look_at_sync(state.place.base_branch, state.target));
  const SyncFact& fact = *facts.sync;
  if (fact.commits == 0) return {};
  TRY(workspace.anchor("sync", fact.onto.str()));
  for (const TreeId& tree : {fact.files, fact.merged, fact.target.value_or(fact.merged)})
    TRY(workspace.anchor("trees/" + tree.str(), tree.str()));
  return {};
}

Status BubbleLoop::gather_commit(const bubble::State& state, const bubble::Commit& commit,
                                 Facts& facts) {
  Workspace workspace = this->workspace(state);
  facts.commit =
      TRY(workspace.make_commit({facts.tree->tree, state.place.base_commit, commit.message}));
  return workspace.anchor("commit", facts.commit->str());
}

Result<std::vector<AgentName>> BubbleLoop::dead_agents(const bubble::State& state) const {
  TmuxSession terminal = TRY(this->terminal(state));
  const auto panes = TRY(live_panes(os_, terminal));
  std::vector<AgentName> dead;
  for (const bubble::Agent& agent : state.agents)
    if (std::ranges::none_of(panes, [&](const PaneSeen& pane) {
          return pane.holder == agent.name.str() && !pane.dead && pane.launch != Seq::none;
        }))
      dead.push_back(agent.name);
  return dead;
}

Result<Hash> BubbleLoop::keep_blob(std::string_view bytes) const {
  const Hash hash = hash_of(bytes);
  TRY(os_.files.make_directories(paths_.blobs));
  TRY(os_.files.replace(paths_.blobs / hash.str(), bytes, Durable::yes));
  return hash;
}

Result<std::string> BubbleLoop::read_blob(const Hash& hash) const {
  const Path path = paths_.blobs / hash.str();
  auto bytes = TRY(os_.files.read_if_there(path));
  if (bytes && hash_of(*bytes) == hash) return std::move(*bytes);
  return fail(
      Exit::damaged, fmt::format("{} is {}", path.string(), bytes ? "changed" : "missing"),
      "the journal names it by its hash",
      fmt::format("put it back; or send the bubble back: pairflow bubble request-rework --id {} "
                  "--message \"…\"",
                  paths_.id.str()));
}

Result<std::vector<PaneSeen>> live_panes(Os& os, TmuxSession& terminal) {
  auto panes = TRY(terminal.observe());
  for (PaneSeen& pane : panes)
    if (!pane.dead && pane.pid > 0 && !os.processes.alive(pane.pid)) {
      pane.dead = true;
      pane.exit_code = -1;
    }
  return panes;
}

bubble::Policy policy_of(const Settings& settings) {
  bubble::Policy policy;
  policy.roles = {settings.implementer, settings.reviewer};
  policy.max_rounds = settings.max_rounds;
  policy.watchdog_minutes = settings.watchdog_timeout_minutes;
  policy.fresh_reviewer = settings.reviewer_context_mode == "fresh";
  policy.scope_allow = settings.scope_allow;
  policy.scope_deny = settings.scope_deny;
  policy.risk_paths = settings.risk_paths;
  policy.risk_words = settings.risk_words;
  policy.checks_at =
      parse_name<bubble::ChecksAt>(settings.checks_checkout).value_or(bubble::ChecksAt::own);
  policy.final_cold = policy.checks_at == bubble::ChecksAt::own && settings.checks_final == "cold";
  for (const NamedCommand& command : settings.commands)
    policy.profile.checks.push_back({command.name, command.command});
  return policy;
}

}  // namespace pf
