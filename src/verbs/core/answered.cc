#include "verbs/core/answered.h"

#include <fmt/format.h>

#include "base/text.h"

namespace pf {

Answered answered(const Error& error, bool json) {
  Answered all;
  all.exit = static_cast<int>(error.exit);
  if (json) {
    JsonObject shown;
    shown["version"] = 1;
    shown["ok"] = false;
    shown["exit"] = all.exit;
    shown["error"] = JsonObject{{"what", error.what}, {"why", error.why}, {"fix", error.fix}};
    all.out = dump(shown) + "\n";
    return all;
  }
  all.err = fmt::format("pairflow: {}\n", printable_lines(error.what));
  if (!error.why.empty()) all.err += fmt::format("  because: {}\n", printable_lines(error.why));
  if (!error.fix.empty()) all.err += fmt::format("  → {}\n", printable_lines(error.fix));
  return all;
}

Answered answered(const Said& said, bool json) {
  Answered all;
  all.exit = said.exit;
  if (json) {
    JsonObject shown{{"version", 1}, {"ok", said.exit == 0}};
    for (const auto& member : said.json) shown[member.key()] = member.value();
    if (!said.warnings.empty()) {
      JsonArray warnings;
      for (const std::string& warning : said.warnings) warnings.push_back(Json(warning));
      shown["warnings"] = std::move(warnings);
    }
    all.out = dump(shown) + "\n";
    return all;
  }
  all.out = said.text;
  for (const std::string& warning : said.warnings)
    all.err += fmt::format("pairflow: warning: {}\n", printable_lines(warning));
  return all;
}

}  // namespace pf
