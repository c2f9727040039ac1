#include "document/role/roadmap.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "document/lines.h"
#include "document/role/branch_name.h"
#include "document/role/roadmap_lines.h"

namespace pf::document {
namespace {

std::vector<Problem> problems_in(const std::vector<FoundFeature>& found) {
  std::vector<Problem> problems;
  std::map<std::string_view, int> lines;
  if (found.empty())
    problems.push_back({1, "the roadmap names no feature",
                        "write each as `- [ ] F001: title`, or as a heading `## F001: title`"});
  if (found.size() > kMaxFeatures)
    problems.push_back({1, fmt::format("the roadmap has more than {} features", kMaxFeatures),
                        "keep finished ones in another file"});
  for (const FoundFeature& one : found) {
    if (problems.size() >= kMostProblems) break;
    const Feature& feature = one.feature;
    const auto [first, is_new] = lines.emplace(feature.id, feature.line);
    if (!is_feature_id(feature.id))
      problems.push_back({feature.line, fmt::format("`{}` is no feature's id", feature.id),
                          "write F and three digits at least, as in F001"});
    else if (!is_new)
      problems.push_back(
          {feature.line,
           fmt::format("{} is there twice, first on line {}", feature.id, first->second),
           "give every feature a number of its own"});
    if (!one.known)
      problems.push_back({feature.line,
                          fmt::format("the status of {} is `{}`, which is no status", feature.id,
                                      clip(printable(one.word), 60)),
                          fmt::format("write {}", kStatusWords)});
  }
  return problems;
}

std::string new_text(const StatusPlace& place, WorkStatus status, std::string_view old,
                     std::string_view end) {
  const bool done = status == WorkStatus::done;
  const char mark = done                                ? 'x'
                    : status == WorkStatus::in_progress ? '~'
                    : status == WorkStatus::dropped     ? '-'
                                                        : ' ';
  switch (place.form) {
    case StatusPlace::Form::box: return std::string(1, mark);
    case StatusPlace::Form::missing_box: return fmt::format("[{}] ", mark);
    case StatusPlace::Form::missing_line:
      return fmt::format("{}Status: {}{}", end, status_word(status, ""), end);
    case StatusPlace::Form::cell:
      return trim(old).empty() ? fmt::format(" {} ", status_word(status, ""))
                               : status_word(status, old);
    default: return status_word(status, old);
  }
}

}  // namespace

const Feature* Roadmap::find(std::string_view id) const {
  const auto at = std::ranges::find(features, id, &Feature::id);
  return at == features.end() ? nullptr : &*at;
}

std::expected<Roadmap, std::vector<Problem>> read_roadmap(std::string_view text) {
  if (const auto sound = check_text(text, "the roadmap"); !sound)
    return std::unexpected(std::vector{sound.error()});
  const auto found = find_features(text);
  if (auto problems = problems_in(found); !problems.empty())
    return std::unexpected(std::move(problems));
  Roadmap roadmap;
  for (const FoundFeature& one : found) roadmap.features.push_back(one.feature);
  return roadmap;
}

Read<std::string> set_feature_status(std::string_view text, std::string_view id,
                                     WorkStatus status) {
  if (const auto roadmap = read_roadmap(text); !roadmap)
    return std::unexpected(roadmap.error().front());
  for (const FoundFeature& one : find_features(text)) {
    if (one.feature.id != id) continue;
    if (one.feature.status == status) return std::string(text);
    const Span span = one.place.span;
    const std::string_view end = line_end_of(text);
    std::string added = new_text(one.place, status, one.word, end);
    // A heading on a last line without an end.
    if (one.place.form == StatusPlace::Form::missing_line && span.begin > 0 &&
        text[span.begin - 1] != '\n')
      added = std::string(end) + added;
    return std::string(text.substr(0, span.begin)) + added + std::string(text.substr(span.end));
  }
  return trouble(1, fmt::format("the roadmap has no feature {}", clip(printable(id), 20)),
                 "add it as `- [ ] F001: title`");
}

}  // namespace pf::document
