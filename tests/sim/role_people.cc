#include "role_people.h"

#include <fmt/format.h>

#include "document/role/role_register.h"

namespace pf::sim {
namespace {

using Tree = FakeGitDirectory::Tree;

const std::string kRegister(role::kRegisterFile);
const std::string kRoadmap(role::kRoadmapFile);

std::string task_path(int number) {
  return fmt::format("{}T{:02}-part.md", role::kCurrentFolder, number);
}

}  // namespace

void save(RoleWorld& world, const std::string& path, const std::optional<std::string>& text) {
  const auto room = std::exchange(world.disk.free_bytes, std::nullopt);
  FakeFiles files(world.disk, world.clock, 3);
  const Path file = world.file(path);
  (void)files.make_directories(file.parent_path());
  if (text)
    (void)files.replace(file, *text, Durable::yes);
  else
    (void)files.remove(file);
  (void)files.sync_directory(file.parent_path());
  world.disk.free_bytes = room;
  ++world.edits;
}

void first_commit(RoleWorld& world, Dice& dice) {
  FakeFiles files(world.disk, world.clock, 3);
  (void)files.make_directories(world.paths.repository.common);
  (void)files.make_directories(world.paths.directory);
  save(world, "README", "hello\n");
  if (!dice.one_in(4))
    save(world, kRoadmap, "- [ ] F001: Log in\n- [ ] F002: Search\n- [ ] F003: Pay\n");
  world.git.index = world.git.add(world.worktree());
  world.git.refs[world.git.head] = world.git.add({world.git.index, {}, "first"}).str();
  keep_roadmap(world);
}

bool has_tasks(RoleWorld& world) {
  for (const auto& [path, text] : world.worktree())
    if (path.starts_with(role::kCurrentFolder)) return true;
  return false;
}

void write_tasks(RoleWorld& world, Dice& dice) {
  const int tasks = 1 + static_cast<int>(dice.below(2));
  for (int i = 1; i <= tasks; ++i)
    save(world, task_path(i), fmt::format("# T{:02}: Part\n\nStatus: open\n", i));
  if (dice.one_in(4)) save(world, fmt::format("{}notes.txt", role::kCurrentFolder), "notes\n");
}

void write_work(RoleWorld& world, Dice& dice, int number) {
  const std::string path = fmt::format("src/{}.txt", dice.below(3));
  if (dice.one_in(8) && world.read(path)) return save(world, path, std::nullopt);
  save(world, path, fmt::format("work {}\n", number));
}

std::optional<std::string> edited_register(Dice& dice, const role::State& state,
                                           const std::string& now) {
  auto reg = document::read_register(now).value_or(state.reg);
  switch (dice.below(8)) {
    case 0: reg.current_role = static_cast<role::Role>(dice.below(3)); break;
    case 1: reg.state = static_cast<role::Lifecycle>(1 + dice.below(4)); break;
    case 2: reg.autopilot = static_cast<role::Autopilot>(dice.below(3)); break;
    case 3: reg.foreign.push_back({"msg", fmt::format("key{}", dice.below(99)), "[1]"}); break;
    case 4: return "{ not json";
    case 5: return std::nullopt;
    default: reg.msg = fmt::format("edited {}", dice.below(1000));
  }
  return document::render_register(reg);
}

void commit_and_merge(RoleWorld& world, const std::string& other, bool all) {
  const Tree now = world.worktree();
  for (const auto& [path, text] : *world.git.find(other))
    if (path != kRegister && !path.starts_with(role::kCurrentFolder) &&
        (all || !now.contains(path)))
      save(world, path, text);
  world.git.index = world.git.add(world.worktree());
  std::string& tip = world.git.refs.at(world.git.head);
  std::vector<CommitId> parents = {CommitId(tip)};
  if (tip != other) parents.emplace_back(other);
  tip = world.git.add({world.git.index, parents, "by hand"}).str();
}

void keep_roadmap(RoleWorld& world) {
  if (!world.read(kRoadmap)) save(world, kRoadmap, "- [ ] F001: Log in\n- [ ] F002: Search\n");
}

void push(RoleWorld& world, Dice& dice, const std::string& branch, int number) {
  std::string& tip = world.git.refs.at("refs/heads/" + branch);
  Tree tree = *world.git.find(tip);
  tree[dice.one_in(4) ? "src/0.txt" : "theirs.txt"] = fmt::format("theirs {}\n", number);
  tip = world.git.add({world.git.add(tree), {CommitId(tip)}, "pushed"}).str();
}

void restore(RoleWorld& world, const std::string& treeish) {
  const Tree now = world.worktree(), wanted = *world.git.find(treeish);
  for (const auto& [path, text] : now)
    if (path != kRegister && !wanted.contains(path)) save(world, path, std::nullopt);
  for (const auto& [path, text] : wanted)
    if (path != kRegister && (!now.contains(path) || now.at(path) != text)) save(world, path, text);
}

}  // namespace pf::sim
