// How it works. The checkout's own .git is sealed and has the tree as a commit. Hooks expect it as
// it is before that commit, and write it: so for each hook a git directory is made anew beside the
// journal and mounted in its place, and nothing reads it later but the message, as a plain file.
#include "bubble/host/commit_hooks.h"

#include <fmt/format.h>

#include "base/text.h"
#include "bubble/host/done_package.h"
#include "bubble/host/supervision.h"
#include "loop/agent_sandbox.h"

namespace pf {
namespace {

constexpr std::size_t kMessageBytes = 1u << 20;
constexpr const char* kMessageName = "COMMIT_EDITMSG";

// The files are compared with the index first: hooks that ask git what changed would get it wrong.
constexpr const char* kRunHook = R"sh(hooks=$1; shift
git update-index -q --refresh >/dev/null 2>&1
exec git -c core.hooksPath="$hooks" hook run --ignore-missing "$@")sh";

}  // namespace

Result<CommitHooks> CommitHooks::of(BubbleLoop& loop, const bubble::State& state, Show show) {
  Os& os = loop.os();
  auto lock = TRY(Lock::try_take(os, loop.paths().checking));
  if (!lock)
    return fail(Exit::refused, "checks or hooks are being run", "hooks run where the checks do",
                "wait for them, then run the same command again");
  const auto changed = TRY(changed_hooks(loop, state));
  if (!changed.empty())
    return fail(Exit::refused,
                "the hooks are not those of the bubble's start: " + printable(join(changed, ", ")),
                "somebody changed them while the agents were at work",
                "look at them; commit without --run-hooks, or run them yourself");
  Path hooks = TRY(loop.workspace(state).hooks_path());
  return CommitHooks(loop, state, TRY(loop.settings()), *std::move(lock), std::move(show),
                     std::move(hooks));
}

CommitHooks::CommitHooks(BubbleLoop& loop, const bubble::State& state, Settings settings, Lock lock,
                         Show show, Path hooks)
    : loop_(loop),
      state_(state),
      settings_(std::move(settings)),
      checking_(std::move(lock)),
      show_(std::move(show)),
      workspace_(loop.workspace(state)),
      hooks_(std::move(hooks)) {}

CommitHooks::~CommitHooks() {
  if (!checking_.held()) return;
  Files& files = loop_.os().files;
  const BubblePaths& paths = loop_.paths();
  [[maybe_unused]] auto at_best = files.remove_all(paths.hooks_git);
  if (!is_last_) return;
  at_best = files.remove_all(paths.checks);
  at_best = files.remove(paths.checks_kept);
}

Result<bool> CommitHooks::has(std::string_view name) const {
  return loop_.os().files.exists(Path(state_.place.worktree) / hooks_ / name);
}

Status CommitHooks::make_checkout() {
  if (!directory_.empty()) return {};
  const ChecksCheckout checkout = loop_.checks_checkout(state_);
  const BubblePaths& paths = loop_.paths();
  const TreeChecks ready = TRY(check_tree(loop_.os(), paths, paths.id.str(), settings_, checkout,
                                          *state_.approved_tree, {}, Begin::as_it_is));
  if (!failed_checks(ready.done).empty()) {
    show_(log_text(ready.done));
    return fail(Exit::refused, "the setup failed in the checkout of the hooks",
                failed_checks(ready.done), "mend it, or commit without --run-hooks");
  }
  note_size(loop_.os(), checkout);
  enforcement_ = ready.enforcement;
  in_tree_ = hooks_.is_relative() && TRY(workspace_.has_path(*state_.approved_tree, hooks_));
  tree_ = TRY(workspace_.tree_in(checkout.files.directory, *state_.approved_tree));
  directory_ = checkout.files.directory;
  return {};
}

