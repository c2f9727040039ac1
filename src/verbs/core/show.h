#pragma once
#include <fmt/format.h>

#include "base/codec.h"
#include "base/inbox_item.h"
#include "base/text.h"
#include "channel/message.h"
#include "verbs/core/verb.h"

// What commands of all loops show alike.
namespace pf {

// What a command prints on both streams and its exit code: as text for people, or as one object.
Answered answered(const Error& error, bool json);
Answered answered(const Said& said, bool json);
Answered answered(const Result<Said>& said, bool json);

JsonObject error_json(const Error& error);
// "  because: …" and "  → …", as far as there is something to say.
std::string reason_and_fix(const Error& error);

// People read local time; JSON has what the journal has.
std::string local_time(Clock& clock, const std::string& ts);

// A file, shown whole: in the pager when it does not fit the screen.
Status show_in_pager(Caller& caller, const Path& path);

// An item's text, each line behind `margin`, and the commands that settle it.
std::string item_text(const InboxItem& item, std::string_view margin);
// Each item with its kind and its commands; `whose` is the loop's name.
std::string inbox_text(Clock& clock, const std::string& whose, const std::vector<InboxItem>& inbox);

// What a command led to, for programs.
template <class Event>
JsonArray events_json(const std::vector<Event>& events) {
  JsonArray all;
  for (const Event& event : events)
    all.push_back(JsonObject{
        {"id", event.id.str()}, {"type", type_of(event.body)}, {"seq", number(event.seq)}});
  return all;
}

// What is wrong with a document, in words; the same for programs.
template <class Problem>
Json say_problems(Said& said, std::string_view file, const std::vector<Problem>& problems) {
  for (const std::string& text : in_words(file, problems)) said.text += printable(text) + "\n";
  return codec::encode(problems);
}

// Everything that happened, one line each. `type_columns` is the room for an event's type, `round`
// what the loop calls its rounds ("": it has none), `words` what an event says to programs.
template <class Event>
void say_log(Said& said, Clock& clock, const std::vector<Event>& events, std::size_t type_columns,
             std::string_view round, std::string (*words)(const Event&)) {
  JsonArray lines;
  for (const Event& event : events) {
    said.text += fmt::format("{:>4}  {}  {}  {}\n", number(event.seq), local_time(clock, event.ts),
                             fit(type_of(event.body), type_columns), describe(event));
    JsonObject json{{"seq", number(event.seq)}, {"id", event.id.str()},
                    {"ts", event.ts},           {"type", type_of(event.body)},
                    {"sender", event.sender},   {"recipient", event.recipient}};
    if (!round.empty()) json[round] = event.round;
    json["text"] = words(event);
    lines.push_back(std::move(json));
  }
  said.json["events"] = std::move(lines);
}

}  // namespace pf
