// How it works. What is kept names the setup that was run in the checkout; it is removed before
// anything happens there and written when the setup has come to its end. So a run that was killed
// leaves a checkout that the next one begins from nothing.
#include "loop/checks_checkout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/codec.h"
#include "base/hash.h"
#include "base/text.h"
#include "git/git.h"

namespace pf {
namespace {

// By which package managers know what to install.
constexpr auto kLockFiles = std::to_array<std::string_view>({"package-lock.json",
                                                             "npm-shrinkwrap.json",
                                                             "pnpm-lock.yaml",
                                                             "yarn.lock",
                                                             "bun.lock",
                                                             "bun.lockb",
                                                             "deno.lock",
                                                             "Cargo.lock",
                                                             "go.sum",
                                                             "poetry.lock",
                                                             "uv.lock",
                                                             "pdm.lock",
                                                             "Pipfile.lock",
                                                             "requirements.txt",
                                                             "Gemfile.lock",
                                                             "composer.lock",
                                                             "mix.lock",
                                                             "pubspec.lock",
                                                             "Package.resolved",
                                                             "gradle.lockfile",
                                                             "packages.lock.json",
                                                             "conan.lock",
                                                             "flake.lock"});

struct Kept {
  Hash setup;
  std::uint64_t bytes = 0;
  PF_FIELDS(PF_ALWAYS(setup), PF_IF_SET(bytes));
};

std::optional<Kept> read_kept(Os& os, const Path& path) {
  const auto text = os.files.read_if_there(path);
  if (!text || !*text) return std::nullopt;
  const auto json = parse_json(**text);
  Kept kept;
  if (!json || !codec::decode(*json, kept)) return std::nullopt;
  return kept;
}

Status write_kept(Os& os, const Path& path, const Kept& kept) {
  TRY(os.files.make_directories(path.parent_path()));
  return os.files.replace(path, dump(codec::encode(kept)) + "\n", Durable::no);
}

// Of what the setup installs for this tree.
Result<Hash> setup_of(Os& os, const Repository& repository, const Settings& settings,
                      const TreeId& tree) {
  std::string text = settings.setup + "\n";
  if (settings.setup.empty()) return hash_of(text);
  const Git git(os, {.git_dir = repository.common});
  for (const std::string& entry :
       TRY(git.pieces("list the tree", {"ls-tree", "-r", "-z", "--full-tree", tree.str()}))) {
    const std::string name = Path(entry.substr(entry.find('\t') + 1)).filename();
    if (std::ranges::find(kLockFiles, name) != kLockFiles.end()) text += entry + "\n";
  }
  return hash_of(text);
}

}  // namespace

Result<TreeChecks> check_tree(Os& os, const LoopPaths& loop, const std::string& name,
                              const Settings& settings, const ChecksCheckout& checkout,
                              const TreeId& tree, std::vector<CheckToRun> wanted, Begin begin) {
  const Path& directory = checkout.files.directory;
  const auto known = read_kept(os, checkout.kept);
  const Hash setup = TRY(setup_of(os, loop.repository, settings, tree));
  TreeChecks checks;
  checks.from_empty = begin == Begin::empty || !known || !TRY(os.files.exists(directory));
  TRY(os.files.remove(checkout.kept));
  const auto restore = [&] {
    return bring_to(os, checkout.files, tree, checks.from_empty ? Begin::empty : begin);
  };
  TRY(restore());
  const bool due = !settings.setup.empty() && (checks.from_empty || known->setup != setup);
  if (due) wanted.insert(wanted.begin(), {std::string(kSetup), settings.setup});
  static_cast<ConfinedChecks&>(checks) =
      TRY(run_confined_checks(os, loop, name, settings, directory, wanted, restore));
  const bool ready = !due || (!checks.done.empty() && checks.done.front().ok());
  if (ready) TRY(write_kept(os, checkout.kept, {setup, known ? known->bytes : 0}));
  return checks;
}

void note_size(Os& os, const ChecksCheckout& checkout, const std::vector<Path>& others) {
  auto known = read_kept(os, checkout.kept);
  Command count{{"du", "-sk", "--", checkout.files.directory.string()}};
  for (const Path& other : others) count.argv.push_back(other.string());
  const auto counted = os.processes.run(count);  // its code tells of those that are not there
  if (!known || !counted || counted->out.empty()) return;
  known->bytes = 0;
  for (const auto line : split(counted->out, '\n')) {
    std::uint64_t kilobytes = 0;
    if (std::from_chars(line.data(), line.data() + line.size(), kilobytes).ec == std::errc{})
      known->bytes += kilobytes << 10;
  }
  [[maybe_unused]] const auto at_best = write_kept(os, checkout.kept, *known);
}

std::optional<std::uint64_t> noted_size(Os& os, const Path& kept) {
  const auto known = read_kept(os, kept);
  if (!known) return std::nullopt;
  return known->bytes;
}

}  // namespace pf
