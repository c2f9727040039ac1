#include "mcp/server.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "mcp/tool.h"
#include "verbs/core/show.h"

namespace pf::mcp {
namespace {

// Of the protocol, the newest first. They differ in nothing that is used here.
constexpr std::array<std::string_view, 4> kVersions = {"2025-11-25", "2025-06-18", "2025-03-26",
                                                       "2024-11-05"};
constexpr std::string_view kInstructions =
    "You are one of two agents that work on one change, turn by turn. Call turn to see your role, "
    "the task and what is open. When your part is done, call pass (or converged, for the second "
    "clean verdict) and wait; ask_human asks the human. These tools are the commands pairflow "
    "turn, pass, converged and ask-human.";
constexpr std::string_view kPlanInstructions =
    "You are one of two agents that work through a plan, step by step. End your run with exactly "
    "one of these tools; ask_user asks the user and waits for the answer.";

constexpr std::string_view kRoleInstructions =
    "You are the planner, the coder or the reviewer of a repository's roadmap. Call start first, "
    "and end your run with one of the other tools. These tools are the commands pairflow role "
    "start, handoff, block, approve-task and approve-feature.";

std::string_view instructions_for(std::string_view role) {
  if (role.starts_with(kOfRoles)) return kRoleInstructions;
  return role.empty() ? kInstructions : kPlanInstructions;
}

enum class Code { parse = -32700, request = -32600, method = -32601, params = -32602 };

Json response(const Json& id, std::string_view member, Json value) {
  return JsonObject{{"jsonrpc", "2.0"}, {"id", id}, {member, std::move(value)}};
}
Json refusal(const Json& id, Code code, std::string_view message) {
  return response(id, "error", JsonObject{{"code", static_cast<int>(code)}, {"message", message}});
}
Json result(const JsonObject& request, Json value) {
  return response(request.at("id"), "result", std::move(value));
}

bool is_id(const Json& id) { return id.is_string() || id.is_int64() || id.is_uint64(); }

Json initialized(const JsonObject& request, std::string_view instructions) {
  std::string_view version = kVersions.front();
  if (const auto* params = request.if_contains("params"); params && params->is_object()) {
    const std::string wanted = text_of(params->get_object(), "protocolVersion");
    const auto known = std::ranges::find(kVersions, wanted);
    if (known != kVersions.end()) version = *known;
  }
  return result(request,
                JsonObject{{"protocolVersion", version},
                           {"capabilities", {{"tools", JsonObject{}}}},
                           {"serverInfo", {{"name", "pairflow"}, {"version", PAIRFLOW_VERSION}}},
                           {"instructions", instructions}});
}

// What the command printed on both streams; a refusal is the model's to read and mend.
Json said(const Answered& all) {
  const std::string text = all.out + all.err;
  JsonObject content{{"type", "text"}, {"text", is_utf8(text) ? text : printable_lines(text)}};
  return JsonObject{{"content", JsonArray{std::move(content)}}, {"isError", all.exit != 0}};
}

}  // namespace

Server::Server(const Table& table, Run run, std::string_view role)
    : instructions_(instructions_for(role)), run_(std::move(run)) {
  for (const Verb& verb : each(table))
    if (is_tool(verb, role)) tools_.push_back(verb);
}

Json Server::call(const JsonObject& request) const {
  const Json& id = request.at("id");
  const auto* params = request.if_contains("params");
  if (params == nullptr || !params->is_object())
    return refusal(id, Code::params, "params is not an object");
  const std::string name = text_of(params->get_object(), "name");
  const auto verb = std::ranges::find(tools_, name, tool_name);
  if (verb == tools_.end())
    return refusal(id, Code::params, fmt::format("unknown tool '{}'", clip(printable(name), 80)));
  const auto* given = params->get_object().if_contains("arguments");
  if (given != nullptr && !given->is_object() && !given->is_null())
    return refusal(id, Code::params, "arguments is not an object");
  const auto args =
      args_of(*verb, given != nullptr && given->is_object() ? given->get_object() : JsonObject{});
  return result(request, said(args ? run_(*verb, *args) : answered(args.error(), false)));
}

Json Server::handle(const JsonObject& request, std::string_view method) const {
  if (method == "initialize") return initialized(request, instructions_);
  if (method == "ping") return result(request, JsonObject{});
  if (method == "tools/call") return call(request);
  if (method == "tools/list") {
    JsonArray tools;
    for (const Verb& verb : tools_) tools.push_back(tool_of(verb));
    return result(request, JsonObject{{"tools", std::move(tools)}});
  }
  return refusal(request.at("id"), Code::method,
                 fmt::format("there is no method '{}'", clip(printable(method), 80)));
}

std::optional<std::string> Server::answer(std::string_view line) const {
  if (trim(line).empty()) return std::nullopt;
  const auto message = parse_json(line);
  if (!message) return dump(refusal(nullptr, Code::parse, "this line is not one JSON value"));
  if (message->is_array()) return dump(refusal(nullptr, Code::request, "batches are not taken"));
  if (!message->is_object()) return dump(refusal(nullptr, Code::request, "not a JSON-RPC request"));
  const JsonObject& request = message->get_object();
  const Json* id = request.if_contains("id");
  const Json* method = request.if_contains("method");
  const bool response = request.contains("result") || request.contains("error");
  if (method == nullptr && response) return std::nullopt;  // to no request of ours
  if (text_of(request, "jsonrpc") != "2.0" || method == nullptr || !method->is_string() ||
      (id != nullptr && !is_id(*id)))
    return dump(refusal(id != nullptr && is_id(*id) ? *id : Json(), Code::request,
                        "not a JSON-RPC 2.0 request"));
  if (id == nullptr) return std::nullopt;
  return dump(handle(request, std::string_view(method->get_string())));
}

std::string Server::answer_too_long() const {
  return dump(refusal(nullptr, Code::request,
                      fmt::format("the message is longer than {} bytes", kMaxLine)));
}

}  // namespace pf::mcp
