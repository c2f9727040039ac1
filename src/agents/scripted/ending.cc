#include "agents/scripted/ending.h"

#include <string_view>

#include "base/text.h"

namespace pf {
namespace {

constexpr std::size_t kShownWord = 160;  // bytes of one word; two lines of a pane

using Words = std::vector<std::string>;

void add_each(Words& words, std::string_view option, const Words& values) {
  for (const auto& value : values) words.insert(words.end(), {std::string(option), value});
}

Words with_note(Words words, const std::string& note) {
  if (!note.empty()) words.insert(words.end(), {"--note", note});
  return words;
}

struct Commands {
  Words operator()(const EndByPass& pass) const {
    Words words = {"pass", "--summary", pass.summary};
    add_each(words, "--finding", pass.findings);
    if (pass.no_findings) words.emplace_back("--no-findings");
    add_each(words, "--resolved", pass.resolved);
    add_each(words, "--fixed", pass.fixed);
    add_each(words, "--disputed", pass.disputed);
    if (!pass.package.empty()) words.insert(words.end(), {"--package", pass.package + "\n"});
    return words;
  }
  Words operator()(const EndByQuestion& end) const {
    return {"ask-human", "--question", end.question};
  }
  Words operator()(const EndByConverged& end) const {
    return {"converged", "--summary", end.summary};
  }
  Words operator()(const EndByReviewRequest& end) const {
    return with_note({"plan", "request-review"}, end.note);
  }
  Words operator()(const EndByChangeRequest& end) const {
    return {"plan", "request-changes", "--text", end.text};
  }
  Words operator()(const EndByApproval& end) const {
    return with_note({"plan", "approve"}, end.note);
  }
  Words operator()(const EndByUserQuestion& end) const {
    return {"plan", "ask-user", "--message", end.message};
  }
  Words operator()(const EndByExit&) const { return {}; }
  Words operator()(const EndByHang&) const { return {}; }
  Words operator()(const EndByNothing&) const { return {}; }
};

bool is_plain(std::string_view word) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./:@%+=,";
  return !word.empty() && word.find_first_not_of(kPlain) == word.npos;
}

std::string in_quotes(std::string_view word) {
  std::string out = "\"";
  for (const char c : word) {
    if (c == '"' || c == '\\' || c == '$' || c == '`') out += '\\';
    out += c;
  }
  return out += '"';
}

}  // namespace

Words command_of(const Ending& ending) { return std::visit(Commands{}, ending); }

std::string shown_command(const Words& words) {
  Words shown;
  for (const auto& word : words) {
    const std::string clean = clip(printable(word), kShownWord);
    shown.push_back(is_plain(clean) ? clean : in_quotes(clean));
  }
  return join(shown, " ");
}

}  // namespace pf
