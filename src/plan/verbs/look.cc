#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"
#include "base/text.h"
#include "plan/domain/reading.h"
#include "plan/domain/user_notes.h"
#include "plan/domain/views.h"
#include "plan/host/advisory.h"
#include "plan/host/view.h"
#include "plan/host/viewer.h"
#include "plan/verbs/steps_text.h"
#include "plan/verbs/verbs.h"
#include "verbs/core/show.h"

namespace pf {
namespace {

// What people would not expect of the documents.
Result<std::string> about_documents(PlanLoop& loop, const plan::State& state) {
  std::string out;
  if (state.policy.workspace == plan::Workspace::worktree)
    out += fmt::format("  in the worktree {}\n", printable(loop.paths().worktree.string()));
  const auto reading =
      plan::read_documents({TRY(loop.document(state.policy.workspace, "plan.md"))}, form_of(state));
  const std::string added = TRY(added_steps_text(loop, state));
  if (!added.empty())
    out += "  " + added;
  else if (reading.sound() && plan::is_edited(state, reading) && state.problems.empty())
    out += "  plan.md was edited since; it is taken in when the plan goes on\n";
  return out;
}

std::string status_text(const PlanView& view, const plan::State& state, bool driven,
                        const std::string& documents) {
  std::string out = fmt::format("plan {}: {}{}\n", view.feature, view.turn,
                                driven                         ? ""
                                : plan::is_active(state.phase) ? " (nobody drives it)"
                                                               : "");
  out += fmt::format("  {}; {}\n", view.step, view.guard);
  const auto lines = plan::step_lines(state);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    out += fmt::format("  {}\n", lines[i]);
    if (i < view.steps.size() && view.steps[i].active)
      for (const std::string& criterion : view.steps[i].acceptance)
        out += fmt::format("      · {}\n", criterion);
  }
  out += documents;
  if (plan::holds_checkout(state) && !plan::is_active(state.phase))
    out += fmt::format("  no other loop may begin in your checkout: pairflow plan release {}\n",
                       view.feature);
  for (const std::string& problem : view.problems) out += fmt::format("  ! {}\n", problem);
  for (const InboxItem& item : plan::inbox_of(state))
    if (item.kind != "document") out += item_text(item, "  ? ");
  if (!state.landed.empty()) out += fmt::format("  landed as {}\n", state.landed.str());
  if (plan::can_land(state))
    out += fmt::format("Next: pairflow plan land {}\n", view.feature);
  else if (!driven && state.phase != plan::Phase::done)
    out += fmt::format("Next: pairflow plan run {}\n", view.feature);
  return out;
}

}  // namespace

Result<Said> run_plan_status(Caller& caller, const Args& args) {
  PlanLoop loop(caller.os, TRY(plan_of(caller, args)));
  const plan::State state = TRY(loop.load());
  const bool driven = TRY(is_driven(caller.os, loop.paths()));
  const PlanView view = plan_view(state, TRY(loop.steps(state)));
  Said said;
  said.json = state_json(state);
  said.json["documents"] =
      (loop.paths().top(state.policy.workspace) / loop.paths().documents).string();
  said.json["since"] = state.since;
  said.json["last_command_at"] = state.last_command_at;
  said.json["max_change_requests"] = state.policy.max_change_requests;
  said.json["coder"] = state.policy.coder.str();
  said.json["reviewer"] = state.policy.reviewer.str();
  said.json["driven"] = driven;
  said.json["runs"] = codec::encode(state.runs);
  said.json["trouble"] = state.trouble;
  said.json["holds_checkout"] = plan::holds_checkout(state);
  said.json["inbox"] = codec::encode(plan::inbox_of(state));
  const PlanAdvisory advisory = plan_advisory(loop, state);
  said.json["advisory"] = codec::encode(advisory.reasons);
  said.text = status_text(view, state, driven, TRY(about_documents(loop, state)) + advisory.line);
  return said;
}

Result<Said> run_plan_list(Caller& caller, const Args& args) {
  const Repository repository = TRY(repository_of(caller, args));
  Said said;
  JsonArray plans;
  for (const plan::FeatureId& feature : TRY(all_features(caller.os, repository))) {
    const PlanPaths paths(repository, feature);
    const auto state = read_state<plan::Domain>(caller.os, paths.loop_files());
    JsonObject json;
    std::string standing, step;
    if (!state) {
      json["feature"] = feature.str();
      json["state"] = "damaged";
      json["error"] = state.error().what;
      standing = "DAMAGED", step = printable(state.error().what);
    } else if (!*state) {
      json["feature"] = feature.str();
      json["state"] = "none";
      standing = "not run yet";
    } else {
      json = state_json(**state);
      standing = plan::turn_text(**state), step = plan::step_text(**state);
    }
    plans.push_back(std::move(json));
    said.text += fmt::format("{}  {}  {}\n", fit(feature.str(), 24), fit(standing, 36), step);
  }
  if (said.text.empty()) said.text = "no plans; make one: pairflow plan init <feature>\n";
  said.json["plans"] = std::move(plans);
  return said;
}

