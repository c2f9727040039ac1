#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "agents/model_trouble.h"
#include "agents/stream_lines.h"
#include "base/text.h"

namespace pf {
namespace {

constexpr std::size_t kLongestLine = std::size_t{4} << 20;
constexpr std::size_t kShort = 300;  // bytes; two or three lines of a console
constexpr std::size_t kLongestWords = std::size_t{64} << 10;
constexpr std::string_view kOurServer = "pairflow";

// How the system, and the programs' own rules, refuse a write; in lower case.
constexpr std::array<std::string_view, 9> kRefusals = {"read-only file system",
                                                       "erofs",
                                                       "permission denied",
                                                       "eacces",
                                                       "eperm",
                                                       "operation not permitted",
                                                       "has been denied",
                                                       "is disabled for this session",
                                                       "requires approval"};

bool refuses(std::string_view line) {
  const std::string small = lower(line);
  return std::ranges::any_of(kRefusals,
                             [&](std::string_view words) { return small.contains(words); });
}

}  // namespace

StreamReader::StreamReader(const AgentKind& kind) : lines_(kind.lines(kind)) {}

std::vector<StreamItem> StreamReader::feed(std::string_view bytes) {
  std::vector<StreamItem> items;
  while (!bytes.empty()) {
    const auto newline = bytes.find('\n');
    const auto part = bytes.substr(0, newline);
    if (!too_long_ && line_.size() + part.size() > kLongestLine) {
      too_long_ = true;
      line_.clear();
    }
    if (!too_long_) line_ += part;
    if (newline == std::string_view::npos) break;
    take_line(items);
    bytes.remove_prefix(newline + 1);
  }
  return items;
}

std::vector<StreamItem> StreamReader::end(std::string_view errors) {
  std::vector<StreamItem> items;
  if (!line_.empty() || too_long_) take_line(items);
  lines_->end(errors, items);
  return items;
}

void StreamReader::take_line(std::vector<StreamItem>& items) {
  if (std::exchange(too_long_, false))
    items.push_back({.kind = ItemKind::failed,
                     .text = "a line of more than 4 MiB of its output was passed over"});
  else if (!trim(line_).empty())
    lines_->read(line_, items);
  line_.clear();
}

void StreamLines::read(std::string_view line, std::vector<StreamItem>& items) {
  items.push_back(said(line));
}

void StreamLines::end(std::string_view, std::vector<StreamItem>& items) {
  items.push_back(finished_well(""));
}

const JsonObject* object_in(const JsonObject& object, std::string_view key) {
  const Json* found = object.if_contains(key);
  return found == nullptr ? nullptr : found->if_object();
}

const JsonArray* array_in(const JsonObject& object, std::string_view key) {
  const Json* found = object.if_contains(key);
  return found == nullptr ? nullptr : found->if_array();
}

bool flag_in(const JsonObject& object, std::string_view key) {
  const Json* found = object.if_contains(key);
  return found != nullptr && found->is_bool() && found->get_bool();
}

StreamItem said(std::string_view words) {
  return {.kind = ItemKind::said, .text = clip(printable_lines(words), kLongestWords)};
}

std::string in_short(std::string_view text) { return clip(printable(trim(text)), kShort); }

StreamItem tool_of_server(std::string_view server, std::string_view tool) {
  StreamItem item{ItemKind::tool};
  item.ours = server == kOurServer;
  item.tool =
      item.ours ? printable(tool) : fmt::format("{}:{}", printable(server), printable(tool));
  if (item.ours) std::ranges::replace(item.tool, '_', '-');
  return item;
}

StreamItem failed_call(const StreamItem& call, std::string_view output) {
  StreamItem item = call;
  for (const auto line : split(output, '\n'))
    if (refuses(line)) {
      item.kind = ItemKind::blocked;
      item.text = in_short(line);
      return item;
    }
  item.kind = ItemKind::failed;
  item.text = in_short(output);
  return item;
}

StreamItem finished_well(std::string_view last_words) {
  return {.kind = ItemKind::finished, .text = in_short(last_words)};
}

StreamItem finished_badly(const AgentKind& kind, std::string_view error) {
  StreamItem item{.kind = ItemKind::finished, .text = in_short(error), .ok = false};
  if (const auto trouble = model_trouble(kind.troubles, error, {}, {}))
    item.text =
        fmt::format("{}: {}",
                    trouble->kind == ModelTrouble::Kind::limit ? "its model's limit is reached"
                                                               : "its model does not answer",
                    trouble->line);
  return item;
}

StreamItem tries_again(std::string_view error) {
  return {.kind = ItemKind::failed,
          .text = in_short(fmt::format("its model does not answer, it tries again: {}", error))};
}

std::string last_error(std::string_view errors) {
  std::string_view last;
  for (const auto line : split(errors, '\n'))
    if (!trim(line).empty() && (line.starts_with("Error") || !last.starts_with("Error")))
      last = line;
  return last.empty() ? "it ended without a word" : std::string(last);
}

}  // namespace pf
