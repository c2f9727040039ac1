#include "bubble/domain/event.h"

#include "base/event_codec.h"

namespace pf::bubble {

PF_COMPILED_HERE(Body);

Draft encode(const Event& event) { return encode_event(event); }
Result<Event> decode(const Line& line) { return decode_event<Event>(line); }

}  // namespace pf::bubble
