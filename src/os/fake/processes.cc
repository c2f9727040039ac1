#include "os/fake/processes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <span>

namespace pf {
namespace {

class FakeChild : public Child {
 public:
  explicit FakeChild(int code) : code_(code) {}
  int pid() const override { return 0; }
  int pidfd() const override { return -1; }
  std::optional<int> ended() override { return code_; }
  void kill_group() override {}

 private:
  int code_;
};

}  // namespace

Result<Finished> FakeProcesses::run(const Command& command) {
  ran.push_back(command);
  for (const Answer& answer : answers)
    if (answer.beginning.size() <= command.argv.size() &&
        std::ranges::equal(answer.beginning,
                           std::span(command.argv).first(answer.beginning.size())))
      return answer.finished;
  return fail(Exit::machine,
              fmt::format("cannot run '{}'", command.argv.empty() ? "" : command.argv[0]));
}

Result<std::unique_ptr<Child>> FakeProcesses::start(const Command& command, const Path&) {
  return std::make_unique<FakeChild>(TRY(run(command)).code);
}

Result<std::unique_ptr<Child>> FakeProcesses::serve(const Command& command, int, const Path& log) {
  return start(command, log);
}

Result<std::unique_ptr<PipedChild>> FakeProcesses::converse(const Command& command, const Path&) {
  ran.push_back(command);
  return fail(Exit::machine, "a fake program says nothing");
}

Error FakeProcesses::become(const Command& command, const std::vector<std::string>&,
                            std::string_view) {
  ran.push_back(command);
  return Error{Exit::machine, "a fake process becomes nothing else", "", ""};
}

Result<std::string> FakeProcesses::start_detached(const Command& command, const Path&) {
  const std::string out = TRY(run(command)).out;
  return out.substr(0, out.find('\n'));
}

Result<int> FakeProcesses::run_in_foreground(const Command& command) {
  return TRY(run(command)).code;
}

std::optional<Path> FakeProcesses::find_program(std::string_view name) {
  for (const Answer& answer : answers)
    if (!answer.beginning.empty() && answer.beginning[0] == name) return Path("/usr/bin") / name;
  return std::nullopt;
}

int FakeProcesses::watch_end(int pid) {
  if (!alive(pid)) return -1;
  Descriptor& end = ends_[pid];
  if (!end) end = Descriptor(::eventfd(0, EFD_CLOEXEC));
  return ::fcntl(end.get(), F_DUPFD_CLOEXEC, 0);
}

void FakeProcesses::terminate(int pid) {
  living.erase(pid);
  if (const auto end = ends_.extract(pid)) ::eventfd_write(end.mapped().get(), 1);
}

Result<std::unique_ptr<HeldChild>> FakeProcesses::hold(const Command& command) {
  ran.push_back(command);
  return fail(Exit::machine, "a fake program says nothing");
}

}  // namespace pf
