#include "config/detect.h"

#include <algorithm>

namespace pf {
namespace {

constexpr std::size_t kReadBytes = 1u << 20;

}  // namespace

Result<RepoTop> RepoTop::look(Files& files, const Path& repo) {
  std::vector<std::string> names;
  for (auto& entry : TRY(files.list(repo)))
    if (entry.kind == FileKind::file) names.push_back(std::move(entry.name));
  return RepoTop(files, repo, std::move(names));
}

bool RepoTop::has(std::string_view name) const {
  return std::ranges::find(names_, name) != names_.end();
}

std::optional<std::string> RepoTop::read(std::string_view name) const {
  if (!has(name)) return std::nullopt;
  auto text = files_->read_beneath(repo_, Path(name), kReadBytes);
  if (!text) return std::nullopt;
  return std::move(*text);
}

JsonObject RepoTop::json(std::string_view name) const {
  auto json = parse_json(read(name).value_or(""));
  return json && json->is_object() ? std::move(json->get_object()) : JsonObject{};
}

bool RepoTop::holds(std::string_view directory, std::string_view begin,
                    std::string_view end) const {
  const auto info = files_->info(repo_ / directory);
  if (!info || !*info || (*info)->kind != FileKind::directory) return false;
  const auto entries = files_->list(repo_ / directory);
  return entries && std::ranges::any_of(*entries, [&](const Entry& entry) {
           return entry.kind == FileKind::file && entry.name.starts_with(begin) &&
                  entry.name.ends_with(end);
         });
}

}  // namespace pf
