#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "git/git.h"
#include "git/repository.h"

namespace pf {

// A program that git may run over files or contents: of a filter, or a merge driver.
struct GitProgram {
  std::string key;      // "filter.lfs.clean"
  std::string command;  // as a shell reads it
};
// Those of a configuration; `rules` is a git directory.
Result<std::vector<GitProgram>> git_programs(const Git& rules);
// The same git without its filters: files that have one count as changed. For calls that write an
// index, in which git looks once more, by the filters, at files as young as the index itself.
Result<Git> without_filters(const Git& git);
// Where a sandbox has to show them: the directories of the programs that are named, as they are
// found now, but for those that hold a home or repository.
std::vector<Path> places_of(Os& os, const std::vector<GitProgram>& programs,
                            const Path& repository);

// What may run when files of the tree become blobs, by the attributes in the tree and of the rules.
// A filter of the user's is trusted when its words name nothing in the repository: `git-lfs clean`,
// or a program elsewhere. Of all others an agent may have written a part.
enum class Filters { none, trusted, doubtful };
Result<Filters> filters_of(Os& os, const GitPlace& rules, const Repository& repository,
                           const std::string& tree);
// The same where the programs are known.
Result<Filters> filters_of(Os& os, const GitPlace& rules, const Repository& repository,
                           const std::string& tree, const std::vector<GitProgram>& programs);
// Pure. The same of one command.
bool is_trusted_filter(std::string_view command, const Path& top);

// The names of trusted filters that can do both ways and whose programs are there: where such a one
// fails in a sandbox, git must not go on without it. (One in the repository may well be missing,
// before it is checked out itself.)
std::vector<std::string> complete_filters(Os& os, const std::vector<GitProgram>& programs,
                                          const Path& top);

// Refuses, with the paths, a tree that has files with a filter where this machine cannot confine
// it. `scratch` names files to be made for that and removed.
Status refuse_unconfined_filters(Os& os, const Repository& repository, const std::string& tree,
                                 const Path& scratch);

// For a git that looks at files unconfined: with these settings each configured filter fails what
// would run it.
std::vector<std::pair<std::string, std::string>> failing_filters(
    const std::vector<GitProgram>& programs);
// Refuses, with the paths, files of a work tree that have one of these filters by their attributes
// of now. Runs none.
Status refuse_filtered_files(const Git& git, const std::vector<GitProgram>& programs);

}  // namespace pf
