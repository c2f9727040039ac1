#include "bubble/host/listing.h"

namespace pf {

Result<std::vector<ListedBubble>> all_bubbles(Os& os, const Repository& repository) {
  std::vector<ListedBubble> listed;
  const Path control = repository.top / ".pairflow";
  for (const Entry& entry : TRY(os.files.list(control / "bubbles"))) {
    const auto id = parse_bubble_id(entry.name);
    if (!id || entry.kind != FileKind::directory) continue;
    auto state = read_bubble(os, control, *id);
    if (!state)
      listed.push_back({*id, std::unexpected(std::move(state).error())});
    else if (*state)  // a create that was interrupted has left no journal
      listed.push_back({*id, std::move(**state)});
  }
  return listed;
}

}  // namespace pf
