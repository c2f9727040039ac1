#include <fmt/format.h>

#include "base/codec.h"
#include "base/diffstat.h"
#include "base/text.h"
#include "bubble/domain/evidence.h"
#include "bubble/domain/hidden_text.h"
#include "bubble/host/done_package.h"
#include "bubble/host/moved.h"
#include "bubble/verbs/verbs.h"
#include "bubble/view/status_view.h"
#include "verbs/core/show.h"

namespace pf {
Result<Said> run_status(Caller& caller, const Args& args) {
  BubbleLoop loop(caller.os, TRY(bubble_of(caller, args)));
  if (args.has("watch")) {
    TRY(watch_status(loop));
    return Said{};
  }
  const bubble::State state = TRY(loop.load());
  Said said;
  said.json = state_json(state);
  said.json["active_since"] = state.active_since;
  said.json["last_command_at"] = state.last_command_at;
  said.json["roles"] = codec::encode(state.roles);
  said.json["round_role_history"] = codec::encode(state.history);
  said.json["limit"] = state.limit;
  said.json["tree"] = codec::encode(state.target);
  said.json["converged_tree"] = codec::encode(state.converged_tree);
  said.json["approved_tree"] = codec::encode(state.approved_tree);
  said.json["changes"] = codec::encode(state.changes);
  said.json["out_of_scope"] = codec::encode(state.out_of_scope);
  said.json["hidden"] = codec::encode(state.hidden);
  said.json["evidence"] = name_of(bubble::evidence_standing(state));
  said.json["flaky"] = codec::encode(bubble::flaky_checks(state));
  said.json["findings"] = codec::encode(state.findings);
  said.json["meter"] = codec::encode(state.meter);
  said.json["inbox"] = codec::encode(inbox_with_moved(loop.paths(), state));
  said.json["worktree"] = state.place.worktree;
  said.json["branch"] = state.place.bubble_branch;
  said.json["commit"] = state.committed.str();
  StatusModel model = read_status(loop, state);
  model.supervised = TRY(is_driven(caller.os, loop.paths()));
  said.json["base_commit"] = state.place.base_commit.str();
  said.json["base_moved"] = model.base ? Json(model.base->commits) : Json();
  said.json["conflicts"] = codec::encode(state.conflicts);
  if (state.continues) said.json["continues"] = state.continues->bubble.str();
  said.json["agents"] = codec::encode(model.agents);
  said.json["supervised"] = model.supervised;
  std::vector<std::string> troubles =
      model.runtime ? model.runtime->troubles : std::vector<std::string>();
  if (model.moved) troubles.insert(troubles.begin(), model.moved->in_words());
  said.json["troubles"] = codec::encode(troubles);
  said.json["submodules"] = codec::encode(std::vector<std::string>());
  if (const auto notes = submodule_notes(loop, state); notes && !notes->empty()) {
    said.json["submodules"] = codec::encode(*notes);
    for (const std::string& note : *notes)
      said.warnings.push_back(fmt::format(kSubmoduleNote, printable(note)));
  }
  if (!caller.json)
    said.text = status_text(model, caller.os.env.terminal_columns(),
                            caller.os.env.is_terminal(Stream::out));
  return said;
}

Result<Said> run_bubble_inbox(Caller& caller, const Args& args) {
  BubbleLoop loop(caller.os, TRY(bubble_of(caller, args)));
  const bubble::State state = TRY(loop.load());
  Said said;
  said.json["id"] = state.id.str();
  const auto items = inbox_with_moved(loop.paths(), state);
  said.json["items"] = codec::encode(items);
  said.text = inbox_text(caller.os.clock, state.id.str(), items);
  if (said.text.empty()) said.text = "nothing waits for you\n";
  return said;
}

Result<Said> run_list(Caller& caller, const Args& args) {
  const Repository repository = TRY(repository_of(caller, args));
  Said said;
  JsonArray bubbles;
  for (const ListedBubble& bubble : TRY(all_bubbles(caller.os, repository))) {
    if (!bubble.state) {
      bubbles.push_back(
          JsonObject{{"id", bubble.id.str()}, {"error", error_json(bubble.state.error())}});
      said.text += fmt::format("{}  DAMAGED  {}\n", fit(bubble.id.str(), 24),
                               printable(bubble.state.error().what));
      continue;
    }
    const bubble::State& state = *bubble.state;
    JsonObject json = state_json(state);
    const auto waiting = inbox_with_moved(BubblePaths(repository, bubble.id), state).size();
    json["inbox"] = waiting;
    const auto size = noted_size(caller.os, BubblePaths(repository, bubble.id).checks_kept);
    if (size) json["checkout_bytes"] = *size;
    bubbles.push_back(std::move(json));
    const std::string turn = state.active_agent ? fmt::format("{} ({})", state.active_agent->str(),
                                                              name_of(*state.active_role))
                                                : "";
    said.text += fmt::format("{}  {}  round {:>2}  {}  {}{}\n", fit(state.id.str(), 24),
                             fit(name_of(state.phase), 20), state.round, fit(turn, 26),
                             waiting > 0 ? fmt::format("{} for you  ", waiting) : "",
                             size ? fmt::format("checkout {} MB", *size >> 20) : "");
  }
  if (said.text.empty()) said.text = "no bubbles; make one: pairflow bubble create --help\n";
  said.json["bubbles"] = std::move(bubbles);
  return said;
}

Result<Said> run_timeline(Caller& caller, const Args& args) {
  BubbleLoop loop(caller.os, TRY(bubble_of(caller, args)));
  const bubble::State state = TRY(loop.load());
  Said said;
  say_log(said, caller.os.clock, TRY(loop.events()), 17, "round", bubble::describe);
  said.json["meter"] = codec::encode(state.meter);
  for (const bubble::RoundProgress& round : state.meter)
    said.text += fmt::format("{}round {:>2}  {}\n", &round == state.meter.data() ? "\n" : "",
                             round.round, bubble::in_words(round));
  return said;
}

Result<Said> run_diff(Caller& caller, const Args& args) {
  BubbleLoop loop(caller.os, TRY(bubble_of(caller, args)));
  const bubble::State state = TRY(loop.load());
  constexpr std::size_t kShown = 16u << 20;
  Workspace workspace = loop.workspace(state);
  std::string from = state.place.base_commit.str();
  std::string to;
  if (args.has("since-converged")) {
    if (!state.converged_tree)
      return fail(Exit::refused, "there is no converged tree yet", "",
                  "leave --since-converged out");
    from = state.converged_tree->str();
  }
  if (bubble::is_final(state.phase))
    to = !state.committed.empty() ? state.committed.str()
         : state.target           ? state.target->str()
                                  : from;
  else if (TRY(workspace.exists()))
    to = TRY(workspace.snapshot(false)).tree.str();
  else
    return no_worktree(state);
  Said said;
  const auto changed = TRY(workspace.changed(from, to));
  said.json["from"] = from;
  said.json["to"] = to;
  said.json["files"] = codec::encode(changed);
  if (args.has("stat") || caller.json)
    said.text = diffstat(changed);
  else
    said.text = bubble::shown_diff(TRY(workspace.diff(from, to, kShown)));
  return said;
}

Result<Said> run_findings(Caller& caller, const Args& args) {
  BubbleLoop loop(caller.os, TRY(bubble_of(caller, args)));
  const bubble::State state = TRY(loop.load());
  Said said;
  said.json["id"] = state.id.str();
  said.json["findings"] = codec::encode(state.findings);
  for (const bubble::Finding& f : state.findings) {
    std::string place = printable(f.path);
    if (f.line > 0) place += fmt::format(":{}", f.line);
    said.text += fmt::format("{}  {}  {}  {}  {}  {}{}\n", fit(f.id.str(), 6), name_of(f.severity),
                             fit(name_of(f.status), 8), fit(f.source, 12), printable(f.title),
                             place, f.reason.empty() ? "" : "  — " + printable(f.reason));
  }
  if (said.text.empty()) said.text = "no findings\n";
  return said;
}

}  // namespace pf
