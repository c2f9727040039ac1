// kill_at N FILE WORD…: runs a command and ends, by SIGKILL, the process that is about to make the
// Nth call that changes something, be it the command itself or a pairflow or git that it started.
// 0 ends none. Writes the number of such calls, and the last of them, to FILE and ends as the
// command does; what the command leaves running goes on.
//
// How it works. Every process below the command is traced; tmux is let go with all that it runs.
// A process that is killed where it enters a call never makes it. The calls are counted in the
// order in which they are made, over all processes: strace counts for each process alone, so that
// it cannot name the second call of the third git.
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <string>

namespace {

const std::map<long, const char*> kChanging = {
    {SYS_write, "write"},         {SYS_pwrite64, "pwrite64"},   {SYS_writev, "writev"},
    {SYS_pwritev, "pwritev"},     {SYS_fsync, "fsync"},         {SYS_fdatasync, "fdatasync"},
    {SYS_ftruncate, "ftruncate"}, {SYS_renameat2, "renameat2"}, {SYS_unlinkat, "unlinkat"},
    {SYS_mkdirat, "mkdirat"},     {SYS_linkat, "linkat"},       {SYS_symlinkat, "symlinkat"},
    {SYS_flock, "flock"},         {SYS_sendto, "sendto"},       {SYS_sendmsg, "sendmsg"},
#ifdef SYS_rename
    {SYS_rename, "rename"},       {SYS_unlink, "unlink"},       {SYS_rmdir, "rmdir"},
    {SYS_mkdir, "mkdir"},         {SYS_link, "link"},           {SYS_symlink, "symlink"},
#endif
#ifdef SYS_renameat
    {SYS_renameat, "renameat"},
#endif
};

std::string program_of(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/comm");
  std::string name;
  std::getline(file, name);
  return name;
}

class Tracer {
 public:
  Tracer(long wanted, pid_t first) : wanted_(wanted), first_(first) {}

  // Until the command has ended; its exit code.
  int run() {
    for (;;) {
      int status = 0;
      const pid_t pid = waitpid(-1, &status, __WALL);
      if (pid < 0) return 3;
      if (WIFSTOPPED(status)) {
        go_on(pid, status);
      } else {
        known_.erase(pid);
        if (pid == first_) return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      }
    }
  }
  long count() const { return count_; }
  const std::string& last() const { return last_; }

 private:
  void go_on(pid_t pid, int status) {
    const int signal = WSTOPSIG(status);
    const int event = status >> 16;
    int delivered = 0;
    if (signal == (SIGTRAP | 0x80)) {
      enter(pid);
    } else if (event == PTRACE_EVENT_EXEC && program_of(pid).starts_with("tmux")) {
      ptrace(PTRACE_DETACH, pid, 0, 0);
      return;
    } else if (event == 0 && (known_.contains(pid) || signal != SIGSTOP)) {
      delivered = signal;  // a new process begins with a stop of its own
    }
    known_.insert(pid);
    ptrace(PTRACE_SYSCALL, pid, 0, delivered);
  }

  void enter(pid_t pid) {
    __ptrace_syscall_info info{};
    if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof info, &info) <= 0) return;
    if (info.op != PTRACE_SYSCALL_INFO_ENTRY) return;
    const auto call = kChanging.find(static_cast<long>(info.entry.nr));
    if (call == kChanging.end()) return;
    const std::string program = program_of(pid);
    if (program != "pairflow" && !program.starts_with("git")) return;
    ++count_;
    if (wanted_ > 0 && count_ > wanted_) return;
    last_ = program + (pid == first_ ? " " : " (a child) ") + call->second;
    if (count_ == wanted_) kill(pid, SIGKILL);
  }

  long wanted_;
  pid_t first_;
  long count_ = 0;
  std::string last_;
  std::set<pid_t> known_;
};

}  // namespace

int main(int count, char** words) {
  if (count < 4) {
    std::fputs("usage: kill_at N FILE WORD…\n", stderr);
    return 2;
  }
  const pid_t pid = fork();
  if (pid == 0) {
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    raise(SIGSTOP);
    execvp(words[3], words + 3);
    std::perror(words[3]);
    _exit(127);
  }
  int status = 0;
  if (pid < 0 || waitpid(pid, &status, 0) < 0 || !WIFSTOPPED(status)) return 3;
  const long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
                       PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC;
  if (ptrace(PTRACE_SETOPTIONS, pid, 0, options) < 0) {
    std::perror("kill_at");
    kill(pid, SIGKILL);
    return 3;
  }
  Tracer tracer(std::atol(words[1]), pid);
  ptrace(PTRACE_SYSCALL, pid, 0, 0);
  const int code = tracer.run();
  std::ofstream(words[2]) << tracer.count() << "\n" << tracer.last() << "\n";
  return code;
}
