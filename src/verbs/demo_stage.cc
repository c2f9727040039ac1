#include "verbs/demo_stage.h"

#include <fmt/format.h>

#include "base/text.h"

namespace pf {
namespace {

// Loops that the caller is in are not meant.
Command as_typed(std::vector<std::string> words, const Path& directory) {
  Command command{std::move(words), directory};
  command.environment = {{"PAIRFLOW_REPO", std::nullopt},
                         {"PAIRFLOW_BUBBLE", std::nullopt},
                         {"PAIRFLOW_PLAN", std::nullopt},
                         {"PAIRFLOW_TMUX_SOCKET", std::nullopt}};
  return command;
}

}  // namespace

Status DemoStage::prepare(const std::vector<std::pair<std::string, std::string>>& files,
                          std::string_view scenario, std::string_view config) {
  Files& disk = caller_.os.files;
  TRY(disk.make_directories(repo_ / ".pairflow"));
  TRY(git({"init", "-q", "-b", "main"}));
  TRY(git({"config", "user.name", "Demo"}));
  TRY(git({"config", "user.email", "demo@example.invalid"}));
  for (const auto& [name, text] : files) {
    TRY(disk.make_directories((repo_ / name).parent_path()));
    TRY(disk.replace(repo_ / name, text, Durable::no));
    TRY(git({"add", name}));
  }
  TRY(git({"commit", "-q", "-m", "Begin"}));
  return disk.replace(repo_ / ".pairflow" / "config.toml",
                      fmt::format("[agents.codex]\nkind = \"scripted\"\nscenario = \"{0}\"\n"
                                  "[agents.claude]\nkind = \"scripted\"\nscenario = \"{0}\"\n"
                                  "[tmux]\nsocket = \"{1}\"\n{2}",
                                  scenario, socket(), config),
                      Durable::no);
}

void DemoStage::say_line(const std::vector<std::string>& words) {
  std::string shown = "\n$";
  for (const std::string& word : words)
    shown += word.find(' ') == std::string::npos ? " " + word : fmt::format(" \"{}\"", word);
  say(shown + "\n");
}

Status DemoStage::pairflow(std::vector<std::string> words) {
  words.insert(words.begin(), "pairflow");
  say_line(words);
  words.front() = caller_.os.env.executable().string();
  return run(std::move(words), true);
}

Status DemoStage::show(std::vector<std::string> words) {
  if (caller_.json) return pairflow(std::move(words));
  words.insert(words.begin(), "pairflow");
  say_line(words);
  const std::string what = join(words, " ");
  words.front() = caller_.os.env.executable().string();
  const int code = TRY(caller_.os.processes.run_in_foreground(as_typed(std::move(words), repo_)));
  if (code == 0) return {};
  return fail(Exit::machine, fmt::format("'{}' failed", what), fmt::format("exit code {}", code),
              "");
}

Status DemoStage::git(std::vector<std::string> words, std::string_view shown) {
  words.insert(words.begin(), "git");
  if (!shown.empty()) say(fmt::format("\n$ {}\n", shown));
  return run(std::move(words), !shown.empty());
}

void DemoStage::say(std::string_view text) {
  if (!caller_.json) caller_.os.env.print(Stream::out, text);
}

// Beside the repository, to go with it: tmux leaves the file of a socket behind.
std::string DemoStage::socket() const {
  constexpr std::size_t kLongestSocket = 100;
  const std::string path = (repo_.parent_path() / "tmux.sock").string();
  const bool plain = path.find_first_of("\"\\") == std::string::npos;
  return plain && path.size() <= kLongestSocket ? path : "pf-demo-" + caller_.os.random.token(4);
}

Status DemoStage::run(std::vector<std::string> words, bool shown) {
  const Command command = as_typed(std::move(words), repo_);
  const Finished finished = TRY(caller_.os.processes.run(command));
  if (shown) say(printable_lines(finished.out + finished.err));
  if (finished.ok()) return {};
  return fail(Exit::machine, fmt::format("'{}' failed", command.argv[0]),
              std::string(trim(printable_lines(finished.err))), "");
}

}  // namespace pf
