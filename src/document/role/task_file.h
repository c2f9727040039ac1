#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "document/role/work_status.h"

// docs/current/T##-<task>.md: one task of the active feature.
namespace pf::document {

struct Task {
  std::string id;  // T01
  int number = 0;
  std::string slug;  // of the file's name
  std::string title;
  std::string path;
  std::optional<WorkStatus> status = {};  // as written: `status:` in the frontmatter, else a line
                                          // `Status: …` before the second heading
};

// "T01-form.md" by its name; nothing when it is no task's. A name that was meant to be one is a
// problem.
struct TaskName {
  std::string id, slug;
  int number = 0;
};
Read<std::optional<TaskName>> parse_task_name(std::string_view file);

// Refuses what is no UTF-8, more than 1 MiB, frontmatter that cannot be read, and a status that is
// no word of ours. `path` ends with a name that parse_task_name takes.
Read<Task> read_task(const std::string& path, std::string_view text);

// The same text with this status and every other byte as it was. A task that tells no status is
// not changed.
Read<std::string> set_task_status(const std::string& path, std::string_view text,
                                  WorkStatus status);

}  // namespace pf::document
