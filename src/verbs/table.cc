#include "bubble/verbs/verbs.h"
#include "plan/verbs/verbs.h"
#include "role/verbs/verbs.h"
#include "verbs/verbs.h"

namespace pf {
namespace {

constexpr Param kQuarantined =
    positional({"file", Type::word, "its id, as `pairflow quarantine show` tells"});
constexpr Param kRepair{"repair", Type::flag, "settle a journal in doubt, move a torn tail aside"};

// What concerns the loops of all kinds, or none.
constexpr Verb kRows[] = {
    Verb("bubble verify", Audience::anyone, run_bubble_verify,
         "Check every line of the transcript: numbers, hashes, batches.",
         "pairflow bubble verify --id login-timeout", {kId, kRepair}),
    Verb(
        "verify", Audience::anyone, run_verify,
        "Check every line of a loop's journal, or of all: numbers, hashes, batches, the last line.",
        "pairflow verify --all",
        {kId,
         {"plan", Type::word, "a plan instead, by its feature"},
         {"roles", Type::flag, "the roles instead"},
         {"all", Type::flag, "every loop of the repository; exit 4 if any is damaged"},
         kRepair}),
    Verb("inbox", Audience::anyone, run_inbox,
         "What waits for you, over all bubbles, plans and roles.", "pairflow inbox"),
    Verb("doctor", Audience::anyone, run_doctor,
         "Whether this machine has what pairflow needs: git, tmux, a sandbox, the agents.",
         "pairflow doctor"),
    Verb(
        "quarantine show", Audience::human, run_quarantine_show,
        "Files like settings or programs that came up beside an agent's own while it ran, and were "
        "moved away; with an id, one of them.",
        "pairflow quarantine show", {kQuarantined}),
    Verb("quarantine restore", Audience::human, run_quarantine_restore,
         "Put a file back where it was.", "pairflow quarantine restore 1f2e3d4c",
         {required(kQuarantined)}),
    Verb("quarantine forget", Audience::human, run_quarantine_forget, "Remove a file for good.",
         "pairflow quarantine forget 1f2e3d4c", {required(kQuarantined)}),
    Verb("demo", Audience::human, run_demo,
         "Run one bubble, plan or roadmap end to end with built-in agents in a scratch repository.",
         "pairflow demo plan",
         {positional({"loop", Type::word, "bubble, plan or role (default: bubble)"}),
          {"keep", Type::word, "directory to keep it in (default: a temporary one, removed)"}}),
    Verb("help loops", Audience::anyone, run_help_loops,
         "Bubble, plan or role: what each is for, who commits, one worked example of each.",
         "pairflow help loops"),
    Verb("hook", Audience::hook, run_hook,
         "What an agent's program calls by itself; reads the event from standard input.",
         "pairflow hook",
         {{"event", Type::word, "read from standard input: its name"},
          {"conversation", Type::word, "read from standard input: its conversation"},
          {"text", Type::text, "read from standard input: what it is about"}},
         {.prepare = read_hook_event, .quiet = true}),
};

}  // namespace

Table verbs() { return {bubble_verbs(), kRows, plan_verbs(), role_verbs()}; }

}  // namespace pf
