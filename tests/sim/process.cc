#include "process.h"

#include "base/codec.h"

namespace pf::sim {
namespace {

Duration idle_for(Clock& clock, const Moment& last) {
  const Moment now = clock.moment();
  const std::int64_t since = now.boot == last.boot ? last.mono_ms : 0;
  return std::chrono::milliseconds(std::max<std::int64_t>(0, now.mono_ms - since));
}

TreeFact tree_fact(int tree) {
  TreeFact fact{World::tree_id(tree), World::tree_id(0), {}, CommitId("base")};
  if (tree != 0) fact.changed = {{"src/a.cc", "M", tree, 1, "100644"}};
  return fact;
}

}  // namespace

Process::Process(World& world, Stacks& stacks, int pid, Deed deed)
    : Actor(world.disk, world.clock, stacks, pid, world.files.door),
      world_(world),
      deed_(std::move(deed)),
      engine_(
          os_, world.files,
          [this](const auto& needs, const auto& state, const auto&, Facts& facts) {
            return gather(needs, state, facts);
          },
          [this](const bubble::State& state, const auto&) { return project(state); }) {}

Process::~Process() { end(); }

void Process::perform() {
  auto done = act();
  if (done)
    ending_ = std::move(*done);
  else
    ending_ = std::move(done).error();
}

Result<Process::Ending> Process::act() {
  switch (deed_.kind) {
    case Deed::Kind::execute: return TRY(engine_.execute(deed_.request, deed_.command));
    case Deed::Kind::read: return TRY(engine_.load());
    case Deed::Kind::repair: TRY(repair());
  }
  return Repaired{};
}

Status Process::repair() {
  Lock door = TRY(Lock::take(os_, world_.files.door, std::chrono::seconds(30)));
  Journal journal(os_, world_.files.journal, world_.files.id);
  TRY(journal.settle_doubt(door));
  TRY(engine_.load());  // the snapshot knows of a committed end that the journal alone does not
  const Reach reach = TRY(journal.scan({}, [](Line&&) { return Status{}; }));
  if (reach.torn) TRY(journal.repair_tail(door, *reach.torn));
  return {};
}

Status Process::gather(const std::vector<Need>& needs, const bubble::State& state, Facts& facts) {
  for (const Need need : needs) {
    TRY(files_.info("/repo/tree"));  // a place to be stopped at
    switch (need) {
      case Need::tree:
      case Need::cold_tree:
        facts.tree = tree_fact(world_.tree);
        facts.cold = need == Need::cold_tree;
        break;
      case Need::shown_tree: break;  // nothing is confined here
      case Need::idle: facts.idle = IdleFact{idle_for(world_.clock, state.last_activity)}; break;
      case Need::liveness: facts.dead = world_.dead; break;
      case Need::merge:
        facts.merge = MergeFact{CommitId("base"), false, "", {}, {}};
        facts.merge->tree = state.approved_tree.value_or(TreeId());  // the base has not moved
        break;
      case Need::sync: facts.sync = SyncFact{state.place.base_commit, state.place.base_tree}; break;
      case Need::commit: facts.commit = CommitId("commit-of-" + facts.tree->tree.str()); break;
      case Need::documents:
      case Need::time:
      case Need::repository:
      case Need::claim:
      case Need::landing: break;  // a bubble is about a tree of its own
    }
  }
  return {};
}

Status Process::project(const bubble::State& state) {
  std::string text;
  for (const bubble::InboxItem& item : bubble::inbox_of(state))
    text += dump(codec::encode(item)) + "\n";
  const auto now = TRY(files_.read_if_there(world_.inbox));
  if (now.value_or("") == text) return {};
  return files_.replace(world_.inbox, text, Durable::no);
}

}  // namespace pf::sim
