#pragma once
#include <string>
#include <vector>

#include "git/repository.h"
#include "os/os.h"

namespace pf {

// A repository within, as a tree records it: by its commit alone.
struct Submodule {
  std::string path;    // in the tree
  std::string commit;  // the recorded one
  // The git directory with its objects, <common>/modules/<name> by the tree's .gitmodules; empty
  // when this machine does not have the commit.
  Path store = {};
};
// Those of a tree or commit, sorted by path. Nothing is fetched.
Result<std::vector<Submodule>> submodules_of(Os& os, const Repository& repository,
                                             const std::string& tree);

// Fills `checkout`/<path> with the files of the recorded commit, of its own submodules as well, by
// confined git that can write `checkout` alone, its .git excepted. The files get no .git: a call of
// git there is one of the checkout. What else lies there stays; a link or file in the way is
// removed. `scratch` names files to be made for that and removed. Local objects only; the paths
// whose commit this machine does not have are returned, and stay empty directories.
Result<std::vector<std::string>> fill_submodule(Os& os, const Repository& repository,
                                                const Submodule& submodule, const Path& checkout,
                                                const Path& scratch);
// The same of all submodules of a tree.
Result<std::vector<std::string>> fill_submodules(Os& os, const Repository& repository,
                                                 const std::string& tree, const Path& checkout,
                                                 const Path& scratch);

// The same where the checkout is used again: a submodule that is as recorded, by content, is left
// alone with what its .gitignore names; any other one is emptied first.
Status bring_submodules(Os& os, const Repository& repository, const std::string& tree,
                        const Path& checkout, const Path& scratch);

// How the files of a submodule in a checkout are, as far as it can be told.
struct SubmoduleFiles {
  std::string path;                       // as people read it
  std::vector<std::string> changed = {};  // paths below it that are not as in the recorded commit
  bool unknown = false;                   // this machine does not have that commit
};
// Those of a tree's submodules that are not as recorded, or unknown; empty directories are as they
// should be. Compared by content with the objects of the user's git directory, by confined git with
// nothing to write but what is thrown away; nothing that lies in the submodule has a say. Files
// that its own .gitignore names do not count.
Result<std::vector<SubmoduleFiles>> changed_submodules(Os& os, const Repository& repository,
                                                       const std::string& tree,
                                                       const Path& checkout, const Path& scratch);
// The same in words, one for each: "lib: a.c, b.c", "lib (cannot be compared: …)".
Result<std::vector<std::string>> submodule_notes(Os& os, const Repository& repository,
                                                 const std::string& tree, const Path& checkout,
                                                 const Path& scratch);

}  // namespace pf
