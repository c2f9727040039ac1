#include "agents/scripted/scenario.h"

namespace pf {
namespace {

// Matched by role and round, so that it can be played by agents of any name.
constexpr std::string_view kDemo = R"demo(
[[turn]]
role = "implementer"
round = 1
say = "A tool that says hello, and a test that says whether it does. How hard can it be?"
think_ms = 500

[[turn.write]]
path = "greet.sh"
executable = true
text = '''
#!/bin/sh
# greet.sh [NAME]... says hello to everybody, by name.
for name in $*; do
  echo Hello, $name!
done
'''

[[turn.write]]
path = "test.sh"
executable = true
text = '''
#!/bin/sh
# Does greet.sh keep its manners? One line per guest; ends with 1 when somebody was offended.
cd "$(dirname "$0")" || exit 1
offended=0

expect() { # expect GREETING [NAME]...
  wanted=$1
  shift
  heard=$(sh ./greet.sh "$@")
  if [ "$heard" = "$wanted" ]; then
    echo "ok       $wanted"
  else
    echo "offended $wanted"
    echo "$heard" | sed 's/^/         heard: /'
    offended=1
  fi
}

expect "Hello, Ada!" Ada
expect "Hello, Grace Hopper!" "Grace Hopper"
expect "Hello, *!" "*"
expect "Hello, stranger!" ""
expect "Hello, stranger!"
exit $offended
'''

[turn.pass]
summary = "greet.sh greets everybody by name; test.sh invites five guests. Worked for Ada."

[[turn]]
role = "reviewer"
round = 1
say = "It worked for Ada. Let me bring the other four guests."
think_ms = 500
run = ["sh", "./test.sh"]

[turn.pass]
summary = """
Only Ada was greeted properly. Grace Hopper was taken for two people, the guest called * for every \
file in the directory, and whoever came without a name was ignored. Quoting cures the first two; \
the last needs a word for strangers."""
findings = ["P1:Names are unquoted: they fall apart at spaces, and * lists files @greet.sh:3"]

[[turn]]
role = "implementer"
round = 2
say = "Fair. It greeted its own source code. Quotes, then, and a kind word for strangers."
think_ms = 500
run = ["sh", "./test.sh"]

[[turn.write]]
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

[turn.pass]
summary = "Every name stays in one piece, a missing one becomes 'stranger'. All five guests are happy."
fixed = ["F1.1"]
package = """
# What changed
`greet.sh` says hello to everybody by name; who has none is a stranger. `test.sh` invites five \
guests and says who was offended.
# Why
The task: a tool that greets, with a test that can fail.
# Tradeoffs and residual risks
A name of many lines is greeted over many lines. Nobody is greeted in their own language.
# Manual test plan
1. `sh greet.sh "Grace Hopper"` greets one person, not two.
2. `sh greet.sh` greets a stranger.
# Suggested commit message
Greet everybody by name

A guest without a name is a stranger. test.sh checks five guests, among them
one with a space in the name and one called *.
"""

[[turn]]
role = "reviewer"
round = 2
say = "Same guests, second evening."
think_ms = 500
run = ["sh", "./test.sh"]

[turn.pass]
summary = "Read and run: five of five. printf is also safe with names that echo would take as options."
no_findings = true

[[turn]]
role = "reviewer"
round = 3
say = "Now I am the one who reviews. Fresh eyes, same door."
think_ms = 500
run = ["sh", "./test.sh"]
converged = "Reviewed afresh by the other agent: five of five guests greeted, nothing left to fix."

[[turn]]
say = "My script ends here."
ask_human = "The demo has no lines for this turn. What shall I do?"

[[run]]
role = "coder"
step = "1"
round = 1
say = "The first step. A greeting, as plans begin with one."
think_ms = 500
write = [ { path = "demo/step-1.txt", text = "Hello, wolrd!\n" } ]
run = ["cat", "demo/step-1.txt"]
request_review = "demo/step-1.txt greets the world."

[[run]]
role = "reviewer"
step = "1"
round = 1
say = "Let me read it aloud."
think_ms = 500
run = ["grep", "-n", "world", "demo/step-1.txt"]
request_changes = "The world is misspelt in demo/step-1.txt."

[[run]]
role = "coder"
step = "1"
say = "It is a small world, but it has its letters in order."
think_ms = 500
write = [ { path = "demo/step-1.txt", text = "Hello, world!\n" } ]
request_review = "The world is spelt as it likes to be."

[[run]]
role = "coder"
say = "On to step {step}."
think_ms = 500
write = [ { path = "demo/step-{step}.txt", text = "This is step {step} of {plan}.\n" } ]
request_review = "demo/step-{step}.txt is what step {step} asks for."

[[run]]
role = "reviewer"
say = "Read, and read again."
think_ms = 500
run = ["cat", "demo/step-{step}.txt"]
approve = "Step {step} does what it says."

[[run]]
role = "explainer"
say = "Let me tell how it came to be."
think_ms = 500
nothing = true

[[run.write]]
path = "docs/{plan}/explained.md"
text = '''
# How it works

Every step left a file in `demo/`. Begin with `demo/step-1.txt`, which greets the world.
'''
)demo";

}  // namespace

std::string_view demo_scenario() { return kDemo; }

}  // namespace pf
