#include "role/verbs/caller.h"
#include "verbs/demo_stage.h"

namespace pf {

Result<Said> demo_role(Caller& caller, DemoStage& stage) {
  TRY(stage.prepare(
      {{"README.md", "# Greetings\n"},
       {"test.sh", "#!/bin/sh\n# Nobody is invited yet.\n"},
       {"docs/ROADMAP.md", "# Roadmap\n\n- [ ] F001: Greet everybody\n"}},
      "demo-role",
      "[role.agents]\nplanner = \"claude\"\ncoder = \"codex\"\nreviewer = \"claude\"\n"
      "[commands]\ntest = \"sh ./test.sh\"\n"));
  TRY(stage.pairflow({"role", "init"}));
  TRY(stage.show({"role", "run"}));
  TRY(stage.pairflow({"inbox"}));
  TRY(stage.pairflow({"role", "approve-feature", "--feature", "F001", "--yes"}));
  TRY(stage.git({"show", "--stat", "--format=%h %s%n", "main"}, "git show --stat main"));
  RoleLoop loop(caller.os, RolePaths(TRY(find_repository(caller.os, stage.repo()))));
  TRY(Lock::take(caller.os, loop.paths().lease, kDemoLimit));  // nothing runs there any more
  const role::State state = TRY(loop.load());
  Said said;
  said.json = state_json(state);
  said.text =
      "\nF001 is on main: every task reviewed, the checks green, the merge approved by you\n";
  return said;
}

}  // namespace pf
