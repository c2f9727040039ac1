#include "bubble/domain/event.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"

namespace pf::bubble {

PF_COMPILED_HERE(Body);

namespace {

// How an event is told from others on disk: its envelope type, and for LIFECYCLE payload.event.
struct Tag {
  std::string_view type, slug;
};
constexpr std::string_view kLifecycle = "LIFECYCLE";

// In the order of Body.
constexpr std::array<Tag, std::variant_size_v<Body::variant>> kTags = {{
    {kLifecycle, "created"},
    {kLifecycle, "config_edited"},
    {kLifecycle, "preparing"},
    {kLifecycle, "setup_failed"},
    {kLifecycle, "failed"},
    {"TASK", "task"},
    {"PASS", "pass"},
    {"PROTOCOL_WARNING", "protocol_warning"},
    {kLifecycle, "tree_moved"},
    {"HUMAN_QUESTION", "human_question"},
    {"HUMAN_REPLY", "human_reply"},
    {"CONVERGENCE", "convergence"},
    {"APPROVAL_REQUEST", "approval_request"},
    {"APPROVAL_DECISION", "approval_decision"},
    {kLifecycle, "commit_prepared"},
    {kLifecycle, "commit_abandoned"},
    {kLifecycle, "committed"},
    {"DONE_PACKAGE", "done_package"},
    {kLifecycle, "merge_prepared"},
    {kLifecycle, "merge_abandoned"},
    {kLifecycle, "merged"},
    {kLifecycle, "cancelled"},
    {kLifecycle, "closed"},
    {kLifecycle, "resumed"},
    {kLifecycle, "waived"},
    {kLifecycle, "launched"},
    {kLifecycle, "prompt_taken"},
    {kLifecycle, "hindered"},
    {kLifecycle, "freed"},
    {kLifecycle, "agent_exited"},
    {"EVIDENCE", "evidence"},
    {kLifecycle, "rerun_asked"},
    {kLifecycle, "profile_changed"},
}};

// The part of a payload that every event may carry.
struct CommonFields {
  Event& event;
  template <class V, class Self>
  static void fields(V& v, Self& self) {
    v("ledger", self.event.ledger);
    v("clears", self.event.clears), v("tell", self.event.tell), v("relaunch", self.event.relaunch),
        v("afresh", self.event.afresh), v("then", self.event.then);
  }
};

Result<Body> decode_body(const Tag& tag, const JsonObject& payload) {
  const auto at = std::ranges::find_if(kTags, [&](const Tag& known) {
    return tag.type == known.type && (tag.type != kLifecycle || tag.slug == known.slug);
  });
  if (at == kTags.end()) return unknown_event(fmt::format("{} {}", tag.type, tag.slug));
  return codec::decode_alternative<Body>(static_cast<std::size_t>(at - kTags.begin()), payload);
}

}  // namespace

std::string_view type_of(const Body& body) { return kTags[body.index()].type; }
std::string_view slug_of(const Body& body) { return kTags[body.index()].slug; }

Draft encode(const Event& event) {
  Draft draft{event.sender, event.recipient, std::string(type_of(event.body)), event.round,
              {},           event.refs};
  if (type_of(event.body) == kLifecycle) draft.payload["event"] = slug_of(event.body);
  std::visit([&](const auto& body) { codec::encode_fields(body, draft.payload); }, event.body);
  Event copy = event;
  const CommonFields outcome{copy};
  codec::encode_fields(outcome, draft.payload);
  return draft;
}

Result<Event> decode(const Line& line) {
  const std::string slug = text_of(line.draft.payload, "event");
  Event event{line.draft.sender, line.draft.recipient, line.draft.round,
              TRY(decode_body({line.draft.type, slug}, line.draft.payload))};
  CommonFields outcome{event};
  TRY(codec::decode_fields(line.draft.payload, outcome));
  event.refs = line.draft.refs;
  event.seq = line.seq;
  event.id = line.id;
  event.ts = line.ts;
  event.moment = line.moment;
  return event;
}

}  // namespace pf::bubble
