#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <fstream>
#include <iterator>

#include "base/text.h"
#include "os/posix/os.h"

namespace pf {
namespace {

constexpr int kDeepestAncestry = 128;

std::string read_proc(int pid, std::string_view file) {
  std::ifstream in(fmt::format("/proc/{}/{}", pid, file), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The parent's pid, 0 when there is none or it cannot be known.
int parent_of(int pid) {
  const std::string stat = read_proc(pid, "stat");
  const auto name_end = stat.rfind(')');  // the name may contain anything, also ')'
  if (name_end == std::string::npos) return 0;
  const auto fields = split(std::string_view(stat).substr(name_end + 1), ' ');
  int parent = 0;  // fields: "", state, parent, …
  if (fields.size() > 2)
    std::from_chars(fields[2].data(), fields[2].data() + fields[2].size(), parent);
  return parent;
}

std::vector<std::string> environment_of(int pid) {
  std::vector<std::string> result;
  const std::string block = read_proc(pid, "environ");
  for (const auto variable : split(block, '\0'))
    if (!variable.empty()) result.emplace_back(variable);
  return result;
}

}  // namespace

std::vector<Ancestor> PosixProcesses::ancestry() {
  std::vector<Ancestor> result;
  int pid = ::getpid();
  while (pid > 0 && result.size() < kDeepestAncestry) {
    result.push_back({pid, environment_of(pid)});
    pid = parent_of(pid);
  }
  return result;
}

}  // namespace pf
