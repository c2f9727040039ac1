#include "bubble/domain/event.h"

#include "base/event_codec.h"

namespace pf::bubble {

PF_COMPILED_HERE(Body);

std::string_view type_of(const Body& body) { return tag_of(body).type; }
std::string_view slug_of(const Body& body) { return tag_of(body).slug; }
Draft encode(const Event& event) { return encode_event(event); }
Result<Event> decode(const Line& line) { return decode_event<Event>(line); }

}  // namespace pf::bubble
