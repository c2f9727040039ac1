#pragma once
#include "engine/supervision.h"

namespace pf {

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
  Moment now;
  WallTime wall;
  Duration utc_offset{};                // of the times shown
  std::optional<Restart> restart = {};  // nothing: nobody tries to
};

// The view as lines of exactly `width` columns, at most `height` of them, the most important first
// when there is no room. Pure; with `colour` the lines carry SGR sequences of ours, never others.
std::vector<std::string> render_status(const StatusModel& model, std::size_t width,
                                       std::size_t height, bool colour);
// How long the text stays as it is when nothing happens; nothing: for ever.
std::optional<Duration> stays_for(const StatusModel& model);

// The same in as many lines as it takes, wrapped to `width`, for a shell; a command stays on one
// line, so that it can be copied.
std::string status_text(const StatusModel& model, std::size_t width, bool colour);

}  // namespace pf
