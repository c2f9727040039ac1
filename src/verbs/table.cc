#include "bubble/verbs/human.h"
#include "plan/verbs/verbs.h"
#include "role/verbs/verbs.h"
#include "verbs/core/rows.h"
#include "verbs/verbs.h"

namespace pf {
namespace {

constexpr Param kRepair{"repair", Type::flag, "settle a journal in doubt, move a torn tail aside"};

// What concerns the loops of all kinds, or none.
constexpr Row kRows[] = {
    {"bubble",
     "verify",
     "Check every line of the transcript: numbers, hashes, batches.",
     "pairflow bubble verify --id login-timeout",
     Audience::anyone,
     {kId, kRepair},
     run_bubble_verify},
    {"",
     "verify",
     "Check every line of a loop's journal, or of all: numbers, hashes, batches, the last line.",
     "pairflow verify --all",
     Audience::anyone,
     {kId,
      {"plan", Type::word, "a plan instead, by its feature"},
      {"roles", Type::flag, "the roles instead"},
      {"all", Type::flag, "every loop of the repository; exit 4 if any is damaged"},
      kRepair},
     run_verify},
    {"",
     "inbox",
     "What waits for you, over all bubbles, plans and roles.",
     "pairflow inbox",
     Audience::anyone,
     {},
     run_inbox},
    {"",
     "doctor",
     "Whether this machine has what pairflow needs: git, tmux, a sandbox, the agents.",
     "pairflow doctor",
     Audience::anyone,
     {},
     run_doctor},
    {"",
     "demo",
     "Run one bubble end to end with two built-in agents in a scratch repository.",
     "pairflow demo",
     Audience::human,
     {{"keep", Type::word, "directory to keep it in (default: a temporary one, removed)"}},
     run_demo},
    {.group = "",
     .name = "hook",
     .help = "What an agent's program calls by itself; reads the event from standard input.",
     .example = "pairflow hook",
     .who = Audience::hook,
     .params = {{"event", Type::word, "read from standard input: its name"},
                {"conversation", Type::word, "read from standard input: its conversation"},
                {"text", Type::text, "read from standard input: what it is about"}},
     .run = run_hook,
     .prepare = read_hook_event,
     .quiet = true},
};

}  // namespace

Table verbs() {
  return {bubble_verbs(), packed<kRows>, plan_verbs(),
          plan_drivers(), role_verbs(),  role_drivers()};
}

}  // namespace pf
