#pragma once
#include "bubble/host/moved.h"
#include "bubble/host/supervision.h"
#include "screen/row.h"

namespace pf {

// One agent as status shows it.
struct AgentSeen {
  AgentName name;
  std::string role, where, how;
  std::string since = {}, until = {};  // wall times of what is known
  std::string program = {}, enforcement = {}, conversation = {};
  PF_FIELDS(PF_ALWAYS(name, role, where, how),
            PF_IF_SET(since, until, program, enforcement, conversation));
};

// Everything the status view shows.
struct StatusModel {
  // A supervisor that is missing is started again at `at`; `why` the last start failed, if it did.
  struct Restart {
    MonoTime at;
    std::string why = {};
  };
  bubble::State state;
  std::optional<Runtime> runtime;  // nothing: no supervisor has written one
  bool supervised = false;         // somebody holds the lease
  std::vector<AgentSeen> agents = {};
  Moment sign = {};  // the active agent's last sign of life beside the journal
  Moment now;
  WallTime wall;
  Duration utc_offset{};                // of the times shown
  std::optional<Restart> restart = {};  // nothing: nobody tries to
  std::optional<MovedRepository> moved = {};
  std::optional<Distance> base = {};  // how far the base branch has moved, where that counts
};

// The model of this state but for `supervised` and `restart`: with what the supervisor and the
// agents' hooks have told. `base` is what was known of the base branch before.
StatusModel read_status(BubbleLoop& loop, bubble::State state,
                        const std::optional<Distance>& base = {});

// The view as rows of exactly `width` columns, at most `height` of them, the most important first
// when there is no room. Pure.
std::vector<screen::Row> render_status(const StatusModel& model, std::size_t width,
                                       std::size_t height);
// How long the text stays as it is when nothing happens; nothing: for ever.
std::optional<Duration> stays_for(const StatusModel& model);

// The same in as many lines as it takes, wrapped to `width`, for a shell; a command stays on one
// line, so that it can be copied.
std::string status_text(const StatusModel& model, std::size_t width, bool colour);

// The process in pane 0: draws the status view on the terminal whenever it changes and starts the
// supervisor again when it died. Ends when the bubble is finished and closed, when it is asked to
// (INT, TERM, HUP), or with an error when the bubble's files are gone. Sleeps in between.
Status watch_status(BubbleLoop& loop);

}  // namespace pf
