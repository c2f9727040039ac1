#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "os/os.h"

namespace pf {

// The sandbox around a call that might run what an agent wrote: a filter, a driver, a submodule's
// configuration. It has no network and no home, and sees what the call is about.
struct GitCell {
  Path bubblewrap;                // the program that confines
  std::vector<Path> visible;      // besides the place's own directories
  Path target = {};               // a checkout that it writes, if any,
  std::vector<Path> sealed = {};  // and what of that it may only read,
  std::vector<Path> hidden = {};  // or not see
  // Writable, whatever it lies in. Filters that keep large files have their store in it; what is
  // not on this machine stays a pointer.
  Path scratch = {};
  static Path large_files_in(const Path& scratch) { return scratch / "lfs"; }
};

// Which repository a git call is about. Nothing is ever discovered from the current directory.
struct GitPlace {
  Path git_dir;         // empty only for `clone`
  Path work_tree = {};  // empty: the call reads no files
  Path index = {};      // empty: the repository's own
  Path objects = {};    // where objects are when not in git_dir, whose configuration alone counts
  // New objects go there instead, and the others are only read.
  Path new_objects = {};
  std::vector<Path> alternates = {};                               // more object directories
  std::vector<std::pair<std::string, std::string>> settings = {};  // over all configuration
  std::optional<GitCell> cell = {};                                // nothing: it has our own powers
};

struct GitOptions {
  std::string input = {};
  std::size_t output_limit = 64u << 20;
  std::vector<std::pair<std::string, std::optional<std::string>>> environment = {};
};

// Runs git so that neither the caller's environment nor what an agent may have configured changes
// what it does: no hooks, fsmonitor, replaced objects, prompt, pager, signing or automatic gc;
// literal pathspecs, fixed locale, objects and refs synced to disk.
class Git {
 public:
  using Words = std::vector<std::string>;

  Git(Os& os, GitPlace place) : os_(os), place_(std::move(place)) {}
  const GitPlace& place() const { return place_; }
  Os& os() const { return os_; }

  // Any exit code is a result; a machine error when git is missing or had to be stopped.
  Result<Finished> run(const Words& words, const GitOptions& options = {}) const;
  // The output. A non-zero code is a machine error: "cannot <doing>" and git's own reason.
  Result<std::string> output(std::string_view doing, const Words& words,
                             const GitOptions& options = {}) const;
  // The same without the last newline.
  Result<std::string> line(std::string_view doing, const Words& words,
                           const GitOptions& options = {}) const;
  // The pieces of a `-z` output.
  Result<std::vector<std::string>> pieces(std::string_view doing, const Words& words,
                                          const GitOptions& options = {}) const;
  Status must(std::string_view doing, const Words& words, const GitOptions& options = {}) const;
  // A shell script, in which `git` is as in any call here.
  Result<Finished> run_script(const std::string& script, const Words& arguments,
                              const GitOptions& options = {}) const;
  // As run, with what such a script says at another place as input.
  Result<Finished> run_fed(const Words& words, const Git& from, const std::string& script,
                           const Words& arguments) const;

  // The objects that refs point to, by full name: those that match a pattern, or are below it.
  Result<std::map<std::string, std::string, std::less<>>> refs(std::string_view doing,
                                                               const Words& patterns) const;
  // What a full ref name points to; nothing when there is no such ref.
  Result<std::optional<std::string>> ref(const std::string& name) const;
  // Whether the object is in this repository.
  Result<bool> has(const std::string& object) const;
  // Points a ref at the object; `expected` is its value now ("" for "does not exist").
  Status set_ref(const std::string& name, const std::string& object,
                 const std::optional<std::string>& expected = {}) const;
  // Brings an object here from another repository of this machine.
  Status fetch(std::string_view doing, const Path& from, const std::string& object) const;

 private:
  Result<Finished> finish(const Words& words, const Command& command) const;

  Os& os_;
  GitPlace place_;
};

inline std::string ref_of_branch(std::string_view branch) {
  return "refs/heads/" + std::string(branch);
}
// Whether a path of the repository is Pairflow's own directory, or below it.
inline bool is_control(std::string_view path) {
  return path == ".pairflow" || path.starts_with(".pairflow/");
}
// Whether a code says that a signal ended the program: then it has decided nothing.
inline bool is_killed(int code) { return code > 128; }
// The Error for a call that ended with a non-zero code.
Error git_error(std::string_view doing, const Finished& finished);
// As git's configuration and variables quote a text.
std::string in_quotes(std::string_view value);
// 40 or 64 lower-case hex digits.
bool is_object_id(std::string_view text);
// A usage error unless it is an object id, so that no option or range reaches git in its place.
Status check_object_id(std::string_view text);
// The pieces of a `-z` output.
std::vector<std::string> split_nul(std::string_view text);

}  // namespace pf
