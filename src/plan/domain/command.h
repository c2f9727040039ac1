#pragma once
#include <variant>

#include "base/compiled_once.h"
#include "plan/domain/event.h"

// What may be asked of a plan. The `File…` and `Check…` commands are the orchestrator's own.
namespace pf::plan {

// The human's: begins the log of a feature.
struct Open {
  Policy policy;
  std::string restored = {};  // where the damaged log is kept that this one replaces
};

// The agents' tools; `run` is the one they were started as.
struct RequestReview {
  int run = 0;
  std::string note = {};
};
struct RequestChanges {
  int run = 0;
  std::string text;
};
struct Approve {
  int run = 0;
  std::string note = {};
};
struct AskUser {
  int run = 0;
  std::string message;
};

// The human's.
struct Reply {
  std::string message;
  MessageId question = {};  // when given it must be the open one
};
struct Force {
  Role role = Role::coder;
  std::string message = {};
};
struct ResetGuard {};
struct Pause {};
struct Resume {
  bool takes_edit = false;  // plan.md counts as it is, whoever edited it
};
struct Reset {};

struct CheckDocuments {};  // plan.md and spec.md as they are now
struct CheckBudget {};
struct ReportWritten {
  Hash hash;
};
struct ReportRunStarted {
  int run = 0;
  std::string conversation = {}, transcript = {}, program = {}, enforcement = {};
};
struct ReportRunParked {
  int run = 0;
  MessageId question;  // that it waited for
};
struct ReportRunEnded {
  int run = 0;
  int exit = 0;
  bool lost = false;      // nobody saw it end
  std::string what = {};  // how it ended, for people
  std::string conversation = {};
  std::int64_t input_tokens = 0, output_tokens = 0;
  bool explained = false;  // explained.md is there, and was not so before
};
struct ReportTool {
  int run = 0;
  std::string tool, what;
  bool blocked = false;
};
struct ReportError {
  std::string what;
  int run = 0;  // when it is about one
};

struct Command
    : std::variant<Open, RequestReview, RequestChanges, Approve, AskUser, Reply, Force, ResetGuard,
                   Pause, Resume, Reset, CheckDocuments, CheckBudget, ReportWritten,
                   ReportRunStarted, ReportRunParked, ReportRunEnded, ReportTool, ReportError> {
  using variant::variant;
  PF_COMPILED_ONCE(Command);
};

}  // namespace pf::plan
