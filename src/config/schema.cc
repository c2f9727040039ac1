#include "config/schema.h"

#include <algorithm>

#include "base/text.h"

namespace pf {
namespace {

std::string filled(std::string_view text) { return trim(text).empty() ? "must not be empty" : ""; }

std::string bubble_id(std::string_view text) {
  const auto id = parse_bubble_id(text);
  return id ? "" : "must be 3 to 40 characters: a lower-case letter, then a-z, 0-9, '_' or '-'";
}

std::string branch(std::string_view text) {
  if (text.starts_with('-')) return "must not begin with '-'";
  return filled(text);
}

std::string branch_type(std::string_view text) {
  const bool word = !text.empty() && std::ranges::all_of(text, [](char c) {
    return ascii::is_lower(c) || ascii::is_digit(c);
  });
  return word ? "" : "must be a word of lower-case letters and digits";
}

std::string absolute(std::string_view text) {
  return text.starts_with('/') ? "" : "must be an absolute path";
}

std::string below_home(std::string_view text) {
  const bool up = text == ".." || text.starts_with("../") || text.contains("/../");
  if (text.empty() || text.starts_with('/') || up) return "must be a path below the home directory";
  return "";
}

std::string absolute_or_home(std::string_view text) {
  return text.starts_with('/') || text.starts_with("~/") ? "" : "must begin with '/' or '~/'";
}

std::string socket(std::string_view text) {
  constexpr std::size_t longest = 100;  // the system takes 107 bytes of a socket's path
  const bool name =
      !text.empty() && ascii::is_alnum(text[0]) &&
      std::ranges::all_of(text, [](char c) { return ascii::is_alnum(c) || c == '_' || c == '-'; });
  if (text.size() <= longest && (name || text.starts_with('/'))) return "";
  return "must be a name of letters, digits, '_' and '-', or an absolute path, "
         "of 100 bytes at most";
}

constexpr Rule checked(TextCheck check) { return {.check = check}; }
constexpr Rule range(int least, int most) { return {.least = least, .most = most}; }
constexpr Rule choice(std::string_view a, std::string_view b, std::string_view c = {}) {
  return {.one_of = {a, b, c}};
}
constexpr Rule only(std::string_view value, std::string_view because) {
  return {.one_of = {value}, .because = because};
}
constexpr Rule anything = {};
constexpr Rule not_blank = checked(filled);
constexpr Rule some_words = {.check = filled, .filled = true};
constexpr Rule some_types = {.check = branch_type, .filled = true};

constexpr std::string_view kOnlyStrict =
    "other modes (balanced) are out of scope, to avoid undefined policy behaviour";
constexpr std::string_view kAlwaysApproved = "nothing is ever committed without your approval";

using S = Settings;
using A = AgentSettings;
constexpr auto kBubbleOnly = Held::bubble_only;
constexpr auto kNoBubble = Held::no_bubble;
constexpr auto kIfChanged = Held::when_changed;

constexpr Key kSchema[] = {
    {"", "id", &S::id, checked(bubble_id), "the bubble's id", kBubbleOnly},
    {"", "repo_path", &S::repo_path, checked(absolute), "top of the repository", kBubbleOnly},
    {"", "base_branch", &S::base_branch, checked(branch), "where the bubble begins", kBubbleOnly},
    {"", "bubble_branch", &S::bubble_branch, checked(branch), "its own branch", kBubbleOnly},
    {"", "work_mode", &S::work_mode, choice("worktree", "clone"),
     "how the bubble's files are kept apart"},
    {"", "quality_mode", &S::quality_mode, only("strict", kOnlyStrict),
     "how strictly reviews are judged"},
    {"", "reviewer_context_mode", &S::reviewer_context_mode, choice("fresh", "persistent"),
     "whether each review begins in a new process"},
    {"", "watchdog_timeout_minutes", &S::watchdog_timeout_minutes, range(1, 1440),
     "minutes of an agent's silence before you are asked"},
    {"", "max_rounds", &S::max_rounds, range(1, 100), "rounds before you are asked"},
    {"", "evidence_timeout_minutes", &S::evidence_timeout_minutes, range(1, 1440),
     "minutes a run of the checks may take", kIfChanged},
    {"", "commit_requires_approval", &S::commit_requires_approval, only("true", kAlwaysApproved),
     "commits wait for your approval"},
    {"", "open_command", &S::open_command, not_blank,
     "what `bubble open` runs; {{worktree_path}} is filled in"},

    {"agents", "implementer", &S::implementer, anything, "the agent that begins"},
    {"agents", "reviewer", &S::reviewer, anything, "the agent that reviews first"},
    {"agents.*", "kind", &A::kind, anything, "how the agent is started and spoken to"},
    {"agents.*", "command", &A::command, some_words, "program and arguments"},
    {"agents.*", "scenario", &A::scenario, not_blank,
     "what a scripted agent plays: a file, or \"demo\""},
    {"agents.*", "env", &A::env, not_blank,
     "variables it sees besides the usual ones; X* is all X…"},
    {"agents.*", "home", &A::home, checked(below_home),
     "what of your home directory the agent may write"},

    {"agents.*", "model", &A::model, not_blank, "the model it is to use"},
    {"agents.*", "implementer_model", &A::implementer_model, not_blank,
     "the model while it implements"},
    {"agents.*", "reviewer_model", &A::reviewer_model, not_blank, "the model while it reviews"},
    {"agents.*", "resume", &A::resume, some_words,
     "custom: program and arguments that go on with {conversation}"},
    {"agents.*", "ready", &A::ready, not_blank,
     "custom: how the line of its empty input box begins"},
    {"agents.*", "headless", &A::headless, some_words,
     "custom: program and arguments of one run without a terminal"},
    {"agents.*", "headless_resume", &A::headless_resume, some_words,
     "custom: the same, going on with {conversation}"},

    {"commands", "setup", &S::setup, not_blank, "run once in a new worktree", kIfChanged},
    {"commands", "*", CheckCommand{}, not_blank, "a check: test, typecheck or a name of your own"},

    {"notifications", "enabled", &S::notifications_enabled, anything, "sounds on or off"},
    {"notifications", "waiting_human_sound", &S::waiting_human_sound, anything,
     "sound file for a question; empty is silent"},
    {"notifications", "converged_sound", &S::converged_sound, anything,
     "sound file for a convergence; empty is silent"},

    {"scope", "allow", &S::scope_allow, not_blank, "paths a bubble may change; empty is all",
     kIfChanged},
    {"scope", "deny", &S::scope_deny, not_blank, "paths a bubble may not change", kIfChanged},
    {"policy", "risk_paths", &S::risk_paths, not_blank,
     "paths on which even P2 and P3 findings block", kIfChanged},
    {"policy", "risk_words", &S::risk_words, not_blank,
     "words in a title that make even P2 and P3 findings block", kIfChanged},
    {"checks", "checkout", &S::checks_checkout, choice("own", "clean", "worktree"),
     "where the checks run: in a checkout of their own, in an empty one each time, or in the "
     "worktree, which is advisory",
     kIfChanged},
    {"checks", "final", &S::checks_final, choice("cold", "warm"),
     "whether what both agree on is checked once more from an empty checkout", kIfChanged},
    {"checks", "slots", &S::checks_slots, range(1, 64),
     "runs of checks at once, over all bubbles of yours", kIfChanged},
    {"checks", "retries", &S::checks_retries, range(0, 10),
     "how often a red check is tried again on the same tree", kIfChanged},
    {"checks", "keep_free_mb", &S::checks_keep_free_mb, range(0, 1 << 20),
     "a run ends when less of the disk is left", kIfChanged},
    {"checks", "env", &S::checks_env, not_blank, "more variables that the checks see", kIfChanged},
    {"checks", "home", &S::checks_home, checked(below_home),
     "what of your home directory the checks can read", kIfChanged},
    {"sandbox", "mode", &S::sandbox_mode, choice("auto", "off"),
     "whether agents are confined where bubblewrap can start", kIfChanged},
    {"sandbox", "reviewer_writable", &S::sandbox_reviewer_writable, anything,
     "the reviewer may write in the worktree too", kIfChanged},
    {"sandbox", "allow", &S::sandbox_allow, checked(absolute_or_home),
     "more paths that agents may write", kIfChanged},
    {"sandbox", "git", &S::sandbox_git, choice("read-only", "writable"),
     "whether agents may write the repository's git directory", kIfChanged},
    {"diagnostics", "capture_panes", &S::capture_panes, anything,
     "keep what the agents' panes show, bounded, for people alone", kIfChanged},
    {"tmux", "socket", &S::tmux_socket, checked(socket), "the tmux server of the bubbles",
     kIfChanged},

    {"plan", "coder", &S::plan_coder, anything, "the agent that writes", kNoBubble},
    {"plan", "reviewer", &S::plan_reviewer, anything, "the agent that judges each step", kNoBubble},
    {"plan", "max_change_requests", &S::plan_max_change_requests, range(1, 100),
     "requests for changes on one step before you are asked", kNoBubble},
    {"plan", "step_time_budget_minutes", &S::plan_step_time_budget_minutes, range(0, 10080),
     "minutes the agents may work on one step before you are asked; 0 is no limit", kNoBubble},
    {"plan", "workspace", &S::plan_workspace, choice("repo", "worktree"),
     "where the coder writes: your checkout, or a worktree of its own", kNoBubble},
    {"plan", "answer_wait_seconds", &S::plan_answer_wait_seconds, range(1, 600),
     "how long an agent waits for your answer before its run is parked", kNoBubble},
    {"plan", "check", &S::plan_check, not_blank, "a command the agents are encouraged to run",
     kNoBubble},
    {"plan", "explain", &S::plan_explain, not_blank,
     "the agent that writes explained.md after the last approval", kNoBubble},

    {"role", "coder", &S::role_coder_by, choice("agent", "plan", "bubble"),
     "who does the coder's part", kNoBubble},
    {"role", "default_branch", &S::role_default_branch, checked(branch),
     "where features begin and end", kNoBubble},
    {"role", "branch_types", &S::role_branch_types, some_types,
     "what a feature's branch may begin with; the first is the usual one", kNoBubble},
    {"role", "max_change_requests", &S::role_max_change_requests, range(1, 100),
     "times a task may be handed back to its coder before you are asked", kNoBubble},
    {"role", "max_runs", &S::role_max_runs, range(1, 10000),
     "runs of agents on one feature before you are asked", kNoBubble},
    {"role", "feature_time_budget_minutes", &S::role_time_budget_minutes, range(0, 100800),
     "minutes the agents may work on one feature before you are asked; 0 is no limit", kNoBubble},
    {"role", "pr_command", &S::role_pr_command, anything,
     "opens a pull request; {{branch}}, {{base}}, {{title}}, {{body}} are filled in", kNoBubble},
    {"role.agents", "planner", &S::role_planner, anything, "the agent that plans", kNoBubble},
    {"role.agents", "coder", &S::role_coder, anything, "the agent that codes", kNoBubble},
    {"role.agents", "reviewer", &S::role_reviewer, anything, "the agent that reviews", kNoBubble},
};

}  // namespace

std::span<const Key> schema() { return kSchema; }

const Key* find_key(std::string_view table, std::string_view name) {
  for (const Key& key : kSchema)
    if (key.table == table && key.name == name) return &key;
  return nullptr;
}

}  // namespace pf
