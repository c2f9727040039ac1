#include <csignal>
#include <cstdlib>

#include "os/posix/os.h"
#include "os/posix/spawn.h"
#include "os/posix/wait.h"

namespace pf {
namespace {

constexpr Duration kFirstWords = std::chrono::seconds(2);

class PosixHeldChild : public HeldChild {
 public:
  PosixHeldChild(Spawned spawned, Descriptor input, Descriptor output)
      : spawned_(std::move(spawned)), input_(std::move(input)), output_(std::move(output)) {}
  PosixHeldChild(const PosixHeldChild&) = delete;
  PosixHeldChild& operator=(const PosixHeldChild&) = delete;
  ~PosixHeldChild() override {
    input_.reset();
    ::kill(-spawned_.pid, SIGTERM);
    wait_readable(spawned_.pidfd.get(), std::chrono::seconds(1));
    if (!reap(spawned_.pid)) ::kill(-spawned_.pid, SIGKILL);
  }
  int output() const override { return output_.get(); }
  std::optional<std::string> read_some() override { return pf::read_some(output_.get()); }

 private:
  Spawned spawned_;
  Descriptor input_;
  Descriptor output_;
};

class PosixPipedChild : public PipedChild {
 public:
  PosixPipedChild(Spawned spawned, Descriptor output)
      : child_(std::move(spawned)), output_(std::move(output)) {}
  int pid() const override { return child_.pid(); }
  int pidfd() const override { return child_.pidfd(); }
  std::optional<int> ended() override { return child_.ended(); }
  void kill_group() override { child_.kill_group(); }
  int output() const override { return output_.get(); }
  std::optional<std::string> read_some() override { return pf::read_some(output_.get()); }

 private:
  PosixChild child_;
  Descriptor output_;
};

}  // namespace

std::optional<int> PosixChild::ended() {
  if (!code_) code_ = reap(spawned_.pid);
  return code_;
}

void PosixChild::kill_group() {
  if (code_) return;
  ::kill(-spawned_.pid, SIGTERM);
  wait_readable(spawned_.pidfd.get(), kTerminateGrace);
  ::kill(-spawned_.pid, SIGKILL);
  wait_readable(spawned_.pidfd.get(), kTerminateGrace);
}

Result<std::unique_ptr<PipedChild>> PosixProcesses::converse(const Command& command,
                                                             const Path& log) {
  const auto in = TRY(input_descriptor(command.input));
  const auto err = TRY(log_descriptor(log));
  auto pipe = TRY(make_pipe());
  auto spawned = TRY(spawn(command, {.group = Wiring::Group::session,
                                     .in = in.get(),
                                     .out = pipe.write.get(),
                                     .err = err.get()}));
  return std::make_unique<PosixPipedChild>(std::move(spawned), std::move(pipe.read));
}

Result<std::unique_ptr<HeldChild>> PosixProcesses::hold(const Command& command) {
  auto to_child = TRY(make_pipe());
  auto from_child = TRY(make_pipe());
  auto spawned = TRY(spawn(
      command,
      {.in = to_child.read.get(), .out = from_child.write.get(), .err = from_child.write.get()}));
  from_child.write.reset();  // so that its end is heard as well
  wait_readable(from_child.read.get(), kFirstWords);
  return std::make_unique<PosixHeldChild>(std::move(spawned), std::move(to_child.write),
                                          std::move(from_child.read));
}

int PosixProcesses::watch_end(int pid) { return open_pidfd(pid).release(); }

void PosixProcesses::tell_ready(std::string_view line) {
  if (ready_told_ || std::getenv("PAIRFLOW_READY_FD") == nullptr) return;
  ready_told_ = true;
  std::string text(line);
  text += '\n';
  (void)uninterrupted([&] { return ::write(kReadyFd, text.data(), text.size()); });
  ::close(kReadyFd);
}

}  // namespace pf
