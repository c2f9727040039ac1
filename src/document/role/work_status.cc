#include "document/role/work_status.h"

#include <algorithm>

#include "base/codec.h"
#include "base/text.h"
#include "document/markdown_line.h"
#include "document/role/branch_name.h"

namespace pf::document {
namespace {

constexpr std::array<std::pair<std::string_view, WorkStatus>, 30> kWords = {{
    {"planned", WorkStatus::planned},
    {"plan", WorkStatus::planned},
    {"to-do", WorkStatus::planned},
    {"open", WorkStatus::planned},
    {"pending", WorkStatus::planned},
    {"backlog", WorkStatus::planned},
    {"next", WorkStatus::planned},
    {"not-started", WorkStatus::planned},
    {"new", WorkStatus::planned},
    {"ready", WorkStatus::planned},
    {"in-progress", WorkStatus::in_progress},
    {"active", WorkStatus::in_progress},
    {"doing", WorkStatus::in_progress},
    {"wip", WorkStatus::in_progress},
    {"started", WorkStatus::in_progress},
    {"current", WorkStatus::in_progress},
    {"in-review", WorkStatus::in_progress},
    {"done", WorkStatus::done},
    {"complete", WorkStatus::done},
    {"completed", WorkStatus::done},
    {"finished", WorkStatus::done},
    {"merged", WorkStatus::done},
    {"shipped", WorkStatus::done},
    {"closed", WorkStatus::done},
    {"dropped", WorkStatus::dropped},
    {"cancelled", WorkStatus::dropped},
    {"canceled", WorkStatus::dropped},
    {"deferred", WorkStatus::dropped},
    {"rejected", WorkStatus::dropped},
    {"todo", WorkStatus::planned},
}};

bool same_letters(std::string_view text, std::string_view small) { return lower(text) == small; }

}  // namespace

std::optional<WorkStatus> parse_work_status(std::string_view word) {
  const std::string plain = kebab_of(word);
  const auto at = std::ranges::find(kWords, plain, &std::pair<std::string_view, WorkStatus>::first);
  return at == kWords.end() ? std::nullopt : std::optional(at->second);
}

std::string status_word(WorkStatus status, std::string_view instead_of) {
  std::string word(name_of(status));
  const auto first = std::ranges::find_if(
      instead_of, [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
  if (first != instead_of.end() && *first <= 'Z') word[0] = static_cast<char>(word[0] - 'a' + 'A');
  return word;
}

std::optional<Span> status_label(std::string_view line) {
  const MarkdownLine form = markdown_line(line);
  if (form.kind == MarkdownLine::Kind::heading) return std::nullopt;
  std::string_view text = form.content;
  const auto skip = [&](std::string_view marks) {
    text.remove_prefix(std::min(text.find_first_not_of(marks), text.size()));
  };
  skip("*_");
  constexpr std::string_view kLabel = "status";
  if (text.size() < kLabel.size() || !same_letters(text.substr(0, kLabel.size()), kLabel))
    return std::nullopt;
  text.remove_prefix(kLabel.size());
  skip("*_ \t");
  if (!text.starts_with(':')) return std::nullopt;
  text.remove_prefix(1);
  skip("*_ \t`");
  const auto last = text.find_last_not_of("*_ \t`.");
  text = text.substr(0, last == std::string_view::npos ? 0 : last + 1);
  const auto begin = static_cast<std::size_t>(text.data() - line.data());
  return Span{begin, begin + text.size()};
}

}  // namespace pf::document
