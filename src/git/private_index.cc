#include "git/private_index.h"

#include <fmt/format.h>

#include "base/text.h"

namespace pf {
namespace {

// Of <kept>.<pid>.<token>.
int owner_of(std::string_view name, std::string_view kept) {
  if (!name.starts_with(kept)) return 0;
  const auto parts = split(name.substr(kept.size()), '.');
  if (parts.size() < 3 || !parts[0].empty()) return 0;
  return parse_number<int>(parts[1]).value_or(0);
}

Status remove_abandoned(Os& os, const Path& kept) {
  const Path directory = kept.parent_path();
  for (const auto& entry : TRY(os.files.list(directory))) {
    const int owner = owner_of(entry.name, kept.filename().string());
    if (owner > 0 && owner != os.env.pid() && !os.processes.alive(owner)) {
      // What its children still write is left to the next one.
      [[maybe_unused]] const auto at_best = os.files.remove_all(directory / entry.name);
    }
  }
  return {};
}

}  // namespace

Result<PrivateIndex> PrivateIndex::take(Os& os, const Path& kept, bool fresh) {
  TRY(os.files.make_directories(kept.parent_path()));
  TRY(remove_abandoned(os, kept));
  PrivateIndex index(os, kept,
                     Path(kept) += fmt::format(".{}.{}", os.env.pid(), os.random.token()));
  TRY(os.files.make_directories(index.directory() / "objects"));
  if (!fresh) index.warm_ = os.files.rename(kept, index.path()).has_value();
  return index;
}

PrivateIndex::PrivateIndex(PrivateIndex&& other) noexcept
    : os_(other.os_),
      kept_(std::move(other.kept_)),
      all_(std::exchange(other.all_, Path())),
      warm_(other.warm_) {}

PrivateIndex::~PrivateIndex() {
  if (all_.empty()) return;
  [[maybe_unused]] const auto at_best = os_.files.remove_all(all_);
}

Status PrivateIndex::clear() {
  warm_ = false;
  TRY(os_.files.remove_all(directory()));
  return os_.files.make_directories(directory() / "objects");
}

}  // namespace pf
