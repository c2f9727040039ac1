#include "journal/snapshot.h"

#include <fmt/format.h>

#include "base/check.h"
#include "base/codec.h"
#include "base/text.h"

namespace pf {
namespace {

constexpr std::string_view kReserved[] = {"format", "fold", "mark"};

bool is_newer(const JsonObject& object) {
  const auto* format = object.if_contains("format");
  if (format == nullptr) return false;
  if (format->is_uint64()) return true;  // Boost.JSON uses it only past the signed range
  return format->is_int64() && format->get_int64() > kSnapshotFormat;
}

// The state is what the three leave over.
Result<std::optional<Snapshot>> read_any(Files& files, const Path& path) {
  const auto text = files.read_if_there(path);
  if (!text || !*text) return std::nullopt;
  auto json = parse_json(**text);
  if (!json || !json->is_object()) return std::nullopt;
  JsonObject& object = json->get_object();
  if (is_newer(object))
    return fail(Exit::damaged,
                fmt::format("'{}' has format {}", printable(path.string()), dump(object["format"])),
                fmt::format("this program knows formats up to {}", kSnapshotFormat),
                "use the pairflow that wrote it, or a newer one");
  Snapshot snapshot;
  snapshot.format = 0;
  if (!codec::decode_fields(object, snapshot)) return std::nullopt;
  if (snapshot.format != kSnapshotFormat || !object.contains("mark")) return std::nullopt;
  for (const auto key : kReserved) object.erase(key);
  return Snapshot{snapshot.format, snapshot.fold, snapshot.mark, std::move(object)};
}

}  // namespace

Result<std::optional<Snapshot>> read_snapshot(Files& files, const Path& path, int fold) {
  auto snapshot = TRY(read_any(files, path));
  if (snapshot && snapshot->fold != fold) snapshot.reset();
  return snapshot;
}

Result<std::optional<Mark>> read_snapshot_mark(Files& files, const Path& path) {
  const auto snapshot = TRY(read_any(files, path));
  return snapshot ? std::optional(snapshot->mark) : std::nullopt;
}

Status write_snapshot(Files& files, const Path& path, const Snapshot& snapshot) {
  for (const auto key : kReserved) PF_CHECK(!snapshot.state.contains(key));
  JsonObject object;
  codec::encode_fields(snapshot, object);
  for (const auto& [key, value] : snapshot.state) object.emplace(key, value);
  return files.replace(path, dump(object) + "\n", Durable::no);
}

}  // namespace pf
