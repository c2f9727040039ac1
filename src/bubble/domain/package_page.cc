#include "bubble/domain/package_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"
#include "base/text.h"
#include "bubble/domain/checking_files.h"
#include "bubble/domain/evidence.h"
#include "bubble/domain/hidden_text.h"
#include "bubble/domain/self_run_files.h"

namespace pf {
namespace {

using bubble::Checking;
using bubble::in_words;
using bubble::Part;

constexpr std::size_t kNamed = 200;      // of one list
constexpr std::size_t kDiffLines = 120;  // of the files that say how to check, and of the tests

std::string listed(const std::vector<std::string>& items) {
  std::string out;
  for (std::size_t i = 0; i < items.size() && i < kNamed; ++i)
    out += fmt::format("- {}\n", printable(items[i]));
  if (items.size() > kNamed) out += fmt::format("- … and {} more\n", items.size() - kNamed);
  return out;
}

std::string counted(const ChangedFile& file) {
  if (file.added < 0) return "binary";
  return fmt::format("+{} −{}", file.added, file.removed);
}

std::vector<std::string> paths_where(const PackageModel& model, auto&& fits) {
  std::vector<std::string> paths;
  for (const ChangedFile& file : model.files)
    if (fits(file)) paths.push_back(file.path);
  return paths;
}

// What a careful reader wants to see before anything else.
std::vector<std::string> warnings(const PackageModel& model) {
  std::vector<std::string> all;
  const auto warn = [&](std::string_view what, const std::vector<std::string>& items) {
    if (!items.empty()) all.push_back(fmt::format("{}: {}", what, name_some(items, 8)));
  };
  warn("Characters that a reader does not see, or takes for others", in_words(model.hidden));
  warn("Out of scope", model.state.out_of_scope);
  warn("Changed, and may change what the checks do", paths_where(model, [&](const auto& file) {
         return bubble::checking_of(file.path, model.state.policy.profile) == Checking::settings;
       }));
  warn("Tests that were changed", paths_where(model, [&](const auto& file) {
         return bubble::checking_of(file.path, model.state.policy.profile) == Checking::tests;
       }));
  warn("Run by editors, shells or agents' programs without being asked, where they find it",
       paths_where(model, [](const auto& file) {
         return file.status != "D" && bubble::runs_by_itself(file.path);
       }));
  warn("Git configuration or hooks changed since the start", model.git_changes);
  warn("Ignored files, new or changed since the start, which no commit holds", model.new_ignored);
  warn("Symbolic links (120000)",
       paths_where(model, [](const auto& file) { return file.mode == "120000"; }));
  warn("Nested repositories (160000), whose files are not part of the commit",
       paths_where(model, [](const auto& file) { return file.mode == "160000"; }));
  warn("Files in submodules that are not as in the recorded commit, and no part of this one",
       model.submodules);
  if (!model.runs.empty() && !model.runs.back().cold)
    warn("The checks saw these nested repositories as they were in the worktree", model.nested);
  if (!model.runs.empty())
    warn("Written while the checks ran, and the same afterwards", model.runs.back().touched);
  if (bubble::evidence_standing(model.state) == bubble::EvidenceStanding::waived)
    all.emplace_back("The checks are red and were waived by you");
  const auto* base = bubble::evidence_for(model.state, model.state.place.base_tree);
  if (base != nullptr && base->status == bubble::EvidenceStatus::red)
    all.emplace_back("The checks were red before the change too (artifacts/" + base->log + ")");
  warn("Flaky checks, red at first and then green on this tree", bubble::flaky_checks(model.state));
  if (!model.runs.empty() && model.runs.back().enforcement != "sandbox")
    all.push_back("The checks are " + model.runs.back().enforcement);
  for (const bubble::Agent& agent : model.state.agents)
    if (agent.enforcement.starts_with("advisory"))
      all.push_back(agent.name.str() + " ran without a sandbox (" + agent.enforcement + ")");
  return all;
}

std::string agents_part(const PackageModel& model, Part part) {
  std::string title(name_of(part));
  title[0] = static_cast<char>(title[0] - 'a' + 'A');
  std::string out = fmt::format("## {}\n\n", title);
  const auto text = std::ranges::find(model.texts, part, &bubble::PartTexts::value_type::first);
  const auto& written = model.state.package;
  const auto by = std::ranges::find(written, part, &bubble::PartWritten::part);
  if (text == model.texts.end() || by == written.end()) return out + "(missing)\n\n";
  const bool stale = model.state.converged_tree && by->tree != *model.state.converged_tree;
  return out + fenced(text->second) +
         fmt::format("\nBy {}{}.\n\n", by->by, stale ? ", written for an earlier tree" : "");
}

std::string files_part(const PackageModel& model) {
  std::string out = fmt::format("## Changed files: {}\n\n", model.files.size());
  for (const ChangedFile& file : model.files)
    out += fmt::format("- {} {} {}{}\n", file.status, counted(file), printable(file.path),
                       file.mode == "120000"   ? " (symbolic link)"
                       : file.mode == "160000" ? " (nested repository)"
                       : file.mode == "100755" ? " (executable)"
                                               : "");
  return out + "\n";
}

std::string result_of(const bubble::Evidence& run, const bubble::CheckRun& check) {
  if (run.status == bubble::EvidenceStatus::void_) return "void: the tree changed";
  if (check.timed_out) return "out of time";
  if (!check.unable.empty()) return "unable: " + printable(check.unable);
  return fmt::format("exit {}{}", check.code, check.flaky ? " (flaky: red at first)" : "");
}

std::string evidence_part(const PackageModel& model) {
  const bubble::Profile& profile = model.state.policy.profile;
  std::string out = fmt::format("## Evidence: {}\n\n", bubble::evidence_standing(model.state));
  if (profile.checks.empty())
    out += profile.not_available.empty()
               ? std::string("There is no check command.\n")
               : fmt::format("No checks, by your word: {}\n", printable(profile.not_available));
  if (!model.runs.empty()) out += "| check | command | result | time |\n|---|---|---|---|\n";
  for (const bubble::Evidence& run : model.runs)
    for (const bubble::CheckRun& check : run.checks)
      out += fmt::format("| {} | `{}` | {} | {:.1f} s |\n", printable(check.name),
                         clip(printable(check.command), 200),
                         result_of(run, check) + (run.cold ? ", from empty" : ""),
                         static_cast<double>(check.ms) / 1000);
  if (!model.runs.empty())
    out += fmt::format("\nLog: artifacts/{}; enforcement: {}\n", model.runs.back().log,
                       model.runs.back().enforcement);
  for (const bubble::Agent& agent : model.state.agents)
    out += fmt::format("{}'s process: {}\n", agent.name,
                       agent.enforcement.empty() ? "advisory" : printable(agent.enforcement));
  const auto items = bubble::manual_items(profile.manual_checks);
  if (!items.empty()) out += "\nYou confirm by hand, one by one:\n\n" + listed(items);
  return out + "\n";
}

std::string findings_part(const bubble::State& state) {
  std::string out = fmt::format("## Findings: {}\n\n", state.findings.size());
  for (const bubble::Finding& f : state.findings)
    out += fmt::format("- {} {} {}: {}{} ({}, round {}){}\n", f.id, f.severity, f.status,
                       printable(f.title), f.path.empty() ? "" : " @" + printable(f.path), f.source,
                       f.round, f.reason.empty() ? "" : " — " + printable(f.reason));
  if (!state.meter.empty()) out += "\n";
  for (const bubble::RoundProgress& round : state.meter)
    out += fmt::format("- round {}: {}\n", round.round, bubble::in_words(round));
  return out + "\n";
}

std::string indented(const std::string& diff) {
  if (diff.empty()) return "";
  std::string out;
  std::size_t lines = 0;
  for (const auto line : split(diff, '\n')) {
    if (++lines > kDiffLines) return out + "    … the rest: pairflow bubble diff\n";
    out += fmt::format("    {}\n", printable(line));
  }
  return out;
}

std::string section(std::string_view title, const std::string& body) {
  return body.empty() ? "" : fmt::format("## {}\n\n{}\n", title, body);
}

}  // namespace

std::string package_page(const PackageModel& model) {
  const bubble::State& state = model.state;
  std::string out = fmt::format("# Approval package: {}\n\n", state.id);
  const auto& tree = state.converged_tree ? state.converged_tree : state.target;
  out += fmt::format("Tree {} on {} at {}, {}.\n\n", tree ? tree->str() : "(none yet)",
                     printable(state.place.base_branch), state.place.base_commit,
                     state.converged_tree
                         ? fmt::format("found clean by {} and {} in round {}",
                                       state.roles.implementer, state.roles.reviewer, state.round)
                         : "not agreed on yet");
  out += section("Look at first", listed(warnings(model)));
  for (const auto& [part, name] : names_of(Part{})) out += agents_part(model, part);
  out += files_part(model);
  out += evidence_part(model);
  out += section("Hidden characters", listed(in_words(model.hidden)));
  out += section("Changes to how it is checked",
                 indented(model.checks_diff) + indented(model.tests_diff));
  out += findings_part(state);
  out += section("Your own decisions on the way", listed(model.human));
  out += section("Out of scope", listed(state.out_of_scope));
  out += section("Git configuration and hooks changed since the start", listed(model.git_changes));
  out += section("Ignored files, new or changed since the start", listed(model.new_ignored));
  return out;
}

}  // namespace pf
