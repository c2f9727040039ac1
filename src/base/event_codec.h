#pragma once
// Events of any loop as lines of a journal. Instantiated in each loop's event.cc only.
#include <fmt/format.h>

#include "base/codec.h"
#include "base/envelope.h"
#include "base/tag.h"

namespace pf {

// The payload is the body's, then the outcome that Event::fields lists.
template <class Event>
Draft encode_event(const Event& event) {
  const EventTag& tag = tag_of(event.body);
  Draft draft{event.sender, event.recipient, std::string(tag.type), event.round, {}, {}};
  if (tag.type == kLifecycle) draft.payload["event"] = tag.slug;
  std::visit(
      [&](const auto& body) {
        codec::encode_fields(body, draft.payload);
        if constexpr (requires { body.refs(); }) draft.refs = body.refs();
      },
      event.body);
  codec::encode_fields(event, draft.payload);
  if constexpr (requires { event.refs; }) draft.refs = event.refs;
  return draft;
}

template <class Body>
Result<Body> decode_body(const Draft& draft) {
  static_assert(are_distinct(tags_of<Body>));
  const std::string slug = text_of(draft.payload, "event");
  for (std::size_t i = 0; i < tags_of<Body>.size(); ++i)
    if (is_same_on_disk(tags_of<Body>[i], { draft.type, slug }))
      return codec::decode_alternative<Body>(i, draft.payload);
  return unknown_event(slug.empty() ? draft.type : fmt::format("{} {}", draft.type, slug));
}

template <class Event>
Result<Event> decode_event(const Line& line) {
  Event event{line.draft.sender, line.draft.recipient, line.draft.round,
              TRY(decode_body<decltype(Event::body)>(line.draft))};
  TRY(codec::decode_fields(line.draft.payload, event));
  if constexpr (requires { event.refs; }) event.refs = line.draft.refs;
  if constexpr (requires { event.moment; }) event.moment = line.moment;
  event.seq = line.seq;
  event.id = line.id;
  event.ts = line.ts;
  return event;
}

}  // namespace pf
