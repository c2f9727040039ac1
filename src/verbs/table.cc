#include "verbs/agent_verbs.h"
#include "verbs/human_verbs.h"

namespace pf {
namespace {

constexpr Param kMessage{"message", Type::text, "the text; - reads standard input"};
constexpr Param kYes{"yes", Type::flag, "the decision is made: do not ask"};
constexpr Param kFindingOfPass{"finding", Type::text,
                               "P0..P3:Title, P1:Title @path:line, or F1.2 to repeat one",
                               false, true, 600};

Param required(Param param) {
  param.required = true;
  return param;
}

std::vector<Verb> operator_verbs() {
  return {
      {"bubble", "create", "Validate and record a new bubble; makes no branch and no worktree yet.",
       "pairflow bubble create --id login-timeout --base main --task task.md --accept-detected",
       Audience::human,
       {{"id", Type::word, "3 to 40 of a-z, 0-9, _ and -", true},
        {"base", Type::word, "branch to start from (default: the one checked out)"},
        {"task", Type::text, "a file's path, the task's text, or - for standard input", true, false,
         kMaxTask},
        {"test", Type::text, "the test command", false, false, 4096},
        {"typecheck", Type::text, "the type check command", false, false, 4096},
        {"accept-detected", Type::flag, "use the checks that were detected"},
        {"manual-checks", Type::word, "a file with checks you go through by hand"},
        {"no-tests", Type::text, "there are no checks, and why", false, false, 4096},
        {"implementer", Type::word, "agent that implements first"},
        {"reviewer", Type::word, "agent that reviews first"},
        {"work-mode", Type::word, "worktree or clone"},
        {"max-rounds", Type::number, "rounds before you are asked"}},
       run_create},
      {"bubble", "start", "Prepare the workspace and start both agents; goes on where it stopped.",
       "pairflow bubble start --id login-timeout", Audience::human, {kId}, run_start},
      {"bubble", "status", "Where a bubble stands.", "pairflow bubble status --id login-timeout",
       Audience::anyone,
       {kId, {"watch", Type::flag, "keep showing it"}}, run_status},
      {"bubble", "inbox", "What one bubble waits for you with.",
       "pairflow bubble inbox --id login-timeout", Audience::anyone, {kId}, run_bubble_inbox},
      {"bubble", "reply", "Answer an open question; the agents go on.",
       "pairflow bubble reply --id login-timeout --message \"use the existing pool\"",
       Audience::human,
       {kId, kMessage,
        {"decision", Type::word, "accept (waive) or continue, for tie-breaks"},
        {"rounds", Type::number, "how many more rounds with continue (default 2)"},
        {"question", Type::word, "message id of the question (default: the oldest)"}},
       run_reply},
      {"bubble", "approve", "Approve exactly the tree the agents converged on.",
       "pairflow bubble approve --id login-timeout --yes", Audience::human,
       {kId, kYes, {"tree", Type::word, "the tree you looked at; refused if it is another"}},
       run_approve},
      {"bubble", "request-rework", "Send a converged or approved change back with your findings.",
       "pairflow bubble request-rework --id login-timeout --message \"keep the old flag working\"",
       Audience::human,
       {kId, required(kMessage), {"reject", Type::flag, "record it as reject instead of revise"},
        kFindingOfPass},
       run_rework},
      {"bubble", "commit", "Commit exactly the approved tree on the bubble's branch. Never pushes.",
       "pairflow bubble commit --id login-timeout", Audience::human,
       {kId,
        {"message", Type::text, "the commit message; - reads standard input"},
        {"squash", Type::flag, "somebody committed on the branch: make one commit of the tree"},
        {"override-scope", Type::text, "commit files out of scope, and why", false, false, 4096}},
       run_commit},
      {"bubble", "open", "Open the worktree with open_command.",
       "pairflow bubble open --id login-timeout", Audience::human, {kId}, run_open},
      {"bubble", "stop", "Cancel a bubble; worktree, branch and transcript are kept.",
       "pairflow bubble stop --id login-timeout", Audience::human,
       {kId, {"reason", Type::text, "recorded with it", false, false, 4096}, kYes}, run_stop},
      {"bubble", "resume", "Go on after you intervened, a crash or a reboot.",
       "pairflow bubble resume --id login-timeout", Audience::human, {kId}, run_resume},
      {"bubble", "watchdog", "Escalate to you when the active agent was silent for too long.",
       "pairflow bubble watchdog --id login-timeout", Audience::anyone, {kId}, run_watchdog},
      {"bubble", "replan", "Give a running bubble a new task.",
       "pairflow bubble replan --id login-timeout --task task-2.md", Audience::human,
       {kId,
        {"task", Type::text, "a file's path, the task's text, or - for standard input", true, false,
         kMaxTask}},
       run_replan},
      {"bubble", "waive", "Settle a finding by your word.",
       "pairflow bubble waive --id login-timeout --finding F1.2 --reason \"out of scope\"",
       Audience::human,
       {kId, {"finding", Type::word, "the finding's id", true},
        {"reason", Type::text, "recorded with it", true, false, 4096}},
       run_waive},
      {"bubble", "list", "All bubbles of the repository.", "pairflow bubble list",
       Audience::anyone, {}, run_list},
      {"bubble", "attach", "Look at the agents at work (tmux).",
       "pairflow bubble attach --id login-timeout", Audience::human, {kId}, run_attach},
      {"bubble", "timeline", "Everything that happened, one line each.",
       "pairflow bubble timeline --id login-timeout", Audience::anyone, {kId}, run_timeline},
      {"bubble", "diff", "The change against its base.",
       "pairflow bubble diff --id login-timeout --stat", Audience::anyone,
       {kId, {"stat", Type::flag, "files and line counts only"},
        {"since-converged", Type::flag, "what differs from the converged tree"}},
       run_diff},
      {"bubble", "findings", "The ledger of findings.",
       "pairflow bubble findings --id login-timeout", Audience::anyone, {kId}, run_findings},
      {"bubble", "verify", "Check every line of the transcript: numbers, hashes, batches.",
       "pairflow bubble verify --id login-timeout", Audience::anyone,
       {kId, {"repair", Type::flag, "settle a journal in doubt, move a torn tail aside"}},
       run_verify},
      {"", "inbox", "What waits for you, over all bubbles.", "pairflow inbox", Audience::anyone, {},
       run_inbox},
      {"", "demo", "Run one bubble end to end with two built-in agents in a scratch repository.",
       "pairflow demo", Audience::human,
       {{"keep", Type::word, "directory to keep it in (default: a temporary one, removed)"}},
       run_demo},
  };
}

std::vector<Verb> agent_verbs() {
  return {
      {"", "pass", "Hand your work over: the implementer to the reviewer, or a review back.",
       "pairflow pass --summary \"empty input is refused now\" --fixed F1.1", Audience::agent,
       {kId,
        {"summary", Type::text, "what you did or found; - reads standard input", true},
        {"ref", Type::word, "a file in the worktree to keep with the message", false, true},
        {"intent", Type::word, "task, review or fix_request (default: by role)"},
        kFindingOfPass,
        {"no-findings", Type::flag, "the review found nothing; settles what was open"},
        {"resolved", Type::word, "a finding that is settled now", false, true},
        {"fixed", Type::word, "implementer: a finding you have fixed", false, true},
        {"disputed", Type::text, "implementer: F1.3: reason", false, true, 4096}},
       run_pass},
      {"", "ask-human", "Ask the human and wait; the answer arrives in your pane.",
       "pairflow ask-human --question \"may the API change?\"", Audience::agent,
       {kId, {"question", Type::text, "the question; - reads standard input", true}},
       run_ask_human},
      {"", "converged", "Declare that nothing serious is left: the second clean verdict.",
       "pairflow converged --summary \"both reviews are clean\"", Audience::agent,
       {kId, {"summary", Type::text, "why; - reads standard input", true}}, run_converged},
      {"", "turn", "All you need for your turn.", "pairflow turn", Audience::agent, {kId},
       run_turn},
  };
}

}  // namespace

std::vector<Verb> verbs() {
  std::vector<Verb> all = operator_verbs();
  for (Verb& verb : agent_verbs()) all.push_back(std::move(verb));
  return all;
}

}  // namespace pf
