#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "tmux/panes.h"
#include "tmux/session.h"

namespace pf {
namespace {

constexpr std::size_t kLongestLine = 4000;  // bytes; a terminal in line mode drops more than 4095

Result<std::string> checked_line(std::string_view line) {
  auto text = printable(without_hidden(line));
  const auto first = trim(text).substr(0, 1);
  if (first.empty()) return fail(Exit::usage, "an empty line cannot be delivered");
  if (first == "/" || first == "!")
    return fail(Exit::usage, fmt::format("a line that starts with '{}' cannot be delivered", first),
                "the agent's prompt would run it as a command");
  if (text.size() > kLongestLine)
    return fail(Exit::usage, "the line to deliver is too long",
                fmt::format("{} bytes, {} at most", text.size(), kLongestLine),
                "put the text into a file and deliver its name");
  return text;
}

// "" when the pane may be written to, else the reason. A pane that is gone has no pane_id.
std::string verdict_format(std::string_view key) {
  return fmt::format(
      "#{{?pane_id,#{{?#{{==:#{{@pf_key}},{}}},#{{?pane_dead,dead,#{{?{},in_mode,}}}},foreign}},"
      "gone}}",
      key, kBusyFormat);
}

constexpr std::pair<std::string_view, Sent> kVerdicts[] = {{"sent", Sent::yes},
                                                           {"dead", Sent::dead},
                                                           {"in_mode", Sent::in_mode},
                                                           {"foreign", Sent::foreign},
                                                           {"gone", Sent::gone}};

}  // namespace

Result<Sent> TmuxSession::guarded(const PaneSeen& pane, std::vector<TmuxCommand> before,
                                  std::vector<TmuxCommand> when_ready,
                                  std::vector<TmuxCommand> when_refused) {
  const auto verdict = verdict_format(pane.key);
  when_ready.push_back({"display-message", "-p", "sent"});
  when_refused.push_back({"display-message", "-p", "-t", pane.pane, verdict});
  before.push_back({"if-shell", "-F", "-t", pane.pane, verdict, tmux_script(when_refused),
                    tmux_script(when_ready)});
  const auto answer = TRY(server_.ask(before));
  if (!answer) return Sent::gone;
  for (const auto& [word, sent] : kVerdicts)
    if (word == trim(*answer)) return sent;
  return fail(Exit::machine, "tmux gave an answer that makes no sense",
              printable(clip(*answer, 80)), "check that tmux is version 3.2 or newer");
}

Result<Sent> TmuxSession::deliver(const PaneSeen& pane, std::string_view line, Seq cause) {
  const auto text = TRY(checked_line(line));
  const auto panes = TRY(observe());
  const auto now = std::ranges::find(panes, pane.pane, &PaneSeen::pane);
  if (now == panes.end()) return Sent::gone;
  if (now->key != pane.key) return Sent::foreign;
  if (now->submitted >= cause) return Sent::yes;
  if (now->dead) return Sent::dead;
  if (!is_key(pane.key)) return Sent::foreign;

  const auto mark = std::to_string(number(cause));
  if (now->pasted < cause) {
    const auto buffer = "pf-" + os_.random.token();
    const Sent pasted =
        TRY(guarded(pane, {{"set-buffer", "-b", buffer, "--", text}},
                    {{"paste-buffer", "-p", "-r", "-d", "-b", buffer, "-t", pane.pane},
                     set_pane_option(pane.pane, "@pf_pasted", mark)},
                    {{"delete-buffer", "-b", buffer}}));
    return pasted == Sent::yes ? Sent::pasted : pasted;
  }
  return guarded(
      pane, {},
      {{"send-keys", "-t", pane.pane, "Enter"}, set_pane_option(pane.pane, "@pf_submitted", mark)},
      {});
}

Result<Sent> TmuxSession::press_enter(const PaneSeen& pane) {
  if (!is_key(pane.key)) return Sent::foreign;
  return guarded(pane, {}, {{"send-keys", "-t", pane.pane, "Enter"}}, {});
}

}  // namespace pf
