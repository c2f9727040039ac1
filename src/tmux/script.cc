#include "tmux/script.h"

#include <fmt/format.h>

namespace pf {
namespace {

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_-./:=,+@").contains(c);
}

// Between double quotes tmux expands '$' and '~', strips blanks after a newline and knows octal
// escapes; so every byte that is not plainly harmless goes out in octal.
void append_quoted(std::string& out, std::string_view word) {
  out += '"';
  for (const char c : word) {
    if (is_plain(c))
      out += c;
    else if (c != '\0')
      fmt::format_to(std::back_inserter(out), "\\{:03o}", static_cast<unsigned char>(c));
  }
  out += '"';
}

}  // namespace

std::string tmux_script(const std::vector<TmuxCommand>& commands) {
  std::string out;
  for (const auto& command : commands) {
    if (!out.empty()) out += "; ";
    for (const auto& word : command) {
      append_quoted(out, word);
      out += ' ';
    }
  }
  return out;
}

TmuxCommand set_pane_option(std::string_view pane, std::string_view name, std::string value) {
  return {"set-option", "-p", "-t", std::string(pane), std::string(name), std::move(value)};
}

}  // namespace pf
