#include "role/verbs/verbs.h"

namespace pf {
namespace {

constexpr std::size_t kMaxNote = 16u << 10;  // the decider says what is wrong with a longer one

constexpr Param kOwnRole{
    .name = "role", .type = Type::word, .help = "the role you act in (default: the current one)"};
constexpr Param kYes{"yes", Type::flag, "do not ask"};

constexpr Param note(std::string_view help, bool required) {
  return {.name = "message",
          .type = Type::text,
          .help = help,
          .required = required,
          .limit = kMaxNote,
          .json = {.help = "the note"}};
}

std::vector<Verb> switches() {
  return {
      {"role",
       "init",
       "Begin: writes docs/agents/state.json, or takes over the one that is there.",
       "pairflow role init",
       Audience::either,
       {},
       run_role_init},
      {"role",
       "start",
       "Take the current role. Only one can have it; yours takes it over from an agent.",
       "pairflow role start",
       Audience::either,
       {kOwnRole},
       run_role_start},
      {"role",
       "handoff",
       "Hand over to the next role; the planner's chooses feature, branch and task.",
       "pairflow role handoff --to CODER --feature F001 --message \"T01: "
       "docs/current/T01-form.md\"",
       Audience::either,
       {{.name = "to", .type = Type::word, .help = "PLANNER, CODER or REVIEWER", .required = true},
        note("at most 12 lines, no code; - reads standard input", true),
        kOwnRole,
        {.name = "feature", .type = Type::word, .help = "planner: F001 of docs/ROADMAP.md"},
        {.name = "task", .type = Type::word, .help = "planner: T01 (default: the next by number)"},
        {.name = "type", .type = Type::word, .help = "planner: of a new branch: feat, fix, …"},
        {.name = "branch", .type = Type::word, .help = "planner: a name of your own for it"},
        {.name = "risk",
         .type = Type::text,
         .help = "planner: why the task gets a branch of its own"}},
       run_role_handoff},
      {"role",
       "block",
       "Ask the role that can unblock you.",
       "pairflow role block --by PLANNER --message \"Is the old API kept?\"",
       Audience::either,
       {{.name = "by", .type = Type::word, .help = "who can answer", .required = true},
        note("precise questions; - reads standard input", true),
        kOwnRole},
       run_role_block},
      {"role",
       "approve-task",
       "The task is done; after the last one the feature is approved. Yours lets go on what waits.",
       "pairflow role approve-task",
       Audience::either,
       {note("a word about it", false)},
       run_role_approve_task},
      {"role",
       "approve-feature",
       "Close a feature whose tasks are all approved. Yours lets go on what waits for you.",
       "pairflow role approve-feature --feature F001 --yes",
       Audience::either,
       {{.name = "feature", .type = Type::word, .help = "which of those that wait"},
        note("a word about it", false),
        kYes},
       run_role_approve_feature},
      {"role",
       "decline",
       "Drop what waits for you; its commit is kept under refs/pairflow/.",
       "pairflow role decline F001 --yes",
       Audience::human,
       {{.name = "feature",
         .type = Type::word,
         .help = "F001",
         .required = true,
         .positional = true},
        note("why", false),
        kYes},
       run_role_decline},
      {"role",
       "autopilot",
       "How much is done without asking you: off, review_only or full.",
       "pairflow role autopilot review_only",
       Audience::human,
       {{.name = "level",
         .type = Type::word,
         .help = "off, review_only or full",
         .required = true,
         .positional = true}},
       run_role_autopilot},
  };
}

std::vector<Verb> looks() {
  return {
      {"role",
       "status",
       "Whose turn it is, what is worked on, what waits for you.",
       "pairflow role status",
       Audience::anyone,
       {},
       run_role_status},
      {"role",
       "log",
       "Everything that happened, one line each.",
       "pairflow role log",
       Audience::anyone,
       {},
       run_role_log},
      {"role",
       "validate",
       "Whether state.json, the roadmap and the tasks are sound; what is wrong, with line and fix.",
       "pairflow role validate",
       Audience::anyone,
       {},
       run_role_validate},
      {"",
       "prompts",
       "Write the rules of each role into the repository, for agents that read them themselves.",
       "pairflow prompts --into docs/agents",
       Audience::human,
       {{.name = "into", .type = Type::word, .help = "a directory (default: docs/agents)"}},
       run_prompts},
  };
}

}  // namespace

std::vector<Verb> role_verbs() {
  std::vector<Verb> all = switches();
  for (Verb& verb : all) {
    if (verb.name == "init") verb.role = "planner";
    if (verb.name.starts_with("approve")) verb.role = "reviewer";
  }
  for (Verb& verb : looks()) all.push_back(std::move(verb));
  all.push_back(role_driver());
  return all;
}

}  // namespace pf
