#pragma once
#include "engine/supervision.h"

namespace pf {

// Everything the status view shows.
struct StatusModel {
  bubble::State state;
  std::optional<Runtime> runtime;  // nothing: no supervisor has written one
  bool supervised = false;         // somebody holds the lease
  Moment now;
  WallTime wall;
};

// The view as lines of exactly `width` columns, at most `height` of them, the most important first
// when there is no room. Pure; with `colour` the lines carry SGR sequences of ours, never others.
std::vector<std::string> render_status(const StatusModel& model, std::size_t width,
                                       std::size_t height, bool colour);
// How long the text stays as it is when nothing happens; nothing: for ever.
std::optional<Duration> stays_for(const StatusModel& model);

}  // namespace pf