// Those that were there at the start, whatever the setup or a check made in their place.
Status CommitHooks::show_hooks(ConfinedCommand& command) const {
  const Path own = state_.place.worktree / hooks_;
  if (in_tree_)
    command.sealed = {directory_ / hooks_};
  else if (hooks_.is_absolute())
    command.visible = {hooks_};
  else if (TRY(loop_.os().files.exists(own)))
    command.shown = {{own, directory_ / hooks_}};
  return {};
}

Result<Finished> CommitHooks::run_hook(const char* name, const CommitId& head,
                                       const std::string* message) {
  TRY(make_checkout());
  Os& os = loop_.os();
  const BubblePaths& paths = loop_.paths();
  const bool confined = enforcement_ == "sandbox";
  const Path git = confined ? directory_ / ".git" : paths.hooks_git;
  TRY(workspace_.make_hooks_git(paths.hooks_git, git, head, *state_.approved_tree));
  const Path hooks = hooks_.is_absolute() ? hooks_ : directory_ / hooks_;
  ConfinedCommand command{.argv = {"/bin/sh", "-c", kRunHook, "hook", hooks.string(), name, "--"},
                          .directory = directory_};
  command.variables = {{"GIT_INDEX_FILE", (git / "index").string()}};
  if (confined)
    command.bound = {{paths.hooks_git, git}};
  else
    command.variables.insert(command.variables.end(),
                             {{"GIT_DIR", git.string()}, {"GIT_WORK_TREE", directory_.string()}});
  TRY(show_hooks(command));
  if (message != nullptr) {
    TRY(os.files.replace(paths.hooks_git / kMessageName, *message, Durable::no));
    command.argv.push_back((confined ? Path(".git") : git) / kMessageName);
  }
  const LaunchPlan plan = TRY(plan_like_a_check(os, paths, paths.id.str(), settings_, command));
  Command entered{TRY(entering(os, paths.hook_plan, plan)), directory_};
  entered.timeout = std::chrono::minutes(settings_.evidence_timeout_minutes);
  entered.ends_with_us = true;
  Finished done = TRY(os.processes.run(entered));
  show_(done.out + done.err);
  return done;
}

Result<std::vector<std::string>> CommitHooks::changed() {
  const TreeId now = TRY(workspace_.tree_in(directory_, *state_.approved_tree));
  std::vector<std::string> paths;
  if (now == tree_) return paths;
  for (ChangedFile& file : TRY(workspace_.changed(tree_.str(), now.str())))
    paths.push_back(std::move(file.path));
  return paths;
}

Result<std::string> CommitHooks::before(std::string message) {
  for (const char* name : {"pre-commit", "commit-msg"}) {
    if (!TRY(has(name))) continue;
    const bool edits = std::string_view(name) == "commit-msg";
    const Finished done = TRY(run_hook(name, state_.place.base_commit, edits ? &message : nullptr));
    if (!done.ok())
      return fail(Exit::refused, fmt::format("the hook {} refused the commit", name),
                  done.timed_out ? "it did not end in time"
                                 : fmt::format("it ended with code {}", done.code),
                  "request-rework, or commit without --run-hooks");
    const auto paths = TRY(changed());
    if (!paths.empty())
      return fail(Exit::refused,
                  fmt::format("the hook {} changed files: {}", name, name_some(paths, 8)),
                  "what you approved is committed, and nothing else",
                  "request-rework with what the hook wants, or commit without --run-hooks");
    if (edits)
      message =
          TRY(loop_.os().files.read_beneath(loop_.paths().hooks_git, kMessageName, kMessageBytes));
  }
  return message;
}

// The checkout goes with the bubble, so it is made once more.
Result<std::string> CommitHooks::after(const CommitId& commit) {
  if (!TRY(has("post-commit"))) return "";
  TRY(settle_now(loop_, [](const bubble::State& state) { return state.closed; }));
  directory_.clear();
  is_last_ = true;
  const Finished done = TRY(run_hook("post-commit", commit));
  if (!done.ok()) return fmt::format("post-commit ended with code {}", done.code);
  return "";
}

}  // namespace pf
