#include "role/domain/landing.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"
#include "base/text.h"
#include "document/role/roadmap.h"

namespace pf::role {

namespace {

void add_merge(std::vector<Stage>& stages, const Landing& landing) {
  stages.push_back(Stage::merge);
  if (landing.checked) stages.push_back(Stage::merge_checks);
}

}  // namespace

std::vector<Stage> stages_of(const Landing& landing) {
  const bool merges = !landing.into.empty();
  const bool is_feature = landing.kind == LandingKind::feature;
  std::vector<Stage> stages;
  if (landing.commits) stages.push_back(Stage::prepare);
  if (landing.checked) stages.push_back(Stage::checks);
  const bool asks_first = landing.asks && landing.level == Autopilot::off;
  const bool asks_later = landing.asks && !asks_first;
  if (asks_first && is_feature) stages.push_back(Stage::clear);
  if (asks_first) stages.push_back(Stage::approval);
  if (merges && !asks_later) add_merge(stages, landing);
  if (landing.commits) stages.push_back(Stage::commit);
  if (landing.pulls) stages.push_back(Stage::pull_request);
  if (asks_later && is_feature) stages.push_back(Stage::clear);
  if (asks_later) stages.push_back(Stage::approval);
  if (asks_later && merges) add_merge(stages, landing);
  if (merges) stages.push_back(Stage::move);
  if (merges && !contains(stages, Stage::clear)) stages.push_back(Stage::clear);
  stages.push_back(Stage::landed);
  return stages;
}

Stage next_stage(const Landing& landing) {
  const auto stages = stages_of(landing);
  const auto at = std::ranges::find(stages, landing.stage);
  return at == stages.end() || at + 1 == stages.end() ? Stage::landed : *(at + 1);
}

bool can_drop(const Landing& landing) {
  const auto stages = stages_of(landing);
  const auto moved = std::ranges::find_if(stages, [](Stage stage) {
    return stage == Stage::commit || stage == Stage::pull_request || stage == Stage::move ||
           stage == Stage::clear;
  });
  return !landing.made && std::ranges::find(stages, landing.stage) < moved;
}

std::optional<Landing> lowered(Landing landing, Autopilot level) {
  const bool merging = landing.stage == Stage::merge || landing.stage == Stage::merge_checks;
  const bool early = landing.stage == Stage::prepare || landing.stage == Stage::checks ||
                     (merging && !landing.asks && !landing.made);
  const bool allowed = level == Autopilot::review_only && landing.into.empty();  // only a commit
  if (landing.by_word || level >= landing.level || !early || allowed) return std::nullopt;
  landing.level = level;
  landing.asks = true;
  landing.pulls = landing.pulls && level == Autopilot::review_only;
  landing.posts = false;
  if (merging) {  // asked before that now
    landing.stage = landing.checked ? Stage::checks : Stage::prepare;
    landing.stage = next_stage(landing);
  }
  return landing;
}

bool is_merged(const Landing& landing) {
  const auto stages = stages_of(landing);
  const auto move = std::ranges::find(stages, Stage::move);
  const auto at = std::ranges::find(stages, landing.stage);
  return move != stages.end() && at > move && at != stages.end();
}

std::string name_of_landing(const Landing& landing) {
  const std::string feature =
      landing.feature + (landing.title.empty() ? "" : " " + clip(printable(landing.title), 80));
  return landing.task.empty() ? feature : fmt::format("{} of {}", landing.task, feature);
}

std::string summary_of(const Landing& landing) {
  std::vector<std::string> lines = {
      fmt::format("{} is merged into {}.", name_of_landing(landing), landing.into)};
  if (!landing.tasks.empty()) lines.push_back(fmt::format("Tasks: {}", join(landing.tasks, ", ")));
  if (landing.checked) lines.push_back(fmt::format("Checks: {}", landing.ci));
  lines.push_back(fmt::format("Branch: {} at {}", landing.branch, landing.commit));
  if (!landing.merged.empty()) lines.push_back(fmt::format("Merge: {}", landing.merged));
  if (!landing.salvage.empty())
    lines.push_back(fmt::format("{} is kept in {}", kCurrentFolder, landing.salvage));
  for (const std::string_view line : split(landing.words, '\n')) lines.emplace_back(line);
  return note_of(lines);
}

std::string pull_text(const Landing& landing) {
  std::vector<std::string> lines;
  for (const std::string_view line : split(landing.words, '\n')) lines.emplace_back(line);
  if (!landing.tasks.empty()) lines.push_back(fmt::format("Tasks: {}", join(landing.tasks, ", ")));
  lines.push_back(fmt::format("Checks: {}", landing.ci));
  lines.push_back(fmt::format("Commit: {}", landing.commit));
  return note_of(lines);
}

std::string commit_message(const Landing& landing) {
  if (landing.kind == LandingKind::task)
    return fmt::format("{}\n\n{}", name_of_landing(landing), landing.words);
  return fmt::format("Finish {}\n\n{}", name_of_landing(landing), landing.words);
}

std::optional<std::string> closing_text(const Landing& landing, std::string_view path,
                                        std::string_view text) {
  if (landing.kind != LandingKind::feature) return std::nullopt;
  if (path == kRegisterFile) return document::render_register(landing.reset);
  if (path != kRoadmapFile) return std::nullopt;
  auto changed = document::set_feature_status(text, landing.feature, document::WorkStatus::done);
  if (!changed) return std::nullopt;
  return std::move(*changed);
}

}  // namespace pf::role
