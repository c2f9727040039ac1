#include "sandbox/bubblewrap.h"

#include <fmt/format.h>

#include "base/text.h"

namespace pf {

// Later mounts lie on top of earlier ones, so the order is the meaning: empty places, what is seen
// in them, what may be written, what of that may not, what is not seen at all.
std::vector<std::string> bubblewrap(const Path& program, const Confinement& c) {
  std::vector<std::string> argv = {program.string(), "--ro-bind", "/",      "/",
                                   "--dev",          "/dev",      "--proc", "/proc"};
  const auto add = [&](std::initializer_list<std::string> words) {
    argv.insert(argv.end(), words);
  };
  for (const Path& empty : {Path("/tmp"), Path("/run"), c.home})
    if (!empty.empty() && empty != "/") add({"--tmpfs", empty.string()});
  for (const Path& path : c.visible) add({"--ro-bind-try", path.string(), path.string()});
  for (const Path& path : c.writable) add({"--bind-try", path.string(), path.string()});
  for (const Path& path : c.sealed) add({"--ro-bind-try", path.string(), path.string()});
  for (const Path& path : c.hidden) add({"--tmpfs", path.string()});
  for (const auto& [from, to] : c.bound) add({"--bind", from.string(), to.string()});
  add({"--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent", "--cap-drop",
       "ALL"});
  if (c.terminal)
    add({"--seccomp", std::to_string(Processes::kGivenFd)});
  else
    add({"--new-session", "--clearenv"});
  for (const auto& [name, value] : c.environment) add({"--setenv", name, value});
  add({"--chdir", c.directory.string(), "--"});
  return argv;
}

Enforcement find_enforcement(Os& os) {
  // The system's own first: PATH may be that of the process that started us.
  std::optional<Path> program;
  for (const char* name : {"/usr/bin/bwrap", "/usr/local/bin/bwrap", "bwrap"})
    if (!program) program = os.processes.find_program(name);
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
                      clip(printable(ran ? std::string(trim(ran->err)) : ran.error().what), 200))};
}

}  // namespace pf
