#include <fmt/format.h>

#include <array>

#include "base/text.h"
#include "sandbox/bubblewrap.h"
#include "verbs/demo_stage.h"
#include "verbs/verbs.h"

namespace pf {
namespace {

struct DemoRow {
  std::string_view loop, stage;  // as it is named; what there is to see
  Result<Said> (*play)(Caller& caller, DemoStage& stage);
};
constexpr std::array<DemoRow, 3> kDemos = {
    {{"bubble", "two scripted agents, one bubble", demo_bubble},
     {"plan", "a scripted coder and reviewer, one plan of two steps", demo_plan},
     {"role", "a scripted planner, coder and reviewer, a roadmap of one feature", demo_role}}};

Result<const DemoRow*> demo_of(const std::string& loop) {
  for (const DemoRow& row : kDemos)
    if (row.loop == loop) return &row;
  return fail(Exit::usage, fmt::format("there is no demo '{}'", clip(printable(loop), 40)), "",
              "name bubble, plan or role");
}

Result<Said> play_demo(Caller& caller, const DemoRow& row, const Path& repo) {
  DemoStage stage(caller, repo);
  stage.say(fmt::format("A scratch repository in {}, {}.\n", repo.string(), row.stage));
  if (const Enforcement enforcement = find_enforcement(caller.os); !enforcement.program)
    stage.say(
        fmt::format("No sandbox here, so what agents and checks must not do is advisory: {}.\n",
                    enforcement.why_not));
  return row.play(caller, stage);
}

}  // namespace

Result<Said> run_demo(Caller& caller, const Args& args) {
  Os& os = caller.os;
  const DemoRow& row = *TRY(demo_of(args.text("loop", "bubble")));
  const bool keep = args.has("keep");
  const Path root =
      keep ? Path(args.text("keep"))
           : Path(os.env.get("TMPDIR").value_or("/tmp")) / ("pairflow-demo-" + os.random.token(4));
  if (keep && TRY(os.files.exists(root)))
    return fail(Exit::usage, fmt::format("'{}' exists", printable(root.string())), "",
                "name a new directory");
  TRY(os.files.make_directories(root / "greetings"));
  const Path absolute = TRY(os.files.canonical(root));
  auto said = play_demo(caller, row, absolute / "greetings");
  if (!keep && said) (void)os.files.remove_all(absolute);
  return said;
}

}  // namespace pf
