#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdint>

#include "os/descriptor.h"
#include "os/posix/os.h"

// How it works. Landlock (from Linux 6.12 on) can keep a process and its descendants from the
// abstract sockets that were made outside of them, and leaves everything else as it is. A kernel
// that does not know this refuses the longer attributes. Restricting oneself needs no_new_privs,
// under which a setuid bubblewrap could not start: there it is left out.
namespace pf {
namespace {

constexpr std::uint64_t kScopeAbstractSockets = 1;

bool is_setuid(const Path& program) {
  struct stat found{};
  return ::stat(program.c_str(), &found) == 0 && (found.st_mode & S_ISUID) != 0;
}

}  // namespace

void PosixProcesses::leave_abstract_sockets(const Path& program) {
  if (is_setuid(program)) return;
  const std::array<std::uint64_t, 3> attributes = {0, 0, kScopeAbstractSockets};
  const Descriptor rules(static_cast<int>(
      ::syscall(SYS_landlock_create_ruleset, attributes.data(), sizeof attributes, 0)));
  if (!rules || ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return;
  ::syscall(SYS_landlock_restrict_self, rules.get(), 0);
}

}  // namespace pf
