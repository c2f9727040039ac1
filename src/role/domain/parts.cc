#include "base/hash.h"
#include "document/role/handoff_note.h"
#include "role/domain/deciders.h"
#include "role/domain/reading.h"

// What several deciders need. Used by them only.
namespace pf::role {

std::string now_text(const Asking& asking) { return iso8601(*asking.facts.time); }

void set_register(const Asking& asking, Event& event, RoleRegister reg) {
  reg.last_updated = now_text(asking);
  set_dated_register(asking, event, std::move(reg));
}

void set_dated_register(const Asking& asking, Event& event, RoleRegister reg) {
  const State& state = asking.state;
  const Reading& reading = *asking.reading;
  RegisterWrite write;
  write.after = hash_of(document::render_register(reg));
  if (reading.reg || !reading.exists) {
    write.before = reading.exists ? reading.hash : Hash{};
    write.from = reading.reg.value_or(state.reg);
  } else {  // not sound now: it is not written over
    write.before = state.disk;
    write.from = state.write ? state.write->from : state.reg;
  }
  if (state.write) write.follows(*state.write);
  event.write = std::move(write);
  event.now = std::move(reg);
}

void switch_to(const Asking& asking, Event& event, Role role, Lifecycle state, std::string msg,
               std::string_view last) {
  RoleRegister reg = event.now.value_or(asking.state.reg);
  reg.current_role = role;
  reg.state = state;
  reg.msg = std::move(msg);
  if (!last.empty()) reg.last_agent = std::string(last);
  if (!asking.state.automation.empty()) reg.run_id = asking.state.automation;
  set_register(asking, event, std::move(reg));
  event.then = Standing{};
}

namespace {

std::string turn_words(const State& state) {
  return fmt::format(
      "it is {}'s turn ({} since {}){}", state.reg.current_role, state.reg.state,
      state.since.empty() ? "?" : state.since,
      state.taken ? fmt::format(", taken by {} at {}", printable(state.taken->by), state.taken->at)
                  : "");
}

bool may_act_as(const Asking& asking, Role role) {
  if (asking.is_human()) return true;
  const AgentName& agent = asking.state.policy.agent_of(role);
  return agent.empty() || agent == asking.request.who.name;
}

// Where anyone may come, nobody reviews what it has written, nor writes what only it may review.
std::optional<Rejection> own_review(const Asking& asking, Role role) {
  const State& state = asking.state;
  const AgentName& who = asking.request.who.name;
  if (asking.is_human() || !state.policy.agent_of(role).empty()) return std::nullopt;
  const bool coded = state.work && contains(state.work->coded_by, who.str());
  if (role == Role::reviewer && (coded || who == state.policy.coder))
    return warning("own_code",
                   fmt::format("{} wrote it and cannot review it", printable(who.str())),
                   "reviewer is \"anyone\", but not who coded the task",
                   "leave it to another agent, or to the human");
  if (role == Role::coder && who == state.policy.reviewer)
    return warning("own_code",
                   fmt::format("{} reviews it and cannot code it", printable(who.str())),
                   fmt::format("[role.agents] reviewer is {}", who),
                   "leave it to another agent, or to the human");
  return std::nullopt;
}

constexpr std::string_view kEndHere =
    "end your run here; you are started again when it is your turn";

}  // namespace

bool is_own_run(const Asking& asking) {
  const State& state = asking.state;
  return state.run && !asking.is_human() && state.run->agent == asking.request.who.name;
}

Rejection already_taken(const Asking& asking, Role role) {
  const Taken& taken = *asking.state.taken;
  return warning("taken", fmt::format("{} is taken", role),
                 fmt::format("{} took it at {}", printable(taken.by), taken.at),
                 is_own_run(asking)
                     ? std::string(kEndHere)
                     : "leave it to them; a human can take it over: pairflow role start");
}

std::expected<Role, Rejection> acting_role(const Asking& asking, Verb verb,
                                           std::optional<Role> wanted) {
  const State& state = asking.state;
  const Role current = state.reg.current_role;
  const Role role = wanted.value_or(current);
  const SwitchRule rule = rule_of(verb);
  const std::string party = printable(asking.request.who.party());
  if (wanted && !may_act_as(asking, role))
    return std::unexpected(
        warning("not_your_role", fmt::format("{} is not {}", party, role),
                fmt::format("[role.agents] gives that role to {}", state.policy.agent_of(role)),
                "act in your own role: pairflow role status"));
  if (role != current || !may_act_as(asking, role))
    return std::unexpected(warning(
        "not_your_turn",
        fmt::format("{} cannot {} now", wanted ? std::string(name_of(role)) : party, verb),
        turn_words(state),
        is_own_run(asking) ? std::string(kEndHere)
                           : "wait until the register names your role: pairflow role status"));
  if (is_own_run(asking) && (state.run->switched || state.run->role != role))
    return std::unexpected(warning(
        "run_over",
        fmt::format("run {} was {}'s, and that is over", state.run->number, state.run->role),
        fmt::format("{} is for a run of its own", role), std::string(kEndHere)));
  if (!rule.is_for(role))
    return std::unexpected(
        warning("wrong_role", fmt::format("{} is not {}'s", verb, role),
                fmt::format("it is for {}", rule.by.front()),
                fmt::format("pairflow role handoff --to {} --message <note>", usual_next(role))));
  if (!rule.is_from(state.reg.state))
    return std::unexpected(warning("wrong_state",
                                   fmt::format("{} is not for the state {}", verb, state.reg.state),
                                   std::string(rule.rule), "pairflow role start"));
  if (const Landing* landing = state.at_hand())
    return std::unexpected(
        warning("landing", fmt::format("{} is approved and on its way", name_of_landing(*landing)),
                landing->stage == Stage::approval ? "it waits for the human"
                                                  : fmt::format("its stage is {}", landing->stage),
                is_own_run(asking) ? std::string(kEndHere) : "see: pairflow inbox"));
  if (state.taken && state.taken->by != asking.request.who.party() && !asking.is_human())
    return std::unexpected(already_taken(asking, role));
  if (auto rejection = own_review(asking, role)) return std::unexpected(*rejection);
  return role;
}

void request_changes(const Asking& asking, Event& event, Work work, const std::string& what) {
  work.requested = clip(what, 2000);
  event.work = std::move(work);
  event.effort = asking.state.effort;
  ++event.effort->change_requests;
}

void count_anew(Event& event) { event.effort = Effort{}; }

std::optional<Rejection> bad_note(std::string_view note, bool may_be_empty) {
  if (trim(note).empty() && !may_be_empty)
    return usage("the note is empty", "say what the next role has to know: --message <note>");
  if (const auto rule = document::note_problem(note))
    return usage(fmt::format("the note breaks a rule: {}", *rule), std::string(document::kNoteFix));
  return std::nullopt;
}

std::optional<Rejection> unsound_roadmap(const Asking& asking) {
  const Reading& reading = *asking.reading;
  if (!reading.has_roadmap)
    return refuse(fmt::format("there is no {}", kRoadmapFile),
                  "the loop works through its features", "write each as `- [ ] F001: title`");
  if (reading.roadmap_problems.empty()) return std::nullopt;
  return because_of(
      in_words(kRoadmapFile, reading.roadmap_problems),
      refuse(fmt::format("{} is not sound", kRoadmapFile), "", "mend it, then run this again"));
}

std::optional<Rejection> foreign_changes_refused(const Asking& asking) {
  const auto foreign_changes = foreign_changes_in(asking.facts.repository->dirty);
  if (foreign_changes.empty()) return std::nullopt;
  return refuse("the next feature would take in what is no part of it",
                name_foreign_changes(foreign_changes),
                fmt::format("{}, then run this again", kForeignChangesFix));
}

std::optional<Rejection> unsound_tasks(const Asking& asking) {
  const auto& problems = asking.reading->task_problems;
  if (problems.empty()) return std::nullopt;
  std::vector<std::string> unmet;
  for (const FileProblems& file : problems)
    for (const std::string& words : in_words(file.file, file.problems)) unmet.push_back(words);
  return because_of(std::move(unmet),
                    refuse(fmt::format("the tasks in {} are not sound", kCurrentFolder), "",
                           "mend them, then run this again"));
}

const document::Task* next_task(const Reading& reading, const std::vector<std::string>& done) {
  return find_where(reading.tasks, [&](const document::Task& task) {
    return task.status != document::WorkStatus::dropped && !contains(done, task.id);
  });
}

std::string task_note(const Work& work, const document::Task& task) {
  return note_of({fmt::format("Next task: {} {} ({})", task.id, task.title, task.slug),
                  fmt::format("Task file: {}", task.path),
                  fmt::format("Feature: {} {} on {}", work.feature, work.title, work.branch),
                  fmt::format("Roadmap: {}", kRoadmapFile),
                  work.done.empty() ? "" : fmt::format("Approved: {}", join(work.done, ", "))});
}

}  // namespace pf::role
