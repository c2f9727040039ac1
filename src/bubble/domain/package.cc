#include "bubble/domain/package.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"
#include "base/text.h"

namespace pf::bubble {
namespace {

struct Heading {
  std::size_t level = 0;  // 0: no heading
  std::string title;      // in lower case
};

Heading heading_of(std::string_view line) {
  const std::size_t level = std::min(line.find_first_not_of('#'), line.size());
  if (level == 0 || level > 6 || level == line.size() || line[level] != ' ') return {};
  std::string title(trim(line.substr(level)));
  while (!title.empty() && (title.back() == '#' || title.back() == ':' || title.back() == ' '))
    title.pop_back();
  return {level, lower(title)};
}

std::optional<Part> part_named(std::string_view title) {
  constexpr auto kOtherwise = std::to_array<std::pair<std::string_view, Part>>({
      {"tradeoffs", Part::risks},
      {"residual risks", Part::risks},
      {"tradeoffs & residual risks", Part::risks},
      {"test plan", Part::plan},
      {"commit message", Part::message},
  });
  for (const auto& [name, part] : kOtherwise)
    if (name == title) return part;
  return parse_name<Part>(title);
}

std::unexpected<Error> unknown(const Heading& heading) {
  std::vector<std::string_view> known;
  std::string all;
  for (const auto& [part, name] : names_of(Part{})) {
    known.push_back(name);
    all += fmt::format("{}{}", all.empty() ? "" : ", ", name);
  }
  const auto near = nearest(heading.title, known);
  return fail(Exit::usage,
              fmt::format("the package has no part '{}'", clip(printable(heading.title), 60)),
              "its parts are: " + all,
              near.empty() ? "use ## for headings of your own" : fmt::format("write # {}", near));
}

// A text in a fence of its own, as models like to write a commit message.
std::string without_fence(std::string_view text) {
  text = trim(text);
  if (!text.starts_with("```") || !text.ends_with("```")) return std::string(text);
  const auto first = text.find('\n');
  if (first == std::string_view::npos || first + 3 > text.size()) return std::string(text);
  const auto inner = text.substr(first + 1, text.size() - first - 4);
  if (inner.find("```") != std::string_view::npos) return std::string(text);
  return std::string(trim(inner));
}

// The line without its bullet, number and box; the same when it has none.
std::string_view list_item(std::string_view line) {
  const auto digits = std::min(line.find_first_not_of("0123456789"), line.size());
  if (digits > 0 && digits < line.size() && (line[digits] == '.' || line[digits] == ')'))
    line = trim(line.substr(digits + 1));
  else if (line.starts_with("- ") || line.starts_with("* ") || line.starts_with("+ "))
    line = trim(line.substr(2));
  if (line.starts_with("[ ]") || line.starts_with("[x]")) line = trim(line.substr(3));
  return line;
}

}  // namespace

Result<PartTexts> parse_package(std::string_view text) {
  PartTexts parts;
  bool fenced = false;
  for (auto line : split(text, '\n')) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (trim(line).starts_with("```")) fenced = !fenced;
    const Heading heading = fenced ? Heading{} : heading_of(line);
    const auto part = heading.level == 1 || heading.level == 2 ? part_named(heading.title)
                                                               : std::optional<Part>();
    if (part) {
      if (contains(parts, *part, &PartTexts::value_type::first))
        return fail(Exit::usage, fmt::format("the package has '{}' twice", *part), "",
                    "join the two");
      parts.emplace_back(*part, "");
    } else if (heading.level == 1) {
      return unknown(heading);
    } else if (!parts.empty()) {
      parts.back().second.append(line).push_back('\n');
    }
  }
  if (parts.empty())
    return fail(Exit::usage, "the package has none of its parts",
                "no heading names one, such as '# What changed'",
                "pairflow turn prints the form to fill in");
  for (auto& [part, body] : parts)
    body = part == Part::message ? without_fence(body) : std::string(trim(body));
  return parts;
}

bool says_something(std::string_view text) {
  constexpr std::size_t kLeast = 2;  // letters or digits
  std::size_t found = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("<!--")) {
      const auto end = text.find("-->", i);
      if (end == std::string_view::npos) break;
      i = end + 2;
      continue;
    }
    const auto c = static_cast<unsigned char>(text[i]);
    const bool letter = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    // The first byte of a letter beyond ASCII; those from E2 on begin with signs and spaces.
    const bool foreign = c >= 0xc3 && c != 0xe2 && c != 0xef;
    found += letter || foreign;
  }
  return found >= kLeast;
}

std::vector<Part> missing_parts(const std::vector<PartWritten>& written,
                                const PackageBrought* brought) {
  std::vector<Part> missing;
  for (const auto& [part, name] : names_of(Part{})) {
    const bool before = contains(written, part, &PartWritten::part);
    const bool now = brought != nullptr && contains(brought->parts, part);
    if (!before && !now) missing.push_back(part);
  }
  return missing;
}

std::string package_template(const std::vector<Part>& parts) {
  std::string out;
  for (const Part part : parts) {
    std::string title(name_of(part));
    title[0] = static_cast<char>(title[0] - 'a' + 'A');
    out += fmt::format("# {}\n…\n", title);
  }
  return out;
}

std::vector<std::string> manual_items(std::string_view text) {
  std::vector<std::string> items, lines;
  for (auto line : split(text, '\n')) {
    line = trim(line);
    if (line.empty() || line.starts_with('#')) continue;
    const auto item = list_item(line);
    (item == line ? lines : items).emplace_back(item);
  }
  return items.empty() ? lines : items;
}

}  // namespace pf::bubble
