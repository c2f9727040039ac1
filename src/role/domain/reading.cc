#include "role/domain/reading.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"
#include "base/text.h"

namespace pf::role {
namespace {

// As we took it in last, or as it is until our write of it is done.
bool is_known(const State& state, const Hash& hash) {
  return hash == state.disk ||
         (state.write && (state.write->may_meet(hash) || hash == state.write->after));
}

void read_state_file(const State& state, const FileFact& file, Reading& reading) {
  reading.exists = true;
  reading.hash = file.hash;
  auto reg = document::read_register(file.text, state.policy.types);
  if (!reg) {
    for (const auto& problem : reg.error()) reading.problems.push_back(problem.problem());
    return;
  }
  const bool again = state.begun && reg->state == Lifecycle::init &&
                     state.reg.state != Lifecycle::init && !is_known(state, file.hash);
  if (again)
    reading.problems.push_back(document::FieldProblem{
        "state", "\"init\"", "it must not be init again once the initialization is over", 1,
        "write \"in_progress\""}
                                   .problem());
  else
    reading.reg = std::move(*reg);
}

void read_task_file(const FileFact& file, Reading& reading) {
  const std::string name = file.name.substr(kCurrentFolder.size());
  if (name.find('/') != std::string::npos) return;
  const auto parsed = document::parse_task_name(name);
  if (parsed && !*parsed) return;
  auto task = document::read_task(file.name, file.text);
  if (!parsed || !task) {
    reading.task_problems.push_back(
        {file.name, file.hash, {parsed ? task.error() : parsed.error()}});
    return;
  }
  if (const auto* twin = find_in(reading.tasks, task->number, &document::Task::number)) {
    reading.task_problems.push_back(
        {file.name,
         file.hash,
         {{1, fmt::format("{} has the number of {}", task->id, twin->path),
           "give every task a number of its own"}}});
    return;
  }
  reading.tasks.push_back(std::move(*task));
  reading.task_files.push_back(file);
}

}  // namespace

Reading read_files(const State& state, const std::vector<FileFact>& files) {
  Reading reading;
  for (const FileFact& file : files) {
    if (!file.exists) continue;
    if (file.name == kRegisterFile) {
      read_state_file(state, file, reading);
    } else if (file.name == kRoadmapFile) {
      reading.has_roadmap = true;
      reading.roadmap_hash = file.hash;
      auto roadmap = document::read_roadmap(file.text);
      if (roadmap)
        reading.roadmap = std::move(*roadmap);
      else
        reading.roadmap_problems = std::move(roadmap.error());
    } else if (file.name.starts_with(kCurrentFolder)) {
      read_task_file(file, reading);
    }
  }
  std::ranges::sort(reading.tasks, {}, &document::Task::number);
  return reading;
}

bool is_edited(const State& state, const Reading& reading) {
  return reading.exists && !is_known(state, reading.hash);
}

std::vector<std::string> differing_keys(const RoleRegister& a, const RoleRegister& b) {
  const JsonObject before = codec::encode(a).get_object(), after = codec::encode(b).get_object();
  std::vector<std::string> keys;
  for (const auto& [key, value] : after)
    if (const auto* old = before.if_contains(key); old == nullptr || *old != value)
      keys.emplace_back(key);
  for (const auto& [key, value] : before)
    if (!after.contains(key)) keys.emplace_back(key);
  return keys;
}

std::vector<std::string> keys_in_words(const RoleRegister& a, const RoleRegister& b) {
  std::vector<std::string> keys = differing_keys(a, b);
  if (std::erase(keys, "foreign") == 0) return keys;
  for (const auto& [ours, theirs] : {std::pair{&a.foreign, &b.foreign}, {&b.foreign, &a.foreign}})
    for (const document::ForeignMember& member : *ours)
      if (!contains(*theirs, member) && !contains(keys, member.key)) keys.push_back(member.key);
  return keys;
}

RoleRegister merged_edit(const State& state, const RoleRegister& edited) {
  const RoleRegister& known = state.write ? state.write->from : state.reg;
  const bool is_older =
      parse_iso8601(edited.last_updated).ms < parse_iso8601(known.last_updated).ms;
  if (is_older) return state.reg;  // git has put an earlier one there: nobody's edit
  if (!state.write) return edited;
  JsonObject result = codec::encode(state.reg).get_object();
  const JsonObject theirs = codec::encode(edited).get_object();
  for (const std::string& key : differing_keys(state.write->from, edited)) {
    if (const auto* value = theirs.if_contains(key))
      result[key] = *value;
    else
      result.erase(key);
  }
  RoleRegister merged;
  if (!codec::decode_fields(result, merged)) return edited;
  // Values that are sound apart may not be so together: then the edit stands as it was made.
  const auto sound = document::read_register(document::render_register(merged), state.policy.types);
  return sound ? merged : edited;
}

std::vector<std::string> foreign_changes_in(const std::vector<std::string>& dirty) {
  std::vector<std::string> foreign_changes;
  std::ranges::copy_if(dirty, std::back_inserter(foreign_changes), [](const std::string& path) {
    return path != kRoadmapFile && !path.starts_with(kCurrentFolder) &&
           !path.starts_with(kAgentsFolder);
  });
  return foreign_changes;
}

std::string name_foreign_changes(const std::vector<std::string>& paths) {
  constexpr std::size_t kMost = 8;
  std::vector<std::string> named = paths;
  named.resize(std::min(kMost, named.size()));
  return fmt::format("not committed: {}{}", clip(printable(join(named, ", ")), 400),
                     paths.size() > kMost ? fmt::format(" and {} more", paths.size() - kMost) : "");
}

}  // namespace pf::role
