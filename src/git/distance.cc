#include "git/distance.h"

#include <fmt/format.h>

#include "base/text.h"
#include "git/git.h"

namespace pf {
namespace {

constexpr std::size_t kLooseBytes = 4096;
constexpr std::size_t kPackedBytes = 64u << 20;

// As git keeps it in files; nothing when it is kept otherwise.
std::optional<std::string> ref_by_hand(Os& os, const Path& common, const std::string& ref) {
  const auto loose = os.files.read_if_there(common / ref, kLooseBytes);
  if (loose && *loose && is_object_id(trim(**loose))) return std::string(trim(**loose));
  if (!loose || *loose) return std::nullopt;
  const auto packed = os.files.read_if_there(common / "packed-refs", kPackedBytes);
  if (!packed || !*packed) return std::nullopt;
  const auto at = (*packed)->find(" " + ref + "\n");
  if (at == std::string::npos) return std::nullopt;
  const auto begin = (*packed)->rfind('\n', at) + 1;  // npos + 1: the first line
  std::string id = (*packed)->substr(begin, at - begin);
  return is_object_id(id) ? std::optional(std::move(id)) : std::nullopt;
}

}  // namespace

std::optional<Distance> distance_of(Os& os, const Repository& repository, const std::string& branch,
                                    const CommitId& since, const std::optional<Distance>& known) {
  if (!is_object_id(since.str())) return std::nullopt;
  const std::string ref = ref_of_branch(branch);
  const auto tip = ref_by_hand(os, repository.common, ref);
  if (tip == since.str()) return Distance{since, since, 0};
  if (tip && known && known->since == since && known->tip.str() == *tip) return known;
  const Git git(os, {.git_dir = repository.common});
  const auto counted = git.run({"rev-list", "--count", fmt::format("{}..{}", since.str(), ref)});
  if (!counted || !counted->ok()) return std::nullopt;
  const auto commits = parse_number<int>(trim(counted->out));
  if (!commits) return std::nullopt;
  return Distance{since, CommitId(tip.value_or("")), *commits};
}

}  // namespace pf
