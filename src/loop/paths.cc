#include "loop/paths.h"

#include <fmt/format.h>

namespace pf {

LoopPaths::LoopPaths(Repository where, const std::string& name, const Path& below_control,
                     const char* journal_name)
    : repository(std::move(where)) {
  control = repository.top / ".pairflow";
  directory = control / below_control;
  journal = directory / journal_name;
  state = directory / "state.json";
  inbox = directory / "inbox.ndjson";
  door = control / "locks" / (name + ".lock");
  lease = control / "locks" / (name + ".run.lock");
  runtime = control / "runtime";
  errors = runtime / (name + ".log");
  bells = runtime / (name + ".bells");
  channels = runtime / (name + ".channels");
}

Path LoopPaths::beside(const std::string& name) const {
  return repository.top.parent_path() / ".pairflow-worktrees" / repository.top.filename() / name;
}

DrivenPaths::DrivenPaths(Repository where, const std::string& name, const Path& below_control)
    : LoopPaths(std::move(where), name, below_control, "events.ndjson"),
      runs(directory / "runs"),
      copies(runtime / (name + ".home")),
      stream(runtime / (name + ".stream")),
      build(runtime / (name + ".build")) {}

Path DrivenPaths::run_file(int run, std::string_view role, std::string_view ending) const {
  return runs / fmt::format("{:04}-{}.{}", run, role, ending);
}

Status clear_away(Os& os, const Path& directory) {
  const auto removed = os.files.remove_all(directory);
  if (removed) return {};
  const auto done = os.processes.run({{"rm", "-rf", "--", directory.string()}});
  return done && done->ok() ? Status() : removed;
}

Result<Lock> lock_repository(Os& os, const LoopPaths& paths) {
  return Lock::take(os, paths.control / "locks" / "repo.lock", std::chrono::seconds(30));
}

Result<bool> is_driven(Os& os, const LoopPaths& paths) { return Lock::is_held(os, paths.lease); }

}  // namespace pf
