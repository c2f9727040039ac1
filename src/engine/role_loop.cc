#include "engine/role_loop.h"

#include <fmt/format.h>

#include "base/codec.h"
#include "base/hash.h"
#include "base/text.h"
#include "engine/role_merge.h"
#include "role/views.h"

namespace pf {
namespace {

constexpr Duration kDoorWait = std::chrono::seconds(30);

// "anyone": whoever comes may act in the role, and nobody is launched for it.
AgentName named(const AgentName& agent) { return agent.str() == "anyone" ? AgentName() : agent; }

// Where features begin when nobody has said so: what the remote calls its own, else the usual
// names, else what is checked out.
Result<std::string> usual_branch(RoleLoop& loop) {
  const Git git(loop.os(), {.git_dir = loop.paths().repository.common});
  constexpr std::string_view kRemote = "origin/";
  const Finished remote =
      TRY(git.run({"symbolic-ref", "-q", "--short", "refs/remotes/origin/HEAD"}));
  std::vector<std::string> candidates = {"main", "master"};
  if (const auto name = trim(remote.out); remote.ok() && name.starts_with(kRemote))
    candidates.insert(candidates.begin(), std::string(name.substr(kRemote.size())));
  for (const std::string& name : candidates)
    if (TRY(git.ref("refs/heads/" + name))) return name;
  const std::string checked_out = TRY(loop.checkout().branch());
  return checked_out.empty() ? candidates.front() : checked_out;
}

}  // namespace

bool are_outdated(const role::State& state, const Facts& facts) {
  return facts.documents && facts.known != known_of(state.disk, state.write);
}

RolePaths::RolePaths(Repository where) : repository(std::move(where)) {
  const std::string name(kRoleLoop);
  control = repository.top / ".pairflow";
  directory = control / "role";
  log = directory / "events.ndjson";
  state = directory / "state.json";
  inbox = directory / "inbox.ndjson";
  runs = directory / "runs";
  checks = directory / "checks";
  index = directory / "checkout.index";
  door = control / "locks" / (name + ".lock");
  lease = control / "locks" / (name + ".run.lock");
  runtime = control / "runtime";
  errors = runtime / (name + ".log");
  bells = runtime / (name + ".bells");
  channels = runtime / (name + ".channels");
  checking = repository.top.parent_path() / ".pairflow-worktrees" / repository.top.filename() /
             (name + ".checks");
}

Path RolePaths::run_file(int run, role::Role role, std::string_view ending) const {
  constexpr std::string_view kNames[] = {"planner", "coder", "reviewer"};
  return runs / fmt::format("{:04}-{}.{}", run, kNames[static_cast<std::size_t>(role)], ending);
}

LoopFiles RolePaths::loop_files() const { return {"role", log, state, door, bells}; }

Result<std::optional<role::State>> read_role_state(Os& os, const RolePaths& paths) {
  auto loaded = TRY(RoleEngine(os, paths.loop_files(), nullptr, nullptr).load());
  if (!loaded.state.begun) return std::nullopt;
  return std::move(loaded.state);
}

RoleLoop::RoleLoop(Os& os, RolePaths paths)
    : os_(os),
      paths_(std::move(paths)),
      engine_(
          os, paths_.loop_files(),
          [this](const std::vector<Need>& needs, const role::State& state,
                 const role::Command& command,
                 Facts& facts) { return gather(needs, state, command, facts); },
          [this](const role::State& state) { return project(state); }) {}

Result<role::State> RoleLoop::load_or_none() {
  auto loaded = engine_.load();
  if (loaded) return std::move(loaded->state);
  Error error = loaded.error();
  if (error.exit == Exit::damaged)
    error.fix =
        fmt::format("move {} away, then begin again with what state.json says: pairflow role init",
                    paths_.directory.string());
  return std::unexpected(std::move(error));
}

Result<role::State> RoleLoop::load() {
  auto state = TRY(load_or_none());
  if (state.begun) return state;
  return fail(Exit::refused, "the roles have not begun here",
              fmt::format("in {}", paths_.repository.top.string()), "begin: pairflow role init");
}

Result<role::State> RoleLoop::load_durable() {
  Lock door = TRY(Lock::take(os_, paths_.door, kDoorWait));
  TRY(Journal(os_, paths_.log, paths_.loop_files().id).prove(door));
  return load();
}

Result<RoleEngine::Answer> RoleLoop::execute(const Request& request, const role::Command& command) {
  return engine_.execute(request, command);
}

Result<RoleEngine::Answer> RoleLoop::report(const role::Command& command) {
  return execute({RequestId(os_.random.token(16)),
                  {PrincipalKind::orchestrator, {}, Assurance::self},
                  Seq::none},
                 command);
}

Result<std::vector<role::Event>> RoleLoop::events(const Mark& from) const {
  Journal journal(os_, paths_.log, paths_.loop_files().id);
  std::vector<role::Event> events;
  TRY(journal.scan(from, [&](Line&& line) -> Status {
    auto event = role::decode(line);
    if (!event) return std::unexpected(journal.unreadable(line, event.error()));
    events.push_back(std::move(*event));
    return {};
  }));
  return events;
}

Result<Settings> RoleLoop::settings() const {
  return load_settings(os_, paths_.repository.top, std::nullopt);
}

Checkout RoleLoop::checkout() const {
  const Repository& repository = paths_.repository;
  return Checkout(os_, repository, repository.top, repository.common, paths_.index,
                  Path(role::kRegisterFile));
}

Workspace RoleLoop::workspace() const {
  WorkspaceSpec spec;
  spec.repository = paths_.repository;
  spec.bubble = kRoleLoop;
  spec.branch = kRoleLoop;
  spec.worktree = paths_.checking;
  spec.index = paths_.index;
  return Workspace(os_, std::move(spec));
}

Status RoleLoop::gather(const std::vector<Need>& needs, const role::State& state,
                        const role::Command& command, Facts& facts) {
  for (const Need need : needs) {
    if (need == Need::time) facts.time = os_.clock.wall();
    if (need == Need::repository) facts.repository = TRY(repository_fact(state));
    if (need == Need::merge) facts.merge = TRY(merge_fact(state, command));
    if (need == Need::documents) TRY(gather_documents(state, facts));
  }
  return {};
}

Status RoleLoop::gather_documents(const role::State& state, Facts& facts) {
  facts.documents = TRY(documents());
  const Hash& reg = facts.documents->front().hash;
  if (state.write && reg == state.write->after)  // it will be taken for granted
    TRY(keep_document(std::string(role::kRegisterFile)));
  facts.known = known_of(state.disk, state.write);
  return {};
}

Result<MergeFact> RoleLoop::merge_fact(const role::State& state,
                                       const role::Command& command) const {
  const auto asked = role::merge_asked(state, command);
  if (!asked) return MergeFact{};
  MergeFact fact = TRY(workspace().look_at_merge(asked->commit, asked->into));
  // Ours, and cleared by us; what somebody else did there is seen when the files are changed.
  std::erase_if(fact.dirty, [](const std::string& path) {
    return path == role::kRegisterFile || path.starts_with(role::kCurrentFolder);
  });
  const auto landing = std::ranges::find(state.landings, asked->commit, &role::Landing::commit);
  if (landing != state.landings.end())
    fact.conflicts = TRY(real_conflicts(checkout(), Git(os_, {.git_dir = paths_.repository.common}),
                                        *landing, fact.base.str(), std::move(fact.conflicts)));
  return fact;
}

Status RoleLoop::project(const role::State& state) {
  std::string text;
  for (const InboxItem& item : role::inbox_of(state)) text += dump(codec::encode(item)) + "\n";
  const auto now = TRY(os_.files.read_if_there(paths_.inbox));
  if (now == text) return {};
  return os_.files.replace(paths_.inbox, text, Durable::no);
}

Result<role::Policy> role_policy(RoleLoop& loop, const Settings& settings,
                                 const role::State& known) {
  role::Policy policy;
  policy.planner = named(settings.role_planner);
  policy.coder = named(settings.role_coder);
  policy.reviewer = named(settings.role_reviewer);
  policy.coder_by = settings.role_coder_by == "plan"     ? role::CoderBy::plan
                    : settings.role_coder_by == "bubble" ? role::CoderBy::bubble
                                                         : role::CoderBy::agent;
  policy.types = settings.role_branch_types;
  policy.has_checks = !settings.commands.empty();
  policy.has_pr_command = !trim(settings.role_pr_command).empty();
  policy.default_branch = settings.role_default_branch;
  if (!policy.default_branch.empty()) return policy;
  policy.default_branch = known.policy.default_branch;
  if (known.begun) return policy;
  policy.default_branch = TRY(usual_branch(loop));
  return policy;
}

}  // namespace pf
