#include "journal/verify.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "bubble/verbs/caller.h"
#include "plan/verbs/caller.h"
#include "role/verbs/caller.h"
#include "verbs/core/show.h"
#include "verbs/verbs.h"

namespace pf {
namespace {

// One loop of whatever kind.
struct Target {
  std::string kind;
  Verifiable loop;
  std::function<Status()> load;  // why there is none, when nothing is recorded
};

template <class Loop, class Domain, class Paths>
Target target(std::string kind, Os& os, const Paths& paths) {
  return {std::move(kind),
          {paths.loop_files(), folding<Domain>(), paths.lease},
          [&os, paths]() -> Status {
            TRY(Loop(os, paths).load());
            return {};
          }};
}
Target target_of(Os& os, const BubblePaths& paths) {
  return target<BubbleLoop, bubble::Domain>("bubble", os, paths);
}
Target target_of(Os& os, const PlanPaths& paths) {
  return target<PlanLoop, plan::Domain>("plan", os, paths);
}
Target target_of(Os& os, const RolePaths& paths) {
  return target<RoleLoop, role::Domain>("roles", os, paths);
}

// A doubt that nobody asked to settle is an error here.
Result<Repaired> verify_one(Os& os, const Target& target, bool repairing) {
  Repaired seen;
  if (repairing)
    seen = TRY(repair(os, target.loop));
  else
    seen.health = TRY(examine(os, target.loop));
  if (!seen.health.in_doubt) return seen;
  const LoopFiles& files = target.loop.files;
  return std::unexpected(Journal(os, files.journal, files.id, files.verify).doubt());
}

// A loop whose directory is gone is not there, whatever its lock remembers.
Result<Repaired> verify_named(Os& os, const Target& target, bool repairing) {
  const Path& journal = target.loop.files.journal;
  if (!TRY(os.files.exists(journal.parent_path()))) TRY(target.load());
  const auto seen = TRY(verify_one(os, target, repairing));
  if (seen.health.lines > 0 || !seen.done.empty()) return seen;
  auto loaded = target.load();
  if (!loaded && TRY(os.files.exists(journal)))
    loaded.error().why = fmt::format("{} holds no line", printable(journal.string()));
  TRY(std::move(loaded));
  return seen;
}

JsonObject json_of(const Repaired& seen) {
  const Health& health = seen.health;
  JsonObject json{{"lines", health.lines},
                  {"last_seq", number(health.mark.seq)},
                  {"head", health.mark.hash.str()},
                  {"torn_bytes", health.torn ? health.torn->bytes : 0},
                  {"witnessed", health.witnessed}};
  if (!seen.done.empty()) json["repaired"] = codec::encode(seen.done);
  return json;
}

JsonObject json_of(const Error& error) {
  return {{"exit", static_cast<int>(error.exit)}, {"error", error_json(error)}};
}

Said said_of(const Repaired& seen) {
  const Health& health = seen.health;
  Said said;
  for (const std::string& what : seen.done) said.text += what + "\n";
  if (health.lines == 0)
    said.text += "nothing is recorded\n";
  else
    said.text += fmt::format("{} lines, seq 1 to {} without a gap, every hash fits\nhead {}\n",
                             health.lines, number(health.mark.seq), health.mark.hash.str());
  if (health.lines > 0 && !health.witnessed)
    said.text += "no witness of the last line: a change of that one would not show\n";
  if (health.torn)
    said.warnings.push_back(
        fmt::format("{} bytes at the end are an unfinished write; the next command repairs it",
                    health.torn->bytes));
  return said;
}

JsonObject entry_of(const Target& target, const Result<Repaired>& seen) {
  JsonObject entry = seen ? json_of(*seen) : json_of(seen.error());
  entry["loop"] = target.kind;
  entry["id"] = target.loop.files.id;
  return entry;
}

void add(Said& all, const Target& target, const Result<Repaired>& seen) {
  const bool only = target.kind == "roles";  // there is one of the kind
  const std::string whose =
      only ? target.kind : fmt::format("{} {}", target.kind, target.loop.files.id);
  if (seen) {
    const Said one = said_of(*seen);
    all.text += fmt::format("{}: {}", whose, one.text);
    for (const std::string& warning : one.warnings)
      all.warnings.push_back(fmt::format("{}: {}", whose, warning));
    return;
  }
  const Error& error = seen.error();
  all.exit = std::max(all.exit, static_cast<int>(error.exit));
  all.text += fmt::format("{}: {}{}\n{}", whose, error.exit == Exit::damaged ? "DAMAGED: " : "",
                          printable_lines(error.what), reason_and_fix(error));
}

// Every loop that has a directory.
Result<std::vector<Target>> all_targets(Os& os, const Repository& repository) {
  std::vector<Target> targets;
  const Path control = repository.top / ".pairflow";
  for (const Entry& entry : TRY(os.files.list(control / "bubbles")))
    if (const auto id = parse_bubble_id(entry.name); id && entry.kind == FileKind::directory)
      targets.push_back(target_of(os, BubblePaths(repository, *id)));
  for (const Entry& entry : TRY(os.files.list(control / "plans")))
    if (const auto feature = plan::parse_feature_id(entry.name);
        feature && entry.kind == FileKind::directory)
      targets.push_back(target_of(os, PlanPaths(repository, *feature)));
  if (const RolePaths roles(repository); TRY(os.files.exists(roles.directory)))
    targets.push_back(target_of(os, roles));
  return targets;
}

// One paragraph a loop: a damaged one hides no other.
Result<Said> verify_all(Os& os, const Repository& repository, bool repairing) {
  Said said;
  JsonArray loops;
  for (const Target& target : TRY(all_targets(os, repository))) {
    auto seen = verify_one(os, target, repairing);
    if (seen && seen->health.lines == 0)
      if (const auto loaded = target.load(); !loaded && loaded.error().exit == Exit::damaged)
        seen = std::unexpected(loaded.error());
    loops.push_back(entry_of(target, seen));
    add(said, target, seen);
  }
  if (loops.empty()) said.text = "there are no loops here yet\n";
  said.json["loops"] = std::move(loops);
  return said;
}

// The loop that is named, else the one the caller belongs to or is in.
Result<Target> target_named(Caller& caller, const Args& args) {
  Repository repository = TRY(repository_of(caller, args));
  if (args.has("plan"))
    return target_of(caller.os, PlanPaths(std::move(repository),
                                          TRY(plan::parse_feature_id(args.text("plan")))));
  if (args.has("roles") || (!args.has("id") && is_of_roles(caller)))
    return target_of(caller.os, RolePaths(std::move(repository)));
  if (!args.has("id") && is_of_plan(caller))
    return target_of(caller.os, TRY(plan_of(caller, args)));
  const auto bubble = bubble_of(caller, args);
  if (bubble) return target_of(caller.os, *bubble);
  if (args.has("id") || bubble.error().exit != Exit::usage) return std::unexpected(bubble.error());
  return fail(Exit::usage, "which loop?", "none is named and this is no bubble's worktree",
              "add --id <bubble>, --plan <feature>, --roles or --all");
}

// Only people change what was recorded.
Result<bool> is_repair(Caller& caller, const Args& args) {
  if (args.has("repair")) TRY(require_human(caller));
  return args.has("repair");
}

}  // namespace

Result<Said> run_verify(Caller& caller, const Args& args) {
  constexpr std::string_view kWhich[] = {"id", "plan", "roles", "all"};
  if (std::ranges::count_if(kWhich, [&](auto option) { return args.has(option); }) > 1)
    return fail(Exit::usage, "which loop?", "more than one is named",
                "give one of --id <bubble>, --plan <feature>, --roles and --all");
  const bool repairing = TRY(is_repair(caller, args));
  if (args.has("all")) return verify_all(caller.os, TRY(repository_of(caller, args)), repairing);
  const Target target = TRY(target_named(caller, args));
  const auto seen = TRY(verify_named(caller.os, target, repairing));
  Said said = said_of(seen);
  said.json["loops"] = JsonArray{entry_of(target, seen)};
  return said;
}

// The door alone is enough for a bubble: its supervisor reads the journal anew on every wake.
Result<Said> run_bubble_verify(Caller& caller, const Args& args) {
  const BubblePaths paths = TRY(bubble_of(caller, args));
  Target target = target_of(caller.os, paths);
  target.loop.lease.clear();
  const auto seen = TRY(verify_named(caller.os, target, TRY(is_repair(caller, args))));
  Said said = said_of(seen);
  said.json = json_of(seen);
  said.json["id"] = paths.id.str();
  return said;
}

}  // namespace pf