Result<Said> run_plan_log(Caller& caller, const Args& args) {
  PlanLoop loop(caller.os, TRY(plan_of(caller, args)));
  TRY(loop.load());
  Said said;
  say_log(
      said, caller.os.clock, TRY(loop.events()), 24, "run",
      +[](const plan::Event& event) { return line_of(event).text; });
  said.json["transcripts"] = loop.paths().runs.string();
  return said;
}

Result<Said> run_plan_notes(Caller& caller, const Args& args) {
  if (args.has("remove")) return ask_plan(caller, args, plan::RemoveNote{args.number("remove", 0)});
  PlanLoop loop(caller.os, TRY(plan_of(caller, args)));
  const plan::State state = TRY(loop.load());
  const auto told = plan::told_notes(state);
  Said said;
  JsonArray notes;
  for (const plan::UserNote& note : state.user_notes) {
    const bool is_told = std::ranges::find(told, &note) != told.end();
    JsonObject json = codec::encode(note).as_object();
    json["told"] = is_told;
    notes.push_back(std::move(json));
    said.text += fmt::format("note {}, on step {}{}\n", note.number, printable(note.step),
                             is_told ? "" : ": left out of prompts, newer ones fill them");
    if (!note.question.empty())
      said.text +=
          fmt::format("  the {} asked:\n{}", note.asked_by, fenced(trim(note.question), "    "));
    said.text += fmt::format("  you said:\n{}", fenced(trim(note.text), "    "));
  }
  said.json["notes"] = std::move(notes);
  said.text +=
      state.user_notes.empty()
          ? std::string("nothing yet: what you answer to agents is kept here\n")
          : fmt::format("remove one: pairflow plan notes {} --remove N\n", state.feature.str());
  return said;
}

namespace {

// The steps that were found, or all that may be meant.
void say_steps(Said& said, const document::PlanDocument& plan) {
  if (!plan.ways.empty()) {
    said.json["ways"] = ways_json(plan.ways);
    said.text += ways_text(plan.ways);
    return;
  }
  said.json["form"] = plan.form;
  said.json["steps"] = codec::encode(plan.steps);
  if (plan.count <= document::kMaxSteps) said.text += steps_text(plan.steps);
}

}  // namespace

// Of a plan that was never run too.
Result<Said> run_plan_validate(Caller& caller, const Args& args) {
  PlanLoop loop(caller.os, TRY(plan_of(caller, args)));
  const auto known = loop.load_or_none();
  const bool begun = known && known->phase != plan::Phase::none;
  if (begun) TRY(check_steps(*known, args.text("steps")));
  const plan::Workspace workspace = known ? known->policy.workspace : plan::Workspace::repo;
  const FileFact plan = TRY(loop.document(workspace, "plan.md"));
  const FileFact spec = TRY(loop.document(workspace, "spec.md"));
  if (!plan.exists)
    return fail(Exit::refused,
                fmt::format("there is no {}", (loop.paths().documents / "plan.md").string()), "",
                fmt::format("make it: pairflow plan init {}", loop.paths().feature.str()));
  const auto reading = begun ? plan::read_documents({plan, spec}, form_of(*known))
                             : plan::read_at_first({plan, spec}, args.text("steps"));
  Said said;
  said.json["plan"] = say_problems(said, "plan.md", reading.problems);
  said.json["spec"] = say_problems(said, "spec.md", reading.spec_problems);
  said.exit = said.text.empty() ? 0 : static_cast<int>(Exit::refused);
  if (said.exit == 0)
    said.text =
        fmt::format("plan.md is sound: {} {}, active step {}{}\n", reading.plan.count,
                    reading.plan.count == 1 ? "step" : "steps", printable(reading.plan.active),
                    spec.exists ? "; spec.md is sound" : "");
  if (const auto read = document::read_plan(plan.text, reading.form); read && plan.trouble.empty())
    say_steps(said, *read);
  return said;
}

}  // namespace pf
