#pragma once
#include <map>
#include <set>

#include "os/descriptor.h"
#include "os/processes.h"

namespace pf {

// Programs as a table of canned answers; every command that was run is kept.
class FakeProcesses : public Processes {
 public:
  struct Answer {
    std::vector<std::string> beginning;  // of argv
    Finished finished;
  };
  std::vector<Answer> answers;  // the first that fits; none: the program is missing
  std::vector<Command> ran;
  std::vector<Ancestor> ancestors;
  std::set<int> living;  // pids
  std::vector<std::string> marks_ended;

  Result<Finished> run(const Command& command) override;
  // A child that has ended with the answer's code.
  Result<std::unique_ptr<Child>> start(const Command& command, const Path& log) override;
  Result<std::unique_ptr<Child>> serve(const Command& command, int connection,
                                       const Path& log) override;
  Result<std::unique_ptr<PipedChild>> converse(const Command& command, const Path& log) override;
  void end_with_parent() override {}
  void leave_abstract_sockets(const Path&) override {}
  Error become(const Command& command, const std::vector<std::string>& environment,
               std::string_view given) override;
  Result<std::string> start_detached(const Command& command, const Path& log) override;
  void tell_ready(std::string_view) override {}
  Result<std::unique_ptr<HeldChild>> hold(const Command& command) override;
  int watch_end(int pid) override;
  Result<int> run_in_foreground(const Command& command) override;
  std::vector<Ancestor> ancestry() override { return ancestors; }
  bool alive(int pid) override { return living.contains(pid); }
  bool wait_gone(int pid, Duration) override { return !alive(pid); }
  void terminate(int pid) override;  // it ends at once, and who watches is told
  void end_marked(const std::string& mark) override { marks_ended.push_back(mark); }
  std::optional<Path> find_program(std::string_view name) override;

 private:
  std::map<int, Descriptor> ends_;  // by pid: readable once it has ended
};

}  // namespace pf
