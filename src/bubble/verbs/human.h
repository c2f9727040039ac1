#pragma once
#include "bubble/verbs/caller.h"

namespace pf {

// The rows of the group "bubble", and those of its agents.
Verbs bubble_verbs();
// Those that only our own processes start.
Verbs bubble_internals();

Result<Said> run_create(Caller& caller, const Args& args);
Result<Said> run_start(Caller& caller, const Args& args);
Result<Said> run_stop(Caller& caller, const Args& args);
Result<Said> run_resume(Caller& caller, const Args& args);
Result<Said> run_open(Caller& caller, const Args& args);
Result<Said> run_attach(Caller& caller, const Args& args);
Result<Said> run_watchdog(Caller& caller, const Args& args);

Result<Said> run_evidence_verb(Caller& caller, const Args& args);
Result<Said> run_profile(Caller& caller, const Args& args);

Result<Said> run_reply(Caller& caller, const Args& args);
Result<Said> run_replan(Caller& caller, const Args& args);
Result<Said> run_waive(Caller& caller, const Args& args);
Result<Said> run_approve(Caller& caller, const Args& args);
Result<Said> run_rework(Caller& caller, const Args& args);
Result<Said> run_commit(Caller& caller, const Args& args);
Result<Said> run_merge(Caller& caller, const Args& args);
Result<Said> run_package(Caller& caller, const Args& args);

Result<Said> run_status(Caller& caller, const Args& args);
Result<Said> run_bubble_inbox(Caller& caller, const Args& args);
Result<Said> run_list(Caller& caller, const Args& args);
Result<Said> run_timeline(Caller& caller, const Args& args);
Result<Said> run_diff(Caller& caller, const Args& args);
Result<Said> run_findings(Caller& caller, const Args& args);

// The text of --task: a file's content, standard input for "-", or the text itself. What looks like
// a path and is no file is a usage error.
Result<std::string> task_text(Caller& caller, const std::string& value);

}  // namespace pf
