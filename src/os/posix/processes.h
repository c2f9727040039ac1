#pragma once
#include "os/processes.h"

namespace pf {

class PosixProcesses : public Processes {
 public:
  // A descendant that keeps the output open does not delay the answer.
  Result<Finished> run(const Command& command) override;
  Result<std::unique_ptr<Child>> start(const Command& command, const Path& log) override;
  // A machine error when `command.timeout` passes without a line; it is terminated then.
  Result<std::unique_ptr<Child>> serve(const Command& command, int connection,
                                       const Path& log) override;
  Result<std::unique_ptr<PipedChild>> converse(const Command& command, const Path& log) override;
  void end_with_parent() override;
  Error become(const Command& command, const std::vector<std::string>& environment,
               std::string_view given) override;
  Result<std::string> start_detached(const Command& command, const Path& log) override;
  void tell_ready(std::string_view line) override;
  Result<std::unique_ptr<HeldChild>> hold(const Command& command) override;
  int watch_end(int pid) override;
  // In our own process group; input and timeout are not used. An interrupt key reaches only the
  // child.
  Result<int> run_in_foreground(const Command& command) override;
  std::vector<Ancestor> ancestry() override;
  bool alive(int pid) override;  // an ended process that nobody reaped is not alive
  bool wait_gone(int pid, Duration wait) override;
  void terminate(int pid) override;
  std::optional<Path> find_program(std::string_view name) override;

 private:
  void reap_detached();

  bool ready_told_ = false;
  std::vector<int> detached_;  // children of start_detached that may still run
};

}  // namespace pf
