#include "loop/doctor.h"

#include <fmt/format.h>

#include "agents/kind.h"
#include "base/text.h"
#include "config/settings.h"
#include "verbs/core/caller.h"
#include "verbs/verbs.h"

namespace pf {
namespace {

using Found = Diagnosis::Health;

std::string_view word_for(Found health) {
  switch (health) {
    case Found::good: return "good";
    case Found::doubtful: return "doubtful";
    case Found::bad: return "bad";
  }
  return "";
}

std::string_view mark_for(Found health) {
  switch (health) {
    case Found::good: return "✓";
    case Found::doubtful: return "!";
    case Found::bad: return "✗";
  }
  return "";
}

}  // namespace

Result<Said> run_doctor(Caller& caller, const Args& args) {
  const auto repository = repository_of(caller, args);
  if (!repository && args.has("repo")) return std::unexpected(repository.error());
  const Path top = repository ? repository->top : caller.os.env.current_directory();
  const Settings settings = TRY(load_settings(caller.os, top, std::nullopt, agent_kinds()));
  Said said;
  JsonArray findings;
  for (const Diagnosis& one : examine(caller.os, settings)) {
    said.text += fmt::format("{} {:<16} {}\n", mark_for(one.health), one.what, one.found);
    if (!one.fix.empty()) said.text += fmt::format("  {:<16} → {}\n", "", one.fix);
    findings.push_back(JsonObject{{"what", one.what},
                                  {"health", word_for(one.health)},
                                  {"found", one.found},
                                  {"fix", one.fix}});
    if (one.health == Found::bad) said.exit = static_cast<int>(Exit::machine);
  }
  said.json["diagnoses"] = std::move(findings);
  return said;
}

}  // namespace pf
