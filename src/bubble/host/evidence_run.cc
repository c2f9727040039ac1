#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "bubble/domain/evidence.h"
#include "bubble/host/supervision.h"
#include "checks/slots.h"
#include "loop/checks_checkout.h"

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
    const bubble::DueRun due = *bubble::due_run(state_);
    evidence_.tree = due.tree;
    evidence_.profile = bubble::profile_hash(state_.policy.profile);
    const bool in_place = !is_base() && where() == bubble::ChecksAt::worktree;
    const auto done = in_place ? TRY(in_worktree()) : TRY(in_own_checkout(due.cold));
    if (!done) return file();
    TRY(take_down(
        *done, is_base() ? "base.tests.txt" : fmt::format("round-{:03}.tests.txt", state_.round)));
    TRY(file());
    if (!in_place) note_size(os_, loop_.checks_checkout(state_), {loop_.paths().review});
    return {};
  }

  // Of what a merge would make, from an empty checkout. A finished bubble keeps none.
  Result<bubble::ReportEvidence> run_on(const TreeId& tree) {
    evidence_.tree = tree;
    evidence_.profile = bubble::profile_hash(state_.policy.profile);
    const auto ran = in_own_checkout(true);
    TRY(os_.files.remove_all(loop_.paths().checks));
    TRY(os_.files.remove(loop_.paths().checks_kept));
    const auto done = TRY(ran);
    TRY(take_down(*done, fmt::format("merge-{}.tests.txt", tree.str().substr(0, 12))));
    TRY(file());
    return evidence_;
  }

 private:
  Status take_down(const std::vector<CheckDone>& done, std::string log) {
    for (const CheckDone& check : done)
      evidence_.checks.push_back({check.name, check.command, check.code,
                                  to_milliseconds(check.took), check.timed_out, check.flaky,
                                  check.unable()});
    TRY(keep_log(done, std::move(log)));
    if (evidence_.status != bubble::EvidenceStatus::void_) judge(done);
    return {};
  }

  static std::int64_t to_milliseconds(Duration duration) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
  }

  // A bubble from before there was a choice has what its configuration says.
  bubble::ChecksAt where() const {
    const bool clean = settings_.checks_checkout == name_of(bubble::ChecksAt::clean);
    return clean ? bubble::ChecksAt::clean
                 : state_.policy.checks_at.value_or(bubble::ChecksAt::worktree);
  }

  // The worktree has the change already.
  bool is_base() const { return evidence_.tree == state_.place.base_tree; }

  // Red is what the tree did; what kept the checks from running is nobody's finding.
  void judge(const std::vector<CheckDone>& done) {
    constexpr std::size_t kLogEnd = 1500;
    const auto unable =
        std::ranges::find_if(done, [](const CheckDone& c) { return !c.unable().empty(); });
    const bool green = std::ranges::all_of(done, &CheckDone::ok);
    evidence_.status = unable != done.end() ? bubble::EvidenceStatus::unable
                       : green              ? bubble::EvidenceStatus::green
                                            : bubble::EvidenceStatus::red;
    evidence_.what = failed_checks(done);
    if (unable != done.end())
      evidence_.log_end =
          unable->output.substr(unable->output.size() - std::min(unable->output.size(), kLogEnd));
    if (green) evidence_.what = flaky_checks(done);
    const auto* before = bubble::evidence_for(state_, evidence_.tree);
    if (evidence_.cold && !green && before != nullptr &&
        before->status == bubble::EvidenceStatus::green)
      evidence_.what +=
          " (from an empty checkout; it was green where other trees were checked before)";
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
    const BubblePaths& paths = loop_.paths();
    auto ran = TRY(run_confined_checks(os_, paths, paths.id.str(), settings_, state_.place.worktree,
                                       checks_of_profile()));
    constexpr const char* kInPlace = "advisory: in the worktree, which the implementer can write";
    evidence_.enforcement = ran.enforcement == "sandbox" ? kInPlace : std::move(ran.enforcement);
    evidence_.touched = TRY(workspace_.touched(evidence_.tree, begin));
    if (evidence_.touched.size() > kNamed) evidence_.touched.resize(kNamed);
    const TreeId after = TRY(workspace_.snapshot(false)).tree;
    evidence_.after = after;
    if (after != evidence_.tree) TRY(voided(after, "the tree changed while the checks ran:"));
    return std::move(ran.done);
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

  Result<std::optional<std::vector<CheckDone>>> in_own_checkout(bool cold) {
    const Begin begin = cold || where() == bubble::ChecksAt::clean ? Begin::empty : Begin::as_it_is;
    const BubblePaths& paths = loop_.paths();
    TreeChecks ran =
        TRY(check_tree(os_, paths, paths.id.str(), settings_, loop_.checks_checkout(state_),
                       evidence_.tree, checks_of_profile(), begin));
    evidence_.enforcement = std::move(ran.enforcement);
    evidence_.cold = ran.from_empty;
    return std::move(ran.done);
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

  Status keep_log(const std::vector<CheckDone>& done, std::string name) {
    evidence_.log = std::move(name);
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
  if (!bubble::due_run(state)) return {};
  return EvidenceRun(loop, std::move(state), settings).run();
}

Result<bubble::ReportEvidence> check_merge_result(BubbleLoop& loop, const TreeId& tree) {
  Os& os = loop.os();
  const Settings settings = TRY(loop.settings());
  const Lock one = TRY(Lock::take(os, loop.paths().checking, kQueue));
  const Lock slot = TRY(take_slot(os, slot_directory(os), settings.checks_slots, kQueue));
  bubble::State state = TRY(loop.load());
  TRY(loop.workspace(state).anchor("trees/" + tree.str(), tree.str()));
  return EvidenceRun(loop, std::move(state), settings).run_on(tree);
}

}  // namespace pf
