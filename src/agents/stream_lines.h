#pragma once
#include "agents/kind.h"
#include "agents/stream.h"
#include "base/json.h"

namespace pf {

using ItemKind = StreamItem::Kind;

// Members that may be missing or of another type.
const JsonObject* object_in(const JsonObject& object, std::string_view key);
const JsonArray* array_in(const JsonObject& object, std::string_view key);
bool flag_in(const JsonObject& object, std::string_view key);

std::string in_short(std::string_view text);  // one line
StreamItem said(std::string_view words);      // keeps its lines

// The name of a tool of an MCP server, and whether it is ours.
StreamItem tool_of_server(std::string_view server, std::string_view tool);

// The call that began as `call` has failed, and `output` is what came of it.
StreamItem failed_call(const StreamItem& call, std::string_view output);

// The end of the run. An error that is the model's is told as such; model_trouble reads it again.
StreamItem finished_well(std::string_view last_words);
StreamItem finished_badly(const AgentKind& kind, std::string_view error);
// The program tries again by itself.
StreamItem tries_again(std::string_view error);
// The last line of `errors` that begins with "Error", else the last one.
std::string last_error(std::string_view errors);

}  // namespace pf
