#include "verbs/caller.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/codec.h"
#include "base/error_text.h"
#include "base/hash.h"
#include "base/text.h"
#include "bubble/describe.h"
#include "engine/supervision.h"

namespace pf {
namespace {

// The bubble whose worktree the current directory is in, if any.
Result<std::optional<BubbleId>> bubble_here(Caller& caller, const Repository& repository) {
  const Path here = caller.os.env.current_directory();
  const Path root =
      repository.top.parent_path() / ".pairflow-worktrees" / repository.top.filename();
  const Path below = here.lexically_relative(root);
  if (below.empty() || *below.begin() == ".." || *below.begin() == ".") return std::nullopt;
  return TRY(parse_bubble_id(below.begin()->string()));
}

std::optional<std::string> value_in(const std::vector<std::string>& environment,
                                    std::string_view name) {
  for (const std::string& entry : environment)
    if (entry.size() > name.size() && entry.starts_with(name) && entry[name.size()] == '=')
      return entry.substr(name.size() + 1);
  return std::nullopt;
}

// What was settled by create cannot be edited any more.
Status refuse_moved(const BubblePaths& paths, const bubble::Place& place, const Settings& now) {
  const std::array<std::array<std::string, 3>, 5> fixed = {
      {{"id", paths.id.str(), now.id},
       {"repo_path", paths.repository.top.string(), now.repo_path},
       {"base_branch", place.base_branch, now.base_branch},
       {"bubble_branch", place.bubble_branch, now.bubble_branch},
       {"work_mode", place.work_mode, now.work_mode}}};
  for (const auto& [key, was, is] : fixed)
    if (is != was)
      return fail(
          Exit::usage,
          fmt::format("{}: {} cannot be changed any more", printable(paths.config.string()), key),
          fmt::format("the bubble was created with \"{}\", the file says \"{}\"", printable(was),
                      printable(is)),
          fmt::format("set {} = \"{}\" again, or create a new bubble", key, was));
  return {};
}

// What is to be told about it: what was approved is not judged by rules that came later.
Result<std::string> adopt_config(Caller& caller, BubbleLoop& loop, const bubble::State& state,
                                 const Principal& who) {
  if (bubble::is_final(state.phase)) return "";
  const auto text = TRY(caller.os.files.read_if_there(loop.paths().config, kConfigBytes));
  const Settings settings = TRY(loop.settings());
  const Hash now = hash_of(text.value_or(""));
  if (now == state.config) return "";
  TRY(refuse_moved(loop.paths(), state.place, settings));
  if (state.converged_tree)
    return "bubble.toml was edited; that counts again after request-rework, not for this tree";
  const Request adopt{RequestId(caller.os.random.token()), who, Seq::none};
  TRY(loop.execute(adopt, bubble::AdoptConfig{policy_of(settings), now}));
  return "the edited bubble.toml was adopted";
}

}  // namespace

Status check_text(std::string_view what, std::string_view text, std::size_t limit) {
  if (text.size() > limit)
    return fail(Exit::usage, fmt::format("{} is too long", what),
                fmt::format("{} bytes, at most {} are taken", text.size(), limit),
                "shorten it; put details into a file and name it with --ref");
  if (!is_utf8(text))
    return fail(Exit::usage, fmt::format("{} is not UTF-8 text", what), "",
                "convert it to UTF-8 first");
  const bool control = std::ranges::any_of(text, [](unsigned char c) {
    return (c < 0x20 && c != '\n' && c != '\t' && c != '\r') || c == 0x7f;
  });
  if (control)
    return fail(Exit::usage, fmt::format("{} contains control characters", what),
                "NUL, ESC and the like never go into the transcript", "remove them");
  return {};
}

Result<Repository> repository_of(Caller& caller, const Args& args) {
  if (args.has("repo")) return find_repository(caller.os, args.text("repo"));
  if (const auto named = caller.os.env.get("PAIRFLOW_REPO"); named && !named->empty())
    return find_repository(caller.os, *named);
  return find_repository(caller.os, caller.os.env.current_directory());
}

Result<BubblePaths> bubble_of(Caller& caller, const Args& args) {
  Repository repository = TRY(repository_of(caller, args));
  if (args.has("id"))
    return BubblePaths(std::move(repository), TRY(parse_bubble_id(args.text("id"))));
  if (const auto named = caller.os.env.get("PAIRFLOW_BUBBLE"); named && !named->empty())
    return BubblePaths(std::move(repository), TRY(parse_bubble_id(*named)));
  if (auto here = TRY(bubble_here(caller, repository)))
    return BubblePaths(std::move(repository), std::move(*here));
  return fail(Exit::usage, "which bubble?", "--id is missing and this is no bubble's worktree",
              "add --id <id>; see: pairflow bubble list");
}

Result<Principal> agent_caller(Caller& caller) {
  if (!caller.agent.empty())
    return Principal{PrincipalKind::agent, AgentName(caller.agent), Assurance::self};
  const auto name = caller.os.env.get("PAIRFLOW_AGENT");
  if (!name || name->empty())
    return fail(Exit::refused, "this is an agent's command", "PAIRFLOW_AGENT is not set",
                "run it in an agent's pane, or set PAIRFLOW_REPO, PAIRFLOW_BUBBLE and "
                "PAIRFLOW_AGENT");
  for (const Ancestor& ancestor : caller.os.processes.ancestry()) {
    const auto other = value_in(ancestor.environment, "PAIRFLOW_AGENT");
    if (other && *other != *name)
      return fail(Exit::refused, fmt::format("this process belongs to {}", printable(*other)),
                  fmt::format("PAIRFLOW_AGENT says {}", printable(*name)),
                  "each agent runs its own commands");
  }
  return Principal{PrincipalKind::agent, TRY(parse_agent_name(*name)), Assurance::environment};
}

Status require_supervisor(Caller& caller, const Path& lease) {
  const auto ancestry = caller.os.processes.ancestry();
  const int holder = TRY(Lock::last_holder(caller.os, lease));
  if (ancestry.size() > 1 && ancestry[1].pid == holder && TRY(Lock::is_held(caller.os, lease)))
    return {};
  return fail(Exit::refused, "this command is the supervisor's own",
              "it was not started by whoever supervises this loop", "");
}

Principal human_caller(Caller& caller) {
  for (const Ancestor& ancestor : caller.os.processes.ancestry()) {
    if (const auto agent = value_in(ancestor.environment, "PAIRFLOW_AGENT");
        agent && !agent->empty())
      return {PrincipalKind::agent, AgentName(printable(*agent)), Assurance::ancestry};
    if (value_in(ancestor.environment, "PAIRFLOW_CHECK") ||
        value_in(ancestor.environment, "PAIRFLOW_SUPERVISOR"))
      return {PrincipalKind::orchestrator, {}, Assurance::ancestry};
  }
  return {PrincipalKind::human, {}, Assurance::ancestry};
}

Status require_human(Caller& caller, std::string_view group) {
  const Principal who = human_caller(caller);
  if (who.kind == PrincipalKind::human) return {};
  return fail(Exit::refused, "this decision is the human's",
              fmt::format("it was asked for by {}", who.party()),
              caller.os.env.get("PAIRFLOW_PLAN")
                  ? "ask for it: pairflow plan ask-user --message \"…\""
              : group == "role" || caller.os.env.get("PAIRFLOW_LOOP") == "role"
                  ? "ask for it: pairflow role block --by PLANNER --message \"…?\""
                  : "ask for it: pairflow ask-human --question \"…\"");
}

Request request_of(Caller& caller, const Args& args, Principal who, const bubble::State& state) {
  const std::string id = args.text("request");
  return {RequestId(id.empty() ? caller.os.random.token(16) : id), std::move(who), state.turn};
}

Result<BubbleEngine::Answer> decide_as_human(Caller& caller, const Args& args, BubbleLoop& loop,
                                             const bubble::Command& command) {
  const Principal who = human_caller(caller);
  std::string adopted;
  if (who.kind == PrincipalKind::human)
    adopted = TRY(adopt_config(caller, loop, TRY(loop.load()), who));
  Request request = request_of(caller, args, who, TRY(loop.load()));
  // To resume means the same wherever the bubble is by then; the rest answers what was looked at.
  if (std::holds_alternative<bubble::Resume>(command)) request.turn = Seq::none;
  auto answer = TRY(loop.execute(request, command));
  if (!adopted.empty()) answer.warnings.push_back(std::move(adopted));
  keep_supervised(loop, answer.state, answer.warnings);
  return answer;
}

std::unexpected<Error> no_worktree(const bubble::State& state) {
  const bool gone = bubble::has_session(state.phase);
  return fail(Exit::refused, gone ? "the worktree is gone" : "there is no worktree",
              state.place.worktree,
              gone ? fmt::format("pairflow bubble resume --id {} makes it again", state.id.str())
              : bubble::is_final(state.phase)
                  ? fmt::format("see: pairflow bubble status --id {}", state.id.str())
                  : fmt::format("pairflow bubble start --id {}", state.id.str()));
}

void keep_supervised(BubbleLoop& loop, const bubble::State& state,
                     std::vector<std::string>& warnings) {
  if (!wants_supervisor(state)) return;
  if (auto done = ensure_supervisor(loop); !done) warnings.push_back(in_short(done.error()));
}

JsonObject state_json(const bubble::State& state) {
  JsonObject json;
  json["id"] = state.id.str();
  json["state"] = name_of(state.phase);
  json["round"] = state.round;
  json["active_agent"] = codec::encode(state.active_agent);
  json["active_role"] = codec::encode(state.active_role);
  json["last_seq"] = number(state.last_seq);
  json["turn"] = number(state.turn);
  return json;
}

Said said_of(const BubbleEngine::Answer& answer) {
  Said said;
  said.json = state_json(answer.state);
  JsonArray messages;
  for (const bubble::Event& event : answer.events) {
    const std::string text = bubble::describe(event);
    if (!text.empty()) said.text += fmt::format("{}  {}\n", event.id.str(), text);
    JsonObject message;
    message["id"] = event.id.str();
    message["type"] = bubble::type_of(event.body);
    message["seq"] = number(event.seq);
    messages.push_back(std::move(message));
  }
  said.json["messages"] = std::move(messages);
  if (answer.repeated) said.json["repeated"] = true;
  said.warnings = answer.all_warnings();
  return said;
}

bool confirmed(Caller& caller, std::string_view question) {
  caller.os.env.print(Stream::err, fmt::format("{} [y/N] ", question));
  const auto line = caller.os.env.read_line();
  return line && (*line == "y" || *line == "Y" || *line == "yes");
}

Status need_confirmation(Caller& caller, const Args& args, std::string_view question,
                         std::string beforehand) {
  if (args.has("yes") || args.has("tree")) return {};
  if (!caller.os.env.is_terminal(Stream::in) || caller.json)
    return fail(Exit::usage, "this decision needs a confirmation", "there is no terminal to ask on",
                std::move(beforehand));
  if (confirmed(caller, question)) return {};
  return fail(Exit::refused, "not confirmed", "nothing was changed", "");
}

}  // namespace pf
