#include "document/role/task_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "document/frontmatter.h"
#include "document/role/branch_name.h"

namespace pf::document {
namespace {

struct Found {
  Task task;
  std::optional<Span> place;  // of the status
};

std::string_view file_of(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

// A heading's text without the task's id in front of it.
std::string title_of(std::string_view heading, const std::string& id) {
  if (heading.starts_with(id)) heading.remove_prefix(id.size());
  return std::string(trim(skip_separators(heading, " \t:.-")));
}

Read<void> take_status(Found& found, std::string_view word, Span place, int line) {
  const auto status = parse_work_status(word);
  if (!status && !trim(word).empty())
    return trouble(line,
                   fmt::format("the status is `{}`, which is no status", clip(printable(word), 60)),
                   fmt::format("write {}", kStatusWords));
  found.task.status = status.value_or(WorkStatus::planned);
  found.place = place;
  return {};
}

Read<Found> find_task(const std::string& path, std::string_view text) {
  TRY(check_text(text, "tasks"));
  const auto name = parse_task_name(file_of(path));
  if (!name || !*name) return trouble(1, "the file's name is no task's", "name it T01-<task>.md");
  const Frontmatter front = TRY(read_frontmatter(text));
  Found found{{(*name)->id, (*name)->number, (*name)->slug, "", path}, {}};
  if (const YamlPair* pair = front.keys.find("status"); pair != nullptr && is_word(pair->value))
    TRY(take_status(found, pair->value.value, pair->value.span, pair->line));
  HiddenLines hidden;
  int headings = 0;
  for (const TextLine& line : lines_of(text.substr(front.body))) {
    if (hidden.hides(line)) continue;
    const MarkdownLine form = markdown_line(line.text);
    if (form.kind == LineKind::heading && ++headings == 1)
      found.task.title = title_of(form.content, found.task.id);
    if (headings > 1) break;
    const auto label = found.place ? std::nullopt : status_label(line.text);
    if (!label) continue;
    const Span place{front.body + line.begin + label->begin, front.body + line.begin + label->end};
    TRY(take_status(found, text.substr(place.begin, place.end - place.begin), place,
                    line.number + front.body_line - 1));
  }
  if (found.task.title.empty()) found.task.title = found.task.slug;
  return found;
}

}  // namespace

Read<std::optional<TaskName>> parse_task_name(std::string_view file) {
  const auto digits_end = std::min(file.find_first_not_of("0123456789", 1), file.size());
  if (!file.starts_with('T') || digits_end == 1 || !file.ends_with(".md")) return std::nullopt;
  std::string_view rest = file.substr(0, file.size() - 3);
  TaskName name{std::string(rest.substr(0, digits_end)), ""};
  rest.remove_prefix(digits_end);
  if (rest.starts_with('-')) name.slug = std::string(rest.substr(1));
  if (!is_task_id(name.id) || !is_kebab(name.slug))
    return trouble(
        1, fmt::format("`{}` is no task's name", clip(printable(file), 80)),
        "name it T, two digits at least, and words in kebab-case, as in T01-login-form.md");
  const std::string digits = name.id.substr(1);
  std::from_chars(digits.data(), digits.data() + digits.size(), name.number);
  return name;
}

Read<Task> read_task(const std::string& path, std::string_view text) {
  return TRY(find_task(path, text)).task;
}

Read<std::string> set_task_status(const std::string& path, std::string_view text,
                                  WorkStatus status) {
  const Found found = TRY(find_task(path, text));
  if (!found.place || found.task.status == status) return std::string(text);
  const auto [begin, end] = *found.place;
  const std::string_view old = text.substr(begin, end - begin);
  std::string word = status_word(status, old);
  if (old.size() >= 2 && (old.front() == '"' || old.front() == '\''))
    word = old.front() + word + old.front();
  if (old.empty() && begin > 0 && text[begin - 1] == ':') word = " " + word;
  return std::string(text.substr(0, begin)) + word + std::string(text.substr(end));
}

}  // namespace pf::document
