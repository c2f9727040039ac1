#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/fields.h"
#include "document/yaml_mapping.h"

// How far a feature of the roadmap or a task is, in the words that people use.
namespace pf::document {

enum class WorkStatus { planned, in_progress, done, dropped };
PF_NAMES(WorkStatus, planned, in_progress, done, dropped)

// Whatever the case and the word's joints; with emphasis, code marks or a tick around it.
std::optional<WorkStatus> parse_work_status(std::string_view word);
inline constexpr std::string_view kStatusWords = "planned, in progress, done or dropped";

// The word that takes the place of another one: "done", or "Done" for one that begins large.
std::string status_word(WorkStatus status, std::string_view instead_of);

// What stands behind "Status:" on a line (a bullet, emphasis and any case are fine), as a span of
// the line. Nothing when the line is no such label.
std::optional<Span> status_label(std::string_view line);

}  // namespace pf::document
