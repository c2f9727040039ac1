#include "role/domain/event.h"

#include "base/event_codec.h"

namespace pf::role {

PF_COMPILED_HERE(Body);

Draft encode(const Event& event) { return encode_event(event); }
Result<Event> decode(const Line& line) { return decode_event<Event>(line); }

}  // namespace pf::role
