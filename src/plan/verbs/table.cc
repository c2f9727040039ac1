#include "plan/verbs/verbs.h"

namespace pf {
namespace {

constexpr Param kNewFeature{.name = "feature",
                            .type = Type::word,
                            .help = "makes docs/<feature>/plan.md",
                            .positional = true};

constexpr Param kNote{.name = "note", .type = Type::text, .help = "a word to the other agent"};

std::vector<Verb> decisions() {
  return {
      {"plan",
       "init",
       "Begin a plan: writes docs/<feature>/plan.md, to be filled in by you.",
       "pairflow plan init login",
       Audience::human,
       {kNewFeature},
       run_plan_init},
      {"plan",
       "reply",
       "Answer whoever waits for you; after the last step, end the plan.",
       "pairflow plan reply login --message \"keep the old API\"",
       Audience::human,
       {kFeature,
        {"message", Type::text, "the answer; - reads standard input"},
        {"question", Type::word, "refused when another question is open"}},
       run_plan_reply},
      {"plan",
       "force",
       "Give control to the coder or the reviewer, in a new conversation.",
       "pairflow plan force login reviewer",
       Audience::human,
       {kFeature,
        {.name = "role",
         .type = Type::word,
         .help = "coder or reviewer",
         .required = true,
         .positional = true},
        {"message", Type::text, "a word to that agent; - reads standard input"}},
       run_plan_force},
      {"plan",
       "reset-guard",
       "Give the active step its whole allowance of change requests again.",
       "pairflow plan reset-guard login",
       Audience::human,
       {kFeature},
       run_plan_reset_guard},
      {"plan",
       "pause",
       "End the run that is at work; resume or reply goes on in its conversation.",
       "pairflow plan pause login",
       Audience::human,
       {kFeature},
       run_plan_pause},
      {"plan",
       "reset",
       "Begin the active step anew.",
       "pairflow plan reset login --yes",
       Audience::human,
       {kFeature, {"yes", Type::flag, "do not ask"}},
       run_plan_reset},
  };
}

std::vector<Verb> looks() {
  return {
      {"plan",
       "status",
       "Where a plan stands, and what waits for you.",
       "pairflow plan status login",
       Audience::anyone,
       {kFeature},
       run_plan_status},
      {"plan",
       "list",
       "All plans of the repository.",
       "pairflow plan list",
       Audience::anyone,
       {},
       run_plan_list},
      {"plan",
       "log",
       "Everything that happened, one line each.",
       "pairflow plan log login",
       Audience::anyone,
       {kFeature},
       run_plan_log},
      {"plan",
       "validate",
       "Whether plan.md and spec.md are sound; what is wrong, with line and fix.",
       "pairflow plan validate login",
       Audience::anyone,
       {kFeature},
       run_plan_validate},
  };
}

std::vector<Verb> tools() {
  const auto json = [](Param param, std::string_view help) {
    param.json.help = help;
    return param;
  };
  std::vector<Verb> rows = {
      {"plan",
       "request-review",
       "The step is ready: hand it to the reviewer and end your run.",
       "pairflow plan request-review --note \"the empty form is refused now\"",
       Audience::agent,
       {kNote},
       run_request_review},
      {"plan",
       "request-changes",
       "The step is not done: tell the coder what is wrong and why, and end your run.",
       "pairflow plan request-changes --text \"an empty name is accepted\"",
       Audience::agent,
       {json({.name = "text",
              .type = Type::text,
              .help = "what is wrong and why; - reads standard input",
              .required = true},
             "what is wrong and why")},
       run_request_changes},
      {"plan",
       "approve",
       "The step is done: go on to the next one. Ends your run.",
       "pairflow plan approve",
       Audience::agent,
       {kNote},
       run_plan_approve},
      {"plan",
       "ask-user",
       "Ask the user and wait for the answer; one that takes long comes in your next run.",
       "pairflow plan ask-user --message \"may the API change?\"",
       Audience::agent,
       {json({.name = "message",
              .type = Type::text,
              .help = "the question; - reads standard input",
              .required = true},
             "the question")},
       run_ask_user},
  };
  rows[0].role = "coder", rows[1].role = "reviewer", rows[2].role = "reviewer";
  return rows;
}

}  // namespace

std::vector<Verb> plan_verbs() {
  std::vector<Verb> all = decisions();
  for (auto& rows : {looks(), tools(), plan_drivers()})
    all.insert(all.end(), rows.begin(), rows.end());
  return all;
}

}  // namespace pf
