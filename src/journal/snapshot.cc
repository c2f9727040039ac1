#include "journal/snapshot.h"

#include <fmt/format.h>

#include "base/check.h"
#include "base/codec.h"
#include "base/text.h"

namespace pf {
namespace {

struct Head {
  int format = 0;
  int fold = 0;
  Mark mark;
  template <class V, class Self>
  static void fields(V& v, Self& self) {
    v.always("format", self.format), v.always("fold", self.fold), v.always("mark", self.mark);
  }
};

constexpr std::string_view kReserved[] = {"format", "fold", "mark"};

bool is_newer(const JsonObject& object) {
  const auto* format = object.if_contains("format");
  if (format == nullptr) return false;
  if (format->is_uint64()) return true;  // Boost.JSON uses it only past the signed range
  return format->is_int64() && format->get_int64() > kSnapshotFormat;
}

}  // namespace

Result<std::optional<Snapshot>> read_snapshot(Files& files, const Path& path, int fold) {
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
  Head head;
  if (!codec::decode_fields(object, head)) return std::nullopt;
  if (head.format != kSnapshotFormat || head.fold != fold) return std::nullopt;
  if (!object.contains("mark")) return std::nullopt;
  for (const auto key : kReserved) object.erase(key);
  return Snapshot{head.format, head.fold, head.mark, std::move(object)};
}

Status write_snapshot(Files& files, const Path& path, const Snapshot& snapshot) {
  for (const auto key : kReserved) PF_CHECK(!snapshot.state.contains(key));
  JsonObject object;
  codec::encode_fields(Head{snapshot.format, snapshot.fold, snapshot.mark}, object);
  for (const auto& [key, value] : snapshot.state) object.emplace(key, value);
  return files.replace(path, dump(object) + "\n", Durable::no);
}

}  // namespace pf
