#include "document/role/work_status.h"

#include <algorithm>

#include "base/codec.h"
#include "base/text.h"
#include "document/lines.h"
#include "document/role/branch_name.h"

namespace pf::document {
namespace {

// How people say it, in kebab-case.
constexpr std::array<std::pair<WorkStatus, std::string_view>, 4> kWords = {{
    {WorkStatus::planned,
     "planned plan to-do open pending backlog next not-started new ready todo"},
    {WorkStatus::in_progress, "in-progress active doing wip started current in-review"},
    {WorkStatus::done, "done complete completed finished merged shipped closed"},
    {WorkStatus::dropped, "dropped cancelled canceled deferred rejected"},
}};

}  // namespace

std::optional<WorkStatus> parse_work_status(std::string_view word) {
  const std::string plain = kebab_of(word);
  for (const auto& [status, text] : kWords) {
    const auto words = split(text, ' ');
    if (std::ranges::find(words, plain) != words.end()) return status;
  }
  return std::nullopt;
}

std::string status_word(WorkStatus status, std::string_view instead_of) {
  std::string word(name_of(status));
  const auto first = std::ranges::find_if(instead_of, is_letter);
  if (first != instead_of.end() && *first <= 'Z') word[0] = static_cast<char>(word[0] - 'a' + 'A');
  return word;
}

std::optional<Span> status_label(std::string_view line) {
  const MarkdownLine form = markdown_line(line);
  if (form.kind == LineKind::heading) return std::nullopt;
  std::string_view text = skip(form.content, "*_");
  if (!take_word(text, "status")) return std::nullopt;
  text = skip(text, "*_ \t");
  if (!text.starts_with(':')) return std::nullopt;
  text = skip(text.substr(1), "*_ \t`");
  const auto last = text.find_last_not_of("*_ \t`.");
  text = text.substr(0, last + 1);
  const auto begin = static_cast<std::size_t>(text.data() - line.data());
  return Span{begin, begin + text.size()};
}

}  // namespace pf::document
