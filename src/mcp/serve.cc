#include "mcp/server.h"
#include "mcp/tool.h"
#include "verbs/verbs.h"

namespace pf::mcp {
namespace {

constexpr std::string_view kExample =
    R"(pairflow mcp
Claude Code and Codex CLI are given it when a bubble starts them. By hand:
Claude Code: claude --mcp-config '{"mcpServers":{"pairflow":{"command":"pairflow","args":["mcp"],"alwaysLoad":true}}}'
Codex CLI, config.toml:
  [mcp_servers.pairflow]
  command = "pairflow"
  args = ["mcp"]
  env_vars = ["PAIRFLOW_REPO", "PAIRFLOW_BUBBLE", "PAIRFLOW_AGENT", "PAIRFLOW_CHANNEL"])";

Result<Said> serve(Caller& caller, const Args& given) {
  Environment& env = caller.os.env;
  // Without a plan there are no roles; an unknown one gets what both may use.
  std::string role = env.get("PAIRFLOW_ROLE").value_or("");
  if (env.get("PAIRFLOW_LOOP") == "role")
    role = std::string(kOfRoles) + role;
  else if (env.get("PAIRFLOW_PLAN").value_or("").empty())
    role.clear();
  const Server server(
      verbs(),
      [&](const Verb& verb, Args args) {
        if (given.has("repo")) args.set("repo", given.all("repo"));
        Caller agent{.os = caller.os, .literal = true};
        return dispatch(agent, verb, std::move(args));
      },
      role);
  for (;;) {
    const auto line = env.read_line_within(kMaxLine);
    if (line && !*line) return Said{};
    const auto answer = line ? server.answer(**line) : server.answer_too_long();
    if (answer) env.print(Stream::out, *answer + "\n");
  }
}

constexpr Verb kRows[] = {
    Verb("mcp", Audience::anyone, serve,
         "Offer the agents' commands as MCP tools on standard input and output.", kExample),
};

}  // namespace

Verbs serve_verbs() { return kRows; }

}  // namespace pf::mcp
