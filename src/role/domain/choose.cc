#include "role/domain/deciders.h"

// What the planner hands over: which feature, on which branch, which task. Used by the deciders.
namespace pf::role {
namespace {

using document::BranchName;
using document::WorkStatus;
template <class T>
using Or = std::expected<T, Rejection>;

Or<const document::Feature*> chosen_feature(const Asking& asking, const std::string& wanted) {
  const State& state = asking.state;
  const std::string id = !wanted.empty() ? wanted : state.work ? state.work->feature : "";
  if (id.empty())
    return std::unexpected(
        usage("no feature is chosen", "name one of docs/ROADMAP.md: --feature F001"));
  const document::Feature* feature = asking.reading->roadmap.find(id);
  if (feature == nullptr)
    return std::unexpected(
        refuse(fmt::format("{} is not in {}", clip(printable(id), 20), kRoadmapFile), "",
               "choose one of its features, or add it"));
  // A branch whose closing commit was declined calls its own feature done.
  const bool is_active = state.work && state.work->feature == id;
  if ((feature->status == WorkStatus::done && !is_active) || feature->status == WorkStatus::dropped)
    return std::unexpected(refuse(fmt::format("{} is {}", id, feature->status),
                                  fmt::format("so says {} line {}", kRoadmapFile, feature->line),
                                  "choose another feature"));
  for (const Landing& landing : state.landings)
    if (!is_over(landing.stage) && landing.feature == id)
      return std::unexpected(refuse(fmt::format("{} is finished and waits for the human", id),
                                    fmt::format("its stage is {}", landing.stage),
                                    "choose another feature; see: pairflow inbox"));
  return feature;
}

Or<BranchName> new_name(const Asking& asking, const Handoff& c, const document::Feature& feature) {
  const auto& types = asking.state.policy.types;
  const std::string type = c.type.empty() ? types.front() : c.type;
  std::string slug = document::kebab_of(feature.title);
  if (slug.empty()) slug = document::kebab_of(feature.id);
  const BranchName name{type, feature.id, slug};
  if (auto parsed = document::parse_branch(name.str(), types); !parsed)
    return std::unexpected(
        usage(fmt::format("{} is no branch's name", printable(name.str())), parsed.error()));
  return name;
}

Or<BranchName> chosen_name(const Asking& asking, const Handoff& c,
                           const document::Feature& feature) {
  const State& state = asking.state;
  const auto& types = state.policy.types;
  if (!c.branch.empty()) {
    const auto name = document::parse_branch(c.branch, types);
    if (!name)
      return std::unexpected(usage(
          fmt::format("{} is no branch's name", clip(printable(c.branch), 80)), name.error()));
    if (name->feature != feature.id)
      return std::unexpected(usage(fmt::format("{} is not a branch of {}", name->str(), feature.id),
                                   "leave --branch out for the usual name"));
    return *name;
  }
  if (state.work && state.work->feature == feature.id)
    if (auto name = document::parse_branch(state.work->branch, types)) return *name;
  for (const BranchFact& branch : asking.facts.repository->branches)
    if (auto name = document::parse_branch(branch.name, types);
        name && name->feature == feature.id && !name->is_task())
      return *name;
  return new_name(asking, c, feature);
}

std::vector<std::string> tasks_done(const Asking& asking, const std::string& feature) {
  if (asking.state.work && asking.state.work->feature == feature) return asking.state.work->done;
  std::vector<std::string> done;
  for (const document::Task& task : asking.reading->tasks)
    if (task.status == WorkStatus::done) done.push_back(task.id);
  return done;
}

Or<const document::Task*> chosen_task(const Asking& asking, const std::string& wanted,
                                      const std::vector<std::string>& done) {
  const Reading& reading = *asking.reading;
  if (wanted.empty()) return next_task(reading, done);
  const document::Task* task = reading.task(wanted);
  if (task == nullptr)
    return std::unexpected(refuse(fmt::format("there is no task {}", clip(printable(wanted), 20)),
                                  "",
                                  fmt::format("write it as {}{}-<task>.md", kCurrentFolder,
                                              document::is_task_id(wanted) ? wanted : "T01")));
  if (contains(done, wanted))
    return std::unexpected(
        refuse(fmt::format("{} is approved already", wanted), "", "choose another task"));
  return task;
}

// A branch of its own is for a task with a stated risk, and for no other.
Or<BranchName> task_name(BranchName name, const Handoff& c, const document::Task* task) {
  if (c.risk.empty() && !name.is_task()) return name;
  if (trim(c.risk).empty())
    return std::unexpected(usage("a task gets a branch of its own only for a stated risk",
                                 "say why: --risk <reason>, or use the feature's branch"));
  if (document::note_problem(c.risk) || c.risk.find('\n') != std::string::npos)
    return std::unexpected(
        usage("the risk is no plain line", "say it in one line of at most 200 characters"));
  if (task == nullptr)
    return std::unexpected(refuse("there is no task that could have a branch of its own", "",
                                  fmt::format("write one as {}T01-<task>.md", kCurrentFolder)));
  if (name.is_task() && name.task != task->id)
    return std::unexpected(usage(fmt::format("{} is not a branch of {}", name.str(), task->id),
                                 "leave --branch out for the usual name"));
  name.task = task->id;
  if (name.task_slug.empty()) name.task_slug = task->slug;
  return name;
}

// Checking a branch out must not carry work from one commit to another.
Or<std::optional<BranchWanted>> wanted_branch(const Asking& asking, const BranchName& name,
                                              const std::string& kept) {
  const RepositoryFact& repo = *asking.facts.repository;
  const std::string& main = asking.state.policy.default_branch;
  if (!repo.unfinished.empty())
    return std::unexpected(
        refuse(fmt::format("a {} is unfinished in the repository", printable(repo.unfinished)), "",
               "finish or abort it with git, then run this again"));
  if (repo.branch == name.str() && kept.empty()) return std::nullopt;
  const BranchFact* own = repo.find(name.str());
  const BranchFact* base = repo.find(name.is_task() ? name.feature_branch() : main);
  if (own == nullptr && base == nullptr) base = repo.find(main);
  if (own == nullptr && base == nullptr)
    return std::unexpected(refuse(fmt::format("there is no branch {}", printable(main)),
                                  "a feature begins there", "set [role] default_branch"));
  // One with nothing of its own begins again where features begin.
  const bool is_left =
      own != nullptr && base != nullptr && own->merged && !name.is_task() && kept.empty();
  const CommitId at = own != nullptr && !is_left ? own->tip : base->tip;
  const bool is_kept = contains(repo.branches, repo.at, &BranchFact::tip);
  if (repo.branch.empty() && at != repo.at && !is_kept)
    return std::unexpected(
        refuse(fmt::format("{} cannot be checked out", name.str()),
               "no branch is checked out now, and commits made here would be lost",
               "keep them: git switch -c <name>; then run this again"));
  const auto foreign_changes = foreign_changes_in(repo.dirty);
  if (!foreign_changes.empty() && at != repo.at)
    return std::unexpected(refuse(fmt::format("{} cannot be checked out", name.str()),
                                  fmt::format("not committed on {}: {}", printable(repo.branch),
                                              clip(printable(join(foreign_changes, ", ")), 400)),
                                  "commit or stash it, then run this again"));
  return BranchWanted{name.str(), at, name.is_task() ? name.feature_branch() : "",
                      is_left && own->tip != at ? own->tip : CommitId{}, kept};
}

// What the human said about a feature that he declined.
std::vector<Word> words_about(const State& state, const std::string& feature) {
  std::vector<Word> words;
  for (const Landing& landing : state.landings) {
    if (landing.feature != feature || !landing.declined) continue;
    words = landing.said;
    if (!trim(landing.trouble).empty()) words.push_back({landing.trouble, landing.task});
  }
  return words;
}

}  // namespace

std::expected<Choice, Rejection> choose(const Asking& asking, const Handoff& c) {
  if (auto rejection = unsound_roadmap(asking)) return std::unexpected(*rejection);
  if (auto rejection = unsound_tasks(asking)) return std::unexpected(*rejection);
  const document::Feature& feature = *TRY(chosen_feature(asking, c.feature));
  const BranchName base = TRY(chosen_name(asking, c, feature));
  const auto& work = asking.state.work;
  const bool begins = work ? work->feature != feature.id : !asking.state.clean;
  if (begins)
    if (auto rejection = foreign_changes_refused(asking)) return std::unexpected(*rejection);
  Choice choice{Work{feature.id, feature.title, base.feature_branch()}, base.slug};
  if (work && work->feature == feature.id) {
    choice.work.words = work->words;
    choice.work.kept = work->kept;
  } else {
    choice.work.words = words_about(asking.state, feature.id);
  }
  choice.work.done = tasks_done(asking, feature.id);
  for (const document::Task& task : asking.reading->tasks) choice.work.planned.push_back(task.id);
  const document::Task* task = TRY(chosen_task(asking, c.task, choice.work.done));
  if (task != nullptr) choice.work.task = task->id;
  const BranchName name = TRY(task_name(base, c, task));
  if (name.is_task()) {
    choice.work.task_branch = name.str();
    choice.work.risk = c.risk;
  }
  if (work && work->feature == feature.id && work->task == choice.work.task) {
    choice.work.coded_by = work->coded_by;
    choice.work.requested = work->requested;
  }
  choice.branch = TRY(wanted_branch(asking, name, choice.work.kept));
  return choice;
}

}  // namespace pf::role
