#include "bubble/host/preconditions.h"

#include "git/filters.h"

namespace pf {

Status check_filters(BubbleLoop& loop, const bubble::State& state) {
  return refuse_unconfined_filters(loop.os(), loop.paths().repository,
                                   state.place.base_commit.str(),
                                   Path(loop.workspace(state).spec().index) += ".filters");
}

}  // namespace pf
