#include "bubble/host/supervision.h"

#include <fmt/format.h>

#include "base/codec.h"
#include "bubble/host/performer.h"

namespace pf {
namespace {

constexpr Duration kSettleWait = std::chrono::seconds(30);  // git refs and a session: quick

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

Detached supervisor_of(const BubblePaths& paths) {
  return {"supervisor",
          {"supervise", "--repo", paths.repository.top.string(), "--id", paths.id.str()},
          paths,
          paths.id.str()};
}

Status settle_now(BubbleLoop& loop, const std::function<bool(const bubble::State&)>& done) {
  Os& os = loop.os();
  TRY(end_deaf(os, supervisor_of(loop.paths())));
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
          fmt::format("look at {}, then run the same command again", loop.paths().errors.string()));
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
