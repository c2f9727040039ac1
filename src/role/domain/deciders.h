#pragma once
// What the parts of decide.cc share; nothing outside the deciders includes this.
#include "base/deciding.h"
#include "role/domain/decide.h"
#include "role/domain/reading.h"
#include "role/domain/switches.h"

namespace pf::role {

using Outcome = Decision<Event>;
using Asking = pf::Asking<State, Event, Reading>;

inline Outcome nothing() { return std::vector<Event>{}; }

std::string now_text(const Asking& asking);
// The register is to say this, dated now.
void set_register(const Asking& asking, Event& event, RoleRegister reg);
// The same with the date it has.
void set_dated_register(const Asking& asking, Event& event, RoleRegister reg);
// A switch: role, state and note; nobody has taken the role.
void switch_to(const Asking& asking, Event& event, Role role, Lifecycle state, std::string msg,
               std::string_view last = {});

// The role that the asking party acts in, when it may act now: whose turn it is, who has it.
std::expected<Role, Rejection> acting_role(const Asking& asking, Verb verb,
                                           std::optional<Role> wanted);
// An agent asks whose run is at work.
bool is_own_run(const Asking& asking);
// Tells by whom and when.
Rejection already_taken(const Asking& asking, Role role);
std::optional<Rejection> bad_note(std::string_view note, bool may_be_empty);
// The first run is over only when there is a roadmap to work on.
std::optional<Rejection> unsound_roadmap(const Asking& asking);
std::optional<Rejection> unsound_tasks(const Asking& asking);
// What is not committed and would go into a feature that begins now; needs the repository.
std::optional<Rejection> foreign_changes_refused(const Asking& asking);

// The task with the lowest number that is not approved; null when there is none.
const document::Task* next_task(const Reading& reading, const std::vector<std::string>& done);
// "Next task: …" with title, slug and paths.
std::string task_note(const Work& work, const document::Task& task);

// What follows an approved task that is where it belongs: the next one, or the feature's approval.
// `event` tells of it, `work` is as it stands then.
Outcome after_task(const Asking& asking, Event event, Work work, const std::string& words);
// The landing of a feature all of whose tasks are done; refused when it cannot begin. `by_word`: a
// human says so himself and is not asked again.
Outcome approve_feature(const Asking& asking, const Work& work, const std::string& words,
                        bool by_word);
// What a human's word is about: waits for him, or stopped on its way. Null for none.
const Landing* on_its_way(const State& state, LandingKind kind, std::string_view feature);
// What is behind the stage that is over; the register moves on where the loop does.
Outcome advance(const Asking& asking, Event event, Landing landing);
// The landing cannot go on: red checks go back to the coder, all else blocks the loop, and what was
// put aside waits again.
Outcome stop_landing(const Asking& asking, Event event, Landing landing, const std::string& why,
                     bool red = false);

// One more change request, and what it was: counted towards the guard.
void request_changes(const Asking& asking, Event& event, Work work, const std::string& what);
// The human has spoken: runs, time and change requests are counted anew.
void count_anew(Event& event);

// What the planner hands over: the feature, its branch, the task.
struct Choice {
  Work work;
  std::string slug;
  std::optional<BranchWanted> branch = {};
};
std::expected<Choice, Rejection> choose(const Asking& asking, const Handoff& c);

// What the register's branch says of the feature, after an edit.
std::optional<Work> work_of(const State& state, const RoleRegister& reg, const Reading& reading);
Event edit_event(const Asking& asking, std::string_view verb);

// What each command comes to.
Outcome handle(const Asking& asking, const Init& c);
Outcome handle(const Asking& asking, const Start& c);
Outcome handle(const Asking& asking, const Handoff& c);
Outcome handle(const Asking& asking, const Block& c);
Outcome handle(const Asking& asking, const ApproveTask& c);
Outcome handle(const Asking& asking, const ApproveFeature& c);
Outcome handle(const Asking& asking, const Decline& c);
Outcome handle(const Asking& asking, const Rework& c);
Outcome handle(const Asking& asking, const SetAutopilot& c);
Outcome handle(const Asking& asking, const Configure& c);
Outcome handle(const Asking& asking, const Automate& c);
Outcome handle(const Asking& asking, const StopAutomation& c);
Outcome handle(const Asking& asking, const Release& c);
Outcome handle(const Asking& asking, const CheckDocuments& c);
Outcome handle(const Asking& asking, const ReportWritten& c);
Outcome handle(const Asking& asking, const ReportBranch& c);
Outcome handle(const Asking& asking, const ReportPrepared& c);
Outcome handle(const Asking& asking, const ReportChecks& c);
Outcome handle(const Asking& asking, const ReportMerge& c);
Outcome handle(const Asking& asking, const ReportMoved& c);
Outcome handle(const Asking& asking, const ReportKept& c);
Outcome handle(const Asking& asking, const BeginPull& c);
Outcome handle(const Asking& asking, const ReportPull& c);
Outcome handle(const Asking& asking, const ReportCleared& c);
Outcome handle(const Asking& asking, const ReportLandingTrouble& c);
Outcome handle(const Asking& asking, const ReportSummary& c);
Outcome handle(const Asking& asking, const ReportRunStarted& c);
Outcome handle(const Asking& asking, const ReportRunEnded& c);
Outcome handle(const Asking& asking, const ReportDelegated& c);
Outcome handle(const Asking& asking, const ReportChildEnded& c);

}  // namespace pf::role
