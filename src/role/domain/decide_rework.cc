#include "document/role/branch_name.h"
#include "role/domain/deciders.h"

// What the human does not let land: declined, or sent back to its coder with the work as it is.
namespace pf::role {
namespace {

constexpr std::size_t kWordsKept = 20;

void add_word(std::vector<Word>& words, Word word) {
  if (!trim(word.text).empty()) keep_last(words, kWordsKept, std::move(word));
}

// What waits for the human, has stopped, or can still be dropped.
const Landing* waiting_for(const State& state, const std::string& feature) {
  const Landing* waiting = nullptr;
  for (const LandingKind kind : {LandingKind::task, LandingKind::feature})
    if (const Landing* found = on_its_way(state, kind, feature)) waiting = found;
  const Landing* at_hand = state.at_hand();
  if (waiting == nullptr && at_hand != nullptr && at_hand->feature == feature && can_drop(*at_hand))
    waiting = at_hand;
  return waiting;
}

std::optional<Rejection> left_the_tree(const Asking& asking, const Landing& landing,
                                       std::string_view verb) {
  if (asking.facts.repository->branch == landing.branch) return std::nullopt;
  return refuse(fmt::format("{} has left the tree already", name_of_landing(landing)),
                fmt::format("{} is not checked out any more", landing.branch),
                fmt::format("let the tree be cleared, then {} it: pairflow role "
                            "approve-feature --feature {}",
                            verb, landing.feature));
}

std::string sendable(const State& state) {
  std::vector<std::string> all;
  for (const Landing& landing : state.landings)
    if (on_its_way(state, landing.kind, landing.feature) == &landing && !is_merged(landing))
      all.push_back(landing.feature);
  if (state.work && !contains(all, state.work->feature)) all.push_back(state.work->feature);
  return all.empty() ? "nothing can be sent back now"
                     : fmt::format("these can be sent back: {}", join(all, ", "));
}

Rejection not_there(const Asking& asking, const std::string& feature) {
  const State& state = asking.state;
  const std::string name = clip(printable(feature), 20);
  const bool landed = std::ranges::any_of(state.landings, [&](const Landing& landing) {
    return landing.feature == feature && landing.kind == LandingKind::feature &&
           (landing.stage == Stage::landed || is_merged(landing));
  });
  const document::Feature* known = asking.reading->roadmap.find(feature);
  if (landed || (known != nullptr && known->status == document::WorkStatus::done))
    return refuse(
        fmt::format("{} has landed", name), sendable(state),
        fmt::format("what is still to change is a feature of its own: add it to {}", kRoadmapFile));
  if (known == nullptr)
    return refuse(fmt::format("{} is not in {}", name, kRoadmapFile), sendable(state),
                  "see: pairflow role status");
  return refuse(fmt::format("{} neither waits for you nor is it worked on", name), sendable(state),
                "see: pairflow inbox");
}

std::optional<Rejection> unknown_task(const std::string& task, const std::string& feature,
                                      std::vector<std::string> known) {
  if (task.empty() || contains(known, task)) return std::nullopt;
  std::ranges::sort(known);
  const auto again = std::ranges::unique(known);
  known.erase(again.begin(), again.end());
  return refuse(fmt::format("there is no task {} of {}", clip(printable(task), 20), feature),
                known.empty() ? "it has none" : fmt::format("its tasks: {}", join(known, ", ")),
                "name one of them, or leave --task out");
}

std::optional<Rejection> at_work(const State& state) {
  if (state.run && !state.run->switched)
    return refuse(fmt::format("{} is at work as {}", state.run->agent, state.run->role),
                  "its run would go on with what you send back",
                  "end it first: pairflow role pause; then run this again");
  if (state.child)
    return refuse(fmt::format("the {} {} has the coder's part", state.child->by, state.child->id),
                  "", "let it come to its end first: pairflow role run");
  return std::nullopt;
}

// Its files have to find the checkout as they left it.
std::optional<Rejection> not_free(const Asking& asking, const Landing& landing) {
  const State& state = asking.state;
  const RepositoryFact& repo = *asking.facts.repository;
  const Landing* at_hand = state.at_hand();
  if (state.work || at_hand != nullptr)
    return refuse(fmt::format("{} is under way in the checkout",
                              state.work ? state.work->feature : at_hand->feature),
                  "the files of two features cannot be there at once",
                  "let it come to its end first: pairflow role run; then run this again");
  if (!repo.unfinished.empty())
    return refuse(fmt::format("a {} is unfinished in the repository", printable(repo.unfinished)),
                  "", "finish or abort it with git, then run this again");
  std::vector<std::string> dirty = repo.leftovers;
  for (const std::string& path : repo.dirty)
    if (path != kRoadmapFile && !contains(dirty, path)) dirty.push_back(path);
  if (!dirty.empty())
    return refuse(fmt::format("the files of {} have no room in the checkout", landing.feature),
                  name_foreign_changes(dirty), "commit, stash or move them, then run this again");
  const BranchFact* branch = repo.find(landing.branch);
  const CommitId& tip = landing.made ? landing.commit : landing.tip;
  if (branch == nullptr || branch->tip != tip)
    return refuse(fmt::format("{} {}", landing.branch,
                              branch == nullptr ? "is gone" : "has moved since it was approved"),
                  "",
                  fmt::format("put it back: git branch {}{} {}", branch == nullptr ? "" : "-f ",
                              landing.branch, tip));
  return std::nullopt;
}

// The feature as it stood when it was approved, open again.
Work work_again(const Landing& landing) {
  Work work{landing.feature, landing.title, landing.branch};
  work.done = landing.tasks;
  work.planned = landing.planned;
  work.words = landing.said;
  work.kept = landing.salvage;
  return work;
}

std::string sent_back_note(const Work& work, const std::string& message) {
  std::vector<std::string> lines = {
      fmt::format("{}{} is sent back by the human:", work.task.empty() ? "" : work.task + " of ",
                  work.feature)};
  for (const std::string_view line : split(message, '\n')) lines.emplace_back(line);
  return note_of(lines);
}

Outcome send_back(const Asking& asking, const Rework& c, Work work,
                  std::optional<Landing> landing) {
  if (!c.task.empty()) {
    std::erase(work.done, c.task);
    work.task = c.task;
  }
  work.requested = c.message;
  add_word(work.words, {c.message, work.task});
  Event event = make_event(
      asking, "both", SentBack{work.feature, c.message, work.task, landing ? landing->number : 0});
  RoleRegister reg = asking.state.reg;
  const auto name = document::parse_branch(work.branch, asking.state.policy.types);
  if (name) reg.plan_slug = name->slug;
  reg.branch = work.task_branch.empty() ? work.branch : work.task_branch;
  event.now = reg;
  switch_to(asking, event, Role::coder, Lifecycle::handoff, sent_back_note(work, c.message));
  if (!work.kept.empty() || (landing && landing->aside))
    if (const BranchFact* own = asking.facts.repository->find(work.branch))
      event.branch = BranchWanted{work.branch, own->tip, "", {}, work.kept};
  event.work = std::move(work);
  if (landing) {
    landing->stage = Stage::dropped;
    landing->trouble = c.message;
  }
  event.landing = std::move(landing);
  count_anew(event);
  return std::vector{std::move(event)};
}

}  // namespace

Outcome handle(const Asking& asking, const Decline& c) {
  if (c.feature.empty()) return usage("nothing is named", "name the feature: decline F001");
  const Landing* waiting = waiting_for(asking.state, c.feature);
  if (waiting == nullptr)
    return refuse("nothing of that name waits for you", "", "see: pairflow inbox");
  if (is_merged(*waiting))
    return refuse(
        fmt::format("{} is merged into {} already", name_of_landing(*waiting), waiting->into),
        "only the tree is still to be cleared: " + waiting->trouble,
        fmt::format("pairflow role approve-feature --feature {}", waiting->feature));
  if (waiting->stage == Stage::clear && !asking.facts.repository) return need(Need::repository);
  if (waiting->stage == Stage::clear)
    if (auto rejection = left_the_tree(asking, *waiting, "decline")) return *rejection;
  if (auto rejection = bad_note(c.why, true)) return *rejection;
  Landing landing = *waiting;
  Event event = make_event(asking, "both", LandingDeclined{landing.number, c.why});
  // What nobody has committed yet goes to its branch, so that it can be gone on with from there.
  const bool kept = landing.aside && !landing.made && landing.commits;
  landing.stage = kept ? Stage::keep : Stage::dropped;
  landing.trouble = c.why;
  landing.declined = true;
  if (!landing.aside) {
    Work work = asking.state.work.value_or(Work{landing.feature});
    std::erase(work.done, landing.task);
    if (landing.kind == LandingKind::task) work.task = landing.task;
    add_word(work.words, {c.why, landing.task});
    event.work = std::move(work);
    count_anew(event);
    switch_to(asking, event, Role::coder, Lifecycle::handoff,
              note_of({fmt::format("{} is declined", name_of_landing(landing)), c.why,
                       landing.salvage.empty()
                           ? ""
                           : fmt::format("As approved it is kept in {}", landing.salvage)}));
  }
  event.landing = std::move(landing);
  return std::vector{std::move(event)};
}

Outcome handle(const Asking& asking, const Rework& c) {
  const State& state = asking.state;
  if (trim(c.message).empty())
    return usage("the message is empty", "say what is to be changed: --message <words>");
  if (auto rejection = bad_note(c.message, false)) return *rejection;
  const Landing* landing = waiting_for(state, c.feature);
  const bool is_active = state.work && state.work->feature == c.feature;
  if (landing == nullptr && !is_active) return not_there(asking, c.feature);
  if (landing != nullptr && is_merged(*landing)) return not_there(asking, c.feature);
  const Landing* at_hand = state.at_hand();
  if (landing == nullptr && at_hand != nullptr)
    return refuse(fmt::format("{} is on its way", name_of_landing(*at_hand)),
                  fmt::format("its stage is {}", at_hand->stage),
                  "let it come to its end first: pairflow role run");
  if (auto rejection = at_work(state)) return *rejection;
  if (!asking.facts.repository) return need(Need::repository);
  if (landing != nullptr && landing->aside) {
    if (auto rejection = not_free(asking, *landing)) return *rejection;
    std::vector<std::string> known = landing->tasks;
    known.insert(known.end(), landing->planned.begin(), landing->planned.end());
    if (auto rejection = unknown_task(c.task, c.feature, std::move(known))) return *rejection;
    return send_back(asking, c, work_again(*landing), *landing);
  }
  if (landing != nullptr && landing->stage == Stage::clear)
    if (auto rejection = left_the_tree(asking, *landing, "send back")) return *rejection;
  Work work = state.work.value_or(Work{c.feature});
  std::vector<std::string> known = work.done;
  for (const document::Task& task : asking.reading->tasks) known.push_back(task.id);
  if (auto rejection = unknown_task(c.task, c.feature, std::move(known))) return *rejection;
  if (landing != nullptr && landing->kind == LandingKind::task) {
    std::erase(work.done, landing->task);
    work.task = landing->task;
  }
  if (!work.task_branch.empty() && !c.task.empty() && c.task != work.task)
    return refuse(
        fmt::format("{} is on a branch of its own", work.task),
        fmt::format("{} is checked out", work.task_branch),
        fmt::format("let it come to its end first, or send it back: --task {}", work.task));
  return send_back(asking, c, std::move(work),
                   landing == nullptr ? std::nullopt : std::optional(*landing));
}

}  // namespace pf::role
