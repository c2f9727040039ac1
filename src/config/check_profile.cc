#include "config/check_profile.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/find.h"
#include "base/text.h"

namespace pf {

CheckProfile configured_profile(const Settings& settings) {
  CheckProfile profile;
  for (const auto& [name, command] : settings.commands)
    profile.checks.push_back({name, command, "configuration"});
  return profile;
}

void add_detected(CheckProfile& profile, const std::vector<Detected>& detected) {
  for (const Detected& check : detected)
    if (!contains(profile.checks, check.name, &ProfiledCheck::name))
      profile.checks.push_back({check.name, check.command, "detected: " + check.because});
}

void set_check(CheckProfile& profile, const NamedCommand& flag) {
  std::erase(profile.dropped, flag.name);
  ProfiledCheck* known = find_in(profile.checks, flag.name, &ProfiledCheck::name);
  if (known == nullptr) known = &profile.checks.emplace_back(ProfiledCheck{flag.name, {}, {}});
  known->command = flag.command;
  known->from = "flag";
}

Status drop_check(CheckProfile& profile, const std::string& name) {
  const auto gone =
      std::erase_if(profile.checks, [&](const ProfiledCheck& check) { return check.name == name; });
  if (gone > 0) {
    profile.dropped.push_back(name);
    return {};
  }
  std::vector<std::string> known;
  for (const ProfiledCheck& check : profile.checks) known.push_back(check.name);
  return fail(Exit::usage, fmt::format("there is no check '{}' to drop", clip(printable(name), 60)),
              known.empty() ? "the profile has none" : "the checks are: " + join(known, ", "),
              "leave --drop-check out, or name one of them");
}

Status change_by_flags(CheckProfile& profile, const std::vector<NamedCommand>& set,
                       const std::vector<std::string>& dropped) {
  for (const NamedCommand& flag : set)
    if (contains(dropped, flag.name)) {
      const bool has_own = flag.name == "test" || flag.name == "typecheck";
      const std::string name = clip(printable(flag.name), 60);
      const std::string by = has_own ? "--" + name : fmt::format("--check {}=…", name);
      return fail(Exit::usage, fmt::format("{} and --drop-check {} exclude each other", by, name),
                  "one sets the check that the other drops", "leave one of them out");
    }
  for (const NamedCommand& flag : set) set_check(profile, flag);
  for (const std::string& name : dropped) TRY(drop_check(profile, name));
  return {};
}

std::string in_words(const CheckProfile& profile) {
  std::string out;
  for (const ProfiledCheck& check : profile.checks)
    out += fmt::format("  {}: {}   ({})\n", check.name, printable(check.command), check.from);
  if (!profile.dropped.empty())
    out += fmt::format("  dropped by you: {}\n", join(profile.dropped, ", "));
  return out;
}

}  // namespace pf
