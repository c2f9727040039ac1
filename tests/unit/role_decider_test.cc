// The role loop fits the one door.
#include <doctest/doctest.h>

#include "engine/engine.h"
#include "role/decide.h"

namespace pf {

struct RoleDecider {
  using State = role::State;
  using Event = role::Event;
  using Command = role::Command;
  static constexpr int kFold = State::kFold;

  static Decision<Event> decide(const State& state, const Request& request, const Command& command,
                                const Facts& facts) {
    return role::decide(state, request, command, facts);
  }
  static Result<State> fold(State state, const Line& line) {
    return role::fold(std::move(state), line);
  }
  static Draft encode(const Event& event) { return role::encode(event); }
  static Result<Event> decode(const Line& line) { return role::decode(line); }
  static std::optional<Event> warning(const State& state, const Request& request,
                                      const Command& command, const Rejection& rejection) {
    return role::warning_event(state, request, command, rejection);
  }
  static bool answers(const Event& first, const Request& request, const Command& command) {
    return role::answers(first, request, command);
  }
  static const RecentRequests& requests(const State& state) { return state.requests; }
};

static_assert(Decider<RoleDecider>);
template class Engine<RoleDecider>;

TEST_CASE("the decider asks for its facts and refuses before the roles begin") {
  const Request human{RequestId("r"), {PrincipalKind::human, {}, Assurance::ancestry}};
  const auto needs = RoleDecider::decide({}, human, role::Init{}, {});
  CHECK(std::get<std::vector<Need>>(needs) == std::vector{Need::documents, Need::time});
  CHECK(std::holds_alternative<Rejection>(RoleDecider::decide({}, human, role::Start{}, {})));
}

}  // namespace pf
