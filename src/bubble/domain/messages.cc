#include <fmt/format.h>

#include "base/codec.h"
#include "base/text.h"
#include "bubble/domain/views.h"

namespace pf::bubble {
namespace {

std::string_view file_slug(const Body& body) {
  if (const auto* passed = std::get_if<Passed>(&body))
    return passed->role == Role::reviewer ? "review" : "pass";
  const bool shown = type_of(body) != "LIFECYCLE" || std::holds_alternative<TreeMoved>(body) ||
                     std::holds_alternative<Synced>(body);
  if (!shown || std::holds_alternative<Warned>(body)) return {};
  return tag_of(body).slug;
}

std::string finding_line(const Finding& finding) {
  std::string place = finding.path;
  if (finding.line > 0) place += fmt::format(":{}", finding.line);
  return fmt::format("- {} {} {}: {}{}{}\n", finding.id, finding.severity, finding.status,
                     printable(finding.title), place.empty() ? "" : " (" + printable(place) + ")",
                     finding.reason.empty() ? "" : " — " + printable(finding.reason));
}

struct Text {
  std::string operator()(const Passed& e) const {
    std::string out = fenced(e.summary);
    out += fmt::format("\nTree: {}\nIntent: {}\n", e.tree, e.intent);
    if (e.changes)
      out += fmt::format("Changes: {} files, +{} −{}\n", e.changes->files, e.changes->added,
                         e.changes->removed);
    for (const std::string& path : e.out_of_scope)
      out += fmt::format("Out of scope: {}\n", printable(path));
    if (e.role == Role::reviewer)
      out += e.findings.empty() ? "\nNo findings.\n" : "\n## Findings\n\n";
    for (const Finding& finding : e.findings) out += finding_line(finding);
    return out;
  }
  std::string operator()(const Tasked& e) const { return fenced(e.task); }
  std::string operator()(const Asked& e) const { return fenced(e.question); }
  std::string operator()(const Replied& e) const {
    std::string out =
        e.decision == ReplyDecision::none ? "" : fmt::format("Decision: {}\n\n", e.decision);
    return out + (e.message.empty() ? "Go on.\n" : fenced(e.message));
  }
  std::string operator()(const Converged& e) const {
    return fenced(e.summary) + fmt::format("\nTree: {}\n", e.tree);
  }
  std::string operator()(const Decided& e) const {
    return fmt::format("Decision: {}\n\n{}", e.decision, fenced(e.message));
  }
  std::string operator()(const TreeMoved& e) const {
    return e.from == e.tree
               ? fmt::format("The tree under review is {} again. Go on.\n", e.tree)
               : fmt::format("The tree under review is {} now. Review it again.\n", e.tree);
  }
  std::string operator()(const Synced& e) const {
    std::string out = fmt::format(
        "The human brought the base branch {} into the worktree: the change goes on top of {} now. "
        "What was judged before does not count any more.\n\n",
        printable(e.move.branch), e.move.onto);
    if (e.to_resolve.empty())
      return out + fmt::format("There were no conflicts. The files are tree {}.\n", e.move.merged);
    out +=
        "Conflicts are marked in the files below: what stands between <<<<<<< and ======= is the "
        "bubble's, from there to >>>>>>> the base's. Resolve each so that both changes keep their "
        "purpose, and take the marks out.\n\n";
    for (const std::string& path : e.to_resolve) out += fmt::format("- {}\n", printable(path));
    return out;
  }
  std::string operator()(const Packaged& e) const {
    std::string out = fmt::format("Commit: {}\nTree: {}\nBranch: {}\n\n{}\n", e.commit, e.tree,
                                  e.branch, fenced(e.message));
    for (const ChangedFile& file : e.files)
      out += fmt::format("- {} {} +{} −{}\n", file.status, printable(file.path), file.added,
                         file.removed);
    return out;
  }
  std::string operator()(const Evidence& e) const {
    return fmt::format("{} for tree {}\n{}", e.status, e.tree, fenced(e.what));
  }
  template <class Other>
  std::string operator()(const Other&) const {
    return {};
  }
};

}  // namespace

std::string message_file(const Event& event) {
  const std::string_view slug = file_slug(event.body);
  if (slug.empty()) return {};
  return fmt::format("{:03}-{}-{}.md", number(event.seq), event.sender, slug);
}

std::string message_text(const Event& event) {
  std::string out = fmt::format("# {} {}\n\nFrom {} to {}, round {}, {}\n\n", type_of(event.body),
                                event.id, event.sender, event.recipient, event.round, event.ts);
  out += std::visit(Text{}, event.body);
  for (const std::string& ref : event.refs) out += fmt::format("\nRef: {}\n", printable(ref));
  return out;
}

}  // namespace pf::bubble
