// What holds after every step of random runs.
#include "document/role/handoff_note.h"
#include "document/role/roadmap.h"
#include "role/domain/effort.h"
#include "role/domain/random_run.h"
#include "role/domain/views.h"

namespace pf::role {
namespace {

using namespace testing;

// The file that validate would look at, if it is as we left it.
void register_is_sound(const Repo& r, bool written) {
  const std::string ours = document::render_register(r.state.reg);
  const auto read = document::read_register(ours, r.state.policy.types);
  must(read.has_value(), "what we write is sound: " + ours);
  must(*read == r.state.reg, "and says what the journal does: " + ours);
  if (!written) return;
  const auto at = r.files.find(std::string(kRegisterFile));
  must(at != r.files.end(), "there is a register");
  must(document::read_register(at->second, r.state.policy.types).has_value(),
       "what we left is sound: " + at->second);
}

// Nothing but a broken one that was put there breaks a roadmap or a task.
void documents_are_sound(const Repo& r) {
  const auto sound = [](const std::string& text) {
    return text == "broken" || document::read_roadmap(text).has_value();
  };
  for (const auto& [commit, text] : r.git.roadmaps)
    must(sound(text), "a roadmap that we committed: " + text);
  for (const auto& [path, text] : r.files) {
    if (path == kRoadmapFile) must(sound(text), "the roadmap: " + text);
    if (path.starts_with(kCurrentFolder))
      must(document::read_task(path, text).has_value(), "a task: " + text);
  }
}

void landings_are_sound(const State& s) {
  int at_hand = 0;
  for (const Landing& landing : s.landings) {
    at_hand += !is_over(landing.stage) && !landing.aside;
    const auto stages = stages_of(landing);
    must(landing.stage == Stage::dropped || landing.stage == Stage::keep ||
             contains(stages, landing.stage),
         "a stage of its own");
    if (landing.stage == Stage::keep)
      must(landing.declined && landing.aside && !landing.made, "only what was declined is kept");
    must(!landing.into.empty() || !contains(stages, Stage::merge),
         "what goes nowhere is not merged");
    if (landing.stage == Stage::approval) must(landing.asks, "who waits was to be asked");
    must(!landing.words.empty() || !document::note_problem(summary_of(landing)), "a summary");
    must(!document::note_problem(summary_of(landing)), "a summary keeps the rules");
    must(landing.number <= s.last_landing, "numbers rise");
  }
  must(at_hand <= 1, "one landing at hand at most");
  if (at_hand == 1)
    must(s.reg.state == Lifecycle::done && s.reg.current_role == Role::reviewer,
         "the register says that something lands");
}

void state_is_sound(const State& s) {
  must(s.autopilot() <= s.ordered, "nothing beyond the human's order");
  if (s.taken) must(s.taken->role == s.reg.current_role, "only the current role is taken");
  if (s.work && s.reg.branch) {
    const auto name = document::parse_branch(*s.reg.branch, s.policy.types);
    must(name && name->feature == s.work->feature, "the branch is the feature's");
  }
  const std::string text = dump(codec::encode(s));
  State again;
  must(codec::decode(*parse_json(text), again).has_value(), "the state can be read");
  must(dump(codec::encode(again)) == text, "the state survives its codec");
}

void views_are_total(const State& s) {
  must(!turn_text(s).empty() && !work_text(s).empty() && !autopilot_text(s).empty(), "status");
  must(!briefing_for(s, s.reg.current_role, false).empty(), "a briefing");
  const bool asks = s.reg.state == Lifecycle::blocked && !is_being_answered(s);
  must(!(asks || s.waiting() != nullptr) || !inbox_of(s).empty(), "what waits is in the inbox");
  for (const bool started : {false, true})
    must(to_do(s, s.reg.current_role, started, {}).contains("End your turn"), "what to do");
}

// Where two sides became one, what they became was judged.
void what_lands_was_checked(const State& s) {
  for (const Landing& landing : s.landings)
    if (is_merged(landing) && landing.checked && !landing.merged_tree.empty())
      must(landing.judged == landing.merged_tree, "what lands was checked");
}

// The default branch moves by a human's word, or by his order and green checks.
void nothing_moves_unasked(const Repo& r) {
  for (const Landing& landing : r.state.landings) {
    const bool merged = landing.stage == Stage::landed && landing.into == "main";
    if (!merged || landing.words != "by an agent?") continue;
    const bool by_word = landing.asks && landing.aside;
    const bool passed = landing.ci == CiStatus::green || !landing.checked;
    must(by_word || (landing.level == Autopilot::full && passed), "a merge by word or by order");
  }
}

// The guards hold: nobody is launched beyond them, and what was spent is never negative.
void effort_is_bounded(const State& s) {
  must(s.effort.runs <= s.policy.max_runs, "no run beyond the limit");
  must(s.effort.spent_ms >= 0 && s.effort.change_requests >= 0, "what was spent");
}

// The human's words are not lost while the feature goes on, unless an edit takes it away.
void words_stay(const State& before, const State& after) {
  if (!before.work || !after.work || before.work->feature != after.work->feature) return;
  for (const Word& word : before.work->words)
    must(contains(after.work->words, word) || after.work->words.size() == 20, "a word stays");
}

struct Reached {
  int landed = 0, blocked = 0, dropped = 0, edited = 0, waiting = 0, pulls = 0;
  int sent_back = 0, kept = 0, guarded = 0, red = 0;
};

void files_and_state_stay_sound(unsigned seed, Reached& reached) {
  RandomRun run(seed);
  for (int i = 0; i < 80; ++i) {
    const State before = run.r.state;
    const std::size_t lines = run.r.log.size();
    const Done step = run.step();
    const State& after = run.r.state;
    if (!step.ok()) must(step.exit() == 1 || step.exit() == 2, "refused or wrong usage");
    register_is_sound(run.r, false);
    documents_are_sound(run.r);
    landings_are_sound(after);
    state_is_sound(after);
    views_are_total(after);
    nothing_moves_unasked(run.r);
    what_lands_was_checked(after);
    effort_is_bounded(after);
    const auto is_edit = [](const std::string& line) { return line.contains("REGISTER_EDITED"); };
    if (std::none_of(run.r.log.begin() + static_cast<std::ptrdiff_t>(lines), run.r.log.end(),
                     is_edit))
      words_stay(before, after);
    for (const Event& event : step.events) {
      reached.edited += std::holds_alternative<RegisterEdited>(event.body);
      reached.sent_back += std::holds_alternative<SentBack>(event.body);
    }
    reached.guarded += !spent_text(after).empty();
    reached.red += !after.red_log.empty();
    reached.blocked += after.reg.state == Lifecycle::blocked;
    reached.waiting += after.waiting() != nullptr;
  }
  run.r.settle(100);
  register_is_sound(run.r, run.r.state.problems_of(kRegisterFile) == nullptr);
  for (const Landing& landing : run.r.state.landings) {
    reached.landed += landing.stage == Stage::landed;
    reached.dropped += landing.stage == Stage::dropped;
    reached.kept += landing.declined && landing.aside && landing.stage == Stage::dropped;
  }
  reached.pulls += static_cast<int>(run.r.pulls.size());
  must(std::set(run.r.pulls.begin(), run.r.pulls.end()).size() == run.r.pulls.size(),
       "one pull request for each head");
}

TEST_CASE("no sequence of commands leaves a file that validate rejects, or an unsound state") {
  CHECK(rc::check([] {
    Reached anything;
    files_and_state_stay_sound(any_seed(), anything);
  }));
}

TEST_CASE("random runs get somewhere") {
  Reached reached;
  for (const unsigned seed : known_seeds()) files_and_state_stay_sound(seed, reached);
  CHECK(reached.landed > 0);
  CHECK(reached.blocked > 0);
  CHECK(reached.dropped > 0);
  CHECK(reached.edited > 0);
  CHECK(reached.waiting > 0);
  CHECK(reached.pulls > 0);
  CHECK(reached.sent_back > 0);
  CHECK(reached.kept > 0);
  CHECK(reached.guarded > 0);
  CHECK(reached.red > 0);
}

TEST_CASE("a journal cut at any batch folds to a sound state, the whole of it to the same") {
  CHECK(rc::check([] {
    RandomRun run(any_seed());
    for (int i = 0; i < 40; ++i) run.step();
    run.r.read_anew([](const State& state) {
      landings_are_sound(state);
      state_is_sound(state);
    });
  }));
}

TEST_CASE("the world settles after any run, with at most one agent") {
  CHECK(rc::check([] {
    RandomRun run(any_seed());
    for (int i = 0; i < 40; ++i) run.step();
    run.r.settle(300);
    must(outstanding(run.r.state, run.r.observed()).empty(), "nothing is outstanding");
    must(run.r.processes.size() <= 1, "one agent at most");
    const State& s = run.r.state;
    must(!s.write || s.problems_of(kRegisterFile) != nullptr, "state.json says what we do");
  }));
}

TEST_CASE("of any number of takers exactly one wins") {
  CHECK(rc::check([] {
    Policy policy = test_policy();
    policy.coder = {};
    Repo r = Repo::coding(1, policy);
    const Seq turn = r.state.turn;
    std::mt19937 dice(any_seed());
    int winners = 0;
    for (int i = 0; i < 8; ++i) {
      const AgentName agent(fmt::format("agent{}", dice() % 6));
      const Done done = r.as(agent, Start{}, dice() % 2 == 0 ? turn : Seq::none);
      const bool has_it = r.state.taken && r.state.taken->by == agent.str();
      winners += done.ok() && !done.events.empty();
      must(has_it || !done.ok(), "only who has it is told so");
      if (!done.ok())
        must(done.what().find(r.state.taken->by) != std::string::npos &&
                 done.what().find(r.state.taken->at) != std::string::npos,
             "the loser is told who and when");
    }
    must(winners == 1, "one wins");
  }));
}

}  // namespace
}  // namespace pf::role
