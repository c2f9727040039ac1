#include "os/files.h"

#include <fmt/format.h>

#include <cerrno>

#include "base/text.h"
#include "os/system_error.h"

namespace pf {
namespace {

Status write_whole(File& file, const Path& path, std::string_view bytes, Durable durable) {
  if (TRY(file.write_at(0, bytes)) < bytes.size()) return path_error(ENOSPC, "write", path);
  if (durable == Durable::yes) TRY(file.sync());
  return {};
}

}  // namespace

Result<std::string> Files::read(const Path& path, std::size_t limit) {
  const auto file = TRY(open(path, Open::read));
  return read_within(*file, path, limit);
}

Result<std::string> Files::read_within(File& file, const Path& shown, std::size_t limit) {
  auto bytes = TRY(file.read_at(0, limit + 1));
  if (bytes.size() > limit)
    return fail(Exit::usage, fmt::format("'{}' is too large", printable(shown.string())),
                fmt::format("at most {} bytes are read", limit), "use a smaller file");
  return bytes;
}

Result<std::optional<std::string>> Files::read_if_there(const Path& path, std::size_t limit) {
  auto bytes = read(path, limit);
  if (!bytes && !TRY(exists(path))) return std::nullopt;
  return TRY(std::move(bytes));
}

Result<bool> Files::replace_if(const Path& path, std::string_view bytes, Durable durable,
                               const std::function<Result<bool>()>& still) {
  const auto before = TRY(info(path));
  const Path fresh = Path(path) += "." + unique_part() + ".tmp";
  auto done = [&]() -> Result<bool> {
    {
      const auto file = TRY(open(fresh, Open::create));
      TRY(write_whole(*file, path, bytes, durable));
    }
    if (before && before->kind == FileKind::file)
      if (auto kept = copy_mode(path, fresh); !kept && TRY(exists(path)))  // else it went away
        return std::unexpected(std::move(kept.error()));
    if (!TRY(still())) return false;
    TRY(rename(fresh, path));
    return true;
  }();
  if (!done || !*done) {
    [[maybe_unused]] const auto tidied = remove(fresh);
    return done;
  }
  if (durable == Durable::yes) TRY(sync_directory(path.parent_path()));
  return true;
}

Status Files::replace(const Path& path, std::string_view bytes, Durable durable) {
  TRY(replace_if(path, bytes, durable, [] { return true; }));
  return {};
}

Result<bool> Files::replace_unchanged(const Path& path, std::string_view expected,
                                      std::string_view bytes, Durable durable) {
  return replace_if(path, bytes, durable,
                    [&]() -> Result<bool> { return TRY(read_if_there(path)) == expected; });
}

Result<bool> Files::exists(const Path& path) { return TRY(info(path)).has_value(); }

}  // namespace pf
