#include "plan/verbs/caller.h"

#include <fmt/format.h>

#include <set>

#include "base/codec.h"
#include "base/error_text.h"
#include "base/text.h"
#include "plan/domain/views.h"
#include "plan/host/driver.h"
#include "verbs/core/show.h"

namespace pf {

Result<std::vector<plan::FeatureId>> all_features(Os& os, const Repository& repository) {
  std::set<plan::FeatureId> features;
  for (const Entry& entry : TRY(os.files.list(repository.top / "docs"))) {
    const auto feature = plan::parse_feature_id(entry.name);
    if (feature && entry.kind == FileKind::directory &&
        TRY(os.files.exists(repository.top / "docs" / entry.name / "plan.md")))
      features.insert(*feature);
  }
  for (plan::FeatureId& feature : TRY(plans_run(os, repository)))
    features.insert(std::move(feature));
  return std::vector(features.begin(), features.end());
}

Result<PlanPaths> plan_of(Caller& caller, const Args& args) {
  Repository repository = TRY(repository_of(caller, args));
  if (args.has("feature"))
    return PlanPaths(std::move(repository), TRY(plan::parse_feature_id(args.text("feature"))));
  if (const auto named = caller.os.env.get("PAIRFLOW_PLAN"); named && !named->empty())
    return PlanPaths(std::move(repository), TRY(plan::parse_feature_id(*named)));
  const auto features = TRY(all_features(caller.os, repository));
  if (features.size() == 1) return PlanPaths(std::move(repository), features.front());
  std::vector<std::string> names;
  for (const plan::FeatureId& feature : features) names.push_back(feature.str());
  return fail(Exit::usage, "which feature?",
              features.empty() ? "there is no docs/<feature>/plan.md here"
                               : fmt::format("there are {}", join(names, ", ")),
              features.empty() ? "begin with: pairflow plan init <feature>" : "name one of them");
}

bool is_of_plan(Caller& caller) { return !caller.os.env.get("PAIRFLOW_PLAN").value_or("").empty(); }

JsonObject state_json(const plan::State& state) {
  const bool active = plan::is_active(state.phase);
  return {{"feature", state.feature.str()},
          {"state", name_of(state.phase)},
          {"active_step", state.step},
          {"active_agent",
           active ? Json(state.policy.agent_of(state.active_role()).str()) : Json(nullptr)},
          {"active_role", active ? Json(name_of(state.active_role())) : Json(nullptr)},
          {"waits_for", state.halt ? Json(name_of(state.halt->kind)) : Json(nullptr)},
          {"run", state.run},
          {"steps", codec::encode(state.steps)},
          {"last_seq", number(state.last_seq)},
          {"turn", number(state.turn)}};
}

Said said_of(const PlanEngine::Answer& answer) {
  Said said;
  said.json = state_json(answer.state);
  for (const plan::Event& event : answer.events) said.text += plan::describe(event) + "\n";
  said.json["events"] = events_json(answer.events);
  if (answer.repeated) said.json["repeated"] = true;
  if (answer.events.empty()) said.text = "nothing had to be changed\n";
  said.warnings = answer.all_warnings();
  return said;
}

Result<Said> ask_plan(Caller& caller, const Args& args, const plan::Command& command) {
  PlanLoop loop(caller.os, TRY(plan_of(caller, args)));
  const plan::State state = TRY(loop.load());
  const auto answer =
      TRY(loop.execute(request_of(caller, args, human_caller(caller), state), command));
  Said said = said_of(answer);
  if (wants_driver(answer.state) || answer.state.write)
    if (auto done = ensure_running(caller.os, plan_driver(loop.paths())); !done)
      said.warnings.push_back(
          fmt::format("nobody drives it now: {}; go on with: pairflow plan run {}",
                      in_short(done.error()), answer.state.feature.str()));
  said.json["driven"] = TRY(is_driven(caller.os, loop.paths()));
  return said;
}

}  // namespace pf
