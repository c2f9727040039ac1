#include <algorithm>

#include "bubble/domain/deciders.h"
#include "bubble/domain/evidence.h"

namespace pf::bubble {
namespace {

// The evidence finding after a run: opened or reopened when red, resolved when green.
std::vector<Finding> evidence_ledger(const Ledger& ledger, const Evidence& e, int round) {
  const bool red = e.status == EvidenceStatus::red;
  const std::string title = "tests red: " + clip(printable(e.what), 200);
  std::vector<Finding> changed = evidence_findings(ledger);
  for (Finding& finding : changed) {
    finding.status = red ? FindingStatus::open : FindingStatus::resolved;
    if (red) finding.title = title;
  }
  if (red && changed.empty()) {
    changed = human_findings(ledger, "", {{{}, Severity::p1, title, {}, 0}}, round);
    changed.front().source = kOrchestrator;
  }
  return changed;
}

// Another profile answers for itself: what the old one found is the human's word now.
std::vector<Finding> without_old_evidence(const State& state) {
  std::vector<Finding> changed = evidence_findings(state.findings);
  for (Finding& finding : changed) {
    finding.status = FindingStatus::waived;
    finding.reason = "the human changed the checks";
  }
  return changed;
}

struct Concerned {
  std::vector<std::string> names, described;
};
// The checks of a run that a question is about: those that could not run, or those that are red.
Concerned concerned(const ReportEvidence& e) {
  Concerned found;
  for (const CheckRun& check : e.checks) {
    const bool unable = !check.unable.empty();
    if (unable != (e.status == EvidenceStatus::unable) || (!unable && check.code == 0)) continue;
    found.names.push_back(check.name);
    found.described.push_back(unable ? fmt::format("{} ({})", check.command, check.unable)
                                     : check.command);
  }
  if (found.described.empty()) found.described.push_back(e.what);
  return found;
}

// What keeps the checks from running is the human's to mend, never a finding of the agents'. One
// question at a time.
std::vector<Event> unable_to_run(const Asking& asking, Event event, const ReportEvidence& e) {
  constexpr std::size_t kWhat = 300, kLog = 2000;
  std::vector<Event> events{std::move(event)};
  if (contains(asking.state.questions, QuestionKind::unable, &Question::kind)) return events;
  Concerned found = concerned(e);
  std::string text =
      fmt::format("The checks could not run: {}. Mend it and reply: they are run again.",
                  clip(printable(join(found.described, ", ")), kWhat));
  std::erase(found.names, "setup");  // which is no check of the profile
  if (!found.names.empty())
    text += fmt::format(" Or change them: pairflow bubble profile --id {} --check {}=CMD. Or: {}",
                        asking.state.id, printable(found.names.front()),
                        drop_command(asking.state.id, found.names));
  if (!trim(e.log_end).empty())
    text += "\nThe log ends:\n" + clip(printable_lines(trim(e.log_end)), kLog);
  Asked asked{QuestionKind::unable, std::move(text)};
  asked.checks = std::move(found.names);
  events.push_back(parking_question(asking, std::move(asked)));
  return events;
}

// Of the base tree: what fails there is not the change's doing, so the human says what it is.
Outcome base_evidence(const Asking& asking, Event event, const ReportEvidence& e) {
  const State& state = asking.state;
  if (e.status == EvidenceStatus::unable) return unable_to_run(asking, std::move(event), e);
  const bool asked = contains(state.questions, QuestionKind::base, &Question::kind);
  if (e.status != EvidenceStatus::red || asked) return std::vector{std::move(event)};
  Concerned found = concerned(e);
  Asked question{
      QuestionKind::base,
      fmt::format("The checks are red before any change: {}. Drop it here: {}. Part of the task: "
                  "reply so. Or stop: pairflow bubble stop --id {}. Until it is dropped it stays "
                  "and blocks.",
                  clip(printable(join(found.described, ", ")), 300),
                  drop_command(state.id, found.names), state.id)};
  question.checks = std::move(found.names);
  return std::vector{std::move(event), parking_question(asking, std::move(question))};
}

// Other checks are an answer to what was asked about the old ones: they are tried, and if that
// fails it is asked anew.
std::vector<Event> answered_by_profile(const Asking& asking, Event changed) {
  const State& state = asking.state;
  const auto is_about_checks = [](const Question& question) {
    return question.kind == QuestionKind::base || question.kind == QuestionKind::unable;
  };
  std::vector<Event> events{std::move(changed)};
  for (const Question& question : state.questions) {
    if (!is_about_checks(question)) continue;
    Replied replied;
    replied.question = question.id;
    replied.message = "the human changed the checks";
    events.push_back(make_event(asking, "both", std::move(replied)));
  }
  if (events.size() == 1) return events;
  Standing then = parked(state);
  if (std::ranges::all_of(state.questions, is_about_checks)) {
    then.phase = Phase::running;
    events.back().tell = {*then.active_agent};
  }
  events.back().then = std::move(then);
  return events;
}

}  // namespace

std::vector<Finding> evidence_of_new_target(const State& state, const Ledger& ledger,
                                            const TreeId& target) {
  const EvidenceSeen* known = evidence_for(state, target);
  const bool judged =
      known != nullptr && !known->waived && state.rerun < known->seq &&
      (known->status == EvidenceStatus::red || known->status == EvidenceStatus::green);
  if (judged)
    return evidence_ledger(
        ledger, {target, known->status, "as before on this tree, see " + known->log}, state.round);
  std::vector<Finding> changed = evidence_findings(ledger);
  for (Finding& finding : changed) finding.status = FindingStatus::claimed;
  return changed;
}

// Rows 20 and 21. A result for another tree or by another profile is filed and changes nothing;
// once the bubble is done that is what a merge would make.
Outcome handle(const Asking& asking, const ReportEvidence& e) {
  const State& state = asking.state;
  const bool of_merge = state.phase == Phase::done && state.target != e.tree;
  if ((is_final(state.phase) && !of_merge) || state.phase == Phase::none) return nothing();
  Event event = own_event(asking, "both", Evidence{e});
  const bool current = state.target == e.tree && e.profile == profile_hash(state.policy.profile);
  const bool goes_on = state.phase == Phase::running || state.phase == Phase::waiting;
  const bool of_base = state.policy.base_first && e.tree == state.place.base_tree &&
                       e.profile == profile_hash(state.policy.profile);
  if (goes_on && of_base && !current) return base_evidence(asking, std::move(event), e);
  if (!current || !goes_on) return std::vector{std::move(event)};
  if (e.status == EvidenceStatus::unable) return unable_to_run(asking, std::move(event), e);
  if (e.status == EvidenceStatus::void_) {
    const EvidenceSeen* before = evidence_for(state, e.tree);
    // While the implementer is at work the tree changes anyway.
    if (before == nullptr || before->voids == 0 || state.active_role != Role::reviewer)
      return std::vector{std::move(event)};
    return std::vector{std::move(event),
                       parking_question(asking, {QuestionKind::void_,
                                                 "The checks could not be judged twice: " +
                                                     clip(printable(e.what), 300) + " " +
                                                     clip(printable(join(e.paths, ", ")), 2000)})};
  }
  event.ledger = evidence_ledger(state.findings, e, state.round);
  if (state.active_role == Role::reviewer) event.tell = {*state.active_agent};
  return std::vector{std::move(event)};
}

Outcome handle(const Asking& asking, const RerunChecks&) {
  const State& state = asking.state;
  if (auto rejection = refused_when_final(state)) return *rejection;
  if (state.policy.profile.checks.empty())
    return refuse("there are no checks to run", "the profile has none",
                  fmt::format("pairflow bubble profile --id {} --test CMD", state.id));
  if (!state.target)
    return refuse("there is nothing to check yet", "no change has been handed over",
                  fmt::format("see: pairflow bubble status --id {}", state.id));
  return std::vector{make_event(asking, "orchestrator", RerunAsked{})};
}

Outcome handle(const Asking& asking, const ChangeProfile& change) {
  const State& state = asking.state;
  if (auto rejection = refused_when_final(state)) return *rejection;
  if (state.phase == Phase::committed || state.commit)
    return refuse("a commit is under way", "", "the checks of a committed tree are settled");
  if (profile_hash(change.profile) == profile_hash(state.policy.profile))
    return refuse("these are the checks already", "", "");
  Event event = make_event(asking, "both", ProfileChanged{change.profile});
  event.ledger = without_old_evidence(state);
  return answered_by_profile(asking, std::move(event));
}

std::optional<std::string> unmet_evidence(const State& state) {
  switch (evidence_standing(state)) {
    case EvidenceStanding::later:
    case EvidenceStanding::awaited:
      if (awaits_cold(state))
        return "the checks run once more, from an empty checkout: wait, you will be notified here";
      return "the checks are still running on this tree: wait, you will be notified here";
    case EvidenceStanding::void_:
      return "the checks could not be judged on this tree: the human is asked";
    case EvidenceStanding::unable: return "the checks cannot run here: the human is asked";
    case EvidenceStanding::red:
      if (!evidence_findings(state.findings).empty()) break;  // which says so
      return "the checks are red on this tree: pass a finding about it, or ask the human for "
             "another run";
    case EvidenceStanding::waived:
    case EvidenceStanding::green:
    case EvidenceStanding::not_needed: break;
  }
  return std::nullopt;
}

}  // namespace pf::bubble
