#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "os/os.h"

namespace pf {

using TmuxCommand = std::vector<std::string>;

// The commands as one line of a tmux script, run as one list: an error stops the rest. Every word
// reaches its command byte for byte, whatever it contains; a NUL is left out.
std::string tmux_script(const std::vector<TmuxCommand>& commands);

// The command that sets a pane's own option. `value` is checked text of ours, never an agent's.
TmuxCommand set_pane_option(std::string_view pane, std::string_view name, std::string value);

// Calls of the tmux program on a server that is ours alone: own socket, no configuration file.
// Commands go in as a script on standard input, because tmux refuses arguments beyond 16 kB, splits
// them at a trailing ';', and everybody on the machine can read them.
class TmuxServer {
 public:
  TmuxServer(Os& os, std::string socket) : os_(os), socket_(std::move(socket)) {}

  // What the commands printed; nothing when the server, session or pane they name is not there.
  // Never starts a server. `path`, when given, is the PATH of a process started by the commands.
  Result<std::optional<std::string>> ask(const std::vector<TmuxCommand>& commands,
                                         const std::optional<std::string>& path = {});
  // The same from `directory`, starting the server when there is none.
  Status start(const Path& directory, std::vector<TmuxCommand> commands);

  // Keeps us the only ones who open or close a session, split one, or introduce a control client.
  // tmux (seen with 3.3a, mended in 2026) crashes with all its sessions when it tells of a session
  // that comes or goes, or of another active pane, while a control client has not introduced itself
  // in full. Nothing when somebody holds it for long: the coincidence is rare, and nobody is to
  // wait for a stranger.
  std::unique_ptr<File> alone();
  // `tmux` on our socket with these arguments, free of the variables that must not reach a server.
  Command command(std::vector<std::string> arguments) const;
  // True when we run in a pane of this very server.
  bool contains_us() const;

 private:
  Result<Finished> run(Command command);
  Path tmux_directory() const;  // where tmux keeps the directories of its sockets

  Os& os_;
  std::string socket_;
};

}  // namespace pf
