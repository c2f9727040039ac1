#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "git/repository.h"

namespace pf {
namespace {

constexpr std::size_t kExcludeBytes = 8u << 20;

bool excludes_control_directory(std::string_view text) {
  return std::ranges::any_of(split(text, '\n'), [](std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line == ".pairflow/" || line == ".pairflow" || line == "/.pairflow/" ||
           line == "/.pairflow";
  });
}

}  // namespace

Status exclude_control_directory(Os& os, const Repository& repository) {
  const Path info = repository.common / "info";
  const Path exclude = info / "exclude";
  const auto text = TRY(os.files.read_if_there(exclude, kExcludeBytes)).value_or("");
  if (excludes_control_directory(text)) return {};
  TRY(os.files.make_directories(info));
  const std::string line = text.empty() || text.ends_with('\n') ? ".pairflow/\n" : "\n.pairflow/\n";
  const auto file = TRY(os.files.open(exclude, Open::create));
  const auto written = TRY(file->write_at(text.size(), line));
  if (written == line.size()) return {};
  TRY(file->truncate(text.size()));
  return fail(Exit::machine, fmt::format("cannot add a line to {}", exclude.string()),
              "the disk is full", "make room and run the command again");
}

}  // namespace pf
