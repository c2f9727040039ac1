#pragma once
#include "base/facts.h"
#include "plan/domain/state.h"

// plan.md as a register: what stands in it, what of that is not ours, what we will write. Pure.
namespace pf::plan {

inline constexpr std::string_view kPlanFile = "plan.md";
inline constexpr std::string_view kSpecFile = "spec.md";
inline constexpr std::string_view kExplainedFile = "explained.md";

struct Reading {
  std::string text;
  Hash hash;
  std::string form;               // in which its steps are read; "" when that is not settled yet
  document::PlanDocument plan;    // of a sound one
  std::vector<Problem> problems;  // of plan.md
  Hash spec;                      // "" when there is none
  std::vector<Problem> spec_problems;
  bool sound() const { return problems.empty(); }
};
Reading read_documents(const std::vector<FileFact>& files, std::string_view form);
// Before there is a log; `word` is the user's about what the steps are, "" for none.
Reading read_at_first(const std::vector<FileFact>& files, std::string_view word);
std::vector<Problem> spec_problems(const FileFact& file);

// plan.md is neither as we last took it in nor as we are about to write it.
bool is_edited(const State& state, const Reading& reading);

// Nobody can tell who wrote a file while an agent that can write was at work. Whatever such an edit
// says is taken in, but for one thing: a step that is still to be reviewed stays one. An edit that
// takes it away is a problem, until it is undone, or the user takes it (Resume) or makes it while
// no such agent is there.
void distrust(const State& state, Reading& reading);
// The run whose agent can write files and is at work; 0 for none.
int writer_at_work(const State& state);

// The steps of the document with what the log knows of them: by title, else by id; what a
// step_status map says otherwise is the writer's word, unless our own write of it is still due.
std::vector<StepState> steps_now(const State& state, const document::PlanDocument& plan);
// The same for a log that begins: what stands before a named active step is done, and what has its
// box ticked.
std::vector<StepState> steps_at_first(const document::PlanDocument& plan);

// The active step by the document: a named one wins, except one that our due write replaces.
std::string active_now(const State& state, const document::PlanDocument& plan);

// What is to be written so that plan.md says this; nothing when it does, or cannot be read now.
// With `names` a missing active_step is added.
std::optional<RegisterWrite> write_for(const State& state, const Reading* reading,
                                       const std::vector<StepState>& steps,
                                       const std::string& active, bool names);

}  // namespace pf::plan
