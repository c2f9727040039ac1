#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/ids.h"
#include "os/os.h"

namespace pf {

// What the configuration has to know of one kind of agent. The rows are those of agents/, which add
// how such an agent is run; the caller hands them in.
struct KindSettings {
  std::string_view name;
  // Its command unless another is configured, and an agent of the kind's name is built in.
  std::string_view program = {};
  bool takes_command = true;
  bool takes_templates = false;  // resume, ready, headless, headless_resume
  bool takes_scenario = false;
};
using KindTable = std::span<const KindSettings* const>;

struct AgentSettings {
  AgentName name;
  const KindSettings* kind = nullptr;     // merge_settings refuses an agent without one
  std::vector<std::string> command = {};  // default: the kind's program
  std::string scenario = {};  // scripted: path of the scenario file, or "demo" for the built-in
  std::vector<std::string> env = {};   // variables it sees besides the usual ones
  std::vector<std::string> home = {};  // paths below the home directory that it may write
  std::string model = {}, implementer_model = {}, reviewer_model = {};  // the role's wins
  std::vector<std::string> resume = {};           // custom: program and arguments to go on with
  std::string ready = {};                         // custom: how the line of its input box begins
  std::vector<std::string> headless = {};         // custom: program and arguments of a plan's run
  std::vector<std::string> headless_resume = {};  // custom: and to go on with its conversation
  friend bool operator==(const AgentSettings&, const AgentSettings&) = default;
};

struct NamedCommand {
  std::string name;  // "test", "typecheck", any other key of [commands] but "setup"
  std::string command;
  friend bool operator==(const NamedCommand&, const NamedCommand&) = default;
};

// An agent that says nothing but its kind, by the kind's own name.
AgentSettings plain_agent(const KindSettings& kind);
// Those of the kinds that have a program, sorted by name.
std::vector<AgentSettings> built_in_agents(KindTable kinds);

// Everything one bubble runs by, merged: built-in → user file → repository file → bubble.toml. The
// initial values are the defaults, and so are the built-in agents.
struct Settings {
  std::string id;
  std::string repo_path;
  std::string base_branch;
  std::string bubble_branch;
  std::string work_mode = "worktree";
  std::string quality_mode = "strict";
  std::string reviewer_context_mode = "fresh";
  int watchdog_timeout_minutes = 5;
  int max_rounds = 8;
  int evidence_timeout_minutes = 20;
  bool commit_requires_approval = true;
  std::string open_command = "cursor {{worktree_path}}";
  AgentName implementer = AgentName("codex");
  AgentName reviewer = AgentName("claude");
  std::vector<AgentSettings> agents;   // sorted by name
  std::vector<NamedCommand> commands;  // checks, in order
  std::string setup;
  bool notifications_enabled = true;
  std::string waiting_human_sound;  // "": silent
  std::string converged_sound;
  std::vector<std::string> scope_allow;  // empty: everything
  std::vector<std::string> scope_deny;
  std::vector<std::string> risk_paths = {"**/auth/**", "**/crypto/**", "**/migrations/**",
                                         "**/*.sql"};
  std::vector<std::string> risk_words = {"security", "auth",      "secret",  "injection",
                                         "race",     "deadlock",  "corrupt", "data loss",
                                         "crash",    "migration", "overflow"};
  std::string checks_checkout = "own";
  std::string checks_final = "cold";
  int checks_slots = 2;
  int checks_retries = 1;
  int checks_keep_free_mb = 1024;
  std::vector<std::string> checks_env;  // variables that the checks see besides the usual ones
  std::vector<std::string> checks_home = {
      ".cargo/bin", ".cargo/registry", ".rustup", ".npm",           ".nvm",
      ".local/bin", ".local/lib",      ".pyenv",  ".m2/repository", "go"};
  std::string sandbox_mode = "auto";  // auto: where bubblewrap can start
  bool sandbox_reviewer_writable = false;
  std::vector<std::string> sandbox_allow;  // more paths that agents may write
  std::string sandbox_git = "read-only";
  bool capture_panes = false;
  std::string tmux_socket = "pairflow";  // a name, or an absolute path
  AgentName plan_coder = AgentName("codex");
  AgentName plan_reviewer = AgentName("claude");
  int plan_max_change_requests = 3;
  int plan_step_time_budget_minutes = 0;  // 0: none
  std::string plan_workspace = "repo";
  int plan_answer_wait_seconds = 45;
  std::string plan_check;    // "": none
  std::string plan_explain;  // an agent's name; "": nobody
  AgentName role_planner = AgentName("claude");
  AgentName role_coder = AgentName("codex");
  AgentName role_reviewer = AgentName("claude");
  std::string role_coder_by = "agent";
  std::string role_default_branch;  // "": main, else master, else the one that is checked out
  std::vector<std::string> role_branch_types = {"feat",     "fix",  "chore", "docs",
                                                "refactor", "test", "perf"};
  int role_max_change_requests = 3;  // of one task
  int role_max_runs = 40;            // of one feature
  int role_time_budget_minutes = 0;  // of one feature; 0: none
  std::string role_pr_command =      // "": no pull requests are opened
      "git push --quiet origin {{branch}} && gh pr create --head {{branch}} --base {{base}} "
      "--title {{title}} --body {{body}}";
  friend bool operator==(const Settings&, const Settings&) = default;
};

// The agent of that name; null when there is none.
const AgentSettings* find_agent(const Settings& settings, const AgentName& name);

enum class Layer { user, repository, bubble };

struct ConfigText {
  Path path;  // for messages
  std::string text;
  Layer layer = Layer::bubble;
};

inline constexpr std::size_t kConfigBytes = 256u << 10;  // a configuration file may be this large

// Merges the layers, later wins (tables by key, lists whole; `kind` begins an agent afresh). Wrong
// types, unknown keys (with the nearest known one), values out of range and modes we do not have
// are usage errors that name file, line, key and fix; several are listed together, ten at most.
// `id, repo_path, base_branch, bubble_branch` are allowed in the bubble layer only.
Result<Settings> merge_settings(const std::vector<ConfigText>& layers, KindTable kinds);
// User file, repository file, and `bubble_toml` when given, read through os and merged. The first
// two may be missing; bubble.toml must be there and name its id, repository and branches.
Result<Settings> load_settings(Os& os, const Path& repo, const std::optional<Path>& bubble_toml,
                               KindTable kinds);
// bubble.toml with the fields in their documented order and the agents in use; merge_settings
// reads it back unchanged, and refuses what flags may have brought in: a bad range, NUL, not UTF-8.
std::string render_bubble_toml(const Settings& settings);

}  // namespace pf
