#include "bubble/host/supervision.h"

#include <fmt/format.h>

#include "base/codec.h"
#include "bubble/host/performer.h"

namespace pf {
namespace {

constexpr Duration kSettleWait = std::chrono::seconds(30);  // git refs and a session: quick
constexpr Duration kStartWait = std::chrono::seconds(60);

Status renew_sessions(Os& os, const BubblePaths& paths) {
  JsonObject sessions;
  for (const Entry& entry : TRY(os.files.list(paths.runtime))) {
    if (entry.kind != FileKind::file || !entry.name.ends_with(".json") ||
        entry.name == "sessions.json")
      continue;
    const auto text = TRY(os.files.read_if_there(paths.runtime / entry.name));
    if (!text) continue;
    if (auto json = parse_json(*text))
      sessions[entry.name.substr(0, entry.name.size() - 5)] = *json;
  }
  return os.files.replace(paths.runtime / "sessions.json", dump(sessions) + "\n", Durable::no);
}

}  // namespace

bool wants_supervisor(const bubble::State& state) {
  if (state.phase == bubble::Phase::preparing) return state.trouble.empty();
  return bubble::has_session(state.phase) || (bubble::is_final(state.phase) && !state.closed);
}

Result<bool> is_supervised(BubbleLoop& loop) {
  return Lock::is_held(loop.os(), loop.paths().lease);
}

// With its directory the bell of a supervisor is gone, and nobody can wake it any more.
Status end_deaf_supervisor(BubbleLoop& loop) {
  constexpr Duration kEnd = std::chrono::seconds(10);
  Os& os = loop.os();
  if (TRY(os.files.exists(loop.paths().bells)) || !TRY(is_supervised(loop))) return {};
  const int holder = TRY(Lock::last_holder(os, loop.paths().lease));
  if (holder <= 0 || holder == os.env.pid()) return {};
  os.processes.terminate(holder);
  os.processes.wait_gone(holder, kEnd);
  return {};
}

Status ensure_supervisor(BubbleLoop& loop) {
  TRY(end_deaf_supervisor(loop));
  if (TRY(is_supervised(loop))) return {};
  Os& os = loop.os();
  const BubblePaths& paths = loop.paths();
  Command command{{os.env.executable().string(), "supervise", "--repo",
                   paths.repository.top.string(), "--id", paths.id.str()},
                  paths.repository.top};
  for (const char* name : {"PAIRFLOW_AGENT", "PAIRFLOW_BUBBLE", "PAIRFLOW_REPO", "TMUX",
                           "TMUX_PANE", "PAIRFLOW_CHECK"})
    command.environment.emplace_back(name, std::nullopt);
  command.environment.emplace_back("PAIRFLOW_SUPERVISOR", paths.id.str());
  command.timeout = kStartWait;
  TRY(os.files.make_directories(paths.runtime));
  const std::string ready = TRY(os.processes.start_detached(command, paths.log));
  if (ready == "ready" || ready == "held") return {};
  return fail(Exit::machine, "the supervisor did not start", ready,
              fmt::format("look at {}", paths.log.string()));
}

Status settle_now(BubbleLoop& loop, const std::function<bool(const bubble::State&)>& done) {
  Os& os = loop.os();
  TRY(end_deaf_supervisor(loop));
  const MonoTime deadline = os.clock.mono() + kSettleWait;
  auto bell = TRY(os.files.listen(loop.paths().bells));
  for (;;) {
    bell->silence();
    if (done(TRY(loop.load()))) return {};
    if (auto lease = TRY(Lock::try_take(os, loop.paths().lease))) {
      Performer performer(loop, *lease);
      TRY(performer.settle());
      if (done(TRY(loop.load()))) return {};
      const auto& troubles = performer.troubles();
      return fail(Exit::machine, "it is recorded but not carried out yet",
                  troubles.empty() ? "" : troubles.front(), "run the same command again");
    }
    if (os.clock.mono() > deadline) {
      const auto runtime = read_runtime(os, loop.paths());
      return fail(
          Exit::machine, "it is recorded but the supervisor has not carried it out",
          runtime && !runtime->troubles.empty() ? runtime->troubles.front() : "it does not answer",
          fmt::format("look at {}, then run the same command again", loop.paths().log.string()));
    }
    bell->wait(std::chrono::seconds(1));  // also notices a supervisor that died meanwhile
  }
}

std::optional<Runtime> read_runtime(Os& os, const BubblePaths& paths) {
  const auto text = os.files.read_if_there(paths.supervisor);
  if (!text || !*text) return std::nullopt;
  const auto json = parse_json(**text);
  Runtime runtime;
  if (!json || !codec::decode(*json, runtime)) return std::nullopt;
  return runtime;
}

Status write_runtime(Os& os, const BubblePaths& paths, const Runtime& runtime) {
  const std::string text = dump(codec::encode(runtime)) + "\n";
  const auto now = TRY(os.files.read_if_there(paths.supervisor));
  if (now == text) return {};
  TRY(os.files.make_directories(paths.runtime));
  TRY(os.files.replace(paths.supervisor, text, Durable::no));
  os.files.ring(paths.bells);
  return renew_sessions(os, paths);
}

Status remove_runtime(Os& os, const BubblePaths& paths) {
  TRY(os.files.remove(paths.supervisor));
  return renew_sessions(os, paths);
}

}  // namespace pf
