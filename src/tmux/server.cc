#include "tmux/server.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"

namespace pf {
namespace {

using namespace std::chrono_literals;

constexpr Duration kAnswerLimit = 10s;    // a healthy server answers in milliseconds
constexpr Duration kLongestAlone = 3s;    // a control client is introduced in milliseconds
constexpr Duration kExitingPause = 50ms;  // a server whose last session closed needs a moment to go
constexpr int kStartAttempts = 5;

// TMUX would make tmux refuse or aim at another server. The others describe one process of ours; a
// server started with them would hand them to every pane.
constexpr std::array kKeptFromServer = {
    "TMUX",          "TMUX_PANE",         "PAIRFLOW_AGENT",      "PAIRFLOW_BUBBLE",
    "PAIRFLOW_REPO", "PAIRFLOW_READY_FD", "PAIRFLOW_SUPERVISOR", "PAIRFLOW_CHECK"};

// tmux has one exit code for everything, so its (untranslated) words have to tell.
bool says_missing(std::string_view err) {
  constexpr std::array kMissing = {
      "no server running on ",      "can't find session: ",
      "can't find window: ",        "can't find pane: ",
      "no current target",  // no session is left, the server is about to end
      "server exited unexpectedly", "lost server"};
  if (std::ranges::any_of(kMissing, [&](const char* text) { return err.starts_with(text); }))
    return true;
  return err.starts_with("error connecting to ") && err.contains("(No such file or directory)");
}

std::unexpected<Error> refused(const Finished& done) {
  const auto why = trim(done.err);
  const auto reason =
      why.empty() ? fmt::format("tmux ended with {}", done.code) : printable(clip(why, 500));
  constexpr std::array kSocket = {"error c", "couldn't create ", "directory "};
  if (std::ranges::any_of(kSocket, [&](const char* text) { return why.starts_with(text); }))
    return fail(
        Exit::machine, "the socket of tmux cannot be used", reason,
        "make sure that its directory (TMUX_TMPDIR, else /tmp) is writable, private and has "
        "a short path, then run the same command again");
  if (why.starts_with("no space for new pane"))
    return fail(Exit::machine, "a pane of the session cannot be restored", reason,
                "make the terminal window that shows the session larger, then run the same command "
                "again");
  return fail(Exit::machine, "tmux refused a command", reason, "run the same command again");
}

// Between double quotes tmux expands '$' and '~', strips blanks after a newline and knows octal
// escapes; so every byte that is not plainly harmless goes out in octal.
void append_quoted(std::string& out, std::string_view word) {
  out += '"';
  for (const char c : word) {
    if (ascii::is_alnum(c) || std::string_view("_-./:=,+@").contains(c))
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

Command TmuxServer::command(std::vector<std::string> arguments) const {
  Command command;
  const bool is_path = socket_.contains('/');
  command.argv = {"tmux", "-u", is_path ? "-S" : "-L", socket_, "-f", "/dev/null"};
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  for (const auto* name : kKeptFromServer) command.environment.emplace_back(name, std::nullopt);
  return command;
}

Result<Finished> TmuxServer::run(Command command) {
  const auto program = os_.processes.find_program("tmux");
  if (!program)
    return fail(Exit::machine, "tmux is not installed", "no program 'tmux' on PATH",
                "install tmux 3.2 or newer, for example: apt install tmux");
  command.argv[0] = program->string();
  command.timeout = kAnswerLimit;
  auto done = TRY(os_.processes.run(command));
  if (done.timed_out)
    return fail(
        Exit::machine, "tmux does not answer",
        fmt::format("no answer within {}", human_duration(kAnswerLimit)),
        fmt::format("look at the server with: tmux {} {} list-sessions", command.argv[2], socket_));
  return done;
}

Result<std::optional<std::string>> TmuxServer::ask(const std::vector<TmuxCommand>& commands,
                                                   const std::optional<std::string>& path) {
  Command call = command({"source-file", "-"});
  call.input = tmux_script(commands);
  if (path) call.environment.emplace_back("PATH", *path);
  auto done = TRY(run(std::move(call)));
  if (done.ok()) return std::move(done.out);
  if (says_missing(done.err)) return std::nullopt;
  return refused(done);
}

// tmux ends with 0 even when it cannot make its socket, so the last command has to answer.
Status TmuxServer::start(const Path& directory, std::vector<TmuxCommand> commands) {
  commands.push_back({"display-message", "-p", "started"});
  Command call = command({"start-server", ";", "source-file", "-"});
  call.directory = directory;
  call.input = tmux_script(commands);
  for (int attempt = 1;; ++attempt) {
    const auto done = TRY(run(call));
    if (done.ok() && trim(done.out) == "started") return {};
    if (!says_missing(done.err) || attempt == kStartAttempts) return refused(done);
    os_.clock.sleep(kExitingPause);
  }
}

bool TmuxServer::contains_us() const {
  const auto tmux = os_.env.get("TMUX");
  if (!tmux || tmux->empty()) return false;
  const Path theirs(tmux->substr(0, tmux->find(',')));
  if (socket_.contains('/')) return theirs == Path(socket_);
  return theirs == tmux_directory() / fmt::format("tmux-{}", os_.env.uid()) / socket_;
}

Path TmuxServer::tmux_directory() const {
  const auto chosen = os_.env.get("TMUX_TMPDIR").value_or("");
  if (!chosen.empty())
    if (auto there = os_.files.canonical(chosen)) return *there;
  return os_.files.canonical("/tmp").value_or("/tmp");
}

// A directory can be locked as a file can, and leaves nothing behind. That of the sockets is made
// by the first server, so the one above it has to do.
std::unique_ptr<File> TmuxServer::alone() {
  const Path where = socket_.contains('/') ? Path(socket_).parent_path() : tmux_directory();
  auto directory = os_.files.open(where, Open::read);
  if (!directory) return nullptr;
  const auto locked = (*directory)->lock(kLongestAlone);
  return locked && *locked ? std::move(*directory) : nullptr;
}

}  // namespace pf
