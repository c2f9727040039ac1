#include "document/plan/step_label.h"

#include <algorithm>
#include <array>

#include "base/glyph.h"
#include "base/text.h"
#include "document/lines.h"

namespace pf::document {
namespace {

constexpr std::size_t kLongestStepNumber = 20;
constexpr std::size_t kLongestWord = 40;  // bytes

// What people call a step of a plan.
constexpr std::array<std::string_view, 52> kStepWords = {
    "step",      "phase",   "task",    "part",   "milestone",   "stage", "iteration", "sprint",
    "schritt",   "aufgabe", "teil",    "etappe", "meilenstein", "étape", "tâche",     "partie",
    "jalon",     "paso",    "fase",    "tarea",  "parte",       "hito",  "etapa",     "passo",
    "passaggio", "tarefa",  "compito", "stap",   "taak",        "krok",  "etap",      "zadanie",
    "шаг",       "этап",    "задача",  "часть",  "фаза",        "крок",  "етап",      "steg",
    "trin",      "trinn",   "vaihe",   "adım",   "步骤",        "阶段",  "任务",      "ステップ",
    "フェーズ",  "タスク",  "手順",    "단계"};

constexpr std::array<std::string_view, 24> kNumberWords = {
    "one",  "two",  "three",  "four",   "five", "six",  "seven", "eight",
    "nine", "ten",  "eleven", "twelve", "ii",   "iii",  "iv",    "vi",
    "vii",  "viii", "ix",     "xi",     "xii",  "xiii", "xiv",   "xv"};

constexpr std::string_view kSeparators = " \t:.)-_*";
constexpr std::array<std::string_view, 9> kWideSeparators = {
    "–", "—", "：", "．", "）", "、", "\u00a0", "\ufe0f", "\u20e3"};

bool is_beyond_ascii(char c) { return static_cast<unsigned char>(c) >= 0x80; }

std::size_t wide_separator(std::string_view text) {
  for (const std::string_view wide : kWideSeparators)
    if (text.starts_with(wide)) return wide.size();
  return 0;
}

std::string_view behind_separators(std::string_view text) {
  for (;;) {
    const std::size_t before = text.size();
    text = skip(text, kSeparators);
    text.remove_prefix(wide_separator(text));
    if (text.size() == before) return text;
  }
}

// Length of the number at the front: digits, groups behind dots, one letter.
std::size_t number_length(std::string_view text) {
  std::size_t at = 0;
  const auto digits = [&] {
    const std::size_t from = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return at - from;
  };
  if (digits() == 0) return 0;
  while (at + 1 < text.size() && text[at] == '.' && is_digit(text[at + 1])) ++at, digits();
  if (at < text.size() && is_letter(text[at])) ++at;
  const bool ends = at == text.size() ||
                    !(is_letter(text[at]) || is_digit(text[at]) || is_beyond_ascii(text[at]));
  return ends || wide_separator(text.substr(at)) > 0 ? at : 0;
}

// A colon, a dot, a dash behind the number, or nothing at all; no date, no time of day.
bool ends_number(std::string_view text) {
  text = skip(text, " \t*_");
  if (text.empty()) return true;
  if (const auto wide = wide_separator(text); wide > 0) return true;
  if (std::string_view(":.)-").find(text[0]) == std::string_view::npos) return false;
  return text.size() == 1 || !is_digit(text[1]);
}

std::string without_emphasis(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text.substr(i, 2) == "**" || text.substr(i, 2) == "__")
      ++i;
    else
      out += text[i];
  return std::string(trim(out));
}

// Length of the word at the front: letters of any alphabet.
std::size_t word_length(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && at <= kLongestWord) {
    const Glyph glyph = first_glyph(text.substr(at));
    if (!is_of_name(glyph) || is_digit(text[at])) break;
    at += glyph.bytes;
  }
  return at;
}

// "two", "ii", "b" behind a step's word, when something ends them.
std::size_t spelled_length(std::string_view text) {
  const std::size_t length = word_length(text);
  if (length == 0 || !ends_number(text.substr(length))) return 0;
  const std::string word = lower(text.substr(0, length));
  const bool known =
      word.size() == 1 || std::ranges::find(kNumberWords, word) != kNumberWords.end();
  return known && is_letter(word[0]) ? length : 0;
}

}  // namespace

std::string step_number(std::string_view text) {
  text = trim(text);
  if (text.size() > kLongestStepNumber || number_length(text) != text.size() || text.empty())
    return {};
  const auto from = std::min(text.find_first_not_of('0'), text.size() - 1);
  const bool zero = !is_digit(text[from]);
  std::string number(text.substr(zero ? from - 1 : from));
  std::ranges::transform(number, number.begin(), lower_letter);
  return number;
}

std::string title_of(std::string_view text) { return without_emphasis(behind_separators(text)); }

StepLabel number_label(std::string_view text) {
  const std::size_t digits = number_length(text);
  StepLabel label;
  label.number = step_number(text.substr(0, digits));
  if (label.number.empty()) return {};
  label.found = true;
  label.ends = ends_number(text.substr(digits));
  label.title = title_of(text.substr(digits));
  return label;
}

StepLabel step_label(std::string_view text) {
  text = skip(trim(text), "*_");
  const std::size_t length = word_length(text);
  StepLabel label{false, folded(text.substr(0, length))};
  if (std::ranges::find(kStepWords, label.word) == kStepWords.end()) return {};
  text.remove_prefix(length);
  const std::string_view rest = skip(text, " \t-_#");
  if (const std::size_t digits = number_length(rest); digits > 0) {
    StepLabel numbered = number_label(rest);
    numbered.word = label.word;
    return numbered;
  }
  if (const std::size_t spelled = spelled_length(rest); spelled > 0 && rest.size() < text.size()) {
    label.number = lower(rest.substr(0, spelled));
    label.title = title_of(rest.substr(spelled));
    label.found = label.ends = true;
    return label;
  }
  label.title = title_of(text);
  const std::string_view behind = trim(text);
  label.found = label.ends =
      (behind.starts_with(':') || behind.starts_with("：")) && !label.title.empty();
  return label.found ? label : StepLabel{};
}

FrontText without_decoration(std::string_view text) {
  FrontText front{trim(text)};
  for (;;) {
    const std::size_t before = front.text.size();
    if (const auto unboxed = without_checkbox(front.text); unboxed.size() < before) {
      front.boxed = true;
      front.checked = front.text[1] != ' ';
      front.text = unboxed;
    }
    if (front.text.starts_with("**") || front.text.starts_with("__")) front.bold = true;
    front.text = skip(front.text, "*_~ \t");
    const Glyph glyph = front.text.empty() ? Glyph{0, 1} : first_glyph(front.text);
    if (glyph.bytes > 1 && !is_of_name(glyph)) front.text.remove_prefix(glyph.bytes);
    if (front.text.size() == before) return front;
  }
}

}  // namespace pf::document
