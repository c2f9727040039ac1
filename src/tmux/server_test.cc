#include "tmux/server.h"

#include <fmt/format.h>

#include "tmux/testing.h"

namespace pf {
namespace {

struct Variables : PosixEnvironment {
  std::vector<std::pair<std::string, std::string>> values;
  std::optional<std::string> get(std::string_view name) override {
    for (const auto& [key, value] : values)
      if (key == name) return value;
    return std::nullopt;
  }
};

struct NoPrograms : PosixProcesses {
  std::optional<Path> find_program(std::string_view) override { return std::nullopt; }
};

TEST_CASE("server: without tmux the error says what to install") {
  testing::Lab lab;
  NoPrograms none;
  Os os{lab.os.files, none, lab.os.clock, lab.os.random, lab.os.env};
  TmuxSession terminal(os, lab.spec("abc"));
  for (const auto& error : {terminal.observe().error(), terminal.ensure_session().error()}) {
    CHECK(error.exit == Exit::machine);
    CHECK(error.what == "tmux is not installed");
    CHECK(error.fix.contains("install tmux"));
  }
}

TEST_CASE("server: attach switches the client over only inside this very server") {
  testing::Lab lab;
  Variables env;
  Os os{lab.os.files, lab.os.processes, lab.os.clock, lab.os.random, env};
  const auto verb = [&](const std::string& socket, std::string tmux) {
    env.values = {{"TMUX", std::move(tmux)}, {"TMUX_TMPDIR", lab.directory.string()}};
    auto spec = lab.spec("abc");
    spec.socket = socket;
    const Command command = TmuxSession(os, spec).attach_command();
    CHECK(command.environment.empty() == (command.argv[6] == "switch-client"));
    CHECK(command.argv.back() == "=pf-abc:");
    return command.argv[2] + " " + command.argv[6];
  };
  const auto ours = fmt::format("{}/tmux-{}/pairflow,12,0", lab.directory.string(), env.uid());
  CHECK(verb("pairflow", "") == "-L attach-session");
  CHECK(verb("pairflow", ours) == "-L switch-client");
  CHECK(verb("pairflo", ours) == "-L attach-session");
  CHECK(verb("pairflow", "/elsewhere/tmux-0/pairflow,12,0") == "-L attach-session");
  CHECK(verb("/run/x/s", "/run/x/s,12,0") == "-S switch-client");
  CHECK(verb("/run/x/s", ours) == "-S attach-session");
}

TEST_CASE("server: a new session right behind the end of the last one") {
  testing::Lab lab;
  auto terminal = lab.terminal("abc");
  for (int round = 0; round < 10; ++round) {
    const auto made = terminal.ensure_session();
    REQUIRE_MESSAGE(made, (made ? "" : made.error().why));
    REQUIRE(terminal.close_session());
    const auto again = terminal.close_session();
    REQUIRE_MESSAGE(again, (again ? "" : again.error().why));
    CHECK(terminal.observe()->empty());
  }
}

}  // namespace
}  // namespace pf
