#include "role_oracle.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "document/role/roadmap.h"
#include "document/role/task_file.h"
#include "role/domain/outstanding.h"
#include "role/domain/views.h"

namespace pf::sim {
namespace {

using role::Landing;
using role::Stage;

const std::string kRegister(role::kRegisterFile);
const std::string kRoadmap(role::kRoadmapFile);

bool is_ours(const std::string& path) {
  return path == kRegister || path.starts_with(role::kCurrentFolder);
}

std::vector<CommitId> behind(const FakeGitDirectory& git, std::vector<CommitId> tips) {
  for (std::size_t i = 0; i < tips.size(); ++i)
    for (const CommitId& parent : git.commits.at(tips[i].str()).parents)
      if (std::ranges::find(tips, parent) == tips.end()) tips.push_back(parent);
  return tips;
}

Hash hash_of_text(const std::optional<std::string>& text) { return text ? hash_of(*text) : Hash(); }

}  // namespace

RoleOracle::RoleOracle(RoleWorld& world, Tally& tally, const Trace& trace)
    : door(world.disk, world.clock, world.paths.loop_files(), tally,
           {&Tally::role_recorded, &Tally::role_repeated, &Tally::role_refused,
            [this](const Batch& batch) { judge_batch(batch); }}),
      world_(world),
      tally_(tally),
      trace_(trace) {}

void RoleOracle::person_acted() {
  refs_ = world_.git.refs;
  head_ = world_.git.head;
  files_ = world_.worktree();
  const auto text = world_.read(kRegister);
  if (versions_.empty() || versions_.back().text != text) versions_ = {{text, hash_of_text(text)}};
}

void RoleOracle::stepped(bool files) {
  door.stepped();
  look_at_refs();
  if (files) look_at_files();
  if (!world_.broken.empty()) throw Broken{world_.broken};
}

void RoleOracle::ended(RoleProcess& process) {
  stepped(true);
  door.ended(process);
  if (process.not_performed()) door.judge_cause(process, *process.not_performed());
}

void RoleOracle::judge_batch(const Batch& batch) {
  role::State state = *batch.before;
  for (const Line& line : batch.lines) {
    const role::Event event = role::decode(line).value();
    if (trace_) trace_("  " + role::describe(event));
    judge_event(state, event);
    state = role::fold(std::move(state), line).value();
  }
}

void RoleOracle::judge_event(const role::State& before, const role::Event& event) {
  if (event.landing && before.landing(event.landing->number) == nullptr) {
    edits_before_[event.landing->number] = world_.edits;
    ++tally_.landings_begun;
  }
  if (const auto* e = std::get_if<role::CommitPrepared>(&event.body))
    judge_commit(*before.landing(e->landing), *e);
  if (const auto* e = std::get_if<role::ChecksFiled>(&event.body))
    if (const Stage at = before.landing(e->landing)->stage;
        at != Stage::checks && at != Stage::merge_checks)
      throw Broken{fmt::format("landing {} was checked out of turn", e->landing)};
  if (const auto* e = std::get_if<role::FileWritten>(&event.body); e && e->path == kRegister)
    for (Version& version : versions_) version.told |= version.hash == e->hash;
  if (std::holds_alternative<role::BranchMoved>(event.body)) ++tally_.branches_moved;
  if (std::holds_alternative<role::TreeCleared>(event.body)) ++tally_.trees_cleared;
  if (std::holds_alternative<role::LandingStopped>(event.body)) ++tally_.landings_stopped;
  if (std::holds_alternative<role::RegisterEdited>(event.body)) ++tally_.registers_taken_in;
  if (event.landing && event.landing->stage == Stage::landed &&
      event.landing->kind == role::LandingKind::feature &&
      before.landing(event.landing->number)->stage != Stage::landed)
    ++tally_.features_landed;
}

// The commit holds the files as they were approved, and the salvage all of them. What people edit
// between is in it too, and nobody can say how much.
void RoleOracle::judge_commit(const Landing& landing, const role::CommitPrepared& event) {
  ++tally_.commits_prepared;
  const auto made = world_.git.commits.find(event.commit.str());
  if (made == world_.git.commits.end()) throw Broken{"a commit was prepared that is not there"};
  if (made->second.parents != std::vector{landing.tip})
    throw Broken{"a commit was prepared on top of something else"};
  const bool closes = landing.kind == role::LandingKind::feature;
  if (closes && !world_.git.refs.contains(event.salvage))
    throw Broken{"what was approved is kept by no ref"};
  if (world_.edits != edits_before_[landing.number]) return;
  const Tree& tree = *world_.git.find(event.commit.str());
  Tree approved = world_.worktree();
  if (closes) {
    Tree whole = *world_.git.find(event.salvage);
    whole.erase(kRegister), approved.erase(kRegister);
    if (whole != approved) throw Broken{"the salvage is not what was approved"};
    const auto roadmap = document::read_roadmap(tree.at(kRoadmap));
    if (!roadmap || roadmap->find(landing.feature)->status != document::WorkStatus::done)
      throw Broken{"a feature was committed and its roadmap does not say so"};
    std::erase_if(approved, [](const auto& file) { return is_ours(file.first); });
  }
  Tree committed = tree;
  for (Tree* side : {&committed, &approved}) side->erase(kRegister);
  if (closes) committed.erase(kRoadmap), approved.erase(kRoadmap);
  if (committed != approved) throw Broken{"the commit is not what was approved"};
}

// Some state of the log has wanted this.
bool RoleOracle::is_explained(const std::string& ref, const std::string& from,
                              const std::string& to) const {
  const std::string name = ref.substr(std::string("refs/heads/").size());
  const auto by_landing = [&](const Landing& l) {
    const bool commits =
        l.stage == Stage::commit && l.branch == name && l.tip.str() == from && l.commit.str() == to;
    const bool merges =
        l.stage == Stage::move && l.into == name && l.onto.str() == from && l.merged.str() == to;
    const bool keeps =
        l.stage == Stage::keep && l.branch == name && l.tip.str() == from && l.commit.str() == to;
    return commits || merges || keeps;
  };
  return std::ranges::any_of(door.record().batches(), [&](const Batch& batch) {
    const auto& wanted = batch.state->branch;
    if (wanted && (wanted->name == name || wanted->base == name) && wanted->at.str() == to &&
        (from.empty() || wanted->from.str() == from))
      return true;
    return std::ranges::any_of(batch.state->landings, by_landing);
  });
}

bool RoleOracle::is_head_explained() const {
  const auto is_head = [&](const std::string& name) {
    return world_.git.head == "refs/heads/" + name;
  };
  const auto clears = [&](const Landing& landing) {
    return landing.stage == Stage::clear && is_head(landing.into);
  };
  return std::ranges::any_of(door.record().batches(), [&](const Batch& batch) {
    const auto& wanted = batch.state->branch;
    return (wanted && is_head(wanted->name)) || std::ranges::any_of(batch.state->landings, clears);
  });
}

void RoleOracle::look_at_refs() {
  if (head_ != world_.git.head && !is_head_explained())
    throw Broken{fmt::format("{} was checked out, and nothing wants it", world_.git.head)};
  head_ = world_.git.head;
  if (refs_ == world_.git.refs) return;
  for (const auto& [name, to] : world_.git.refs) {
    const auto old = refs_.find(name);
    const std::string from = old == refs_.end() ? "" : old->second;
    if (from == to) continue;
    if (name.starts_with("refs/heads/") ? !is_explained(name, from, to) : !from.empty())
      throw Broken{fmt::format("{} moved from {} to {}, and nothing wants it", name, from, to)};
  }
  if (world_.git.refs.size() < refs_.size()) throw Broken{"a ref is gone"};
  refs_ = world_.git.refs;
}

bool RoleOracle::is_kept(const std::string& path, const std::string& text) const {
  std::vector<CommitId> tips;
  for (const auto& [name, commit] : world_.git.refs) tips.emplace_back(commit);
  return std::ranges::any_of(behind(world_.git, std::move(tips)), [&](const CommitId& commit) {
    const Tree& tree = *world_.git.find(commit.str());
    const auto at = tree.find(path);
    return at != tree.end() && at->second == text;
  });
}

void RoleOracle::judge_file(const std::string& path, const std::string& old,
                            const std::optional<std::string>& now) {
  if (path.starts_with(role::kCurrentFolder) && now) {
    const auto done = document::set_task_status(path, old, document::WorkStatus::done);
    if (done && *done == *now) return;
  }
  if (!is_kept(path, old)) throw Broken{fmt::format("{} is lost: {}", path, old)};
}

void RoleOracle::look_at_files() {
  Tree now = world_.worktree();
  if (now == files_) return;
  look_at_register();
  for (const auto& [path, old] : files_) {
    const auto at = now.find(path);
    if (path == kRegister || (at != now.end() && at->second == old)) continue;
    judge_file(path, old, at == now.end() ? std::nullopt : std::optional(at->second));
  }
  files_ = std::move(now);
}

// Some state of the log says that the register is to be this.
bool RoleOracle::was_wanted(const Hash& reg) const {
  return std::ranges::any_of(door.record().batches(), [&](const Batch& batch) {
    return hash_of(document::render_register(batch.state->reg)) == reg;
  });
}

bool RoleOracle::was_taken_in(const Hash& reg) const {
  return reg.empty() || std::ranges::any_of(door.record().batches(), [&](const Batch& batch) {
           const auto& write = batch.state->write;
           return batch.state->disk == reg || (write && write->may_meet(reg));
         });
}

void RoleOracle::look_at_register() {
  const auto now = world_.read(kRegister);
  const Version& old = versions_.back();
  if (now == old.text) return;
  const Hash hash = hash_of_text(now);
  if (!now || !was_wanted(hash)) throw Broken{"state.json is not what the log wants"};
  if (!old.ours && !was_taken_in(old.hash))
    throw Broken{"state.json was written over an edit: " + old.text.value_or("")};
  versions_.push_back({now, hash, true});
  ++tally_.registers_written;
}

void RoleOracle::power_cut() {
  door.power_cut();
  const auto now = world_.read(kRegister);
  const auto left = std::ranges::find_if(versions_.rbegin(), versions_.rend(),
                                         [&](const Version& v) { return v.text == now; });
  if (left == versions_.rend())
    throw Broken{"a loss of power left a torn state.json: " + now.value_or("")};
  if (left->ours && !was_wanted(left->hash))
    throw Broken{"state.json was written for something that a loss of power took back"};
  if (std::any_of(left.base(), versions_.end(), [](const Version& later) { return later.told; }))
    throw Broken{"a loss of power took back what the log says is in state.json"};
  versions_ = {Version(*left)};
  files_ = world_.worktree();
}

void RoleOracle::check_landing(const Landing& landing) {
  if (!role::is_over(landing.stage) && landing.stage != Stage::approval && landing.trouble.empty())
    throw Broken{fmt::format("{} neither ends nor waits", role::name_of_landing(landing))};
  if (world_.pulls[landing.number] > 1)
    throw Broken{fmt::format("two pull requests for {}", role::name_of_landing(landing))};
  if (!role::is_merged(landing) || landing.merged.empty()) return;
  const auto all = behind(world_.git, {CommitId(world_.git.refs.at("refs/heads/" + landing.into))});
  if (std::ranges::find(all, landing.merged) == all.end())
    throw Broken{fmt::format("{} is not in {}", role::name_of_landing(landing), landing.into)};
}

void RoleOracle::check_rest() {
  const role::State& now = state();
  role::Observed observed;
  const auto reg = world_.read(kRegister);
  observed.reg = hash_of_text(reg);
  for (const auto& [path, text] : world_.worktree())
    if (path.starts_with(role::kCurrentFolder)) observed.tasks.push_back({path, hash_of(text)});
  const std::string heads = "refs/heads/";
  for (const auto& [name, tip] : world_.git.refs)
    if (name.starts_with(heads))
      observed.branches.push_back({name.substr(heads.size()), CommitId(tip)});
  observed.checked_out = world_.git.head.substr(heads.size());
  const auto effects = role::outstanding(now, observed);
  if (!effects.empty())
    throw Broken{fmt::format("at rest, and effect {} is outstanding: {}", effects.front().index(),
                             role::turn_text(now))};
  if (now.problems_of(kRegister) == nullptr && reg != document::render_register(now.reg))
    throw Broken{"at rest, and state.json is not what the log says"};
  if (now.write || now.branch || !now.task_writes.empty())
    throw Broken{"at rest, and something is still to be written"};
  // One that was cut off behind its checkout, and then met a push, waits for the human there.
  const bool cleared =
      std::ranges::find(now.landings, Stage::clear, &Landing::stage) == now.landings.end();
  if (cleared && *world_.git.find(world_.git.index.str()) != world_.git.head_tree())
    throw Broken{"at rest, and the index is not as HEAD is"};
  for (const Landing& landing : now.landings) check_landing(landing);
}

}  // namespace pf::sim
