#include "git/filters.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "git/changes.h"
#include "git/git_rules.h"
#include "git/private_index.h"
#include "sandbox/bubblewrap.h"

namespace pf {
namespace {

constexpr std::size_t kAttributeBytes = 8u << 20;

bool is_filter(const GitProgram& program) { return program.key.starts_with("filter."); }

// "lfs" of "filter.lfs.clean".
std::string name_of_filter(const GitProgram& program) {
  const auto first = program.key.find('.'), last = program.key.rfind('.');
  return first == last ? "" : program.key.substr(first + 1, last - first - 1);
}

std::string first_word(const GitProgram& program) {
  std::string word = program.command.substr(0, program.command.find(' '));
  std::erase_if(word, [](char c) { return c == '"' || c == '\''; });
  return word;
}

// Whether a directory holds this path, or is it.
bool holds(const Path& directory, const Path& path) {
  return !path.empty() && std::ranges::mismatch(directory, path).in1 == directory.end();
}

std::set<std::string> names_of_filters(const std::vector<GitProgram>& programs) {
  std::set<std::string> names;
  for (const GitProgram& program : programs)
    if (is_filter(program)) names.insert(name_of_filter(program));
  return names;
}

// "path (filter)" for each file of the index that a filter of these programs is for; of the work
// tree, where git has one, as that is now.
Result<std::vector<std::string>> filtered_paths(const Git& git,
                                                const std::vector<GitProgram>& programs) {
  const std::set<std::string> names = names_of_filters(programs);
  if (names.empty()) return std::vector<std::string>{};
  const bool has_files = !git.place().work_tree.empty();
  Git::Words list = {"ls-files", "-z"}, look = {"check-attr", "-z", "--stdin", "filter"};
  if (has_files)
    list.insert(list.end(), {"-c", "-o", "--exclude-standard"});
  else
    look.insert(look.begin() + 1, "--cached");
  GitOptions files;
  files.input = TRY(git.output("list the files", list));
  // Three for each: the path, "filter", and which.
  const auto told = TRY(git.pieces("look for filters", look, files));
  std::vector<std::string> paths;
  for (std::size_t i = 0; i + 2 < told.size(); i += 3)
    if (names.contains(told[i + 2]))
      paths.push_back(fmt::format("{} ({})", shown_path(told[i]), told[i + 2]));
  return paths;
}

std::unexpected<Error> cannot_confine(const std::string& why,
                                      const std::vector<std::string>& paths) {
  constexpr std::size_t kNamed = 5;
  return fail(Exit::refused, "git's filters cannot be confined on this machine",
              fmt::format("{}; a filter is for {}", why, printable(name_some(paths, kNamed))),
              "install bubblewrap (apt-get install bubblewrap) and see: pairflow doctor; or take "
              "the filter out of .gitattributes");
}

}  // namespace

Result<std::vector<GitProgram>> git_programs(const Git& rules) {
  const auto configured = TRY(rules.run({"config", "-z", "--get-regexp",
                                         "^(filter\\..*\\.(clean|smudge|process)|"
                                         "merge\\..*\\.driver)$"}));
  if (configured.code > 1)
    return std::unexpected(git_error("read git's configuration", configured));
  std::vector<GitProgram> programs;
  for (const std::string& entry : split_nul(configured.out))
    if (const auto end = entry.find('\n'); end != std::string::npos && end + 1 < entry.size())
      programs.push_back({entry.substr(0, end), entry.substr(end + 1)});
  return programs;
}

Result<Git> without_filters(const Git& git) {
  GitPlace place = git.place();
  for (const GitProgram& program : TRY(git_programs(git))) {
    if (!is_filter(program)) continue;
    place.settings.emplace_back(program.key, "");
    place.settings.emplace_back(program.key.substr(0, program.key.rfind('.')) + ".required",
                                "false");
  }
  return Git(git.os(), std::move(place));
}

std::vector<Path> places_of(Os& os, const std::vector<GitProgram>& programs,
                            const Path& repository) {
  const Path home = os.env.get("HOME").value_or("");
  std::vector<Path> places;
  const auto show = [&](const Path& program) {
    const Path above = program.parent_path();
    const bool whole = !holds(above, home) && !holds(above, repository);
    const Path& place = whole ? above : program;
    if (std::ranges::find(places, place) == places.end()) places.push_back(place);
  };
  for (const GitProgram& program : programs) {
    const std::string word = first_word(program);
    if (word.contains('/') && !word.starts_with('/')) continue;
    const auto found = os.processes.find_program(word);
    if (!found) continue;
    show(*found);
    if (const auto real = os.files.canonical(*found)) show(*real);
  }
  return places;
}

bool is_trusted_filter(std::string_view command, const Path& top) {
  constexpr std::string_view kPlain = "_%+=:,@-\"'";  // besides letters and digits
  bool first = true;
  for (const auto word : split(command, ' ')) {
    if (word.empty()) continue;
    const auto bare = std::ranges::find_if_not(
        word, [&](char c) { return ascii::is_alnum(c) || kPlain.contains(c); });
    const bool elsewhere = first && word.starts_with('/') && !word.contains("..") &&
                           !word.starts_with(top.string() + "/") &&
                           word.find_first_of("$`;&|<>()") == std::string_view::npos;
    if (bare != word.end() && !elsewhere) return false;
    first = false;
  }
  return true;
}

std::vector<std::string> complete_filters(Os& os, const std::vector<GitProgram>& programs,
                                          const Path& top) {
  std::map<std::string, std::set<std::string>> ways;
  for (const GitProgram& program : programs) {
    if (is_filter(program) && is_trusted_filter(program.command, top) &&
        os.processes.find_program(first_word(program)))
      ways[name_of_filter(program)].insert(program.key.substr(program.key.rfind('.') + 1));
  }
  std::vector<std::string> names;
  for (const auto& [name, known] : ways)
    if (known.contains("process") || known.size() == 2) names.push_back(name);
  return names;
}

Result<Filters> filters_of(Os& os, const GitPlace& rules, const Repository& repository,
                           const std::string& tree, const std::vector<GitProgram>& programs) {
  if (std::ranges::none_of(programs, is_filter)) return Filters::none;
  bool mentioned = false;
  for (const char* name : {"info/attributes", "user-attributes"}) {
    const auto text = os.files.read_if_there(rules.git_dir / name, kAttributeBytes);
    mentioned = mentioned || !text || text->value_or("").contains("filter");
  }
  const auto named = TRY(Git(os, rules).run(
      {"grep", "-q", "-F", "-e", "filter", tree, "--", ":(glob)**/.gitattributes"},
      {.environment = {{"GIT_LITERAL_PATHSPECS", "0"}}}));
  if (!mentioned && named.code == 1) return Filters::none;
  for (const GitProgram& program : programs)
    if (is_filter(program) && !is_trusted_filter(program.command, repository.top))
      return Filters::doubtful;
  return Filters::trusted;
}

Result<Filters> filters_of(Os& os, const GitPlace& rules, const Repository& repository,
                           const std::string& tree) {
  return filters_of(os, rules, repository, tree, TRY(git_programs(Git(os, rules))));
}

Status refuse_unconfined_filters(Os& os, const Repository& repository, const std::string& tree,
                                 const Path& scratch) {
  const Enforcement enforcement = find_enforcement(os);
  if (enforcement.program) return {};
  const PrivateIndex index = TRY(PrivateIndex::take(os, scratch, true));
  const GitRules now = TRY(rules_now(os, repository, repository.top));
  TRY(make_git_dir(os, now, index.rules(), repository.common));
  const GitPlace rules{
      .git_dir = index.rules(), .index = index.path(), .objects = repository.common / "objects"};
  const Git git(os, rules);
  const auto programs = TRY(git_programs(git));
  if (TRY(filters_of(os, rules, repository, tree, programs)) == Filters::none) return {};
  TRY(git.must("read the tree", {"read-tree", tree}));
  const auto paths = TRY(filtered_paths(git, programs));
  if (paths.empty()) return {};
  return cannot_confine(enforcement.why_not, paths);
}

std::vector<std::pair<std::string, std::string>> failing_filters(
    const std::vector<GitProgram>& programs) {
  std::vector<std::pair<std::string, std::string>> settings;
  for (const std::string& name : names_of_filters(programs))
    for (const auto& [key, value] : {std::pair{"process", ""}, std::pair{"clean", "false"},
                                     std::pair{"smudge", "false"}, std::pair{"required", "true"}})
      settings.emplace_back(fmt::format("filter.{}.{}", name, key), value);
  return settings;
}

Status refuse_filtered_files(const Git& git, const std::vector<GitProgram>& programs) {
  const auto paths = TRY(filtered_paths(git, programs));
  if (paths.empty()) return {};
  return cannot_confine("bubblewrap cannot start, or could not when the rules were taken", paths);
}

}  // namespace pf
