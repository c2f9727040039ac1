#include "bubble/host/done_package.h"

#include <fmt/format.h>

#include <algorithm>

#include "bubble/domain/checking_files.h"
#include "bubble/domain/package_page.h"
#include "git/submodules.h"

namespace pf {
namespace {

constexpr std::size_t kDiffBytes = 8u << 20;

// What is not as it was when the bubble started.
struct Drift {
  std::vector<std::string> git, ignored;
};
Result<Drift> drift(BubbleLoop& loop, const bubble::State& state) {
  const auto frozen = loop.workspace(state).spec().rules;
  if (!frozen) return Drift{};
  Os& os = loop.os();
  const GitRules before = TRY(kept_rules(os, *frozen));
  const GitRules now =
      TRY(read_rules(os, loop.paths().repository, state.place.worktree,
                     state.target ? state.target->str() : state.place.base_commit.str(),
                     loop.paths().rules_index));
  return Drift{changes_of(before.watched, now.watched), changes_of(before.ignored, now.ignored)};
}

bool is_humans_decision(const bubble::Event& event) {
  return event.sender == "human" && !std::holds_alternative<bubble::Created>(event.body) &&
         !std::holds_alternative<bubble::Preparing>(event.body) &&
         !std::holds_alternative<bubble::Resumed>(event.body);
}

Status read_story(BubbleLoop& loop, PackageModel& model) {
  const auto& tree = model.state.converged_tree ? model.state.converged_tree : model.state.target;
  for (const bubble::Event& event : TRY(loop.events())) {
    const auto* run = std::get_if<bubble::Evidence>(&event.body);
    if (run != nullptr && tree == run->tree && !run->checks.empty()) model.runs.push_back(*run);
    if (is_humans_decision(event)) model.human.push_back(bubble::describe(event));
  }
  return {};
}

// Of the files that have this part in the checks.
Result<std::string> diff_of(Workspace& workspace, const PackageModel& model, const TreeId& tree,
                            bubble::Checking part) {
  std::vector<std::string> paths;
  for (const ChangedFile& file : model.files)
    if (bubble::checking_of(file.path, model.state.policy.profile) == part)
      paths.push_back(file.path);
  if (paths.empty()) return "";
  return workspace.diff(model.state.place.base_commit.str(), tree.str(), kDiffBytes, paths);
}

// Our own directory is elsewhere: what stands in the worktree under its name, and is not the
// base's, is somebody's and part of no tree.
Result<std::vector<std::string>> control_files(BubbleLoop& loop, const bubble::State& state) {
  std::vector<std::string> found;
  const auto entries =
      loop.os().files.list(Path(state.place.worktree) / ".pairflow").value_or(std::vector<Entry>());
  if (entries.empty()) return found;
  const auto tracked = TRY(loop.workspace(state).touched(state.place.base_tree, 0));
  for (const Entry& entry : entries) {
    const std::string name = fmt::format(".pairflow/{}", entry.name);
    const bool known = std::ranges::any_of(tracked, [&](const std::string& path) {
      return path == name || path.starts_with(name + "/");
    });
    if (!known) found.push_back(name + (entry.kind == FileKind::directory ? "/ (new)" : " (new)"));
  }
  return found;
}

}  // namespace

Result<std::vector<std::string>> submodule_notes(BubbleLoop& loop, const bubble::State& state) {
  const Path worktree = state.place.worktree;
  if (!TRY(loop.os().files.exists(worktree / ".gitmodules"))) return std::vector<std::string>();
  const std::string tree = state.target ? state.target->str() : state.place.base_commit.str();
  return submodule_notes(loop.os(), loop.paths().repository, tree, worktree,
                         Path(loop.workspace(state).spec().index) += ".submodule");
}

Result<std::string> part_text(BubbleLoop& loop, const bubble::State& state, bubble::Part part) {
  const auto at = std::ranges::find(state.package, part, &bubble::PartWritten::part);
  if (at == state.package.end()) return "";
  const auto text = TRY(loop.read_blob(at->blob));
  for (auto& [name, body] : TRY(bubble::parse_package(text)))
    if (name == part) return body;
  return "";
}

Result<std::string> done_package(BubbleLoop& loop, const bubble::State& state) {
  PackageModel model;
  model.state = state;
  for (const bubble::PartWritten& written : state.package)
    model.texts.emplace_back(written.part, TRY(part_text(loop, state, written.part)));
  const auto& tree = state.converged_tree ? state.converged_tree : state.target;
  if (tree) {
    Workspace workspace = loop.workspace(state);
    model.files = TRY(workspace.changed(state.place.base_commit.str(), tree->str()));
    model.nested = TRY(workspace.nested(*tree));
    model.hidden = TRY(loop.hidden_text(state, *tree));
    model.checks_diff = TRY(diff_of(workspace, model, *tree, bubble::Checking::settings));
    model.tests_diff = TRY(diff_of(workspace, model, *tree, bubble::Checking::tests));
  }
  TRY(read_story(loop, model));
  if (TRY(loop.workspace(state).exists())) {
    Drift drifted = TRY(drift(loop, state));
    model.git_changes = std::move(drifted.git);
    model.new_ignored = std::move(drifted.ignored);
    model.submodules = TRY(submodule_notes(loop, state));
    for (std::string& file : TRY(control_files(loop, state)))
      model.new_ignored.push_back(std::move(file));
  }
  return package_page(model);
}

Status write_done_package(BubbleLoop& loop, const bubble::State& state) {
  const std::string text = TRY(done_package(loop, state));
  TRY(loop.os().files.make_directories(loop.paths().artifacts));
  return loop.os().files.replace(loop.paths().package, text, Durable::no);
}

Result<bubble::PackageBrought> bring_package(BubbleLoop& loop, const std::string& text) {
  const auto parts = TRY(bubble::parse_package(text));
  bubble::PackageBrought brought;
  for (const auto& [part, body] : parts)
    if (bubble::says_something(body)) brought.parts.push_back(part);
  if (brought.parts.empty())
    return fail(Exit::usage, "every part of the package is empty", "",
                "write something under the headings");
  brought.blob = TRY(loop.keep_blob(text));
  return brought;
}

Result<std::vector<std::string>> changed_hooks(BubbleLoop& loop, const bubble::State& state) {
  std::vector<std::string> hooks;
  for (std::string& change : TRY(drift(loop, state)).git)
    if (change.starts_with("hooks/") || change.starts_with("config core.hookspath"))
      hooks.push_back(std::move(change));
  return hooks;
}

Result<std::vector<std::string>> changed_ignored(BubbleLoop& loop, const bubble::State& state) {
  std::vector<std::string> files;
  for (std::string& change : TRY(drift(loop, state)).ignored)
    if (!change.ends_with("(removed)")) files.push_back(change.substr(0, change.rfind(" (")));
  return files;
}

}  // namespace pf
