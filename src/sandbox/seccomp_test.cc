#include "sandbox/seccomp.h"

#include <asm/ioctls.h>
#include <doctest/doctest.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstring>
#include <vector>

namespace pf {
namespace {

// What the kernel makes of the program.
unsigned answer_to(const seccomp_data& call) {
  const std::string bytes = confined_filter();
  std::vector<sock_filter> program(bytes.size() / sizeof(sock_filter));
  std::memcpy(program.data(), bytes.data(), bytes.size());
  unsigned loaded = 0;
  for (std::size_t at = 0; at < program.size(); ++at) {
    const sock_filter& line = program[at];
    switch (line.code) {
      case BPF_LD | BPF_W | BPF_ABS:
        std::memcpy(&loaded, reinterpret_cast<const char*>(&call) + line.k, sizeof loaded);
        break;
      case BPF_JMP | BPF_JEQ | BPF_K: at += loaded == line.k ? line.jt : line.jf; break;
      case BPF_JMP | BPF_JGE | BPF_K: at += loaded >= line.k ? line.jt : line.jf; break;
      case BPF_RET | BPF_K: return line.k;
      default: FAIL("an instruction that this test does not know");
    }
  }
  FAIL("the program has no end");
  return 0;
}

#if defined(__x86_64__)
constexpr unsigned kHere = AUDIT_ARCH_X86_64;
#else
constexpr unsigned kHere = AUDIT_ARCH_AARCH64;
#endif

seccomp_data call_of(int number, __u64 request = 0, unsigned architecture = kHere) {
  seccomp_data call{};
  call.nr = number, call.arch = architecture, call.args[1] = request;
  return call;
}

constexpr unsigned kRefused = SECCOMP_RET_ERRNO | EPERM;

}  // namespace

TEST_CASE("typing into the terminal is refused, whatever stands in the unused half") {
  for (const __u64 request : {__u64{TIOCSTI}, __u64{TIOCLINUX}}) {
    CHECK(answer_to(call_of(SYS_ioctl, request)) == kRefused);
    CHECK(answer_to(call_of(SYS_ioctl, request | __u64{1} << 32)) == kRefused);
  }
}

TEST_CASE("the kernel's key rings are out of reach") {
  for (const int number : {SYS_add_key, SYS_request_key, SYS_keyctl})
    CHECK(answer_to(call_of(number)) == kRefused);
}

TEST_CASE("everything else of this architecture goes through") {
  for (const __u64 request : {__u64{TIOCGWINSZ}, __u64{TCGETS}, __u64{FIONREAD}})
    CHECK(answer_to(call_of(SYS_ioctl, request)) == SECCOMP_RET_ALLOW);
  for (const int number : {SYS_write, SYS_read, SYS_execve, SYS_clone, SYS_socket})
    CHECK(answer_to(call_of(number, TIOCSTI)) == SECCOMP_RET_ALLOW);
}

TEST_CASE("there is no way around by another architecture's numbers") {
  CHECK(answer_to(call_of(SYS_ioctl, TIOCSTI, AUDIT_ARCH_I386)) == kRefused);
  CHECK(answer_to(call_of(SYS_write, 0, AUDIT_ARCH_I386)) == kRefused);
#if defined(__x86_64__)
  CHECK(answer_to(call_of(SYS_ioctl | 0x40000000, TIOCSTI)) == kRefused);  // x32
#endif
}

}  // namespace pf
