#include "bubble/host/blobs.h"

#include <fmt/format.h>

#include "base/hash.h"

namespace pf {

Result<Hash> keep_blob(Os& os, const BubblePaths& paths, std::string_view bytes) {
  const Hash hash = hash_of(bytes);
  TRY(os.files.make_directories(paths.blobs));
  TRY(os.files.replace(paths.blobs / hash.str(), bytes, Durable::yes));
  return hash;
}

Result<std::string> read_blob(Os& os, const BubblePaths& paths, const Hash& hash) {
  const Path path = paths.blobs / hash.str();
  auto bytes = TRY(os.files.read_if_there(path));
  if (bytes && hash_of(*bytes) == hash) return std::move(*bytes);
  return fail(
      Exit::damaged, fmt::format("{} is {}", path.string(), bytes ? "changed" : "missing"),
      "the journal names it by its hash",
      fmt::format("put it back; or send the bubble back: pairflow bubble request-rework --id {} "
                  "--message \"…\"",
                  paths.id.str()));
}

}  // namespace pf
