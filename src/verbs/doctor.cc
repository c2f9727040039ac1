#include "loop/doctor.h"

#include <fmt/format.h>

#include "agents/kind.h"
#include "config/settings.h"
#include "verbs/core/caller.h"
#include "verbs/verbs.h"

namespace pf {
namespace {

struct HealthWords {
  std::string_view word, mark;
};
constexpr HealthWords kHealthWords[] = {{"good", "✓"}, {"doubtful", "!"}, {"bad", "✗"}};

}  // namespace

Result<Said> run_doctor(Caller& caller, const Args& args) {
  const auto repository = repository_of(caller, args);
  if (!repository && args.has("repo")) return std::unexpected(repository.error());
  const Path top = repository ? repository->top : caller.os.env.current_directory();
  const Settings settings = TRY(load_settings(caller.os, top, std::nullopt, agent_kinds()));
  Said said;
  JsonArray findings;
  for (const Diagnosis& one : examine(caller.os, settings)) {
    const auto& [word, mark] = kHealthWords[static_cast<int>(one.health)];
    said.text += fmt::format("{} {:<16} {}\n", mark, one.what, one.found);
    if (!one.fix.empty()) said.text += fmt::format("  {:<16} → {}\n", "", one.fix);
    findings.push_back(
        JsonObject{{"what", one.what}, {"health", word}, {"found", one.found}, {"fix", one.fix}});
    if (one.health == Diagnosis::Health::bad) said.exit = static_cast<int>(Exit::machine);
  }
  said.json["diagnoses"] = std::move(findings);
  return said;
}

}  // namespace pf
