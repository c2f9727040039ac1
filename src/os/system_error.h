#pragma once
#include <string>
#include <string_view>

#include "base/result.h"
#include "os/path.h"

namespace pf {

// The machine error of a failed system call, with the system's reason and what a person can do.
Error system_error(int code, std::string what);
// "cannot <verb> '<path>'", safe to show whatever the name contains.
std::unexpected<Error> path_error(int code, std::string_view verb, const Path& path);

}  // namespace pf
