#include "plan/domain/event.h"

#include <algorithm>

#include "base/codec.h"

namespace pf::plan {

PF_COMPILED_HERE(Body);

namespace {

// In the order of Body; the first six events of the flow by their own names.
constexpr std::array<std::string_view, std::variant_size_v<Body::variant>> kTypes = {
    "plan.opened",
    "plan.edited",
    "plan.written",
    "document.validated",
    "coder.request_review",
    "reviewer.request_changes",
    "reviewer.approve",
    "agent.ask_user",
    "user.reply",
    "flow.parked",
    "run.sent_back",
    "user.reset_guard",
    "user.force",
    "user.pause",
    "user.resume",
    "user.reset",
    "system.error",
    "run.started",
    "run.parked",
    "run.ended",
    "run.tool",
    "plan.explained",
    "plan.finished",
    "PROTOCOL_WARNING",
};

// The part of a payload that every event may carry.
struct CommonFields {
  Event& event;
  template <class V, class Self>
  static void fields(V& v, Self& self) {
    v("marks", self.event.steps), v("write", self.event.write), v("start", self.event.start);
    v("then", self.event.then);
  }
};

Result<Body> decode_body(std::string_view type, const JsonObject& payload) {
  const auto at = std::ranges::find(kTypes, type);
  if (at == kTypes.end()) return unknown_event(type);
  return codec::decode_alternative<Body>(static_cast<std::size_t>(at - kTypes.begin()), payload);
}

}  // namespace

std::string_view type_of(const Body& body) { return kTypes[body.index()]; }

Draft encode(const Event& event) {
  Draft draft{event.sender, event.recipient, std::string(type_of(event.body)), event.round, {}, {}};
  std::visit([&](const auto& body) { codec::encode_fields(body, draft.payload); }, event.body);
  Event copy = event;
  const CommonFields outcome{copy};
  codec::encode_fields(outcome, draft.payload);
  if (const auto* started = std::get_if<RunStarted>(&event.body))
    if (!started->transcript.empty()) draft.refs = {started->transcript};
  return draft;
}

Result<Event> decode(const Line& line) {
  Event event{line.draft.sender, line.draft.recipient, line.draft.round,
              TRY(decode_body(line.draft.type, line.draft.payload))};
  CommonFields outcome{event};
  TRY(codec::decode_fields(line.draft.payload, outcome));
  event.seq = line.seq;
  event.id = line.id;
  event.ts = line.ts;
  event.moment = line.moment;
  return event;
}

}  // namespace pf::plan
