#include "sandbox/seccomp.h"

#include <asm/ioctls.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>

#include <array>
#include <cerrno>
#include <cstddef>

namespace pf {
namespace {

#if defined(__x86_64__)
constexpr unsigned kArchitecture = AUDIT_ARCH_X86_64;
constexpr unsigned kOtherNumbers = 0x40000000;  // x32
#elif defined(__aarch64__)
constexpr unsigned kArchitecture = AUDIT_ARCH_AARCH64;
constexpr unsigned kOtherNumbers = 0xffffffff;  // none
#else
#error "which system calls does this machine have?"
#endif

constexpr unsigned kRefuse = SECCOMP_RET_ERRNO | EPERM;
constexpr unsigned kRequest =
    offsetof(seccomp_data, args) + sizeof(__u64);  // low half: little-endian

constexpr sock_filter load(unsigned at) { return {BPF_LD | BPF_W | BPF_ABS, 0, 0, at}; }
// Skips `yes` or `no` lines.
constexpr sock_filter equals(unsigned value, unsigned char yes, unsigned char no) {
  return {BPF_JMP | BPF_JEQ | BPF_K, yes, no, value};
}
constexpr sock_filter at_least(unsigned value, unsigned char yes, unsigned char no) {
  return {BPF_JMP | BPF_JGE | BPF_K, yes, no, value};
}
constexpr sock_filter answer(unsigned value) { return {BPF_RET | BPF_K, 0, 0, value}; }

constexpr std::array<sock_filter, 13> kProgram = {
    load(offsetof(seccomp_data, arch)),
    equals(kArchitecture, 0, 10),
    load(offsetof(seccomp_data, nr)),
    at_least(kOtherNumbers, 8, 0),
    equals(SYS_add_key, 7, 0),
    equals(SYS_request_key, 6, 0),
    equals(SYS_keyctl, 5, 0),
    equals(SYS_ioctl, 0, 3),
    load(kRequest),
    equals(TIOCSTI, 2, 0),
    equals(TIOCLINUX, 1, 0),
    answer(SECCOMP_RET_ALLOW),
    answer(kRefuse),
};

}  // namespace

std::string confined_filter() {
  return {reinterpret_cast<const char*>(kProgram.data()), sizeof kProgram};
}

}  // namespace pf
