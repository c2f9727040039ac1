#pragma once
#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <vector>

#include "base/text.h"
#include "os/posix/os.h"
#include "tmux/panes.h"
#include "tmux/session.h"

namespace pf::testing {

using namespace std::chrono_literals;

// A real tmux server of its own in a directory of its own; both gone at the end, whatever happens.
class Lab {
 public:
  Lab() {
    REQUIRE(os.files.make_directories(directory / "work"));
    directory = *os.files.canonical(directory);
  }
  Lab(const Lab&) = delete;
  Lab& operator=(const Lab&) = delete;
  ~Lab() {
    tmux({"kill-server"});
    (void)os.files.remove_all(directory);
  }

  SessionSpec spec(std::string bubble) const {
    return {(directory / "socket").string(),
            std::move(bubble),
            directory / "work",
            {"sleep", "100000"},
            {"codex", "claude"}};
  }
  TmuxSession terminal(std::string bubble) { return TmuxSession(os, spec(std::move(bubble))); }

  // What plain tmux says to the arguments.
  std::string tmux(std::vector<std::string> arguments) {
    Command command{{"tmux", "-u", "-S", (directory / "socket").string(), "-f", "/dev/null"}};
    command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
    command.environment = {{"TMUX", std::nullopt}, {"TMUX_PANE", std::nullopt}};
    const auto done = os.processes.run(command);
    return done ? std::string(trim(done->out)) : "";
  }
  std::string screen(const std::string& pane) {
    return tmux({"capture-pane", "-p", "-J", "-S", "-", "-t", pane});
  }
  // Each pane of the session's window: where it is, whose it is, whether the keys go there.
  std::string places() {
    return tmux({"list-panes", "-t", "pf-abc", "-F",
                 "#{pane_left} #{pane_top} #{pane_width} #{pane_height} #{@pf_holder} "
                 "#{pane_active}"});
  }

  bool wait_for(const std::function<bool()>& condition) {
    const MonoTime limit = os.clock.mono() + 20s;
    while (!condition()) {
      if (os.clock.mono() > limit) return false;
      os.clock.sleep(5ms);
    }
    return true;
  }
  // Waits until the text is on the pane's screen.
  bool shows(const std::string& pane, std::string_view text) {
    return wait_for([&] { return screen(pane).contains(text); });
  }

  PosixOs posix;
  Os os = posix.os();
  Path directory = Path(os.env.get("TMPDIR").value_or("/tmp")) / ("pf-tmux-" + os.random.token());
};

// What is seen of the holder's pane now; it must be there.
inline PaneSeen seen(TmuxSession& terminal, std::string_view holder) {
  const auto panes = terminal.observe();
  REQUIRE(panes);
  const PaneSeen* pane = find_holder(*panes, holder);
  REQUIRE(pane != nullptr);
  return *pane;
}

// Launches `argv` as the holder's agent and returns its pane.
inline PaneSeen launched(TmuxSession& terminal, std::string holder, std::string key,
                         std::vector<std::string> argv = {"cat"}) {
  const auto pane = terminal.launch(
      {holder, "implementer", std::move(key), static_cast<Seq>(1), std::move(argv), {}});
  REQUIRE_MESSAGE(pane, (pane ? "" : pane.error().why));
  return seen(terminal, holder);
}

// How often the text occurs.
inline int count(std::string_view haystack, std::string_view needle) {
  int n = 0;
  for (auto at = haystack.find(needle); at != haystack.npos; at = haystack.find(needle, at + 1))
    ++n;
  return n;
}

}  // namespace pf::testing
