#include "loop/held_names.h"

#include <algorithm>
#include <array>

#include "base/codec.h"
#include "base/hash.h"
#include "base/text.h"
#include "journal/lock.h"
#include "loop/hidden_places.h"
#include "loop/own_directory.h"
#include "loop/quarantine.h"

namespace pf {
namespace {

constexpr Duration kLockWait = std::chrono::seconds(10);
constexpr Duration kLastMoments = std::chrono::seconds(3);  // of an agent that is being ended

// What is recorded of one program's directory.
struct Record {
  struct Agent {
    std::int64_t pid = 0;
    std::string loop;
    PF_FIELDS(PF_ALWAYS(pid, loop));
  };
  HeldNames held;
  std::vector<Agent> agents;
  std::vector<HeldNames::Name> made;
  std::vector<std::string> before;  // what the directory had when the first agent came
  PF_FIELDS(PF_ALWAYS(held, agents, made, before));
};

struct Places {
  Path lock, records;
};
Result<Places> places(Os& os) {
  const Path state = TRY(state_directory(os));
  return Places{state / "held.lock", state / "held"};
}

std::string file_for(std::string_view path) { return hash_of(path).str(); }

Status write_record(Os& os, const Path& file, const Record& record) {
  return os.files.replace(file, dump(codec::encode(record)) + "\n", Durable::yes);
}

// Nothing for one that is damaged: there is no telling what was made.
Result<std::optional<Record>> read_record(Os& os, const Path& file) {
  const auto text = TRY(os.files.read_if_there(file));
  if (!text) return std::nullopt;
  Record record;
  const auto json = parse_json(*text);
  if (!json || !codec::decode(*json, record)) return std::nullopt;
  return record;
}

Result<std::vector<std::string>> names_in(Os& os, const Path& directory) {
  std::vector<std::string> names;
  for (const Entry& entry : TRY(os.files.list(directory))) names.push_back(entry.name);
  return names;
}

Status make(Os& os, const HeldNames::Name& name) {
  if (name.directory) return os.files.make_directories(name.path);
  return os.files.replace(name.path, name.text, Durable::no);
}

// Only what is still as we made it.
Status take_away(Os& os, const HeldNames::Name& name) {
  const auto info = TRY(os.files.info(name.path));
  if (!info) return {};
  if (name.directory) {
    if (info->kind != FileKind::directory || !TRY(os.files.list(name.path)).empty()) return {};
    return os.files.remove_all(name.path);
  }
  if (info->kind != FileKind::file || info->size != name.text.size()) return {};
  if (TRY(os.files.read(name.path)) != name.text) return {};
  return os.files.remove(name.path);
}

// A pipe or a socket may be called like a setting, too.
Result<bool> is_like_a_setting(Os& os, const Path& path, const FileInfo& info) {
  static constexpr auto kEndings =
      std::to_array<std::string_view>({".json", ".toml", ".md", ".yaml", ".yml"});
  if (info.kind == FileKind::symlink) return true;
  if (info.kind == FileKind::directory) return holds_a_program(os, path);
  const std::string name = path.filename().string();
  return is_like_a_program(name, info) ||
         std::ranges::any_of(kEndings, [&](std::string_view end) { return name.ends_with(end); });
}

// Neither what the program itself writes nor what was there before.
Status quarantine_new(Os& os, const Record& record) {
  const Path directory = record.held.directory;
  for (const Entry& entry : TRY(os.files.list(directory))) {
    const Path path = directory / entry.name;
    const auto is_named = [&](const auto& names) {
      return std::ranges::find(names, entry.name) != names.end();
    };
    const bool is_held = std::ranges::any_of(
        record.held.names, [&](const HeldNames::Name& name) { return name.path == path; });
    const auto info = TRY(os.files.info(path));
    if (is_held || is_named(record.before) || is_named(record.held.written) || !info) continue;
    if (TRY(is_like_a_setting(os, path, *info))) TRY(put_in_quarantine(os, path, record.held.loop));
  }
  return {};
}

// With the lock held.
Status release(Os& os, const Path& file, const std::string& loop) {
  auto record = TRY(read_record(os, file));
  if (!record) return {};
  const auto before = record->agents.size();
  std::erase_if(record->agents, [&](const Record::Agent& agent) {
    const int pid = static_cast<int>(agent.pid);
    if (!loop.empty() && agent.loop == loop) return os.processes.wait_gone(pid, kLastMoments);
    return !os.processes.alive(pid);
  });
  if (!record->agents.empty())
    return record->agents.size() == before ? Status{} : write_record(os, file, *record);
  TRY(quarantine_new(os, *record));
  for (const HeldNames::Name& name : record->made) TRY(take_away(os, name));
  return os.files.remove(file);
}

}  // namespace

Result<Path> state_directory(Os& os) {
  const auto chosen = os.env.get("XDG_STATE_HOME");
  if (chosen && chosen->starts_with('/')) return Path(*chosen) / "pairflow";
  return TRY(home_directory(os)) / ".local" / "state" / "pairflow";
}

Result<std::optional<HeldNames>> names_to_hold(Os& os, const AgentLaunch& launch,
                                               const OwnFiles& own, const std::string& loop) {
  if (launch.own_directory.empty() || own.configuration.empty()) return std::nullopt;
  const auto directory = os.files.canonical(launch.own_directory);
  if (!directory) return std::nullopt;  // it is not bound either: what is made there is lost
  HeldNames held{directory->string(), loop, {}, {}};
  for (const OwnFiles::Name& name : own.configuration)
    held.names.push_back({(*directory / name.name).string(), std::string(name.text.value_or("")),
                          !name.text.has_value()});
  for (const std::string_view name : own.apart)
    held.names.push_back({(*directory / name).string(), "", true});
  held.written.assign(own.written.begin(), own.written.end());
  return held;
}

Status hold_names(Os& os, const HeldNames& names) {
  const Places where = TRY(places(os));
  const Lock lock = TRY(Lock::take(os, where.lock, kLockWait));
  TRY(os.files.make_directories(where.records));
  const Path file = where.records / file_for(names.directory);
  TRY(release(os, file, ""));
  Record record = TRY(read_record(os, file)).value_or(Record{});
  if (record.agents.empty()) record.before = TRY(names_in(os, names.directory));
  record.held = names;
  record.agents.push_back({os.env.pid(), names.loop});
  std::vector<HeldNames::Name> missing;
  for (const HeldNames::Name& name : names.names)
    if (!TRY(os.files.info(name.path))) missing.push_back(name);
  record.made.insert(record.made.end(), missing.begin(), missing.end());
  TRY(write_record(os, file, record));
  for (const HeldNames::Name& name : missing) TRY(make(os, name));
  return {};
}

Status release_names(Os& os, const std::string& loop) {
  const Places where = TRY(places(os));
  const auto records = TRY(os.files.list(where.records));
  if (records.empty()) return {};
  const Lock lock = TRY(Lock::take(os, where.lock, kLockWait));
  for (const Entry& entry : records) TRY(release(os, where.records / entry.name, loop));
  return {};
}

Status count_as_known(Os& os, const Path& file) {
  const Places where = TRY(places(os));
  const Lock lock = TRY(Lock::take(os, where.lock, kLockWait));
  const Path record_file = where.records / file_for(file.parent_path().string());
  auto record = TRY(read_record(os, record_file));
  if (!record) return {};
  record->before.push_back(file.filename().string());
  return write_record(os, record_file, *record);
}

}  // namespace pf
