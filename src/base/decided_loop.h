#pragma once
// A loop without a world, for tests: commands are decided, their events go through the codec as
// through a journal (encode → encode_line → decode_line → fold), and the text of every line is
// kept.
#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "base/codec.h"
#include "base/deciding.h"
#include "base/hash.h"

namespace pf::testing {

// Fails a doctest case as well as a rapidcheck property.
inline void must(bool condition, const std::string& what) {
  if (!condition) throw std::logic_error(what);
}

// What a command came to.
template <class Event>
struct Decided {
  std::optional<Rejection> rejection = {};
  std::vector<Event> events = {};  // as read back; a refusal's PROTOCOL_WARNING is not among them
  bool warned = false;             // a PROTOCOL_WARNING was written
  bool repeated = false;
  bool ok() const { return !rejection; }
  int exit() const { return rejection ? static_cast<int>(rejection->error.exit) : 0; }
  std::string reason() const { return rejection ? rejection->reason : ""; }
  std::string what() const {
    return rejection ? rejection->error.what + "; " + rejection->error.why : "";
  }
  template <class B>
  const B& body(std::size_t at = 0) const {
    return std::get<B>(events.at(at).body);
  }
};

// "role.started claude>both, …"
template <class Event>
std::string envelopes(const std::vector<Event>& events) {
  std::string out;
  for (const Event& e : events)
    out +=
        fmt::format("{}{} {}>{}", out.empty() ? "" : ", ", type_of(e.body), e.sender, e.recipient);
  return out;
}

inline Line line_of(Draft draft) {
  Line line;
  line.id = MessageId("msg_20260221_007");
  line.ts = "2026-02-21T12:00:00Z";
  line.loop_id = "test";
  line.draft = std::move(draft);
  line.seq = Seq{7};
  return line;
}

// An event as it is read back from a line of its own.
template <class Event>
Event read_back(const Event& event, Result<Event> (*decode)(const Line& line)) {
  const Line line = line_of(encode(event));
  const auto read = decode(*decode_line(encode_line(line)));
  must(read.has_value(), "an event can be read back");
  must(read->body.index() == event.body.index(), "as the same kind");
  must(dump(encode(*read).payload) == dump(line.draft.payload), "with all that it says");
  must(read->seq == line.seq, "and its place");
  return *read;
}

template <class Variant, class Look>
void each_alternative(Look look) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (look(std::variant_alternative_t<I, typename Variant::variant>{}), ...);
  }(std::make_index_sequence<std::variant_size_v<typename Variant::variant>>());
}

// L derives from this and has kId, the loop's name in its lines; kPassing, what a refusal may touch
// of a state; decode(line); gather(need, command, facts). The rest is found in State's namespace.
template <class L, class State, class Event, class Command>
class DecidedLoop {
 public:
  using Done = Decided<Event>;

  State state;
  std::vector<std::string> log;      // the text of each line
  std::vector<std::size_t> batches;  // how many lines there were after each batch
  std::int64_t clock_ms = 0;         // more than the second that each line takes

  // As the engine does: a request that was answered before is answered the same again.
  Done run(const Request& request, const Command& command) {
    if (state.requests.find(request.id) != nullptr) return again(request, command);
    Facts facts;
    facts.head = state.mark.hash;
    for (int gathering = 0; gathering < 5; ++gathering) {
      auto decision = decide(state, request, command, facts);
      if (const auto* needs = std::get_if<std::vector<Need>>(&decision)) {
        for (const Need need : *needs) static_cast<L&>(*this).gather(need, command, facts);
        continue;
      }
      must(in_text(decision) == in_text(decide(state, request, command, facts)),
           "decide is not deterministic");
      if (const auto* rejection = std::get_if<Rejection>(&decision))
        return refused(request, command, *rejection);
      return {{}, append(std::get<std::vector<Event>>(decision), request.id)};
    }
    throw std::logic_error("the decider never has enough facts");
  }
  Request request(Principal who, Seq turn = Seq::none) {
    return {RequestId(fmt::format("r{}", ++requests_)), std::move(who), turn};
  }
  Done as(const AgentName& agent, const Command& command, Seq turn = Seq::none) {
    return run(request({PrincipalKind::agent, agent}, turn), command);
  }
  Done human(const Command& command, Seq turn = Seq::none) {
    return run(request({PrincipalKind::human}, turn), command);
  }
  Done orchestrator(const Command& command, Seq turn = Seq::none) {
    return run(request({PrincipalKind::orchestrator}, turn), command);
  }

