#include <fmt/format.h>

#include "base/json.h"
#include "base/text.h"
#include "config/detect.h"

namespace pf {
namespace {

struct Manager {
  std::string_view name;
  std::string_view locks[2];
  std::string_view test;  // `bun test` would pass by the script
  std::string_view run;
  std::string_view tsc;
};

constexpr Manager kManagers[] = {
    {"npm", {"package-lock.json"}, "npm test", "npm run", "npx tsc --noEmit"},
    {"pnpm", {"pnpm-lock.yaml"}, "pnpm test", "pnpm run", "pnpm exec tsc --noEmit"},
    {"yarn", {"yarn.lock"}, "yarn test", "yarn run", "yarn run tsc --noEmit"},
    {"bun", {"bun.lock", "bun.lockb"}, "bun run test", "bun run", "bunx tsc --noEmit"},
};

const Manager& manager_of(const RepoTop& top, const JsonObject& package) {
  const std::string declared = text_of(package, "packageManager");  // "pnpm@9.1.0"
  for (const Manager& manager : kManagers)
    if (split(declared, '@').front() == manager.name) return manager;
  for (const Manager& manager : kManagers)
    for (const auto lock : manager.locks)
      if (top.has(lock)) return manager;
  return kManagers[0];
}

std::string script(const JsonObject& package, std::string_view name) {
  const Json* scripts = package.if_contains("scripts");
  if (scripts == nullptr || !scripts->is_object()) return {};
  const std::string text = text_of(scripts->get_object(), name);
  return text.contains("no test specified") ? std::string() : text;  // what `npm init` writes
}

}  // namespace

void detect_node(const RepoTop& top, std::vector<Detected>& found) {
  const JsonObject package = top.json("package.json");
  const Manager& manager = manager_of(top, package);
  if (!script(package, "test").empty())
    found.push_back({"test", std::string(manager.test), "package.json has a test script"});
  for (const auto* name : {"typecheck", "type-check"})
    if (!script(package, name).empty())
      found.push_back({"typecheck", fmt::format("{} {}", manager.run, name),
                       fmt::format("package.json has a {} script", name)});
  if (top.has("tsconfig.json"))
    found.push_back({"typecheck", std::string(manager.tsc), "tsconfig.json is there"});
}

}  // namespace pf
