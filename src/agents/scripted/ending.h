#pragma once
#include <string>
#include <variant>
#include <vector>

namespace pf {

// How a scripted turn or run ends. The texts are handed to the real commands as they are; those
// judge.
struct EndByPass {
  std::string summary;
  std::vector<std::string> findings;
  bool no_findings = false;
  std::vector<std::string> resolved;
  std::vector<std::string> fixed;
  std::vector<std::string> disputed;
  std::string package = {};  // Markdown; "" for none
  friend bool operator==(const EndByPass&, const EndByPass&) = default;
};
struct EndByQuestion {
  std::string question;
  friend bool operator==(const EndByQuestion&, const EndByQuestion&) = default;
};
struct EndByConverged {
  std::string summary;
  friend bool operator==(const EndByConverged&, const EndByConverged&) = default;
};
struct EndByExit {
  int code = 0;
  friend bool operator==(const EndByExit&, const EndByExit&) = default;
};
// The agent falls silent.
struct EndByNothing {
  friend bool operator==(const EndByNothing&, const EndByNothing&) = default;
};
// The endings of a plan's runs; notes may be "".
struct EndByReviewRequest {
  std::string note;
  friend bool operator==(const EndByReviewRequest&, const EndByReviewRequest&) = default;
};
struct EndByChangeRequest {
  std::string text;
  friend bool operator==(const EndByChangeRequest&, const EndByChangeRequest&) = default;
};
struct EndByApproval {
  std::string note;
  friend bool operator==(const EndByApproval&, const EndByApproval&) = default;
};
// Goes on with the next entry once it is answered.
struct EndByUserQuestion {
  std::string message;
  friend bool operator==(const EndByUserQuestion&, const EndByUserQuestion&) = default;
};
// The process stays until somebody ends it.
struct EndByHang {
  friend bool operator==(const EndByHang&, const EndByHang&) = default;
};
using Ending = std::variant<EndByNothing, EndByPass, EndByQuestion, EndByConverged, EndByExit,
                            EndByReviewRequest, EndByChangeRequest, EndByApproval,
                            EndByUserQuestion, EndByHang>;

// The words behind `pairflow`; none for an ending without a command.
std::vector<std::string> command_of(const Ending& ending);

// One line that a shell would read as these words; long ones are cut, nothing in it is a control.
std::string shown_command(const std::vector<std::string>& words);

}  // namespace pf
