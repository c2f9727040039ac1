#pragma once
#include "bubble/host/loop.h"
#include "loop/detached.h"

namespace pf {

// What the supervisor shows of itself in runtime/<id>.json; a projection.
struct Runtime {
  struct Pane {
    std::string pane, agent, role, key;
    int pid = 0;
    bool dead = false;
    PF_FIELDS(PF_ALWAYS(pane, agent, role, key, pid, dead));
  };
  int pid = 0;
  std::string bubble, socket, session;
  std::vector<Pane> panes;
  std::vector<std::string> troubles;
  PF_FIELDS(PF_ALWAYS(pid, bubble, socket, session, panes, troubles));
};

// Whether the bubble has anything for a supervisor to do or to watch.
bool wants_supervisor(const bubble::State& state);
// Its supervisor's process.
Detached supervisor_of(const BubblePaths& paths);
// Makes the effects of a command happen before it returns: by the supervisor when one runs (waits
// until `done` says so), else by ourselves under the lease.
Status settle_now(BubbleLoop& loop, const std::function<bool(const bubble::State&)>& done);

// Supervises one bubble until it is finished: performs what is outstanding whenever somebody rings,
// a process ends, tmux tells of a change or a timer is due. Sleeps in between. Returns at once when
// another process holds the lease.
Status supervise(BubbleLoop& loop);
// One run of the bubble's checks on the tree under review, in this process, and its result through
// the door. Does nothing when the checks are not wanted any more. One at a time for each bubble,
// and as many at once on the machine as [checks] slots says.
Status run_evidence(BubbleLoop& loop);
// The bubble's checks on the tree that a merge of it would make, in this process and from an empty
// checkout: what was filed of it through the door. In the same queue.
Result<bubble::ReportEvidence> check_merge_result(BubbleLoop& loop, const TreeId& tree);

// Nothing when there is none or it cannot be read.
std::optional<Runtime> read_runtime(Os& os, const BubblePaths& paths);
// Also renews runtime/sessions.json, the list over all bubbles.
Status write_runtime(Os& os, const BubblePaths& paths, const Runtime& runtime);
Status remove_runtime(Os& os, const BubblePaths& paths);

}  // namespace pf
