#include "verbs/verbs.h"

namespace pf {
namespace {

// README.md has the same table.
constexpr std::string_view kTable = R"(
|              | bubble                    | plan                        | role                   |
|--------------|---------------------------|-----------------------------|------------------------|
| what for     | one change                | one feature, step by step   | a roadmap, by features |
| files change | in a worktree of its own  | in your checkout (or apart) | in your checkout       |
| who commits  | Pairflow, when you say so | Pairflow, when you say so   | Pairflow, by autopilot |
| who approves | two agents, then you      | a reviewer, then you        | a reviewer, then you   |
| how long     | minutes to an hour        | hours                       | days                   |
)";

constexpr std::string_view kExamples = R"(
One change: a bubble

    pairflow bubble create --id login-timeout --task "Log out idle users" --accept-detected
    pairflow bubble start --id login-timeout
    pairflow inbox                                  # what waits for you, and the command that answers
    pairflow bubble approve --id login-timeout      # shows what, why, risks, checks, findings
    pairflow bubble commit --id login-timeout
    pairflow bubble merge --id login-timeout        # into the branch it began at

One feature: a plan

    pairflow plan init login                        # write its steps into docs/login/plan.md
    pairflow plan validate login
    pairflow plan run login                         # shows it; answer when you are asked
    pairflow plan reply login                       # after the last step: that is all
    pairflow plan land login                        # shows what was approved, then commits it by steps

A roadmap: the roles

    echo "- [ ] F001: Log in" >>docs/ROADMAP.md && git add docs && git commit -m "Roadmap"
    pairflow role init
    pairflow role run                               # planner, coder and reviewer take turns
    pairflow role approve-feature --feature F001    # on the default branch afterwards

See one to its end, with built-in agents: pairflow demo bubble, pairflow demo plan, pairflow demo role
)";

}  // namespace

Result<Said> run_help_loops(Caller&, const Args&) {
  Said said;
  said.text = std::string(kTable.substr(1)) + std::string(kExamples);
  said.json["text"] = said.text;
  return said;
}

}  // namespace pf
