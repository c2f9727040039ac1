#include "role/verbs/verbs.h"

namespace pf {
namespace {

constexpr std::size_t kMaxNote = 16u << 10;  // the decider says what is wrong with a longer one

constexpr Param kOwnRole{"role", Type::word, "the role you act in (default: the current one)"};
constexpr Param kYes{"yes", Type::flag, "do not ask"};

constexpr Param note(std::string_view help, bool required) {
  return {"message", Type::text, help, required, false, kMaxNote, {.help = "the note"}};
}

constexpr Verb kRows[] = {
    Verb("role init", Audience::either, run_role_init,
         "Begin: writes docs/agents/state.json, or takes over the one that is there.",
         "pairflow role init", {}, {.role = "planner"}),
    Verb("role start", Audience::either, run_role_start,
         "Take the current role. Only one can have it; yours takes it over from an agent.",
         "pairflow role start", {kOwnRole}),
    Verb("role handoff", Audience::either, run_role_handoff,
         "Hand over to the next role; the planner's chooses feature, branch and task.",
         "pairflow role handoff --to CODER --feature F001 --message \"T01: "
         "docs/current/T01-form.md\"",
         {{"to", Type::word, "PLANNER, CODER or REVIEWER", true},
          note("at most 12 lines, no code; - reads standard input", true),
          kOwnRole,
          {"feature", Type::word, "planner: F001 of docs/ROADMAP.md"},
          {"task", Type::word, "planner: T01 (default: the next by number)"},
          {"type", Type::word, "planner: of a new branch: feat, fix, …"},
          {"branch", Type::word, "planner: a name of your own for it"},
          {"risk", Type::text, "planner: why the task gets a branch of its own"}}),
    Verb("role block", Audience::either, run_role_block, "Ask the role that can unblock you.",
         "pairflow role block --by PLANNER --message \"Is the old API kept?\"",
         {{"by", Type::word, "who can answer: PLANNER, CODER, REVIEWER, or HUMAN", true},
          note("precise questions; - reads standard input", true),
          kOwnRole}),
    Verb("role approve-task", Audience::either, run_role_approve_task,
         "The task is done; after the last one the feature is approved. Yours lets go on what "
         "waits.",
         "pairflow role approve-task", {note("a word about it", false)}, {.role = "reviewer"}),
    Verb(
        "role approve-feature", Audience::either, run_role_approve_feature,
        "Close a feature whose tasks are all approved. Yours lets go on what waits for you.",
        "pairflow role approve-feature --feature F001 --yes",
        {{"feature", Type::word, "which of those that wait"}, note("a word about it", false), kYes},
        {.role = "reviewer"}),
    Verb("role decline", Audience::human, run_role_decline,
         "Do not let land what waits for you. The work is kept on its branch, and the planner is "
         "told why.",
         "pairflow role decline F001 --message \"not before the release\" --yes",
         {required(positional({"feature", Type::word, "F001"})), note("why", false), kYes}),
    Verb("role rework", Audience::human, run_role_rework,
         "Send a feature that waits for you, or has stopped, back to its coder with the work as it "
         "is; your words stay in what its agents are told until it is finished.",
         "pairflow role rework F001 --task T01 --message \"The form loses its values\"",
         {required(positional({"feature", Type::word, "F001"})),
          note("what is to be changed; - reads standard input", true),
          {"task", Type::word, "T01: that task is open again"}}),
    Verb("role autopilot", Audience::human, run_role_autopilot,
         "How much is done without asking you: off, review_only or full.",
         "pairflow role autopilot review_only",
         {required(positional({"level", Type::word, "off, review_only or full"})),
          {"without-checks", Type::text,
           "why it goes on although no checks are configured; else it is refused then"}}),
    Verb("role pause", Audience::human, run_role_pause,
         "End the run that is at work and let the agents rest; role run goes on.",
         "pairflow role pause"),
    Verb("role release", Audience::human, run_role_release,
         "Let a plan work in the checkout while the agents rest; role run takes it back.",
         "pairflow role release"),
    Verb("role status", Audience::anyone, run_role_status,
         "Whose turn it is, what is worked on, what waits for you.", "pairflow role status"),
    Verb("role log", Audience::anyone, run_role_log, "Everything that happened, one line each.",
         "pairflow role log"),
    Verb("role validate", Audience::anyone, run_role_validate,
         "Whether state.json, the roadmap and the tasks are sound; what is wrong, with line and "
         "fix.",
         "pairflow role validate"),
    Verb("role run", Audience::human, run_roles,
         "Have the agent of the current role launched, and the next one after each switch, and "
         "show it until they rest.",
         "pairflow role run"),
    Verb("prompts", Audience::human, run_prompts,
         "Write the rules of each role into the repository, for agents that read them themselves.",
         "pairflow prompts --into docs/agents",
         {{"into", Type::word, "a directory (default: docs/agents)"}}),
};

}  // namespace

Verbs role_verbs() { return kRows; }

}  // namespace pf
