#include "channel/message.h"

#include "base/codec.h"

namespace pf {
namespace {

template <class T>
Result<T> parse(std::string_view line) {
  T message;
  TRY(codec::decode(TRY(parse_json(line)), message));
  return message;
}

}  // namespace

std::string line_of(const Ask& ask) { return dump(codec::encode(ask)) + "\n"; }
std::string line_of(const Answered& answered) { return dump(codec::encode(answered)) + "\n"; }
Result<Ask> parse_ask(std::string_view line) { return parse<Ask>(line); }
Result<Answered> parse_answered(std::string_view line) { return parse<Answered>(line); }

}  // namespace pf
