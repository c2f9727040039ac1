#include "agents/scripted/scenario.h"

namespace pf {
namespace {

// Matched by role and task; the commands of the roles are run as an agent would in its shell.
constexpr std::string_view kDemoRole = R"demo(
[[run]]
role = "planner"
step = "T02"
say = "One guest greeted. Now somebody who checks the manners."
think_ms = 500
run = ["sh", "-c", "pairflow role start && pairflow role handoff --to CODER --message 'T02 is next: docs/current/T02-test.md'"]
nothing = true

[[run]]
role = "planner"
say = "F001: everybody is to be greeted. Two tasks should do."
think_ms = 500
run = ["sh", "-c", "pairflow role start && pairflow role handoff --to CODER --feature F001 --message 'T01 is next: docs/current/T01-greet.md'"]
nothing = true

[[run.write]]
path = "docs/current/T01-greet.md"
text = '''
# T01: Say hello by name

Status: open

greet.sh greets everybody whose name is given; who has none is a stranger.
'''

[[run.write]]
path = "docs/current/T02-test.md"
text = '''
# T02: Check its manners

Status: open

test.sh greets Ada and a stranger, and fails when one of them is offended.
'''

[[run]]
role = "coder"
step = "T01"
say = "A greeting, then. With quotes, for those with long names."
think_ms = 500
run = ["sh", "-c", "pairflow role start && pairflow role handoff --to REVIEWER --message 'T01 is done: greet.sh'"]
nothing = true

[[run.write]]
path = "greet.sh"
executable = true
text = '''
#!/bin/sh
# greet.sh [NAME]... says hello to everybody, by name; who has none is a stranger.
[ $# -gt 0 ] || set -- ""
for name in "$@"; do
  printf 'Hello, %s!\n' "${name:-stranger}"
done
'''

[[run]]
role = "coder"
step = "T02"
say = "Two guests, one of them shy."
think_ms = 500
run = ["sh", "-c", "pairflow role start && sh ./test.sh && pairflow role handoff --to REVIEWER --message 'T02 is done: test.sh'"]
nothing = true

[[run.write]]
path = "test.sh"
executable = true
text = '''
#!/bin/sh
# Does greet.sh keep its manners?
cd "$(dirname "$0")" || exit 1
[ "$(sh ./greet.sh Ada)" = "Hello, Ada!" ] && [ "$(sh ./greet.sh)" = "Hello, stranger!" ]
'''

[[run]]
role = "reviewer"
say = "Let me knock and see."
think_ms = 500
run = ["sh", "-c", "pairflow role start && sh ./greet.sh 'Grace Hopper' && pairflow role approve-task --message '{step} does what it says'"]
nothing = true
)demo";

}  // namespace

std::string_view demo_role_scenario() { return kDemoRole; }

}  // namespace pf
