#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "bubble/domain/evidence.h"
#include "bubble/host/supervision.h"
#include "checks/slots.h"
#include "loop/confined_checks.h"

namespace pf {
namespace {

constexpr std::size_t kNamed = 50;                   // paths in one line of the journal
constexpr Duration kQueue = std::chrono::hours(24);  // behind the runs of other bubbles

class EvidenceRun {
 public:
  EvidenceRun(BubbleLoop& loop, bubble::State state, Settings settings)
      : loop_(loop),
        os_(loop.os()),
        state_(std::move(state)),
        settings_(std::move(settings)),
        workspace_(loop.workspace(state_)) {}

  Status run() {
    evidence_.tree = *state_.target;
    evidence_.profile = bubble::profile_hash(state_.policy.profile);
    const bool clean = settings_.checks_checkout == "clean";
    const auto done = clean ? TRY(in_clean_checkout()) : TRY(in_worktree());
    if (!done) return file();
    for (const CheckDone& check : *done)
      evidence_.checks.push_back(
          {check.name, check.command, check.code, to_milliseconds(check.took), check.timed_out});
    TRY(keep_log(*done));
    if (evidence_.status == bubble::EvidenceStatus::void_) return file();
    const bool green = std::ranges::all_of(*done, &CheckDone::ok);
    evidence_.status = green ? bubble::EvidenceStatus::green : bubble::EvidenceStatus::red;
    evidence_.what = failed_checks(*done);
    return file();
  }

 private:
  static std::int64_t to_milliseconds(Duration duration) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
  }

  // A tree that is another one before or after makes the result worthless.
  Result<std::optional<std::vector<CheckDone>>> in_worktree() {
    const TreeId before = TRY(workspace_.snapshot(false)).tree;
    if (before != evidence_.tree) {
      const auto* last = bubble::evidence_for(state_, evidence_.tree);
      TRY(voided(before, last != nullptr && last->voids > 0
                             ? "the worktree is as the last run of the checks, or somebody "
                               "meanwhile, left it:"
                             : "the worktree was edited before the checks began:"));
      return std::nullopt;
    }
    const std::int64_t begin = TRY(time_of_disk());
    auto done = TRY(checks(state_.place.worktree, checks_of_profile()));
    evidence_.touched = TRY(workspace_.touched(evidence_.tree, begin));
    if (evidence_.touched.size() > kNamed) evidence_.touched.resize(kNamed);
    const TreeId after = TRY(workspace_.snapshot(false)).tree;
    evidence_.after = after;
    if (after != evidence_.tree) TRY(voided(after, "the tree changed while the checks ran:"));
    return done;
  }

  // Now, by the clock that files are marked with.
  Result<std::int64_t> time_of_disk() {
    const Path mark = loop_.paths().artifacts / "checks.mark";
    TRY(os_.files.make_directories(loop_.paths().artifacts));
    TRY(os_.files.replace(mark, "", Durable::no));
    const auto info = TRY(os_.files.info(mark));
    TRY(os_.files.remove(mark));
    return info ? info->changed : 0;
  }

  // Nobody's ignored files are there; the setup is run first.
  Result<std::optional<std::vector<CheckDone>>> in_clean_checkout() {
    Path directory = loop_.paths().worktree;
    directory += ".checks";
    TRY(workspace_.check_out(evidence_.tree, directory));
    std::vector<CheckToRun> wanted = checks_of_profile();
    if (!settings_.setup.empty()) wanted.insert(wanted.begin(), {"setup", settings_.setup});
    auto done = checks(directory, wanted);
    TRY(os_.files.remove_all(directory));
    return done;
  }

  std::vector<CheckToRun> checks_of_profile() const {
    std::vector<CheckToRun> wanted;
    for (const bubble::Check& check : state_.policy.profile.checks)
      wanted.push_back({check.name, check.command});
    return wanted;
  }

  Status voided(const TreeId& now, std::string what) {
    evidence_.status = bubble::EvidenceStatus::void_;
    evidence_.what = std::move(what);
    evidence_.after = now;
    for (ChangedFile& file : TRY(workspace_.changed(evidence_.tree.str(), now.str())))
      if (evidence_.paths.size() < kNamed) evidence_.paths.push_back(std::move(file.path));
    return {};
  }

  Result<std::vector<CheckDone>> checks(const Path& directory,
                                        const std::vector<CheckToRun>& wanted) {
    const BubblePaths& paths = loop_.paths();
    auto ran = TRY(run_confined_checks(os_, paths, paths.id.str(), settings_, directory, wanted));
    evidence_.enforcement = std::move(ran.enforcement);
    return std::move(ran.done);
  }

  Status keep_log(const std::vector<CheckDone>& done) {
    evidence_.log = fmt::format("round-{:03}.tests.txt", state_.round);
    TRY(os_.files.make_directories(loop_.paths().artifacts));
    return os_.files.replace(loop_.paths().artifacts / evidence_.log, log_text(done), Durable::no);
  }

  Status file() {
    TRY(loop_.report(evidence_));
    return {};
  }

  BubbleLoop& loop_;
  Os& os_;
  bubble::State state_;
  Settings settings_;
  Workspace workspace_;
  bubble::ReportEvidence evidence_;
};

}  // namespace

Status run_evidence(BubbleLoop& loop) {
  Os& os = loop.os();
  const Settings settings = TRY(loop.settings());
  // A run whose supervisor was killed goes on and files its result: it is not run twice.
  const Lock one = TRY(Lock::take(os, loop.paths().checking, kQueue));
  const Lock slot = TRY(take_slot(os, slot_directory(os), settings.checks_slots, kQueue));
  bubble::State state = TRY(loop.load());
  if (!bubble::wants_checks(state)) return {};
  return EvidenceRun(loop, std::move(state), settings).run();
}

}  // namespace pf
