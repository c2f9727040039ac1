#pragma once
#include <functional>

#include "bubble/verbs/caller.h"

namespace pf {

// The rows of the group "bubble", and those of its agents.
Verbs bubble_verbs();

VerbFunction run_create, run_start, run_stop, run_resume, run_attach, run_watchdog;
VerbFunction run_open, run_shell;
VerbFunction run_evidence_verb, run_profile, run_package, run_approve, run_commit, run_merge;
VerbFunction run_sync, run_continue;
VerbFunction run_reply, run_replan, run_waive, run_rework;
VerbFunction run_status, run_bubble_inbox, run_list, run_timeline, run_diff, run_findings;
VerbFunction run_pass, run_ask_human, run_converged, run_turn;  // the agents'
VerbFunction run_supervise, run_checks_now;                     // our own processes'

// --package becomes the text of the file it names. Refuses one in the worktree: it would become
// part of the change.
Status read_package(Caller& caller, Args& args);

// Makes the bubble's directory with its bubble.toml and what `bring` puts there, then records it.
// Refuses one that exists; what an interrupted create left behind is taken over.
Result<BubbleEngine::Answer> record_bubble(Caller& caller, const Args& args,
                                           const BubblePaths& paths, const std::string& toml,
                                           const bubble::Create& create,
                                           const std::function<Status()>& bring = nullptr);
// What is said about a bubble that was just created.
Said said_created(const Args& args, const BubbleEngine::Answer& answer);

// The text of --task: a file's content, standard input for "-", or the text itself. What looks like
// a path and is no file is a usage error.
Result<std::string> task_text(Caller& caller, const std::string& value);

}  // namespace pf
