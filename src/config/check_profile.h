#pragma once
#include "config/profile.h"

// How a change is checked: one table, by name, of what is configured, what was detected and what
// flags say.
namespace pf {

struct ProfiledCheck {
  std::string name, command;
  std::string from;  // "configuration", "detected: package.json has a test script", "flag"
  friend bool operator==(const ProfiledCheck&, const ProfiledCheck&) = default;
};
struct CheckProfile {
  std::vector<ProfiledCheck> checks;
  std::vector<std::string> dropped = {};  // names, by the human's word
};

// As configured, none of them anybody's wish of the moment.
CheckProfile configured_profile(const Settings& settings);
// Adds the first suggestion of each name that the profile does not have.
void add_detected(CheckProfile& profile, const std::vector<Detected>& detected);
// Adds the check, or replaces the one of that name where it stands.
void set_check(CheckProfile& profile, const NamedCommand& flag);
// A usage error when there is no check of that name.
Status drop_check(CheckProfile& profile, const std::string& name);
// Both by the flags of one command; a usage error where one sets what another drops.
Status change_by_flags(CheckProfile& profile, const std::vector<NamedCommand>& set,
                       const std::vector<std::string>& dropped);
// "  test: make test   (configuration)", a line each; what was dropped after them.
std::string in_words(const CheckProfile& profile);

}  // namespace pf
