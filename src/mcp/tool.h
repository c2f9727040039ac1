#pragma once
#include "verbs/core/verb.h"

// A verb of the agents as an MCP tool: `ask-human` is ask_human, its options are the tool's
// arguments. Lists are arrays; --id, --repo and --request are not there: an agent's bubble is its
// own.
namespace pf::mcp {

// Begins the role of an agent of the role loop: "role/reviewer".
inline constexpr std::string_view kOfRoles = "role/";

// Of the agents of bubbles; with a role, of a plan's agents, or the role loop's, of that role.
bool is_tool(const Verb& verb, std::string_view role);
std::string tool_name(const Verb& verb);
// Name, description and schema as tools/list shows them.
JsonObject tool_of(const Verb& verb);

// The options that the arguments stand for. A usage error for an argument that the schema does not
// know or that has another type; what a value may say is the verb's affair. null, false and an
// empty array are as if not given.
Result<Args> args_of(const Verb& verb, const JsonObject& arguments);

}  // namespace pf::mcp
