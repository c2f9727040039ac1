#include "role/host/own_process.h"

#include <fmt/format.h>

#include "agents/enter.h"

namespace pf {

Result<std::unique_ptr<PipedChild>> start_own_process(RoleLoop& loop, const std::string& name,
                                                      std::vector<std::string> words) {
  Os& os = loop.os();
  const RolePaths& paths = loop.paths();
  const std::string program = os.env.executable().string();
  LaunchPlan launch;
  launch.argv = std::move(words);
  launch.argv.insert(launch.argv.begin(), program);
  launch.keep = {"*"};
  launch.ends_with_parent = true;
  const Path file = paths.runtime / fmt::format("{}.{}.launch", kRoleLoop, name);
  TRY(os.files.make_directories(paths.runtime));
  TRY(os.files.replace(file, text_of(launch), Durable::no));
  return os.processes.converse({{program, "enter", "--plan", file.string()}, paths.repository.top},
                               paths.errors);
}

}  // namespace pf
