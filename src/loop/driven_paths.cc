#include "loop/driven_paths.h"

namespace pf {

DrivenPaths::DrivenPaths(Repository where, const std::string& name, const Path& below_control)
    : repository(std::move(where)) {
  control = repository.top / ".pairflow";
  directory = control / below_control;
  log = directory / "events.ndjson";
  state = directory / "state.json";
  inbox = directory / "inbox.ndjson";
  runs = directory / "runs";
  door = control / "locks" / (name + ".lock");
  lease = control / "locks" / (name + ".run.lock");
  runtime = control / "runtime";
  errors = runtime / (name + ".log");
  bells = runtime / (name + ".bells");
  channels = runtime / (name + ".channels");
  copies = runtime / (name + ".home");
  stream = runtime / (name + ".stream");
}

Path DrivenPaths::beside(const std::string& name) const {
  return repository.top.parent_path() / ".pairflow-worktrees" / repository.top.filename() / name;
}

Path DrivenPaths::run_file(int run, std::string_view role, std::string_view ending) const {
  return runs / fmt::format("{:04}-{}.{}", run, role, ending);
}

Result<bool> is_driven(Os& os, const DrivenPaths& paths) { return Lock::is_held(os, paths.lease); }

}  // namespace pf
