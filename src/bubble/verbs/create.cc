#include <fmt/format.h>

#include <algorithm>

#include "agents/kind.h"
#include "base/codec.h"
#include "base/hash.h"
#include "base/text.h"
#include "bubble/verbs/verbs.h"
#include "config/check_profile.h"

namespace pf {
namespace {

bool looks_like_a_path(std::string_view value) {
  if (value.find_first_of(" \t\n") != std::string_view::npos) return false;
  return value.find('/') != std::string_view::npos || value.ends_with(".md") ||
         value.ends_with(".txt") || value.starts_with('.') || value.starts_with('~');
}

Result<std::string> default_base(Caller& caller, const Args& args) {
  const Path here = args.has("repo") ? Path(args.text("repo")) : caller.os.env.current_directory();
  if (auto branch = TRY(checked_out_branch(caller.os, here))) return std::move(*branch);
  return fail(Exit::usage, "which base branch?", "no branch is checked out", "add --base <branch>");
}

std::string in_words(const std::vector<Detected>& detected) {
  std::string out;
  for (const Detected& check : detected)
    out += fmt::format("  {}: {}   ({})\n", check.name, check.command, check.because);
  return out.empty() ? "  nothing\n" : out;
}

struct Confirmed {
  CheckProfile profile;
  std::string not_available;
  std::string manual_checks;
};

Result<std::string> manual_checks(Caller& caller, const std::string& file) {
  auto text = caller.os.files.read(file, kMaxTask);
  if (!text)
    return fail(Exit::usage, fmt::format("cannot read --manual-checks '{}'", printable(file)),
                text.error().why.empty() ? text.error().what : text.error().why,
                "name a text file with the checks you will go through");
  TRY(check_text("the list of manual checks", *text, kMaxTask));
  if (trim(*text).empty())
    return fail(Exit::usage, "the list of manual checks is empty", file,
                "write down what to check");
  return std::move(*text);
}

// --no-tests: nothing is run, and what is configured is dropped by that word.
Result<Confirmed> without_checks(const Args& args, const Settings& settings) {
  Confirmed confirmed;
  confirmed.not_available = args.text("no-tests");
  for (const char* other : {"test", "typecheck", "accept-detected", "drop-check"})
    if (args.has(other))
      return fail(Exit::usage, "--no-tests excludes the other check options", "", "choose one");
  if (trim(confirmed.not_available).empty())
    return fail(Exit::usage, "--no-tests needs a reason", "",
                "--no-tests \"<why there is nothing to run>\"");
  for (const NamedCommand& command : settings.commands)
    confirmed.profile.dropped.push_back(command.name);
  return confirmed;
}

// What was detected counts by the human's word: here an answer on the terminal.
Status ask_for_profile(Caller& caller, const std::vector<Detected>& detected,
                       Confirmed& confirmed) {
  if (!can_ask(caller))
    return fail(Exit::usage, "how is this change checked?",
                "detected:\n" + in_words(detected) + "none of it was confirmed",
                "add --accept-detected, --test CMD, --typecheck CMD, --manual-checks FILE or "
                "--no-tests \"<reason>\"");
  caller.os.env.print(Stream::err, "Detected checks:\n" + in_words(detected));
  if (!detected.empty() && pf::confirmed(caller, "Use the first of each name?")) {
    add_detected(confirmed.profile, detected);
    return {};
  }
  caller.os.env.print(Stream::err, "Test command (empty: none): ");
  const std::string command(trim(caller.os.env.read_line().value_or("")));
  if (!command.empty() && command != "n" && command != "no" && command != "none") {
    set_check(confirmed.profile, {"test", command});
    return {};
  }
  caller.os.env.print(Stream::err, "Why are there no checks? ");
  confirmed.not_available = trim(caller.os.env.read_line().value_or(""));
  if (confirmed.not_available.empty())
    return fail(Exit::usage, "the checks were not confirmed", "",
                "run it again with --test CMD or --no-tests \"<reason>\"");
  return {};
}

// How the change is going to be checked, by the human's word: the repository's own configuration,
// flags, what was detected once that is accepted, or an answer on the terminal.
Result<Confirmed> confirm_profile(Caller& caller, const Args& args, const Repository& repository,
                                  const Settings& settings) {
  if (args.has("no-tests")) return without_checks(args, settings);
  Confirmed confirmed;
  CheckProfile& profile = confirmed.profile;
  profile = configured_profile(settings);
  if (args.has("manual-checks"))
    confirmed.manual_checks = TRY(manual_checks(caller, args.text("manual-checks")));
  if (args.has("accept-detected"))
    add_detected(profile, TRY(detect_profile(caller.os, repository.top)));
  std::vector<NamedCommand> set;
  for (const char* name : {"test", "typecheck"})
    if (args.has(name)) set.push_back({name, args.text(name)});
  TRY(change_by_flags(profile, set, args.all("drop-check")));
  if (!profile.checks.empty() || !confirmed.manual_checks.empty()) return confirmed;
  if (!profile.dropped.empty())
    return fail(Exit::usage, "no check is left", "all of them are dropped",
                "keep one, or say why there are none: --no-tests \"<reason>\"");
  if (args.has("accept-detected"))
    return fail(Exit::usage, "no checks were detected", "",
                "add --test CMD, --manual-checks FILE or --no-tests \"<reason>\"");
  TRY(ask_for_profile(caller, TRY(detect_profile(caller.os, repository.top)), confirmed));
  return confirmed;
}

// As the journal keeps it.
bubble::Profile profile_of(const Confirmed& confirmed) {
  bubble::Profile profile;
  for (const auto& [name, command, from] : confirmed.profile.checks)
    profile.checks.push_back({name, command, from});
  profile.not_available = confirmed.not_available;
  profile.manual_checks = confirmed.manual_checks;
  profile.dropped = confirmed.profile.dropped;
  return profile;
}

Status apply_flags(const Args& args, Settings& settings) {
  constexpr int kMostRounds = 100;
  if (args.has("implementer")) settings.implementer = AgentName(args.text("implementer"));
  if (args.has("reviewer")) settings.reviewer = AgentName(args.text("reviewer"));
  if (args.has("work-mode")) settings.work_mode = args.text("work-mode");
  if (args.has("max-rounds")) settings.max_rounds = args.number("max-rounds", 8);
  if (settings.max_rounds < 1 || settings.max_rounds > kMostRounds)
    return fail(Exit::usage, "--max-rounds is out of range", "max_rounds is 1 to 100",
                "choose another number");
  if (settings.implementer == settings.reviewer)
    return fail(Exit::usage, "one agent cannot be both", "two models have to agree",
                "name another --implementer or --reviewer");
  for (const AgentName& name : {settings.implementer, settings.reviewer})
    if (find_agent(settings, name) == nullptr)
      return fail(Exit::usage, fmt::format("there is no agent '{}'", printable(name.str())), "",
                  fmt::format("add [agents.{}] to .pairflow/config.toml", printable(name.str())));
  if (!parse_name<WorkMode>(settings.work_mode))
    return fail(Exit::usage,
                fmt::format("there is no work mode '{}'", printable(settings.work_mode)),
                "work_mode is worktree or clone", "use --work-mode worktree or --work-mode clone");
  return {};
}

// Refuses what another bubble has already; what an interrupted create left behind is taken over.
Status refuse_existing(Caller& caller, const BubblePaths& paths) {
  if (TRY(read_state<bubble::Domain>(caller.os, paths.loop_files())))
    return fail(Exit::refused, fmt::format("a bubble '{}' exists", paths.id.str()),
                paths.directory.string(),
                fmt::format("go on with it: pairflow bubble status --id {}; or choose another --id",
                            paths.id.str()));
  if (TRY(caller.os.files.exists(paths.worktree)))
    return fail(Exit::refused, "the worktree's place is taken", paths.worktree.string(),
                "choose another --id, or move that directory away");
  return {};
}

// The answer that this --request got before, if it did.
Result<std::optional<BubbleEngine::Answer>> created_before(Caller& caller, const Args& args,
                                                           const BubblePaths& paths) {
  if (!args.has("request")) return std::nullopt;
  const auto state = TRY(read_state<bubble::Domain>(caller.os, paths.loop_files()));
  if (!state || state->requests.find(request_id(caller, args)) == nullptr) return std::nullopt;
  BubbleLoop loop(caller.os, paths);
  return TRY(
      loop.execute(request_of(caller, args, human_caller(caller), *state), bubble::Create{}));
}

}  // namespace

Said said_created(const Args& args, const BubbleEngine::Answer& answer) {
  const bubble::State& state = answer.state;
  const bubble::Place& place = state.place;
  Said said = said_of(answer);
  said.json["worktree"] = place.worktree;
  said.json["base_commit"] = place.base_commit.str();
  said.text = fmt::format("bubble {} is {} from {} at {}\n", state.id.str(), name_of(state.phase),
                          place.base_branch, place.base_commit.str().substr(0, 12));
  const auto& profile = state.policy.profile;
  CheckProfile shown{{}, profile.dropped};
  for (const bubble::Check& check : profile.checks)
    shown.checks.push_back({check.name, check.command, check.from});
  said.text += in_words(shown);
  if (!profile.manual_checks.empty())
    said.text += fmt::format("  by hand: {}\n", args.text("manual-checks"));
  if (!profile.not_available.empty())
    said.text += fmt::format("  no checks: {}\n", profile.not_available);
  const bool begins =
      state.phase == bubble::Phase::created || state.phase == bubble::Phase::preparing;
  said.text += fmt::format("Next: pairflow bubble {} --id {}\n", begins ? "start" : "status",
                           state.id.str());
  return said;
}

Result<BubbleEngine::Answer> record_bubble(Caller& caller, const Args& args,
                                           const BubblePaths& paths, const std::string& toml,
                                           const bubble::Create& create,
                                           const std::function<Status()>& bring) {
  Os& os = caller.os;
  const Lock repo_lock = TRY(Lock::take(os, paths.repo_lock, std::chrono::seconds(30)));
  TRY(refuse_existing(caller, paths));
  TRY(exclude_control_directory(os, paths.repository));
  BubbleLoop loop(os, paths);
  const auto record = [&]() -> Result<BubbleEngine::Answer> {
    TRY(os.files.make_directories(paths.directory));
    TRY(os.files.replace(paths.config, toml, Durable::yes));
    if (bring) TRY(bring());
    return loop.execute(request_of(caller, args, human_caller(caller), bubble::State{}), create);
  };
  auto answer = record();
  if (!answer) {
    [[maybe_unused]] const auto at_best = os.files.remove_all(paths.directory);
  }
  return answer;
}

Result<std::string> task_text(Caller& caller, const std::string& value) {
  std::string text = value;
  if (const auto info = value.size() < 4096 && value.find('\n') == std::string::npos
                            ? caller.os.files.info(value)
                            : Result<std::optional<FileInfo>>(std::nullopt);
      info && *info) {
    if ((*info)->kind != FileKind::file && (*info)->kind != FileKind::symlink)
      return fail(Exit::usage, fmt::format("--task '{}' is no file", printable(value)), "",
                  "name a file or give the task's text");
    text = TRY(caller.os.files.read(value, kMaxTask));
  } else if (looks_like_a_path(value)) {
    return fail(Exit::usage, fmt::format("--task '{}': there is no such file", printable(value)),
                "it looks like a path", "name an existing file, or write the task as a sentence");
  }
  TRY(check_text("the task", text, kMaxTask));
  if (trim(text).empty())
    return fail(Exit::usage, "the task is empty", "", "say what is to be done");
  return text;
}

Result<Said> run_create(Caller& caller, const Args& args) {
  Os& os = caller.os;
  const BubbleId id = TRY(parse_bubble_id(args.text("id")));
  const BubblePaths paths(TRY(repository_of(caller, args)), id);
  if (const auto before = TRY(created_before(caller, args, paths)))
    return said_created(args, *before);
  const std::string task = TRY(task_text(caller, args.text("task")));

  Settings settings = TRY(load_settings(os, paths.repository.top, std::nullopt, agent_kinds()));
  TRY(apply_flags(args, settings));
  settings.id = id.str();
  settings.repo_path = paths.repository.top.string();
  settings.base_branch = args.has("base") ? args.text("base") : TRY(default_base(caller, args));
  settings.bubble_branch = "bubble/" + id.str();
  TRY(refuse_existing(caller, paths));
  const BaseCheck base =
      TRY(check_base(os, paths.repository, settings.base_branch, settings.bubble_branch));
  const Confirmed profile = TRY(confirm_profile(caller, args, paths.repository, settings));
  settings.commands.clear();
  for (const auto& [name, command, from] : profile.profile.checks)
    settings.commands.push_back({name, command});
  const std::string toml = render_bubble_toml(settings);
  // Flags are checked too.
  settings = TRY(merge_settings({{paths.config, toml, Layer::bubble}}, agent_kinds()));

  bubble::Create create;
  create.policy = policy_of(settings);
  create.policy.profile = profile_of(profile);
  create.policy.base_first = true;
  create.place = {settings.base_branch,
                  settings.bubble_branch,
                  *parse_name<WorkMode>(settings.work_mode),
                  paths.worktree.string(),
                  base.commit,
                  base.tree};
  create.task = task;
  create.config = hash_of(toml);

  const auto answer = TRY(record_bubble(caller, args, paths, toml, create));
  Said said = said_created(args, answer);
  for (const std::string& warning : base.warnings) said.warnings.push_back(warning);
  return said;
}

}  // namespace pf
