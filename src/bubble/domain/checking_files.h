#pragma once
#include <string_view>

#include "bubble/domain/types.h"

// Which files of a change decide what the checks do.
namespace pf::bubble {

enum class Checking {
  no,
  tests,     // it is, or belongs to, a test
  settings,  // it says what is built, run or looked at: a build file, a setting of a tool
};
// By its path, or because a command of the profile names it.
Checking checking_of(std::string_view path, const Profile& profile);

}  // namespace pf::bubble
