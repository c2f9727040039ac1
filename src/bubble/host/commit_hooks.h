#pragma once
#include <functional>

#include "bubble/host/loop.h"
#include "journal/lock.h"
#include "loop/confined_command.h"

namespace pf {

// The user's hooks around one commit of the approved tree. What they call (node_modules/.bin/…) is
// an agent's: so they run confined as checks do, in the checks' checkout of exactly that tree.
// Where there is no sandbox they run all the same, and `enforcement` says so.
class CommitHooks {
 public:
  using Show = std::function<void(const std::string& output)>;  // what a hook or the setup prints

  // Refuses while checks run, and when the hooks are not those of the bubble's start.
  static Result<CommitHooks> of(BubbleLoop& loop, const bubble::State& state, Show show);
  CommitHooks(CommitHooks&&) = default;
  CommitHooks& operator=(CommitHooks&&) = delete;
  ~CommitHooks();

  // pre-commit, then commit-msg; the message as they leave it. Refused when one of them fails, or
  // changes, adds or removes a file that git does not ignore.
  Result<std::string> before(std::string message);
  // post-commit; what is to be said about it, "" when it went well.
  Result<std::string> after(const CommitId& commit);

  // "sandbox", or why it is advisory; "" as long as there was nothing to run.
  const std::string& enforcement() const { return enforcement_; }

 private:
  CommitHooks(BubbleLoop& loop, const bubble::State& state, Settings settings, Lock lock, Show show,
              Path hooks);
  Result<bool> has(std::string_view name) const;
  Status make_checkout();
  Status show_hooks(ConfinedCommand& command) const;
  Result<Finished> run_hook(const char* name, const CommitId& head,
                            const std::string* message = nullptr);
  Result<std::vector<std::string>> changed();

  BubbleLoop& loop_;
  bubble::State state_;
  Settings settings_;
  Lock checking_;  // nobody else uses the checkout
  Show show_;
  Workspace workspace_;
  Path hooks_;            // as it is configured
  Path directory_;        // the checkout; "": not made yet
  TreeId tree_;           // of the checkout's files
  bool in_tree_ = false;  // the hooks are part of it
  bool is_last_ = false;  // nobody needs the checkout any more
  std::string enforcement_;
};

}  // namespace pf
