#pragma once
// A plan without a world: plan.md and spec.md are texts.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "base/decided_loop.h"
#include "plan/domain/decide.h"
#include "plan/domain/outstanding.h"

namespace pf::plan::testing {

inline const AgentName kClaude("claude");
inline const AgentName kCodex("codex");

using pf::testing::envelopes;
using pf::testing::must;

inline Policy test_policy() {
  Policy policy;
  policy.coder = kClaude;
  policy.reviewer = kCodex;
  return policy;
}

inline std::string plan_of(int steps, const std::string& frontmatter = "active_step: \"1\"\n") {
  std::string text = frontmatter.empty() ? "" : "---\n" + frontmatter + "---\n";
  for (int i = 1; i <= steps; ++i) text += fmt::format("## Step {}: part {}\n\nText.\n\n", i, i);
  return text;
}

// "coder_active 1 #2", "awaiting_user_input(loop_guard) 1 #0"
inline std::string where(const State& state) {
  return fmt::format("{}{} {} #{}", name_of(state.phase),
                     state.halt ? fmt::format("({})", name_of(state.halt->kind)) : "", state.step,
                     state.run);
}

// "1 done, 2 pending/1"
inline std::string steps_text(const State& state) {
  std::string out;
  for (const StepState& step : state.steps)
    out += fmt::format("{}{} {}{}", out.empty() ? "" : ", ", step.id, name_of(step.status),
                       step.change_requests > 0 ? fmt::format("/{}", step.change_requests) : "");
  return out;
}

class Plan : public pf::testing::DecidedLoop<Plan, State, Event, Command> {
 public:
  static constexpr std::string_view kId = "login";
  static constexpr std::array kPassing = {"last_boot", "last_mono_ms",    "last_seq", "actions",
                                          "warnings",  "last_command_at", "requests", "last_mark"};
  std::string plan_text = plan_of(3);
  std::optional<std::string> spec_text;
  Duration on_step{};
  ClaimFact claimed;            // by another loop
  std::string work;             // what the coder has made
  std::optional<CommitId> tip;  // of the branch that is landed on; nothing: as it is known
  std::string checked_out = "main";
  std::vector<std::string> overlap, staged;
  MergeFact merging{CommitId("m1"), false, "", {}, {}, TreeId("merged")};

  static Plan opened(Policy policy = test_policy(), std::string text = plan_of(3)) {
    Plan plan;
    plan.plan_text = std::move(text);
    must(plan.human(Open{std::move(policy)}).ok(), "open");
    plan.settle();
    return plan;
  }

  // The tools, as the run that has the turn; then the world catches up.
  Done request_review(std::string note = {}) { return tool(RequestReview{state.run, note}); }
  Done request_changes(std::string text = "no") {
    return tool(RequestChanges{state.run, std::move(text)});
  }
  Done approve() { return tool(Approve{state.run}); }
  Done ask_user(std::string message) { return tool(AskUser{state.run, std::move(message)}); }
  Done reply(std::string message = "go on") {
    Done done = human(Reply{std::move(message)});
    settle();
    return done;
  }
  // The run that has the turn ends by itself.
  Done end_run(int exit = 0, bool explained = false) {
    const int run = state.run;
    std::erase(processes_, run);
    ReportRunEnded ended{run, exit, false, "", fmt::format("talk-{}", run)};
    ended.explained = explained;
    Done done = orchestrator(ended);
    settle();
    return done;
  }

  Observed observed() const {
    Observed seen{hash_of(plan_text), {}};
    for (const int run : processes_) seen.runs.push_back({run, true, {}});
    return seen;
  }

  // Does what is outstanding, as the supervisor would, until nothing is.
  void settle() {
    for (int i = 0; i < 50; ++i) {
      const auto effects = outstanding(state, observed());
      if (effects.empty()) return;
      for (const Effect& effect : effects)
        std::visit([this](const auto& e) { perform(e); }, effect);
    }
    throw std::logic_error("there is always something outstanding");
  }

 private:
  Done tool(const Command& command) {
    Done done = as(state.current()->agent, command);
    settle();
    return done;
  }

  LandingFact landing_fact() const {
    LandingFact fact{"main", tip, checked_out, overlap, staged, {}};
    if (!fact.tip) fact.tip = state.landed.empty() ? state.base : state.landed;
    for (const Verdict& verdict : state.verdicts)
      if (verdict.seq > state.landed_to)
        fact.commits.push_back(
            {verdict.step, CommitId(fmt::format("c{}", number(verdict.seq))), verdict.tree});
    return fact;
  }

  void perform(const LandCommits& e) { orchestrator(ReportLanded{e.landing.to}); }
  void perform(const MergeHome&) { orchestrator(ReportMerged{CommitId("m2")}); }
  void perform(const WriteRegister& e) {
    must(hash_of(plan_text) == e.write.before, "an edit in between is seen");
    plan_text = *document::rewrite_plan(plan_text, change_of(e.write), form_of(state));
    must(hash_of(plan_text) == e.write.after, "what is written is what was decided");
  }
  void perform(const RecordWritten& e) { orchestrator(ReportWritten{e.hash}); }
  void perform(const LookAtDocuments&) { orchestrator(CheckDocuments{}); }
  void perform(const StartRun& e) {
    must(processes_.empty(), "never two processes");
    processes_.push_back(e.run);
  }
  void perform(const RecordStart& e) {
    orchestrator(ReportRunStarted{e.run, fmt::format("talk-{}", e.run),
                                  fmt::format("runs/{}.ndjson", e.run)});
  }
  void perform(const StopRun& e) {
    std::erase(processes_, e.run);
    orchestrator(ReportRunEnded{e.run, e.handed_over ? 0 : 143});
  }
  void perform(const RecordEnd& e) {
    orchestrator(ReportRunEnded{e.run, e.exit.value_or(0), !e.exit.has_value()});
  }

  friend DecidedLoop;
  static Result<Event> decode(const Line& line) { return plan::decode(line); }
  void gather(Need need, const Command&, Facts& facts) const {
    switch (need) {
      case Need::claim: facts.claim = claimed; return;
      case Need::repository: facts.repository = RepositoryFact{"main", CommitId("c0"), {}}; return;
      case Need::tree:
        facts.tree = TreeFact{TreeId(hash_of(plan_text + work).str()), {}, {}, {}};
        return;
      case Need::merge: facts.merge = merging; return;
      case Need::landing: facts.landing = landing_fact(); return;
      default: break;
    }
    if (need == Need::idle) {
      facts.idle = IdleFact{{}, on_step, {}, {}};
      return;
    }
    facts.documents = std::vector<FileFact>{{"plan.md", true, hash_of(plan_text), plan_text}};
    if (spec_text) facts.documents->push_back({"spec.md", true, hash_of(*spec_text), *spec_text});
  }

  std::vector<int> processes_;
};

using Done = Plan::Done;

}  // namespace pf::plan::testing

// It takes seconds to compile: once, in testing.cc.
extern template class pf::testing::DecidedLoop<pf::plan::testing::Plan, pf::plan::State,
                                               pf::plan::Event, pf::plan::Command>;
