#pragma once
#include "plan/host/loop.h"

// What the human decides on when a plan comes home.
namespace pf {

struct PlanDecision {
  struct Step {
    std::string id, title;
    std::string by;    // the reviewer who approved it
    std::string note;  // and what he said
    int change_requests = 0;
    std::string tree;
    PF_FIELDS(PF_ALWAYS(id, title, by, note, change_requests, tree));
  };
  std::string feature;
  std::string branch;                  // that gets the commits,
  std::string into = {};               // and the one that it is merged into then; "": none
  std::string from = {};               // what the change is made to,
  std::string tree = {};               // and what it makes; "" when no step is approved
  std::vector<Step> steps = {};        // that are approved and have not landed
  std::vector<std::string> open = {};  // steps that are not approved
  std::vector<ChangedFile> changed = {};
  std::vector<std::string> warnings = {};
  PF_FIELDS(PF_ALWAYS(feature, branch, into, from, tree, steps, open, changed, warnings));
};

// All texts are printable. Takes a snapshot, to tell what is not as it was approved.
Result<PlanDecision> plan_decision(PlanLoop& loop, const plan::State& state);
// The same as a page. Pure.
std::string page_of(const PlanDecision& decision);

// What `plan diff` compares: trees or commits.
struct PlanRange {
  std::string from, to;
};
// Of one step, by its id or number: from what was approved before it to what was approved, or to
// the files as they are for the one at work. "": of the whole plan.
Result<PlanRange> plan_range(PlanLoop& loop, const plan::State& state, const std::string& step);

// Of the range, for people.
Result<std::string> plan_diff(PlanLoop& loop, const plan::State& state, const PlanRange& range);

}  // namespace pf
