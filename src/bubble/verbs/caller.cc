#include "bubble/verbs/caller.h"

#include <fmt/format.h>

#include <array>

#include "base/codec.h"
#include "base/error_text.h"
#include "base/hash.h"
#include "base/text.h"
#include "bubble/domain/views.h"
#include "bubble/host/moved.h"
#include "bubble/host/supervision.h"
#include "verbs/core/show.h"

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

// What was settled by create cannot be edited any more.
Status refuse_moved(const BubblePaths& paths, const bubble::Place& place, const Settings& now) {
  const std::array<std::array<std::string, 3>, 5> fixed = {
      {{"id", paths.id.str(), now.id},
       {"repo_path", paths.repository.top.string(), now.repo_path},
       {"base_branch", place.base_branch, now.base_branch},
       {"bubble_branch", place.bubble_branch, now.bubble_branch},
       {"work_mode", std::string(name_of(place.work_mode)), now.work_mode}}};
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

Status require_unmoved(const BubblePaths& paths, const bubble::State& state) {
  const auto moved = moved_repository(paths, state);
  if (!moved) return {};
  return fail(
      Exit::refused,
      fmt::format("the repository was moved since bubble {} was created", state.id.str()),
      fmt::format("its worktree is {}, which belongs to {}", printable(moved->worktree.string()),
                  printable(moved->was.string())),
      fmt::format("move it back: {}; or stop the bubble and create a new one", moved->command()));
}

Origin origin_of(const BubblePaths& paths) {
  return {"bubble " + paths.id.str(), paths.repository.top};
}

Result<BubbleEngine::Answer> decide_as_human(Caller& caller, const Args& args, BubbleLoop& loop,
                                             const bubble::Command& command) {
  const Principal who = human_caller(caller);
  const bubble::State before = TRY(loop.load());
  TRY(require_unmoved(loop.paths(), before));
  std::string adopted;
  if (who.kind == PrincipalKind::human) adopted = TRY(adopt_config(caller, loop, before, who));
  Request request = request_of(caller, args, who, TRY(loop.load()));
  // To resume means the same wherever the bubble is by then; the rest answers what was looked at.
  if (std::holds_alternative<bubble::Resume>(command)) request.turn = Seq::none;
  auto answer = TRY(loop.execute(request, command));
  if (!adopted.empty()) answer.warnings.push_back(std::move(adopted));
  keep_supervised(loop, answer.state, answer.warnings);
  return answer;
}

Result<BubbleEngine::Answer> decide_or_retry(Caller& caller, const Args& args, BubbleLoop& loop,
                                             const bubble::Command& command,
                                             bool (*failed)(const bubble::State&)) {
  auto answer = TRY(decide_as_human(caller, args, loop, command));
  if (!answer.repeated || !failed(answer.state)) return answer;
  Args anew = args;
  anew.set("request", {caller.os.random.token(16)});
  return decide_as_human(caller, anew, loop, command);
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
  if (auto done = ensure_running(loop.os(), supervisor_of(loop.paths())); !done)
    warnings.push_back(in_short(done.error()));
}

JsonObject state_json(const bubble::State& state) {
  return {{"id", state.id.str()},
          {"state", name_of(state.phase)},
          {"round", state.round},
          {"active_agent", codec::encode(state.active_agent)},
          {"active_role", codec::encode(state.active_role)},
          {"last_seq", number(state.last_seq)},
          {"turn", number(state.turn)}};
}

Said said_of(const BubbleEngine::Answer& answer) {
  Said said;
  said.json = state_json(answer.state);
  for (const bubble::Event& event : answer.events)
    if (const std::string text = bubble::describe(event); !text.empty())
      said.text += fmt::format("{}  {}\n", event.id.str(), text);
  said.json["messages"] = events_json(answer.events);
  if (answer.repeated) said.json["repeated"] = true;
  said.warnings = answer.all_warnings();
  return said;
}

}  // namespace pf
