#include "role/domain/event.h"

#include <algorithm>

#include "base/codec.h"

namespace pf::role {

PF_COMPILED_HERE(Body);

namespace {

// In the order of Body.
constexpr std::array<std::string_view, std::variant_size_v<Body::variant>> kTypes = {
    "role.initialized", "role.configured",    "human.autopilot",    "REGISTER_EDITED",
    "file.written",     "document.validated", "role.started",       "role.handoff",
    "role.blocked",     "task.approved",      "feature.approved",   "branch.ready",
    "commit.prepared",  "checks.filed",       "human.approved",     "human.declined",
    "merge.prepared",   "commit.made",        "pull_request.begun", "pull_request.filed",
    "merge.made",       "tree.cleared",       "landing.stopped",    "summary.posted",
    "run.begun",        "run.over",           "run.started",        "run.ended",
    "DELEGATED",        "child.ended",        "PROTOCOL_WARNING",
};

// The part of a payload that every event may carry.
struct CommonFields {
  Event& event;
  template <class V, class Self>
  static void fields(V& v, Self& self) {
    v("now", self.event.now), v("write", self.event.write);
    v("task_write", self.event.task_write), v("work", self.event.work);
    v("ends_work", self.event.ends_work), v("clean", self.event.clean),
        v("wants", self.event.branch);
    v("lands", self.event.landing), v("then", self.event.then);
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
  if (const auto* checks = std::get_if<ChecksFiled>(&event.body)) draft.refs = checks->artifacts;
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
  return event;
}

}  // namespace pf::role
