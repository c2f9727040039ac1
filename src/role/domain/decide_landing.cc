#include "role/domain/deciders.h"

namespace pf::role {
namespace {

// The landing, when it is at this stage.
const Landing* at_stage(const State& state, int number, Stage stage) {
  const Landing* landing = state.landing(number);
  return landing != nullptr && landing->stage == stage ? landing : nullptr;
}

// The register as it was when the closing commit was made of it; the order may have changed since.
void reset_register(const Asking& asking, Event& event, const Landing& landing) {
  RoleRegister reg = landing.reset;
  reg.autopilot = asking.state.reg.autopilot;
  reg.run_id = asking.state.reg.run_id;
  set_dated_register(asking, event, std::move(reg));
  event.ends_work = true;
  count_anew(event);
  event.then = Standing{};
}

std::vector<std::string> sound_paths(const std::vector<std::string>& paths) {
  constexpr std::size_t kMost = 50;
  std::vector<std::string> sound;
  for (const std::string& path : paths)
    if (sound.size() < kMost && !trim(path).empty() && path.size() <= 200 &&
        printable(path) == path)
      sound.push_back(path);
  return sound;
}

}  // namespace

Outcome advance(const Asking& asking, Event event, Landing landing) {
  const Stage over = landing.stage;
  landing.stage = next_stage(landing);
  landing.trouble.clear();
  const bool is_feature = landing.kind == LandingKind::feature;
  const bool goes_on = is_feature && over == Stage::clear;
  if (goes_on) {
    landing.aside = true;
    reset_register(asking, event, landing);
  }
  event.landing = landing;
  if (is_feature || landing.stage != Stage::landed) return std::vector{std::move(event)};
  return after_task(asking, std::move(event), asking.state.work.value_or(Work{landing.feature}),
                    landing.words);
}

namespace {

// A task's approval is taken back; the feature's stays as it is.
Work open_again(const State& state, const Landing& landing) {
  Work work = state.work.value_or(Work{landing.feature, landing.title, landing.branch});
  if (landing.kind != LandingKind::task) return work;
  std::erase(work.done, landing.task);
  work.task = landing.task;
  return work;
}

// Nothing has moved, so it goes back: red checks to the coder, as work; all else to the human, who
// can do what agents cannot.
void give_back(const Asking& asking, Event& event, const Landing& landing, Stage at, bool red) {
  const std::string what =
      fmt::format("{} was approved, but stopped at {}", name_of_landing(landing), at);
  const std::string branch = fmt::format("Branch: {}", landing.branch);
  Work work = open_again(asking.state, landing);
  if (red) {
    switch_to(asking, event, Role::coder, Lifecycle::handoff,
              note_of({what, branch, landing.trouble,
                       at == Stage::merge_checks
                           ? fmt::format("What {0} has: git diff HEAD...{0}", landing.into)
                           : "",
                       "Nothing was committed or merged.",
                       "Mend it, then: pairflow role handoff --to REVIEWER --message <note>"}));
    return request_changes(asking, event, std::move(work), landing.trouble);
  }
  event.work = std::move(work);
  switch_to(asking, event, Role::coder, Lifecycle::blocked,
            note_of({what, branch, landing.trouble, "Nothing was committed or merged.",
                     "What has to change? Then: pairflow role handoff --to REVIEWER"}));
  event.then->asked_by = Role::reviewer;
  event.then->for_human = true;
}

}  // namespace

Outcome stop_landing(const Asking& asking, Event event, Landing landing, const std::string& why,
                     bool red) {
  const Stage at = landing.stage;
  const std::string trouble = clip(printable(why), 2000);
  if (at == Stage::keep) {  // declined all the same
    landing.stage = Stage::dropped;
    landing.remark = trouble;
  } else {
    landing.trouble = trouble;
  }
  if (landing.aside && at != Stage::clear && at != Stage::keep) landing.stage = Stage::approval;
  if (!landing.aside && (can_drop(landing) || at == Stage::commit)) {  // the first to move
    landing.stage = Stage::dropped;
    give_back(asking, event, landing, at, red);
  }
  event.landing = std::move(landing);
  return std::vector{std::move(event)};
}

Outcome handle(const Asking& asking, const ReportPrepared& e) {
  const Landing* found = at_stage(asking.state, e.landing, Stage::prepare);
  if (found == nullptr || e.commit.empty()) return nothing();
  Landing landing = *found;
  landing.commit = e.commit;
  landing.salvage = e.salvage;
  return advance(asking, own_event(asking, "both", CommitPrepared{e}), std::move(landing));
}

namespace {

// The register tells of the work at hand, not of what waits aside.
Event checks_filed(const Asking& asking, const ReportChecks& e, const Landing& landing) {
  Event event =
      own_event(asking, "both",
                ChecksFiled{e.landing, e.passed, clip(e.what, 2000), sound_paths(e.artifacts),
                            landing.stage == Stage::merge_checks, clip(e.log_end, 4000)});
  if (landing.aside) return event;
  RoleRegister reg = asking.state.reg;
  reg.ci_status = e.passed ? CiStatus::green : CiStatus::red;
  reg.tests_passed = e.passed;
  reg.artifacts = sound_paths(e.artifacts);
  set_register(asking, event, std::move(reg));
  return event;
}

// Of the merge, not of the landing's own commit: what the branch it goes into would hold.
Outcome merge_checked(const Asking& asking, const ReportChecks& e, Landing landing) {
  Event event = checks_filed(asking, e, landing);
  const bool allowed = !landing.strict && landing.ci == CiStatus::red;  // the human let that pass
  if (e.passed || allowed) {
    landing.judged = landing.merged_tree;
    return advance(asking, std::move(event), std::move(landing));
  }
  if (landing.made) landing.stage = Stage::merge;  // tried anew by the human's word
  return stop_landing(asking, std::move(event), std::move(landing),
                      fmt::format("the checks are red on the merge with {}: {}", landing.into,
                                  e.what.empty() ? "see the artifacts" : e.what),
                      true);
}

}  // namespace

Outcome handle(const Asking& asking, const ReportChecks& e) {
  const Landing* merging = at_stage(asking.state, e.landing, Stage::merge_checks);
  if (merging != nullptr && e.commit == merging->merged) return merge_checked(asking, e, *merging);
  const Landing* found = at_stage(asking.state, e.landing, Stage::checks);
  if (found == nullptr || e.commit != found->commit) return nothing();  // of another tree
  Landing landing = *found;
  landing.ci = e.passed ? CiStatus::green : CiStatus::red;
  Event event = checks_filed(asking, e, landing);
  if (e.passed || !landing.strict) return advance(asking, std::move(event), std::move(landing));
  return stop_landing(
      asking, std::move(event), std::move(landing),
      fmt::format("the checks are red: {}", e.what.empty() ? "see the artifacts" : e.what), true);
}

namespace {

// Nothing moves before what it would hold is checked; a merge that is one of its sides, or was
// judged before, needs no run.
Outcome check_merge(const Asking& asking, Event event, Landing landing) {
  constexpr int kMostMerges = 5;  // of one landing
  const bool known = landing.merged_tree.empty() || landing.merged_tree == landing.judged;
  const bool again = landing.stage != Stage::merge;
  if (!landing.checked || known) {
    if (!again && landing.checked) landing.stage = Stage::merge_checks;  // passed over
    if (!again) return advance(asking, std::move(event), std::move(landing));
    event.landing = std::move(landing);
    return std::vector{std::move(event)};
  }
  landing.stage = Stage::merge_checks;
  landing.trouble.clear();
  if (++landing.merges > kMostMerges) {
    landing.merges = 0;
    if (landing.made) landing.stage = Stage::merge;
    const std::string why = fmt::format("{} moves faster than it can be checked", landing.into);
    return stop_landing(asking, std::move(event), std::move(landing), why);
  }
  event.landing = std::move(landing);
  return std::vector{std::move(event)};
}

}  // namespace

Outcome handle(const Asking& asking, const ReportMerge& e) {
  const Landing* found = asking.state.landing(e.landing);
  const bool merges =
      found != nullptr && (found->stage == Stage::merge || found->stage == Stage::commit ||
                           found->stage == Stage::move);
  if (!merges) return nothing();
  Landing landing = *found;
  if (!e.conflicts.empty())
    return stop_landing(
        asking, own_event(asking, "both", LandingStopped{e.landing, landing.stage, "conflicts"}),
        landing, fmt::format("it conflicts with {} in {}", landing.into, join(e.conflicts, ", ")));
  landing.onto = e.onto;
  landing.merged = e.merged;
  landing.merged_tree = e.tree;
  Event event = own_event(asking, "both", MergeMade{e.landing, e.onto, e.merged});
  return check_merge(asking, std::move(event), std::move(landing));
}

Outcome handle(const Asking& asking, const ReportMoved& e) {
  if (const Landing* landing = at_stage(asking.state, e.landing, Stage::commit)) {
    Landing made = *landing;
    made.made = true;
    return advance(asking, own_event(asking, "both", CommitMade{e.landing}), std::move(made));
  }
  if (const Landing* landing = at_stage(asking.state, e.landing, Stage::move))
    return advance(asking, own_event(asking, "both", BranchMoved{e.landing}), *landing);
  return nothing();
}

Outcome handle(const Asking& asking, const ReportKept& e) {
  const Landing* found = at_stage(asking.state, e.landing, Stage::keep);
  if (found == nullptr) return nothing();
  Event event = own_event(asking, "both", WorkKept{e});
  event.landing = *found;
  event.landing->stage = Stage::dropped;
  event.landing->remark = e.error;
  return std::vector{std::move(event)};
}

// A refusal means that there is one for this head already, or that none is wanted.
Outcome handle(const Asking& asking, const BeginPull& e) {
  const Landing* found = at_stage(asking.state, e.landing, Stage::pull_request);
  if (found == nullptr || found->pull_begun)
    return refuse("no pull request is to be opened", "it was begun before, or is not wanted");
  for (const Landing& other : asking.state.landings)
    if (other.pull_begun && other.branch == found->branch && other.commit == found->commit)
      return refuse("there is a pull request for this head already", other.pull);
  Event event = own_event(asking, "both", PullRequestBegun{e.landing, found->commit});
  event.landing = *found;
  event.landing->pull_begun = true;
  return std::vector{std::move(event)};
}

Outcome handle(const Asking& asking, const ReportPull& e) {
  const Landing* found = at_stage(asking.state, e.landing, Stage::pull_request);
  if (found == nullptr) return nothing();
  Landing landing = *found;
  landing.pull = clip(printable(e.url), 400);
  const std::string error = clip(printable(e.error), 400);
  if (!error.empty()) landing.remark = "The pull request could not be opened: " + error;
  return advance(asking,
                 own_event(asking, "human", PullRequestFiled{e.landing, landing.pull, error}),
                 std::move(landing));
}

Outcome handle(const Asking& asking, const ReportCleared& e) {
  const Landing* landing = at_stage(asking.state, e.landing, Stage::clear);
  if (landing == nullptr) return nothing();
  return advance(asking, own_event(asking, "both", TreeCleared{e.landing}), *landing);
}

Outcome handle(const Asking& asking, const ReportLandingTrouble& e) {
  const Landing* landing = at_stage(asking.state, e.landing, e.stage);
  const bool goes_on = landing != nullptr && !is_over(e.stage) && e.stage != Stage::approval;
  if (!goes_on || !landing->trouble.empty()) return nothing();
  return stop_landing(
      asking, own_event(asking, "human", LandingStopped{e.landing, e.stage, clip(e.what, 2000)}),
      *landing, e.what);
}

Outcome handle(const Asking& asking, const ReportSummary& e) {
  const Landing* landing = at_stage(asking.state, e.landing, Stage::landed);
  if (landing == nullptr || !landing->posts || landing->posted) return nothing();
  Event event = own_event(asking, "human", SummaryPosted{e.landing, summary_of(*landing)});
  event.landing = *landing;
  event.landing->posted = true;
  return std::vector{std::move(event)};
}

Outcome handle(const Asking& asking, const ReportBranch& e) {
  const State& state = asking.state;
  if (!state.branch || state.branch->name != e.name) return nothing();
  if (e.error.empty()) return std::vector{own_event(asking, "both", BranchReady{e.name})};
  const std::string why = fmt::format("{} could not be checked out", e.name);
  Event event = own_event(asking, "human", Blocked{state.reg.current_role, Role::planner, why});
  switch_to(asking, event, Role::planner, Lifecycle::blocked,
            note_of({why, e.error, "What is in its way? Then hand over again."}));
  event.then->asked_by = state.reg.current_role;
  event.then->for_human = true;
  return std::vector{std::move(event)};
}

}  // namespace pf::role
