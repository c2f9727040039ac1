#pragma once
#include <optional>
#include <string>
#include <vector>

#include "document/plan/steps.h"
#include "plan/domain/state.h"

// What people are shown of a plan. Pure; all texts are printable.
namespace pf {

struct PlanView {
  struct Step {
    std::string id, title;
    plan::StepStatus status = plan::StepStatus::pending;
    int change_requests = 0;
    bool active = false;
    std::vector<std::string> acceptance = {};
    PF_FIELDS(PF_ALWAYS(id, title, status, change_requests, active, acceptance));
  };
  // What the user is asked, or told, while no agent goes on.
  struct Question {
    std::string id;
    plan::HaltKind kind = plan::HaltKind::asked;
    std::string who;  // coder, reviewer, pairflow
    std::string text;
    std::string answer = {};  // the command that answers it
    PF_FIELDS(PF_ALWAYS(id, kind, who, text, answer));
  };
  std::string feature;
  plan::Phase phase = plan::Phase::none;
  std::string since;       // the turn began, ISO 8601
  Seq opened = Seq::none;  // the event that opened the turn
  std::string agent = {};  // who is at work; "" for nobody
  std::string turn;        // "coder_active · claude"
  std::string step;        // "step 2 of 5: Print (needs-changes)"
  std::string guard;       // "change requests 2 of 3"
  bool parked = false;     // by the loop guard
  std::vector<Step> steps = {};
  std::optional<Question> question = {};
  std::vector<std::string> problems = {};  // of plan.md and spec.md, in words
  PF_FIELDS(v.always("feature", self.feature), v.always("state", self.phase),
            v.always("since", self.since), v.always("turn", self.turn), v.always("step", self.step),
            v.always("guard", self.guard), v.always("parked", self.parked),
            v.always("steps", self.steps), v.always("question", self.question),
            v.always("problems", self.problems));
};

// `steps`: of plan.md as it is now; empty when it cannot be read.
PlanView plan_view(const plan::State& state, const std::vector<document::Step>& steps);

}  // namespace pf
