#include "sandbox/bubblewrap.h"

#include <fmt/format.h>

#include "base/text.h"

namespace pf {
namespace {

// Where systems keep programs, libraries and what they read.
constexpr auto kPrograms = {"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64",
                            "/etc", "/opt", "/nix",  "/gnu", "/snap"};

// What of /proc is not a process's own and can be written by root, who needs no capability for it.
constexpr const char* kRootsProc[] = {"acpi", "bus",           "driver",      "fs",
                                      "irq",  "mtrr",          "pressure",    "scsi",
                                      "sys",  "sysrq-trigger", "timer_stats", "tty"};
constexpr const char* kNothing = "/dev/null";

std::string why_it_failed(const Finished& ran) {
  if (ran.timed_out) return "it does not end";
  if (!trim(ran.err).empty()) return std::string(trim(ran.err));
  return fmt::format("it ends with exit code {} and says nothing", ran.code);
}

}  // namespace

// Later mounts lie on top of earlier ones, so the order is the meaning: empty places, what is seen
// in them, what may be written, what of that may not, what is not seen at all.
std::vector<std::string> bubblewrap(const Path& program, const Confinement& c) {
  std::vector<std::string> argv = {program.string()};
  const auto add = [&](std::initializer_list<std::string> words) {
    argv.insert(argv.end(), words);
  };
  if (!c.bare) add({"--ro-bind", "/", "/"});
  if (c.bare)
    for (const char* path : kPrograms) add({"--ro-bind-try", path, path});
  add({"--dev", "/dev", "--proc", "/proc"});
  for (const char* name : kRootsProc) {
    const std::string path = std::string("/proc/") + name;
    if (c.root) add({"--ro-bind-try", path, path});
  }
  for (const Path& empty : c.empty) add({"--tmpfs", empty.string()});
  for (const Path& empty : {Path("/tmp"), Path("/run"), c.home})
    if (!empty.empty() && empty != "/") add({"--tmpfs", empty.string()});
  for (const Path& path : c.visible) add({"--ro-bind-try", path.string(), path.string()});
  for (const Path& path : c.writable) add({"--bind-try", path.string(), path.string()});
  for (const Path& path : c.pinned) add({"--bind-try", path.string(), path.string()});
  for (const Path& path : c.sealed) add({"--ro-bind-try", path.string(), path.string()});
  for (const Path& path : c.hidden) add({"--tmpfs", path.string()});
  for (const Path& path : c.covered) add({"--ro-bind", kNothing, path.string()});
  for (const auto& [from, to] : c.bound) add({"--bind", from.string(), to.string()});
  for (const auto& [from, to] : c.shown) add({"--ro-bind", from.string(), to.string()});
  add({"--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent", "--cap-drop",
       "ALL"});
  if (c.bare) add({"--unshare-net"});
  if (c.terminal || c.filtered) add({"--seccomp", std::to_string(Processes::kGivenFd)});
  if (!c.terminal) add({"--new-session"});
  if (!c.terminal && !c.inherits) add({"--clearenv"});
  for (const auto& [name, value] : c.environment) add({"--setenv", name, value});
  add({"--chdir", c.directory.string(), "--"});
  return argv;
}

std::vector<std::string> on_what_is_there(Os& os, std::vector<std::string> argv) {
  const auto is_gone = [&](const std::string& place) {
    return !os.files.exists(place).value_or(true);
  };
  for (std::size_t i = 0; i + 2 < argv.size() && argv[i] != "--"; ++i) {
    const std::size_t words = argv[i] == "--tmpfs"                                ? 2
                              : argv[i] == "--ro-bind" && argv[i + 1] == kNothing ? 3
                                                                                  : 0;
    if (words == 0 || !is_gone(argv[i + words - 1])) continue;
    const auto at = argv.begin() + static_cast<std::ptrdiff_t>(i);
    argv.erase(at, at + static_cast<std::ptrdiff_t>(words));
    --i;
  }
  return argv;
}

// The system's own first: PATH may be that of the process that started us.
std::optional<Path> find_bubblewrap(Os& os) {
  std::optional<Path> program;
  for (const char* name : {"/usr/bin/bwrap", "/usr/local/bin/bwrap", "bwrap"})
    if (!program) program = os.processes.find_program(name);
  return program;
}

Enforcement find_enforcement(Os& os) {
  const std::optional<Path> program = find_bubblewrap(os);
  if (!program) return {std::nullopt, "bubblewrap is not installed"};
  Confinement anywhere;
  anywhere.directory = "/";
  Command probe{bubblewrap(*program, anywhere)};
  probe.argv.push_back("/bin/true");
  probe.timeout = std::chrono::seconds(10);
  const auto ran = os.processes.run(probe);
  if (ran && ran->ok()) return {program, ""};
  return {std::nullopt,
          fmt::format("bubblewrap cannot start here: {}",
                      clip(printable(ran ? why_it_failed(*ran) : ran.error().what), 200))};
}

}  // namespace pf
