#include <fmt/format.h>

#include "base/codec.h"
#include "base/text.h"
#include "loop/advisory.h"
#include "role/domain/counted.h"
#include "role/domain/effort.h"
#include "role/domain/reading.h"
#include "role/domain/views.h"
#include "role/verbs/verbs.h"
#include "verbs/core/show.h"

namespace pf {
namespace {

// What somebody's hand did to state.json since.
enum class Edit { none, sound, broken };

Edit edit_of(const role::State& state, const Result<FileFact>& reg) {
  if (!reg) return Edit::broken;
  const bool pending = state.write && reg->hash == state.write->after;
  if (!reg->exists || reg->hash == state.disk || pending) return Edit::none;
  return role::read_files(state, {*reg}).problems.empty() ? Edit::sound : Edit::broken;
}

// The roles always work in the user's own checkout.
std::vector<std::string> advisories_of(RoleLoop& loop) {
  const auto settings = loop.settings();
  if (!settings) return {};  // who goes on with the roles is told
  return advisories(loop.os(), *settings, true,
                    settings->role_coder_by == "agent"
                        ? "[role] coder = \"bubble\" has the code written in a worktree"
                        : "");
}

std::string status_text(const role::State& state, const Moment& now, bool driven, Edit edit,
                        const std::vector<std::string>& advisory) {
  std::string out = fmt::format("{}\n  {}\n  autopilot {}\n", role::turn_text(state),
                                role::work_text(state), role::autopilot_text(state));
  if (state.work || state.effort.runs > 0)
    out += fmt::format("  {}\n", role::effort_text(state, now));
  out += advisory_line(advisory, "  ");
  for (const std::string& line : role::landing_lines(state)) out += fmt::format("  {}\n", line);
  if (edit == Edit::sound)
    out += fmt::format("  state.json was edited {}; the next command takes it in\n",
                       state.run ? fmt::format("while run {} is at work, by its agent or by hand",
                                               state.run->number)
                                 : "by hand");
  if (edit == Edit::broken)
    out += "  state.json is not sound, and nothing goes on: pairflow role validate\n";
  if (!trim(state.reg.msg).empty() && state.reg.state != role::Lifecycle::blocked) {
    const std::string note = printable_lines(state.reg.msg);
    for (const std::string_view line : split(note, '\n')) out += fmt::format("  > {}\n", line);
  }
  const auto items = role::inbox_of(state);
  for (const InboxItem& item : items) out += item_text(item, "  ? ");
  if (driven)
    out += "somebody is at it now\n";
  else if (!state.automation.empty())
    out += "Next: pairflow role run (it was interrupted)\n";
  else if (items.empty())
    out += "Next: pairflow role run\n";
  return out;
}

constexpr std::string_view kPromptMark =
    "<!-- Written by `pairflow prompts`; it is made anew each time. -->";

// A directory in the repository that no link leads to.
Status check_place(Files& files, const Path& top, const Path& directory) {
  const std::string first = directory.empty() ? "" : directory.begin()->string();
  if (directory.is_absolute() || first.empty() || first == "." || first == ".." ||
      first == ".git" || first == ".pairflow")
    return fail(Exit::usage, "--into names no directory of the repository's own", "",
                "name one in it, docs/agents for example");
  Path above;
  for (const Path& part : directory) {
    above /= part;
    const auto info = TRY(files.info(top / above));
    if (info && info->kind != FileKind::directory)
      return fail(Exit::refused, fmt::format("{} is no directory", printable(above.string())),
                  "the prompts are written into one", "move it away, or use --into");
  }
  return {};
}

// What somebody else wrote is not written over.
Status check_ours(Files& files, const Path& top, const Path& file) {
  const auto info = TRY(files.info(top / file));
  if (!info) return {};
  const bool ours = info->kind == FileKind::file && info->size < 1u << 20 &&
                    TRY(files.read(top / file)).starts_with(kPromptMark);
  if (ours) return {};
  return fail(Exit::refused, fmt::format("{} is not ours", printable(file.string())),
              "it does not begin as a file of pairflow prompts does",
              "move it away, or use --into <directory>");
}

}  // namespace

Result<Said> run_role_status(Caller& caller, const Args& args) {
  RoleLoop loop(caller.os, TRY(roles_of(caller, args)));
  const role::State state = TRY(loop.load());
  const bool driven = TRY(is_driven(caller.os, loop.paths()));
  const auto reg = loop.document(std::string(role::kRegisterFile));
  const Edit edit = edit_of(state, reg);
  Said said;
  said.json = state_json(state);
  said.json["since"] = state.since;
  said.json["default_branch"] = state.policy.default_branch;
  said.json["driven"] = driven;
  said.json["run_id"] = state.automation;
  said.json["run"] = codec::encode(state.run);
  said.json["child"] = codec::encode(state.child);
  said.json["edited"] = edit != Edit::none;
  said.json["rests"] = state.halted;
  said.json["landings"] = codec::encode(state.landings);
  said.json["inbox"] = codec::encode(role::inbox_of(state));
  const auto advisory = advisories_of(loop);
  said.json["advisory"] = codec::encode(advisory);
  const Moment now = caller.os.clock.moment();
  said.json["effort"] = codec::encode(state.effort);
  said.json["effort"].as_object()["spent_ms"] =
      std::chrono::duration_cast<std::chrono::milliseconds>(role::time_on_feature(state, now))
          .count();
  said.json["words"] = state.work ? codec::encode(state.work->words) : Json(JsonArray{});
  said.text = status_text(state, now, driven, edit, advisory);
  if (!reg) said.warnings.push_back(reg.error().what);
  return said;
}

Result<Said> run_role_log(Caller& caller, const Args& args) {
  RoleLoop loop(caller.os, TRY(roles_of(caller, args)));
  TRY(loop.load());
  Said said;
  say_log(said, caller.os.clock, TRY(loop.events()), 20, "", role::describe);
  said.json["transcripts"] = loop.paths().runs.string();
  return said;
}

// Before the roles begin, too.
Result<Said> run_role_validate(Caller& caller, const Args& args) {
  RoleLoop loop(caller.os, TRY(roles_of(caller, args)));
  role::State state = TRY(loop.load_or_none());
  if (!state.begun) state.policy = TRY(role_policy(loop, TRY(loop.settings()), state));
  const role::Reading reading = role::read_files(state, TRY(loop.documents()));
  Said said;
  said.json["register"] = say_problems(said, role::kRegisterFile, reading.problems);
  said.json["roadmap"] = say_problems(said, role::kRoadmapFile, reading.roadmap_problems);
  JsonObject tasks;
  for (const role::FileProblems& file : reading.task_problems)
    tasks[file.file] = say_problems(said, file.file, file.problems);
  said.json["tasks"] = std::move(tasks);
  said.exit = said.text.empty() ? 0 : static_cast<int>(Exit::refused);
  if (said.exit != 0) return said;
  said.text = fmt::format(
      "{} {}; {}; {}\n", role::kRegisterFile, reading.exists ? "is sound" : "is not there",
      reading.has_roadmap ? fmt::format("{} is sound: {}", role::kRoadmapFile,
                                        role::counted(reading.roadmap.features.size(), "feature"))
                          : fmt::format("{} is not there", role::kRoadmapFile),
      role::counted(reading.tasks.size(), "task"));
  return said;
}

// One file for each role, made anew.
Result<Said> run_prompts(Caller& caller, const Args& args) {
  RoleLoop loop(caller.os, TRY(roles_of(caller, args)));
  const role::State state = TRY(loop.load_or_none());
  const role::Policy policy = TRY(role_policy(loop, TRY(loop.settings()), state));
  const Path directory = Path(args.text("into", "docs/agents")).lexically_normal();
  const Path& top = loop.paths().repository.top;
  TRY(check_place(caller.os.files, top, directory));
  std::vector<std::pair<Path, std::string>> prompts;
  for (const auto& [role, name] : names_of(role::Role{})) {
    const Path file = directory / fmt::format("{}.md", name);
    TRY(check_ours(caller.os.files, top, file));
    prompts.emplace_back(file, std::string(kPromptMark) + "\n" + role::briefing_of(role, policy));
  }
  Said said;
  JsonArray files;
  TRY(caller.os.files.make_directories(top / directory));
  for (const auto& [file, text] : prompts) {
    if (!TRY(caller.os.files.exists(top / file)))
      TRY(caller.os.files.open(top / file, Open::create_shared));
    TRY(caller.os.files.replace(top / file, text, Durable::no));
    said.text += fmt::format("{} is written\n", printable(file.string()));
    files.push_back(Json(file.string()));
  }
  said.json["files"] = std::move(files);
  return said;
}

}  // namespace pf
