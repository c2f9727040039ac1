#include <fmt/format.h>

#include "base/text.h"
#include "bubble/domain/self_run_files.h"
#include "bubble/host/done_package.h"
#include "bubble/verbs/verbs.h"

namespace pf {
namespace {

constexpr std::string_view kPlace = "{{worktree_path}}";

// --editor, else open_command; where the program of its default is not installed, the editor that
// everything else asks for.
Result<std::string> editor(Caller& caller, const Args& args, BubbleLoop& loop) {
  if (args.has("editor")) return args.text("editor");
  std::string command = TRY(loop.settings()).open_command;
  if (command != Settings().open_command) return command;
  if (caller.os.processes.find_program(command.substr(0, command.find(' ')))) return command;
  for (const char* name : {"VISUAL", "EDITOR"})
    if (const auto named = caller.os.env.get(name); named && !trim(*named).empty()) return *named;
  return command;
}

// What would be run by opening it, as far as the agents changed it.
Result<std::vector<std::string>> self_run(BubbleLoop& loop, const bubble::State& state) {
  std::vector<std::string> paths;
  for (const ChangedFile& file : TRY(loop.workspace(state).snapshot(false)).changed)
    if (file.status != "D" && bubble::runs_by_itself(file.path)) paths.push_back(file.path);
  for (std::string& name : TRY(changed_ignored(loop, state)))
    if (bubble::runs_by_itself(name)) paths.push_back(std::move(name));
  return paths;
}

// Asks first where there is such a thing, or no telling.
Status warn_of(Caller& caller, const Args& args, BubbleLoop& loop, const bubble::State& state) {
  const auto paths = self_run(loop, state);
  if (paths && paths->empty()) return {};
  const std::string what =
      paths ? "The change has what editors and shells run by themselves: " + name_some(*paths, 20)
            : "It is not known whether the change has what editors and shells run by themselves: " +
                  printable(paths.error().what);
  caller.os.env.print(Stream::err,
                      fmt::format("{}\nLook at it first: pairflow bubble diff --id {}; a shell in "
                                  "the sandbox: pairflow bubble shell --id {}\n",
                                  what, state.id.str(), state.id.str()));
  return need_confirmation(caller, args, "Open it all the same?",
                           "look at the files, then add --yes");
}

}  // namespace

Result<Said> run_open(Caller& caller, const Args& args) {
  BubbleLoop loop(caller.os, TRY(bubble_of(caller, args)));
  const bubble::State state = TRY(loop.load());
  const std::string& worktree = state.place.worktree;
  if (!TRY(caller.os.files.exists(worktree))) return no_worktree(state);
  std::string command = TRY(editor(caller, args, loop));
  TRY(warn_of(caller, args, loop, state));
  // The path is passed as an argument, never pasted into the shell's text.
  if (!command.contains(kPlace)) command += fmt::format(" {}", kPlace);
  for (auto at = command.find(kPlace); at != std::string::npos; at = command.find(kPlace, at + 4))
    command.replace(at, kPlace.size(), "\"$1\"");
  const int code = TRY(caller.os.processes.run_in_foreground(
      {{"/bin/sh", "-c", command, "open", worktree}, worktree}));
  if (code != 0)
    return fail(Exit::machine, fmt::format("the editor ended with code {}", code), command,
                "set open_command in bubble.toml or the configuration, or add --editor");
  Said said;
  said.json["worktree"] = worktree;
  return said;
}

}  // namespace pf
