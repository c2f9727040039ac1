#include <algorithm>

#include "bubble/domain/deciders.h"

namespace pf::bubble {
namespace {

// A review of another tree than the one to be reviewed; it is looked at and told anew.
Rejection tree_moved(const TreeFact& tree) {
  return warning("tree_moved", "the tree is not the one under review any more",
                 "somebody edited the worktree during the review" + differing(tree),
                 "review it again once you are told: pairflow turn");
}

// A review by somebody who cannot have seen the tree yet.
Rejection not_shown() {
  return warning("not_shown", "the tree under review is not before you yet",
                 "it was handed over a moment ago and is being brought to your checkout",
                 "review it once you are told: pairflow turn");
}

// What a reviewer judges: the tree that it has before it. Nothing: that is the one under review.
std::optional<Rejection> judges_another(const Asking& asking) {
  const TreeFact& tree = *asking.facts.tree;
  if (asking.state.target == tree.tree) return std::nullopt;
  return asking.state.reviews_apart() ? not_shown() : tree_moved(tree);
}

// BUBBLE rows 6 and 7.
Outcome implementer_pass(const Asking& asking, const Pass& pass) {
  const State& state = asking.state;
  if (!pass.review.empty())
    return warning("findings_by_implementer", "an implementer's pass carries no findings",
                   "findings are the reviewer's",
                   "leave --finding, --no-findings and --resolved out; --fixed F1.2 and "
                   "--disputed \"F1.2: reason\" are yours");
  auto claims = take_claims(state.findings, pass.claims);
  if (!claims) return claims.error();
  if (lacks_tree(asking.facts, false)) return need(Need::tree);
  const TreeFact& tree = *asking.facts.tree;
  if (!tree.conflicted.empty())
    return warning(
        "conflicts_left", "conflicts with the base are not resolved",
        "lines with <<<<<<< or >>>>>>> are left in " + name_some(tree.conflicted, kPathsNamed),
        "resolve them, then pass; or ask: pairflow ask-human --question \"…\"");

  const TreeId& last = state.target ? *state.target : state.place.base_tree;
  const bool moved = tree.tree != last;
  const Ledger ledger = merged(state.findings, *claims);
  const auto serious = [](const Finding& f) { return f.unsettled() && f.serious(); };
  const auto disputed = [&](const Finding& f) {
    return serious(f) && f.status == FindingStatus::disputed;
  };
  const bool all_disputed =
      std::ranges::any_of(ledger, disputed) &&
      std::ranges::count_if(ledger, serious) == std::ranges::count_if(ledger, disputed);
  // What the human waived since the review leaves nothing to change.
  const bool all_waived = state.target && std::ranges::count_if(ledger, serious) == 0 &&
                          std::ranges::any_of(ledger, [](const Finding& f) {
                            return f.status == FindingStatus::waived && f.serious();
                          });
  if (!moved && !all_disputed && !all_waived)
    return warning("no_change", "nothing has changed since the last pass",
                   "a pass hands over a changed tree",
                   "change something, dispute every open P0/P1 (--disputed \"F1.2: reason\"), or "
                   "ask: pairflow ask-human --question \"…\"");

  Passed passed;
  passed.role = Role::implementer;
  passed.summary = pass.summary;
  passed.intent = pass.intent.value_or(Intent::review);
  passed.tree = tree.tree;
  passed.tip = tree.tip;
  passed.changes = stats_of(tree.changed);
  passed.out_of_scope = out_of_scope(state.policy, tree.changed);
  if (moved) passed.churn = state.target ? stats_of(tree.moved) : passed.changes;
  passed.package = pass.package;
  Event event = make_event(asking, state.roles.reviewer, std::move(passed));
  event.refs = pass.refs;
  event.ledger = merged(std::move(*claims), moved ? evidence_of_new_target(state, ledger, tree.tree)
                                                  : std::vector<Finding>{});
  event.clears = moved;
  return std::vector{handed(state, std::move(event), on_turn(state, Role::reviewer))};
}

std::string list_findings(const Ledger& ledger, const std::vector<FindingId>& ids) {
  std::string out;
  for (const Finding& finding : ledger)
    if (contains(ids, finding.id))
      out += fmt::format("\n- {} {} {}{}", finding.id, finding.severity, printable(finding.title),
                         finding.reason.empty() ? "" : " (" + printable(finding.reason) + ")");
  return out;
}

std::vector<FindingId> unsettled_ids(const Ledger& ledger, bool also_serious) {
  std::vector<FindingId> ids;
  for (const Finding& finding : ledger)
    if (counts_against(finding) && (also_serious || !finding.serious())) ids.push_back(finding.id);
  return ids;
}

// The one question a verdict raises, by precedence dispute > max_rounds > minor.
std::optional<Asked> question_of(const State& state, Verdict verdict, const Ledger& ledger,
                                 const std::vector<FindingId>& disputed_again,
                                 const Progress& progress) {
  Asked asked;
  if (verdict == Verdict::dispute) {
    asked.kind = QuestionKind::dispute;
    asked.about = disputed_again;
    for (const FindingId& id : unsettled_ids(ledger, false)) asked.about.push_back(id);
    asked.question = "The agents disagree. Accept (waive) or continue (uphold)?";
  } else if (verdict == Verdict::blocking && state.round >= state.limit) {
    asked.kind = QuestionKind::max_rounds;
    asked.about = unsettled_ids(ledger, true);
    asked.question = fmt::format(
        "Round {} of {} is over and findings are open. Accept them as they "
        "are, or continue with more rounds?",
        state.round, state.limit);
  } else if (verdict == Verdict::minor) {
    asked.kind = QuestionKind::minor;
    asked.about = unsettled_ids(ledger, false);
    asked.question = "Only minor findings are left. Accept (waive) them or continue (fix)?";
  } else if (verdict == Verdict::clean && state.round > state.limit) {
    asked.kind = QuestionKind::max_rounds;
    asked.question = fmt::format(
        "Round {} of {} is over and only one model has passed this tree, "
        "which was edited in the last review. Accept: the other one reviews "
        "it too. Continue: back to the implementer with more rounds.",
        state.round, state.limit);
  } else {
    return std::nullopt;
  }
  if (is_plateau(state.meter, progress))
    asked.question +=
        fmt::format(" No progress in two rounds: {} still open.", in_words(progress.open));
  asked.question += list_findings(ledger, asked.about);
  return asked;
}

// BUBBLE rows 8 to 13.
Outcome reviewer_pass(const Asking& asking, const Pass& pass) {
  const State& state = asking.state;
  if (!pass.claims.empty())
    return warning("claims_by_reviewer", "--fixed and --disputed are the implementer's", "",
                   "use --finding, --resolved or --no-findings");
  if (!pass.review.declares())
    return warning("undeclared", "a review declares its findings",
                   "neither --finding nor --no-findings was given",
                   "add --finding \"P1:Title\" for each finding, or --no-findings");
  auto review =
      take_review(state.findings, pass.review, asking.request.who.name.str(), state.round);
  if (!review) return review.error();
  if (state.reviewer_is_due()) return not_shown();
  if (lacks_tree(asking.facts, false))
    return need(state.reviews_apart() ? Need::shown_tree : Need::tree);
  if (auto rejection = judges_another(asking)) return *rejection;
  const TreeFact& tree = *asking.facts.tree;

  const Ledger ledger = merged(state.findings, review->changed);
  const RiskPolicy risk{state.policy.risk_words, state.policy.risk_paths};
  const Verdict verdict = verdict_of(ledger, review->disputed_again, risk, tree.changed);
  // A third clean verdict would only move the baton on for ever.
  if (verdict == Verdict::clean && state.round > state.limit &&
      has_clean_verdict(state, state.roles.implementer))
    return warning("use_converged", "both models have passed this tree",
                   "there is nothing left to review", "run: pairflow converged --summary \"…\"");

  Passed passed;
  passed.role = Role::reviewer;
  passed.summary = pass.summary;
  passed.intent =
      pass.intent.value_or(verdict == Verdict::clean ? Intent::review : Intent::fix_request);
  passed.tree = tree.tree;
  passed.tip = tree.tip;
  passed.verdict = verdict;
  passed.findings = review->declared;
  passed.progress = progress_of(state.findings, *review);
  passed.package = pass.package;
  const Progress progress = *passed.progress;
  Event event = make_event(asking, state.roles.implementer, std::move(passed));
  event.refs = pass.refs;
  event.ledger = review->changed;
  if (auto asked = question_of(state, verdict, ledger, review->disputed_again, progress))
    return std::vector{std::move(event), parking_question(asking, std::move(*asked))};
  event.clears = verdict == Verdict::blocking;
  return std::vector{
      handed(state, std::move(event),
             verdict == Verdict::clean ? on_to_other_reviewer(state) : back_to_implementer(state))};
}

}  // namespace

std::optional<Rejection> agent_refused(const Asking& asking, std::string_view verb) {
  const State& state = asking.state;
  const AgentName& name = asking.request.who.name;
  if (!state.is_agent(name))
    return refuse(fmt::format("{} is no agent of bubble {}", printable(name.str()), state.id),
                  fmt::format("its agents are {} and {}", state.policy.roles.implementer,
                              state.policy.roles.reviewer),
                  "check PAIRFLOW_AGENT");
  if (auto rejection = refused_when_final(state)) return rejection;  // row 42: nothing is written
  const bool asks = verb == AskHuman::kTag.verb;
  if (state.phase == Phase::waiting && !asks)  // row 22
    return warning("waiting_human", "the bubble waits for the human", "a question is open",
                   "wait: you will be notified here when it is answered");
  if (state.phase != Phase::running && state.phase != Phase::waiting)  // row 43
    return warning("not_running",
                   fmt::format("{} is not possible while the bubble is {}", verb, state.phase), "",
                   "wait: you will be notified here when it is your turn");
  if (asks) return std::nullopt;
  if (state.sync)
    return warning("syncing", "the base branch is being brought into the worktree",
                   "the human asked for it", "wait: you will be notified here");
  if (state.active_agent != name)  // row 16
    return warning("not_active", fmt::format("it is {}'s turn", *state.active_agent),
                   fmt::format("you are the {}", state.role_of(name)),
                   "wait: you will be notified here when it is your turn");
  if (asking.is_stale())
    return warning("stale_turn", "the turn this belongs to is over",
                   "it was passed on in the meantime", "look again: pairflow turn");
  return std::nullopt;
}

Outcome handle(const Asking& asking, const Pass& pass) {
  if (pass.review.no_findings && !pass.review.findings.empty())
    return usage("--finding and --no-findings exclude each other", "use one of them");
  if (auto rejection = agent_refused(asking, Pass::kTag.verb)) return *rejection;
  return asking.state.active_role == Role::implementer ? implementer_pass(asking, pass)
                                                       : reviewer_pass(asking, pass);
}

// Row 17.
Outcome handle(const Asking& asking, const AskHuman& ask) {
  constexpr std::size_t kMaxQuestions = 20;
  if (auto rejection = agent_refused(asking, AskHuman::kTag.verb)) return *rejection;
  if (asking.state.questions.size() >= kMaxQuestions)
    return warning("too_many_questions", "too many questions are open",
                   fmt::format("at most {} at a time", kMaxQuestions), "wait for an answer");
  Asked asked;
  asked.question = ask.question;
  Event event = make_event(asking, "human", std::move(asked));
  event.then = parked(asking.state);
  return std::vector{std::move(event)};
}

namespace {

std::optional<std::string> unmet_package(const State& state,
                                         const std::optional<PackageBrought>& brought) {
  std::vector<std::string> names;
  for (const Part part : missing_parts(state.package, brought ? &*brought : nullptr))
    names.emplace_back(name_of(part));
  if (names.empty()) return std::nullopt;
  return fmt::format(
      "the approval package lacks: {}; add it with `pairflow converged --package FILE`, the form "
      "is in `pairflow turn`",
      join(names, ", "));
}

}  // namespace

// Rows 14 and 15.
Outcome handle(const Asking& asking, const Converge& converge) {
  const State& state = asking.state;
  if (auto rejection = agent_refused(asking, Converge::kTag.verb)) return *rejection;
  std::vector<std::string> unmet;
  if (state.active_role != Role::reviewer)
    unmet.push_back(
        "only the reviewer of this round can declare convergence: hand over with "
        "`pairflow pass`");
  const AgentName& other = state.roles.other(asking.request.who.name);
  if (!has_clean_verdict(state, other))
    unmet.push_back(
        fmt::format("{} has no clean verdict on this tree: pass yours with `pairflow "
                    "pass --no-findings` and the roles alternate",
                    other));
  for (const Finding& finding : state.findings)
    if (finding.unsettled())
      unmet.push_back(fmt::format("{} {} “{}” is {}: {}", finding.id, finding.severity,
                                  printable(finding.title), finding.status,
                                  finding.source == "orchestrator"
                                      ? "a green run or the human settles it"
                                      : "account for it with `pairflow pass`"));
  if (auto evidence = unmet_evidence(state)) unmet.push_back(std::move(*evidence));
  if (auto parts = unmet_package(state, converge.package)) unmet.push_back(std::move(*parts));
  if (unmet.empty() && state.reviewer_is_due()) {
    Rejection rejection = not_shown();
    rejection.unmet = {rejection.error.what};
    return rejection;
  }
  if (unmet.empty() && lacks_tree(asking.facts, true))
    return need(state.reviews_apart() ? Need::shown_tree : Need::cold_tree);
  if (unmet.empty())
    if (auto rejection = judges_another(asking)) {
      rejection->unmet = {rejection->error.what};
      return *rejection;
    }
  if (!unmet.empty()) {
    Rejection rejection = warning("not_converged", "the bubble has not converged",
                                  "\n    - " + join(unmet, "\n    - "), "pairflow turn");
    rejection.unmet = std::move(unmet);
    return rejection;
  }
  Event convergence = make_event(asking, "orchestrator",
                                 Converged{converge.summary,
                                           asking.facts.tree->tree,
                                           {other, asking.request.who.name},
                                           converge.package});
  Event request =
      own_event(asking, "human",
                ApprovalRequested{asking.facts.tree->tree, stats_of(asking.facts.tree->changed),
                                  asking.facts.tree->hidden});
  request.then = without_agent(state, Phase::ready);
  return std::vector{std::move(convergence), std::move(request)};
}

}  // namespace pf::bubble
