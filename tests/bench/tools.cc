// What the benchmark cannot do with the program itself:
//   bench_tools fill <repo> <id> <lines>   a bubble's journal grows to that many lines
//   bench_tools floor <repo> <id>          what a pass cannot do without: the snapshot of the tree,
//                                          its difference to the base, one durable append
//   bench_tools snapshot <repo> <id> warm|cold
//   bench_tools checkout <repo> <id> warm|cold      the checks' checkout, brought to that tree
//   bench_tools checks <repo> <id> own|worktree     the bubble's checks there, warm
#include <fmt/format.h>

#include <charconv>
#include <cstring>

#include "bubble/host/loop.h"
#include "os/posix/os.h"

namespace pf {
namespace {

Status fill(Os& os, const BubblePaths& paths, std::uint64_t lines) {
  Journal journal(os, paths.journal, paths.id.str());
  Lock door = TRY(Lock::take(os, paths.door, std::chrono::seconds(30)));
  Mark at = TRY(journal.scan({}, [](Line&&) { return Status{}; })).mark;
  const Draft late = bubble::encode(
      {"orchestrator", "orchestrator", 1,
       bubble::Evidence{TreeId("a-tree-of-long-ago"), bubble::EvidenceStatus::green, "make", {}}});
  while (number(at.seq) < lines) {
    const std::vector<Draft> batch(std::min<std::uint64_t>(kMaxBatch, lines - number(at.seq)),
                                   late);
    at = TRY(journal.append(door, at, batch, RequestId(os.random.token()))).back().mark;
  }
  return {};
}

Status floor(Os& os, const BubblePaths& paths) {
  BubbleLoop loop(os, paths);
  const bubble::State state = TRY(loop.load());
  Workspace workspace = loop.workspace(state);
  const TreeFact tree = TRY(workspace.snapshot(false));
  TRY(workspace.changed(state.place.base_commit.str(), tree.tree.str()));
  Path copy = paths.journal;
  copy += ".floor";
  const auto file = TRY(os.files.open(copy, Open::create));
  TRY(file->write_at(TRY(file->size()), std::string(700, 'x')));
  return file->sync();
}

std::vector<CheckToRun> checks_of(const bubble::State& state) {
  std::vector<CheckToRun> wanted;
  for (const bubble::Check& check : state.policy.profile.checks)
    wanted.push_back({check.name, check.command});
  return wanted;
}

// `how` is the last word of the command line.
Status measure(Os& os, const BubblePaths& paths, std::string_view what, std::string_view how) {
  BubbleLoop loop(os, paths);
  const bubble::State state = TRY(loop.load());
  Workspace workspace = loop.workspace(state);
  const TreeId tree = TRY(workspace.snapshot(what == "snapshot" && how == "cold")).tree;
  if (what == "snapshot") return {};
  const ChecksCheckout checkout = loop.checks_checkout(state);
  if (what == "checkout")
    return bring_to(os, checkout.files, tree, how == "cold" ? Begin::empty : Begin::as_it_is);
  const Settings settings = TRY(loop.settings());
  const std::string name = paths.id.str();
  const auto done = how == "own" ? TRY(check_tree(os, paths, name, settings, checkout, tree,
                                                  checks_of(state), Begin::as_it_is))
                                       .done
                                 : TRY(run_confined_checks(os, paths, name, settings,
                                                           state.place.worktree, checks_of(state)))
                                       .done;
  for (const CheckDone& check : done)
    if (!check.ok()) return fail(Exit::machine, "a check is red", check.output);
  return {};
}

Status run(Os& os, int argc, char** argv) {
  if (argc < 4)
    return fail(Exit::usage, "bench_tools fill|floor|snapshot|checkout|checks <repo> <id> […]");
  const BubblePaths paths(TRY(find_repository(os, argv[2])), TRY(parse_bubble_id(argv[3])));
  if (std::strcmp(argv[1], "floor") == 0) return floor(os, paths);
  if (std::strcmp(argv[1], "fill") != 0 && argc > 4) return measure(os, paths, argv[1], argv[4]);
  std::uint64_t lines = 0;
  if (argc > 4) std::from_chars(argv[4], argv[4] + std::strlen(argv[4]), lines);
  return fill(os, paths, lines);
}

}  // namespace
}  // namespace pf

int main(int argc, char** argv) {
  pf::PosixOs posix;
  pf::Os os = posix.os();
  if (const auto done = pf::run(os, argc, argv); !done) {
    fmt::print(stderr, "bench_tools: {} {}\n", done.error().what, done.error().why);
    return 1;
  }
  return 0;
}
