#include <fmt/format.h>

#include "base/codec.h"
#include "base/text.h"
#include "bubble/domain/views.h"
#include "bubble/host/moved.h"
#include "loop/quarantine.h"
#include "plan/domain/views.h"
#include "plan/verbs/caller.h"
#include "role/domain/views.h"
#include "role/verbs/caller.h"
#include "verbs/core/show.h"
#include "verbs/verbs.h"

namespace pf {
namespace {

// Of the user, not of this repository alone.
InboxItem item_of(const QuarantinedFile& one) {
  const auto command = [&](const char* verb) {
    return fmt::format("pairflow quarantine {} {}", verb, one.id);
  };
  return {.id = one.id,
          .kind = "quarantine",
          .since = one.at,
          .from = "pairflow",
          .text = fmt::format("{} came up while an agent ran, and was moved away",
                              printable(one.from.string())),
          .command = command("show"),
          .otherwise = {command("restore"), command("forget")}};
}

}  // namespace

Result<Said> run_inbox(Caller& caller, const Args& args) {
  const Repository repository = TRY(repository_of(caller, args));
  Said said;
  JsonArray items;
  const auto add = [&](const char* loop, const std::string& whose,
                       const std::vector<InboxItem>& inbox) {
    said.text += inbox_text(caller.os.clock, whose, inbox);
    for (const InboxItem& item : inbox)
      items.emplace_back(codec::encode(item)).get_object()[loop] = whose;
  };
  for (const ListedBubble& bubble : TRY(all_bubbles(caller.os, repository))) {
    if (!bubble.state) {
      said.warnings.push_back(fmt::format("{}: {}", bubble.id.str(), bubble.state.error().what));
      continue;
    }
    add("bubble", bubble.id.str(),
        inbox_with_moved(BubblePaths(repository, bubble.id), *bubble.state));
  }
  for (const plan::FeatureId& feature : TRY(plans_run(caller.os, repository))) {
    const auto state =
        read_state<plan::Domain>(caller.os, PlanPaths(repository, feature).loop_files());
    if (!state)
      said.warnings.push_back(fmt::format("plan {}: {}", feature.str(), state.error().what));
    else if (*state)
      add("plan", feature.str(), plan::inbox_of(**state));
  }
  if (const auto roles = read_state<role::Domain>(caller.os, RolePaths(repository).loop_files());
      !roles)
    said.warnings.push_back(fmt::format("roles: {}", roles.error().what));
  else if (*roles)
    add("role", "role", role::inbox_of(**roles));
  for (const QuarantinedFile& one : quarantined(caller.os).value_or(std::vector<QuarantinedFile>()))
    add("quarantine", one.id, {item_of(one)});
  said.json["items"] = std::move(items);
  if (said.text.empty()) said.text = "nothing waits for you\n";
  return said;
}

}  // namespace pf
