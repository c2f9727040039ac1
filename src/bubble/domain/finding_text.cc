#include <fmt/format.h>

#include <charconv>

#include "base/codec.h"
#include "base/text.h"
#include "bubble/domain/ledger.h"

namespace pf::bubble {
namespace {

constexpr std::size_t kMaxTitle = 300;

bool is_finding_id(std::string_view text) {
  if (!text.starts_with('F')) return false;
  text.remove_prefix(1);
  const auto dot = text.find('.');
  const auto digits = [](std::string_view part) {
    return !part.empty() && part.size() <= 6 &&
           part.find_first_not_of("0123456789") == std::string_view::npos;
  };
  return dot != std::string_view::npos && digits(text.substr(0, dot)) &&
         digits(text.substr(dot + 1));
}

// There is nothing to read in it.
bool is_blank(std::string_view text) { return trim(without_hidden(text)).empty(); }

Error bad_finding(std::string_view text, std::string why) {
  return {Exit::usage, fmt::format("'{}' is not a finding", clip(printable(text), 80)),
          std::move(why), "write --finding \"P1:Title\", \"P1:Title @path:line\" or \"F1.2\""};
}

// Takes " @path:line" off the end of the title.
void split_location(Reported& reported) {
  const auto at = reported.title.rfind(" @");
  if (at == std::string::npos || reported.title.find(' ', at + 2) != std::string::npos) return;
  std::string place = reported.title.substr(at + 2);
  int line = 0;
  if (const auto colon = place.rfind(':'); colon != std::string::npos) {
    const char* first = place.data() + colon + 1;
    const char* last = place.data() + place.size();
    const bool whole = std::from_chars(first, last, line).ptr == last && line > 0;
    if (whole)
      place.resize(colon);
    else
      line = 0;
  }
  if (place.empty()) return;
  reported.line = line;
  reported.path = place;
  reported.title = trim(std::string_view(reported.title).substr(0, at));
}

std::string written(const Reported& reported) {
  if (!reported.repeat.empty()) return reported.repeat.str();
  std::string text = fmt::format("{}:{}", reported.severity, reported.title);
  if (!reported.path.empty()) text += " @" + reported.path;
  if (reported.line != 0) text += fmt::format(":{}", reported.line);
  return text;
}

// Why its text is read as something else.
std::string misread(const Reported& reported, const Reported& read) {
  if (!reported.repeat.empty()) return "this is no finding's id";
  if (reported.title.empty()) return "the title is empty";
  if (reported.title != trim(printable(reported.title)))
    return "the title has to be one printable line without blanks around it";
  if (reported.path.empty() && reported.line != 0) return "a line needs a path";
  if (reported.path.empty()) return fmt::format("the title's end reads as a place: @{}", read.path);
  return fmt::format("its place would be read as path '{}', line {}", read.path, read.line);
}

}  // namespace

Result<std::string> write_reported(const Reported& reported) {
  std::string text = written(reported);
  const Reported read = TRY(parse_reported(text));
  if (read == reported) return text;
  return fail(Exit::usage, fmt::format("'{}' is not a finding", clip(printable(text), 80)),
              misread(reported, read), "write it in other words, or give its place as a path");
}

Result<Reported> parse_reported(std::string_view text) {
  Reported reported;
  text = trim(text);
  if (is_finding_id(text)) {
    reported.repeat = FindingId(std::string(text));
    return reported;
  }
  const auto colon = text.find(':');
  const auto severity = parse_name<Severity>(trim(text.substr(0, colon)));
  if (colon == std::string_view::npos || !severity)
    return std::unexpected(bad_finding(text, "it has to begin with P0:, P1:, P2: or P3:"));
  reported.severity = *severity;
  reported.title = trim(printable(text.substr(colon + 1)));
  split_location(reported);
  if (reported.title.empty() || is_blank(text.substr(colon + 1)))
    return std::unexpected(bad_finding(text, "the title is empty"));
  if (reported.title.size() > kMaxTitle)
    return std::unexpected(
        bad_finding(text, fmt::format("the title is longer than {} bytes", kMaxTitle)));
  return reported;
}

Result<Dispute> parse_dispute(std::string_view text) {
  const auto colon = text.find(':');
  const std::string_view id = trim(text.substr(0, colon));
  const std::string_view said = colon == std::string_view::npos ? "" : text.substr(colon + 1);
  if (!is_finding_id(id) || is_blank(said))
    return fail(Exit::usage, fmt::format("'{}' is not a dispute", clip(printable(text), 80)),
                "it needs a finding's id and a reason", "write --disputed \"F1.3: reason\"");
  return Dispute{FindingId(std::string(id)), std::string(trim(printable(said)))};
}

}  // namespace pf::bubble
