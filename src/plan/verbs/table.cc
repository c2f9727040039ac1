#include "plan/verbs/verbs.h"

namespace pf {
namespace {

constexpr Param kFeature =
    positional({"feature", Type::word, "docs/<feature>/plan.md (default: the only one there is)"});
constexpr Param kNote{"note", Type::text, "a word to the other agent"};
constexpr Param kPlain{"plain", Type::flag, "one line for each thing that happens, no console"};
constexpr Param kSteps{"steps", Type::text,
                       "which lines are the steps, where that is not clear: headings or list"};
constexpr Param kNoWait{"no-wait", Type::flag, "leave as soon as it is your turn"};

constexpr Param asked(std::string_view name, std::string_view what, std::string_view help) {
  return in_json({name, Type::text, help, true}, {.help = what});
}

constexpr Verb kRows[] = {
    Verb("plan init", Audience::human, run_plan_init,
         "Begin a plan: writes docs/<feature>/plan.md, to be filled in by you.",
         "pairflow plan init login",
         {positional({"feature", Type::word, "makes docs/<feature>/plan.md"})}),
    Verb("plan reply", Audience::human, run_plan_reply,
         "Answer whoever waits for you; after the last step, end the plan.",
         "pairflow plan reply login --message \"keep the old API\"",
         {kFeature,
          {"message", Type::text, "the answer; - reads standard input"},
          {"question", Type::word, "refused when another question is open"}}),
    Verb("plan force", Audience::human, run_plan_force,
         "Give control to the coder or the reviewer, in a new conversation.",
         "pairflow plan force login reviewer",
         {kFeature,
          required(positional({"role", Type::word, "coder or reviewer"})),
          {"message", Type::text, "a word to that agent; - reads standard input"}}),
    Verb("plan reset-guard", Audience::human, run_plan_reset_guard,
         "Give the active step its whole allowance of change requests again.",
         "pairflow plan reset-guard login", {kFeature}),
    Verb("plan pause", Audience::human, run_plan_pause,
         "End the run that is at work; resume or reply goes on in its conversation.",
         "pairflow plan pause login", {kFeature}),
    Verb("plan reset", Audience::human, run_plan_reset, "Begin the active step anew.",
         "pairflow plan reset login --yes", {kFeature, {"yes", Type::flag, "do not ask"}}),
    Verb("plan release", Audience::human, run_plan_release,
         "Let another plan, or the roles, work in the checkout that a plan is parked in.",
         "pairflow plan release login", {kFeature}),
    Verb("plan land", Audience::human, run_plan_land,
         "Bring a plan home: a commit for each approved step; from a worktree also the merge.",
         "pairflow plan land login",
         {kFeature,
          {"one", Type::flag, "one commit, whatever the number of steps"},
          {"so-far", Type::flag, "what is approved, although steps are open"},
          {"yes", Type::flag, "do not ask"},
          {"tree", Type::word, "do not ask; refused unless this is what was approved last"},
          {"unchecked", Type::text, "merge although no green run is known, for this reason"}}),
    Verb("plan decision", Audience::anyone, run_plan_decision,
         "What `plan land` asks about: verdicts, change, warnings.", "pairflow plan decision login",
         {kFeature}),
    Verb("plan diff", Audience::anyone, run_plan_diff,
         "What a plan, or one of its steps, has changed.", "pairflow plan diff login --step 2",
         {kFeature,
          {"step", Type::word, "of that step alone, by its number or title"},
          {"stat", Type::flag, "one line for each file"}}),
    Verb("plan status", Audience::anyone, run_plan_status,
         "Where a plan stands, and what waits for you.", "pairflow plan status login", {kFeature}),
    Verb("plan list", Audience::anyone, run_plan_list, "All plans of the repository.",
         "pairflow plan list"),
    Verb("plan log", Audience::anyone, run_plan_log, "Everything that happened, one line each.",
         "pairflow plan log login", {kFeature}),
    Verb("plan notes", Audience::human, run_plan_notes,
         "What you said to the agents: told to all that follow, until you remove it.",
         "pairflow plan notes login --remove 2",
         {kFeature, {"remove", Type::number, "this one is not told any more"}}),
    Verb("plan validate", Audience::anyone, run_plan_validate,
         "Whether plan.md and spec.md are sound: the steps that were found, what is wrong.",
         "pairflow plan validate login", {kFeature, kSteps}),
    Verb("plan request-review", Audience::agent, run_request_review,
         "The step is ready: hand it to the reviewer and end your run.",
         "pairflow plan request-review --note \"the empty form is refused now\"", {kNote},
         {.role = "coder"}),
    Verb("plan request-changes", Audience::agent, run_request_changes,
         "The step is not done: tell the coder what is wrong and why, and end your run.",
         "pairflow plan request-changes --text \"an empty name is accepted\"",
         {asked("text", "what is wrong and why", "what is wrong and why; - reads standard input")},
         {.role = "reviewer"}),
    Verb("plan approve", Audience::agent, run_plan_approve,
         "The step is done: go on to the next one. Ends your run.", "pairflow plan approve",
         {kNote}, {.role = "reviewer"}),
    Verb("plan ask-user", Audience::agent, run_ask_user,
         "Ask the user and wait for the answer; one that takes long comes in your next run.",
         "pairflow plan ask-user --message \"may the API change?\"",
         {asked("message", "the question", "the question; - reads standard input")}),
    Verb("plan run", Audience::human, run_plan,
         "Have a plan driven, from its beginning or from where it was left, and show it.",
         "pairflow plan run login",
         {kFeature,
          kSteps,
          kPlain,
          kNoWait,
          {"worktree", Type::flag, "begin it in files of its own, not in your checkout"}}),
    Verb("plan resume", Audience::human, run_plan_resume,
         "Go on after a pause, an error, a crash or a damaged log; finished runs are not repeated.",
         "pairflow plan resume login",
         {kFeature,
          kSteps,
          kPlain,
          kNoWait,
          {"take-edit", Type::flag, "plan.md counts as it is: an edit that was doubted was yours"},
          {"from-frontmatter", Type::flag, "put a damaged log aside and go on from plan.md"}}),
};

}  // namespace

Verbs plan_verbs() { return kRows; }

}  // namespace pf
