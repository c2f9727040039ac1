#pragma once
#include <string>
#include <vector>

#include "base/fields.h"
#include "base/ids.h"
#include "base/result.h"
#include "git/git.h"
#include "git/repository.h"

// How files become a tree is a matter of git's configuration: filters, line ends, modes, what is
// ignored. A bubble's trees are taken by the rules as they were when it started, in a git directory
// of its own, so that nothing an agent configures later hides a change or runs in our calls.
namespace pf {

// A path that is configured, as git reads it ("~", "~user" and "%(prefix)" resolved; relative ones
// as they are); "" when it is not set. What our own calls set on the command line does not count.
Result<std::string> path_setting(const Git& git, const std::string& key);

// Something a human wants to know of when it changes: "config user.name", "hooks/pre-commit", an
// ignored file.
struct Watched {
  std::string name;
  Hash hash;  // of its value; no secret is copied
  friend bool operator==(const Watched&, const Watched&) = default;
  PF_FIELDS(PF_ALWAYS(name, hash));
};

struct GitRules {
  std::string config;  // as a config file: what decides how a file becomes a blob, and back
  std::string exclude, attributes;            // info/…
  std::string user_exclude, user_attributes;  // core.excludesFile, core.attributesFile
  std::vector<Watched> watched;               // sorted by name
  std::vector<Watched> ignored;               // in the worktree, directories as one; sorted by name
  bool confined = false;                      // git over the files runs in the sandbox
  PF_FIELDS(PF_ALWAYS(config, exclude, attributes, user_exclude, user_attributes, watched, ignored),
            PF_IF_SET(confined));
};
// The rules of now, with nothing watched.
Result<GitRules> rules_now(Os& os, const Repository& repository, const Path& worktree);
// The same with what is watched; `tree` (or a commit) has the files that count as tracked, `index`
// names files to be made for that and removed.
Result<GitRules> read_rules(Os& os, const Repository& repository, const Path& worktree,
                            const std::string& tree, const Path& index);

// What changed in configuration, hooks and info files between two readings: "hooks/pre-commit
// (new)", "config core.editor (changed)".
std::vector<std::string> changes_of(const std::vector<Watched>& before,
                                    const std::vector<Watched>& now);

// As a text that is valid JSON whatever bytes are in the rules.
std::string text_of(const GitRules& rules);

// Where a bubble's rules are kept: the text, known by its hash, and the git directory made of it.
struct FrozenRules {
  Path text;
  Hash hash;
  Path directory;
};
// The rules as they were kept; damaged when the file is not what it was.
Result<GitRules> kept_rules(Os& os, const FrozenRules& frozen);
// Makes `at` a git directory of these rules, where it is not that already. What filters keep in the
// repository's own (`common`) is found in it too.
Status make_git_dir(Os& os, const GitRules& rules, const Path& at, const Path& common);
// The git directory; made again where it is not what the rules say.
Result<Path> frozen_git_dir(Os& os, const FrozenRules& frozen, const Path& common);

}  // namespace pf
