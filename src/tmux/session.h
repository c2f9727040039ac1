#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "os/os.h"
#include "tmux/server.h"

namespace pf {

// What a pane of ours looks like now, read from tmux alone.
struct PaneSeen {
  std::string pane;           // %3
  std::string holder;         // agent name, or "status"
  std::string key;            // nonce given at launch; "" in a pane that waits for its first
  Seq launch = Seq::none;     // the cause this process was launched for
  Seq pasted = Seq::none;     // the newest cause whose line was pasted
  Seq submitted = Seq::none;  // the newest cause whose Enter was sent
  int pid = 0;                // of the pane's process; 0 when dead
  bool dead = false;
  bool in_mode =
      false;  // copy mode, a menu, input off or shared by all panes: keys would go astray
  // When dead: its code, or 128 + signal. -1 when tmux does not know: nothing ever ran there, or
  // tmux missed the end of its child (3.3a does so with libutempter) and hears of it with the next
  // one.
  int exit_code = 0;
};

struct SessionSpec {
  std::string socket;  // tmux -L; with a '/' it is a path, tmux -S
  std::string bubble;  // session pf-<bubble>; pf-<bubble>-<owner> when that one is another's
  Path directory;
  std::vector<std::string> status_command;  // pane 0
  std::vector<std::string> agents;          // holders of pane 1, 2, …, in this order
  std::string owner = {};  // lower-case hex: the same bubble id in two repositories is two sessions
};

struct LaunchSpec {
  std::string holder;
  std::string role;  // shown above the pane
  std::string key;   // lower-case hex, never used before
  Seq cause = Seq::none;
  std::vector<std::string> argv;
  std::vector<std::pair<std::string, std::string>> environment;
  Seq submitted = Seq::none;          // the line that the process begins with, when it has one
  std::vector<std::string> tap = {};  // a program that is fed what the pane shows
};

// An Enter right behind typed text is taken by some prompts as part of a paste and swallowed.
inline constexpr Duration kPasteToEnterPause = std::chrono::milliseconds(300);

enum class Sent {
  yes,
  pasted,   // deliver again after kPasteToEnterPause, for its Enter
  dead,     // the pane's process has ended
  in_mode,  // see PaneSeen::in_mode
  foreign,  // the pane does not carry the key: something else runs there now
  gone,     // no such pane
};

// The tmux session of one bubble, on a server that is ours alone. Targets are pane ids checked
// against the pane's own key, never names. Nothing from outside is ever part of a tmux format.
class TmuxSession {
 public:
  TmuxSession(Os& os, SessionSpec spec);
  const SessionSpec& spec() const { return spec_; }
  const std::string& name() const { return name_; }  // of the session last observed

  // The panes of pf-<bubble>; empty when the session or the server is gone. Panes that a person
  // made are not among them.
  Result<std::vector<PaneSeen>> observe();
  // The session with pane 0 (status view) and empty, dead panes 1, 2 held for the agents. Restores
  // whatever is missing of it, a dead status view too; harmless when all is there.
  Status ensure_session();
  // Starts the agent's process in its pane (replacing what runs there), tagged with holder, key and
  // cause, in the session's directory. Returns the pane's id.
  Result<std::string> launch(const LaunchSpec& launch);
  // Guarded paste of one line and its mark in one tmux command list; called again, Enter and its
  // mark in a second one. One submitted is left alone. Never waits.
  // Refuses a line that an agent's prompt would take as a command ('/' or '!' in front).
  Result<Sent> deliver(const PaneSeen& pane, std::string_view line, Seq cause);
  // Enter once more, guarded like a delivery.
  Result<Sent> press_enter(const PaneSeen& pane);
  // The pane's visible lines; "" when it is gone.
  Result<std::string> screen(const PaneSeen& pane);
  Status close_session();  // with all that runs in it; none there is fine

  // Both mean the session last observed.
  // Interactive; switches the client over when we already are inside this server.
  Command attach_command() const;
  // tmux -C, see parse_control_line; it lives as long as its standard input is open. Seen
  // with 3.3a, read-only too: %pane-mode-changed on entering and on leaving a mode, %layout-change
  // when a pane comes or goes, %exit when the session or the server ends ("%exit server exited
  // unexpectedly" after kill -9). Nothing at all when a pane's process dies: watch PaneSeen::pid
  // for that.
  Result<std::unique_ptr<HeldChild>> listen();

 private:
  Status check() const;
  std::string session() const;  // exact target of the session
  Status find_name();           // under which our session runs, or would
  Result<std::optional<std::string>> owner_of(const std::string& name);
  std::vector<std::string> in_directory(const std::vector<std::string>& argv) const;
  Status open_window();
  Status add_pane(std::size_t index, const std::vector<PaneSeen>& panes);
  Status arrange(const PaneSeen& status);
  // Puts a pane that nothing ever ran in at the place of this one, which is closed.
  Status renew_pane(const PaneSeen& used);
  Result<Sent> guarded(const PaneSeen& pane, std::vector<TmuxCommand> before,
                       std::vector<TmuxCommand> when_ready, std::vector<TmuxCommand> when_refused);

  Os& os_;
  SessionSpec spec_;
  std::string name_;
  TmuxServer server_;
};

}  // namespace pf