  // All of the state that a refusal must not touch.
  static std::string essence(const State& state) {
    JsonObject object = codec::encode(state).get_object();
    for (const char* key : L::kPassing) object.erase(key);
    return dump(object);
  }

  // Reads the whole journal anew, and looks at the state behind each batch.
  template <class Look>
  void read_anew(Look look) const {
    State read;
    std::size_t at = 0;
    for (const std::size_t end : batches) {
      for (; at < end; ++at) read = folded(read, next_line(read, log[at]));
      look(read);
    }
    must(dump(codec::encode(read)) == dump(codec::encode(state)), "all of it is the same");
  }

 protected:
  WallTime now() const {
    return {1'771'675'200'000 + static_cast<std::int64_t>(number(state.last_seq)) * 1000 +
            clock_ms};
  }

 private:
  static Line next_line(const State& before, const std::string& text) {
    auto line = decode_line(text);
    must(line.has_value(), "a line cannot be read back: " + text);
    must(line->seq == next(before.last_seq), "a line is missing before: " + text);
    line->mark = {line->seq, before.mark.end, before.mark.end + text.size() + 1, hash_of(text)};
    return *line;
  }
  static State folded(const State& before, const Line& line) {
    auto after = fold(before, line);
    must(after.has_value(), "a line cannot be folded: " + encode_line(line));
    return std::move(*after);
  }
  static std::string in_text(const Decision<Event>& decision) {
    std::string out = fmt::format("{}\n", decision.index());
    if (const auto* rejection = std::get_if<Rejection>(&decision)) {
      const Error& error = rejection->error;
      out += fmt::format("{} {}\n", static_cast<int>(error.exit), rejection->warn);
      for (const std::string& part : {error.what, error.why, error.fix, rejection->reason})
        out += part + "\n";
      for (const std::string& part : rejection->unmet) out += part + "\n";
    } else if (const auto* events = std::get_if<std::vector<Event>>(&decision)) {
      for (const Event& e : *events)
        out += fmt::format("{}>{} {} {}\n", e.sender, e.recipient, encode(e).type,
                           dump(encode(e).payload));
    }
    return out;
  }

  Done again(const Request& request, const Command& command) {
    Done done{{}, {}, false, true};
    for (const std::string& text : log) {
      const Line line = *decode_line(text);
      if (line.request == request.id) done.events.push_back(*L::decode(line));
    }
    if (!answers(done.events.at(0), request, command))
      done.rejection = Rejection{{Exit::usage, "this request id has been used"}};
    return done;
  }

  Done refused(const Request& request, const Command& command, const Rejection& rejection) {
    Done done{rejection};
    if (!rejection.warn) return done;
    const auto event = warning_event(state, request, command, rejection);
    if (!event) return done;
    const std::string before = essence(state);
    append({*event}, request.id);
    must(essence(state) == before, "a refusal changed the state");
    done.warned = true;
    return done;
  }

  std::vector<Event> append(std::vector<Event> events, const RequestId& request) {
    std::vector<Event> read;
    for (std::size_t i = 0; i < events.size(); ++i) {
      Event& event = events[i];
      event.seq = next(state.last_seq);
      WallTime at = now();
      at.ms += 1000;
      event.id = message_id(at, event.seq), event.ts = iso8601(at);
      Line line{event.id,
                event.ts,
                std::string(L::kId),
                encode(event),
                event.seq,
                static_cast<int>(events.size() - i - 1),
                state.mark.hash,
                request,
                {"boot", static_cast<std::int64_t>(number(event.seq)) * 1000 + clock_ms},
                {}};
      if constexpr (requires { event.moment; }) event.moment = line.moment;
      const std::string text = encode_line(line);
      line = next_line(state, text);
      read.push_back(*L::decode(line));
      must(essence(apply(state, event)) == essence(apply(state, read.back())),
           "an event is another after the codec: " + text);
      state = folded(state, line);
      log.push_back(text);
    }
    if (!events.empty()) batches.push_back(log.size());
    return read;
  }

  int requests_ = 0;
};

}  // namespace pf::testing
