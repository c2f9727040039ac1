#include "loop/quarantine.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"
#include "base/text.h"
#include "loop/held_names.h"

namespace pf {
namespace {

struct QuarantineNote {
  std::string from, at, by;
  PF_FIELDS(PF_ALWAYS(from, at, by));
};
constexpr const char* kNoteName = "note.json";
constexpr const char* kKeptName = "file";

Result<Path> quarantine_directory(Os& os) { return TRY(state_directory(os)) / "quarantine"; }

// Nothing for one that was never finished, or is damaged.
Result<std::optional<QuarantinedFile>> read_quarantined(Os& os, const Path& directory) {
  const auto text = TRY(os.files.read_if_there(directory / kNoteName));
  QuarantineNote note;
  if (!text || !TRY(os.files.info(directory / kKeptName))) return std::nullopt;
  const auto json = parse_json(*text);
  if (!json || !codec::decode(*json, note)) return std::nullopt;
  return QuarantinedFile{directory.filename().string(), note.from, note.at, note.by,
                         directory / kKeptName};
}

// Also to another file system, where of pipes, sockets and devices only the name comes along.
Status move_file(Os& os, const Path& from, const Path& to) {
  if (os.files.rename(from, to)) return {};
  const auto info = TRY(os.files.info(from));
  const FileKind kind = info ? info->kind : FileKind::file;
  if (kind == FileKind::directory) {
    TRY(os.files.make_directories(to));
    for (const Entry& entry : TRY(os.files.list(from)))
      TRY(move_file(os, from / entry.name, to / entry.name));
    return os.files.remove_all(from);
  }
  TRY(kind == FileKind::other ? os.files.replace(to, "", Durable::no) : os.files.copy(from, to));
  return os.files.remove(from);
}

Status clear_unfinished(Os& os, const Path& all) {
  for (const Entry& entry : TRY(os.files.list(all)))
    if (!TRY(read_quarantined(os, all / entry.name))) TRY(os.files.remove_all(all / entry.name));
  return {};
}

}  // namespace

Status put_in_quarantine(Os& os, const Path& file, const std::string& loop) {
  const Path all = TRY(quarantine_directory(os));
  TRY(clear_unfinished(os, all));
  const Path directory = all / os.random.token(4);
  TRY(os.files.make_directories(directory));
  const QuarantineNote note{file.string(), iso8601(os.clock.wall()), loop};
  TRY(os.files.replace(directory / kNoteName, dump(codec::encode(note)) + "\n", Durable::yes));
  return move_file(os, file, directory / kKeptName);
}

Result<std::vector<QuarantinedFile>> quarantined(Os& os) {
  const Path all = TRY(quarantine_directory(os));
  std::vector<QuarantinedFile> files;
  for (const Entry& entry : TRY(os.files.list(all)))
    if (auto one = TRY(read_quarantined(os, all / entry.name))) files.push_back(*std::move(one));
  std::ranges::sort(files, {}, [](const auto& one) { return std::pair(one.at, one.id); });
  return files;
}

Result<QuarantinedFile> quarantined(Os& os, const std::string& id) {
  std::vector<std::string> ids;
  for (QuarantinedFile& one : TRY(quarantined(os))) {
    if (one.id == id) return std::move(one);
    ids.push_back(one.id);
  }
  return fail(Exit::refused, fmt::format("nothing in quarantine is called '{}'", printable(id)),
              ids.empty() ? "it is empty" : "there is " + join(ids, ", "),
              "see: pairflow quarantine show");
}

Status restore_quarantined(Os& os, const std::string& id) {
  const QuarantinedFile one = TRY(quarantined(os, id));
  if (TRY(os.files.info(one.from)))
    return fail(
        Exit::refused, fmt::format("{} is there again", printable(one.from.string())),
        "it would be overwritten",
        fmt::format("move it away, or forget the other: pairflow quarantine forget {}", id));
  TRY(os.files.make_directories(one.from.parent_path()));
  TRY(count_as_known(os, one.from));
  TRY(move_file(os, one.kept, one.from));
  return os.files.remove_all(one.kept.parent_path());
}

Status forget_quarantined(Os& os, const std::string& id) {
  return os.files.remove_all(TRY(quarantined(os, id)).kept.parent_path());
}

}  // namespace pf
