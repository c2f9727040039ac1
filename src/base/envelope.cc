#include "base/envelope.h"

#include <fmt/format.h>

#include "base/codec.h"
#include "base/text.h"

namespace pf {
namespace {

struct Wire {
  Line line;
  std::string clock;

  template <class V, class Self>
  static void fields(V& v, Self& self) {
    auto& [line, clock] = self;
    v.always("id", line.id), v.always("ts", line.ts), v.always("bubble_id", line.loop_id);
    v.always("sender", line.draft.sender), v.always("recipient", line.draft.recipient);
    v.always("type", line.draft.type), v.always("round", line.draft.round);
    v.always("payload", line.draft.payload), v.always("refs", line.draft.refs);
    v.always("seq", line.seq), v.always("left", line.left), v.always("prev", line.prev);
    v("req", line.request), v("clock", clock);
  }
};

Status set_moment(Line& line, const std::string& clock) {
  if (clock.empty()) return {};
  const auto plus = clock.rfind('+');
  if (plus == std::string::npos) return fail(Exit::damaged, "clock: not <boot>+<milliseconds>");
  line.moment.boot = clock.substr(0, plus);
  line.moment.mono_ms = std::strtoll(clock.c_str() + plus + 1, nullptr, 10);
  return {};
}

}  // namespace

std::string encode_line(const Line& line) {
  Wire wire{line, {}};
  if (!line.moment.boot.empty())
    wire.clock = fmt::format("{}+{}", line.moment.boot, line.moment.mono_ms);
  return dump(codec::encode(wire));
}

Result<Line> decode_line(std::string_view text) {
  const Json json = TRY(parse_json(text));
  if (!json.is_object()) return fail(Exit::damaged, "not a JSON object");
  for (const auto* key : {"id", "ts", "bubble_id", "sender", "recipient", "type", "round",
                          "payload", "refs", "seq", "left", "prev"})
    if (!json.get_object().contains(key))
      return fail(Exit::damaged, fmt::format("no key '{}'", key));
  Wire wire;
  TRY(codec::decode_fields(json.get_object(), wire));
  TRY(set_moment(wire.line, wire.clock));
  if (wire.line.left < 0 || wire.line.seq == Seq::none)
    return fail(Exit::damaged, "left or seq out of range");
  return std::move(wire.line);
}

std::unexpected<Error> unknown_event(std::string_view name) {
  return fail(Exit::damaged, fmt::format("unknown event {}", printable(name)),
              "it may have been written by a newer pairflow");
}

MessageId message_id(WallTime when, Seq seq) {
  return MessageId(fmt::format("msg_{}_{:03}", yyyymmdd(when), number(seq)));
}

}  // namespace pf
