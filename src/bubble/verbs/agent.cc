#include <fmt/format.h>

#include "base/codec.h"
#include "base/text.h"
#include "bubble/host/agent_files.h"
#include "bubble/host/done_package.h"
#include "bubble/verbs/verbs.h"

namespace pf {
namespace {

constexpr std::size_t kMaxRefBytes = 4u << 20;

// The file as it is now, kept under its hash: what is referred to must not change behind the
// reader's back. Reached from the worktree (or our artifacts) without links or `..`.
Result<std::string> keep_ref(BubbleLoop& loop, const bubble::State& state, const std::string& ref) {
  Os& os = loop.os();
  Path path(ref);
  // As the one who names it sees it.
  Path root = state.reviews_apart() ? loop.paths().review : Path(state.place.worktree);
  if (path.is_absolute()) {
    const Path below = path.lexically_relative(state.place.worktree);
    const Path ours = path.lexically_relative(loop.paths().artifacts);
    if (!ours.empty() && *ours.begin() != "..") {
      root = loop.paths().artifacts;
      path = ours;
    } else {
      path = below;
    }
  }
  auto bytes = os.files.read_beneath(root, path, kMaxRefBytes);
  if (!bytes)
    return fail(Exit::usage, fmt::format("cannot use --ref '{}'", printable(ref)),
                bytes.error().why.empty() ? bytes.error().what : bytes.error().why,
                "name a file in the worktree");
  const Hash hash = TRY(loop.keep_blob(*bytes));
  return fmt::format("artifact://blobs/{}/{}", hash.str(), path.filename().string());
}

Result<std::optional<bubble::PackageBrought>> package_of(const Args& args, BubbleLoop& loop) {
  if (!args.has("package")) return std::nullopt;
  return TRY(bring_package(loop, args.text("package")));
}

Result<BubbleEngine::Answer> decide_as_agent(Caller& caller, const Args& args, BubbleLoop& loop,
                                             const bubble::State& state,
                                             const bubble::Command& command) {
  const Principal who = TRY(agent_of(caller, origin_of(loop.paths())));
  TRY(require_unmoved(loop.paths(), state));
  const Request request = request_of(caller, args, who, state);
  auto answer = loop.execute(request, command);
  std::vector<std::string> warnings;
  keep_supervised(loop, state, warnings);
  if (!answer) return std::unexpected(answer.error());
  for (std::string& warning : warnings) answer->warnings.push_back(std::move(warning));
  return std::move(*answer);
}

Result<std::vector<FindingId>> finding_ids(const std::vector<std::string>& texts) {
  std::vector<FindingId> ids;
  for (const std::string& text : texts) {
    const bubble::Reported reported = TRY(bubble::parse_reported(text));
    if (reported.repeat.empty())
      return fail(Exit::usage, fmt::format("'{}' is no finding's id", clip(printable(text), 80)),
                  "", "an id looks like F1.2; see: pairflow bubble findings");
    ids.push_back(reported.repeat);
  }
  return ids;
}

// What the implementer on turn finds changed since the last pass; nothing where that cannot be
// told.
std::vector<std::string> since_last_pass(BubbleLoop& loop, const bubble::State& state) {
  std::vector<std::string> paths;
  if (state.active_role != bubble::Role::implementer || !state.target) return paths;
  Workspace workspace = loop.workspace(state);
  const auto now = workspace.snapshot(false);
  const auto changed =
      now ? workspace.changed(state.target->str(), now->tree.str()) : std::unexpected(now.error());
  if (changed)
    for (const ChangedFile& file : *changed) paths.push_back(file.path);
  return paths;
}

}  // namespace

Status read_package(Caller& caller, Args& args) {
  const std::string named = args.text("package");
  if (named.empty() || named.starts_with('#') || named.find('\n') != std::string::npos)
    return {};  // the text itself
  const BubblePaths paths = TRY(bubble_of(caller, args));
  const Path path = (caller.os.env.current_directory() / named).lexically_normal();
  const Path below = path.lexically_relative(paths.worktree);
  if (!below.empty() && *below.begin() != "..")
    return fail(Exit::usage, "the package is in the worktree",
                "there it would become part of the change",
                "write it somewhere else, or pipe it: --package -");
  auto text = caller.os.files.read(path, kMaxPackage);
  if (!text)
    return fail(Exit::usage, fmt::format("cannot read --package '{}'", printable(named)),
                text.error().why.empty() ? text.error().what : text.error().why,
                "name a file, or pipe the text: --package -");
  TRY(check_text("--package", *text, kMaxPackage));
  args.set("package", {std::move(*text)});
  return {};
}

Result<Said> run_pass(Caller& caller, const Args& args) {
  BubbleLoop loop(caller.os, TRY(bubble_of(caller, args)));
  const bubble::State state = TRY(loop.load());
  bubble::Pass pass;
  pass.summary = args.text("summary");
  const std::string intent = args.text("intent");
  pass.intent = parse_name<bubble::Intent>(intent);
  if (!pass.intent && !intent.empty())
    return fail(Exit::usage, fmt::format("'{}' is no intent", clip(printable(intent), 40)), "",
                "use task, review or fix_request, or leave --intent out");
  for (const std::string& text : args.all("finding"))
    pass.review.findings.push_back(TRY(bubble::parse_reported(text)));
  pass.review.no_findings = args.has("no-findings");
  pass.review.resolved = TRY(finding_ids(args.all("resolved")));
  pass.claims.fixed = TRY(finding_ids(args.all("fixed")));
  for (const std::string& text : args.all("disputed"))
    pass.claims.disputed.push_back(TRY(bubble::parse_dispute(text)));
  for (const std::string& ref : args.all("ref"))
    pass.refs.push_back(TRY(keep_ref(loop, state, ref)));
  pass.package = TRY(package_of(args, loop));
  auto answer = TRY(decide_as_agent(caller, args, loop, state, pass));
  if (auto written = write_round_diff(loop, answer.state); !written)
    answer.warnings.push_back(written.error().what);
  if (state.active_role == bubble::Role::implementer)
    for (const std::string& path : answer.state.out_of_scope)
      answer.warnings.push_back(fmt::format("out of scope: {}", printable(path)));
  if (const auto notes = submodule_notes(loop, answer.state))
    for (const std::string& note : *notes)
      answer.warnings.push_back(fmt::format(kSubmoduleNote, printable(note)));
  return said_of(answer);
}

Result<Said> run_ask_human(Caller& caller, const Args& args) {
  BubbleLoop loop(caller.os, TRY(bubble_of(caller, args)));
  const bubble::State state = TRY(loop.load());
  auto answer =
      TRY(decide_as_agent(caller, args, loop, state, bubble::AskHuman{args.text("question")}));
  Said said = said_of(answer);
  said.text += "Wait: the answer will arrive here.\n";
  return said;
}

Result<Said> run_converged(Caller& caller, const Args& args) {
  BubbleLoop loop(caller.os, TRY(bubble_of(caller, args)));
  const bubble::State state = TRY(loop.load());
  const bubble::Converge converge{args.text("summary"), TRY(package_of(args, loop))};
  auto answer = TRY(decide_as_agent(caller, args, loop, state, converge));
  if (auto written = write_done_package(loop, answer.state); !written)
    answer.warnings.push_back(written.error().what);
  return said_of(answer);
}

Result<Said> run_turn(Caller& caller, const Args& args) {
  BubbleLoop loop(caller.os, TRY(bubble_of(caller, args)));
  const bubble::State state = TRY(loop.load());
  const Principal agent = TRY(agent_of(caller, origin_of(loop.paths())));
  if (!state.is_agent(agent.name))
    return fail(Exit::refused,
                fmt::format("{} is no agent of bubble {}", agent.name.str(), state.id.str()), "",
                "check PAIRFLOW_AGENT");
  Said said;
  const bool on_turn = state.phase == bubble::Phase::running && state.active_agent == agent.name;
  const auto since = on_turn ? since_last_pass(loop, state) : std::vector<std::string>();
  said.text = bubble::turn_text(state, agent.name, loop.paths().places(), since);
  said.json = state_json(state);
  said.json["agent"] = agent.name.str();
  said.json["role"] = name_of(state.role_of(agent.name));
  said.json["your_turn"] = on_turn;
  said.json["task"] = state.task;
  said.json["worktree"] = state.place.worktree;
  said.json["tree"] = codec::encode(state.target);
  JsonArray findings;
  for (const bubble::Finding& finding : state.findings)
    if (finding.unsettled()) findings.push_back(codec::encode(finding));
  said.json["findings"] = std::move(findings);
  return said;
}

}  // namespace pf
