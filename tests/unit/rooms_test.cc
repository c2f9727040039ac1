// The source tree keeps its own rules: who may include whom, lengths, stray marks.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
const fs::path kSource = PAIRFLOW_SOURCE_DIR;

// What each room may include besides itself, what is inside it, and the C++ library.
using Rooms = std::set<std::string>;
const std::map<std::string, Rooms> kMayInclude = {
    {"base", {}},
    {"os", {"base"}},
    {"os/posix", {"base", "os"}},
    {"os/fake", {"base", "os"}},
    {"journal", {"base", "os"}},
    {"config", {"base", "os"}},
    {"git", {"base", "os", "sandbox"}},
    {"git/fake", {"base", "os", "git"}},
    {"tmux", {"base", "os"}},
    {"sandbox", {"base", "os"}},
    {"channel", {"base"}},
    {"checks", {"base", "os", "journal"}},
    {"notify", {"base", "os", "config"}},
    {"screen", {"base", "os"}},
    {"agents", {"base", "os", "config"}},
    {"agents/claude", {"base", "agents"}},
    {"agents/codex", {"base", "agents"}},
    {"agents/custom", {"base", "agents"}},
    {"agents/scripted", {"base", "os", "config", "screen", "agents"}},
    {"document", {"base"}},
    {"document/plan", {"base", "document"}},
    {"document/role", {"base", "document"}},
    {"loop", {"base", "os", "journal", "config", "git", "agents", "sandbox", "channel", "checks"}},
    {"bubble/domain", {"base"}},
    {"bubble/host",
     {"base", "os", "journal", "config", "git", "tmux", "agents", "notify", "channel", "checks",
      "loop", "bubble/domain"}},
    {"bubble/view", {"base", "os", "screen", "loop", "bubble/domain", "bubble/host"}},
    {"bubble/verbs",
     {"base", "os", "config", "agents", "verbs/core", "bubble/domain", "bubble/host",
      "bubble/view"}},
    {"plan/domain", {"base", "document", "document/plan"}},
    // A plan asks whether the roles work in the same files, and looks for hidden text as a bubble.
    {"plan/host",
     {"base", "os", "journal", "config", "git", "agents", "checks", "loop", "document/plan",
      "plan/domain", "role/domain", "bubble/domain"}},
    {"plan/console", {"base", "os", "screen", "plan/domain", "plan/host"}},
    {"plan/verbs",
     {"base", "os", "channel", "verbs/core", "plan/domain", "plan/host", "plan/console"}},
    {"role/domain", {"base", "document", "document/role"}},
    // The coder's part may be a plan or a bubble of its own, known by its journal.
    {"role/host",
     {"base", "os", "journal", "config", "git", "agents", "checks", "loop", "document/role",
      "role/domain", "plan/host", "bubble/host", "bubble/domain"}},
    {"role/verbs", {"base", "os", "channel", "loop", "verbs/core", "role/domain", "role/host"}},
    {"verbs/core", {"base", "os", "journal", "git", "channel", "screen"}},
    // What speaks of loops of every kind.
    {"verbs",
     {"base", "os", "journal", "config", "agents", "agents/scripted", "channel", "sandbox", "loop",
      "verbs/core", "bubble/domain", "bubble/host", "bubble/verbs", "plan/domain", "plan/verbs",
      "role/domain", "role/verbs"}},
    {"cli", {"base", "os", "verbs/core", "verbs"}},
    {"mcp", {"base", "os", "channel", "verbs/core", "verbs"}},
};
// Tests may use the real seams and the fakes, whatever their room.
const Rooms kForTests = {"os", "os/posix", "os/fake", "git/fake"};

// Headers that are heavy or belong to one room.
const std::map<std::string, std::string> kOnlyIn = {
    {"<CLI/", "src/cli/parse.cc"},
    {"<toml++/", "src/config/toml_document.cc"},
    {"<sodium", "src/base/hash.cc"},
    {"<utf8proc", "src/base/glyph.cc"},
    {"<yaml", "src/document/yaml_mapping.cc"},
    {"<cmark-gfm", "src/document/markdown.cc"},
};

// Headers through which the operating system is reached. <sys/syscall.h> only gives numbers, to
// the sandbox's filter.
const std::set<std::string> kSystemHeaders = {
    "<fcntl.h>",       "<poll.h>",       "<sched.h>",     "<spawn.h>",       "<termios.h>",
    "<unistd.h>",      "<dirent.h>",     "<csignal>",     "<signal.h>",      "<sys/epoll.h>",
    "<sys/eventfd.h>", "<sys/file.h>",   "<sys/ioctl.h>", "<sys/mman.h>",    "<sys/prctl.h>",
    "<sys/random.h>",  "<sys/socket.h>", "<sys/stat.h>",  "<sys/statvfs.h>", "<sys/timerfd.h>",
    "<sys/un.h>",      "<sys/wait.h>",   "<thread>",      "<fstream>",       "<iostream>",
    "<mutex>",
};

struct Source {
  fs::path path;
  std::string name;  // src/base/ids.h
  std::string room;
  std::vector<std::string> lines;
};

std::vector<Source> sources() {
  std::vector<Source> all;
  for (const auto& entry : fs::recursive_directory_iterator(kSource / "src")) {
    const auto extension = entry.path().extension();
    if (extension != ".cc" && extension != ".h") continue;
    Source source{entry.path(), fs::relative(entry.path(), kSource).string(), "", {}};
    const auto below = fs::relative(entry.path(), kSource / "src");
    source.room = below.parent_path().string();
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) source.lines.push_back(line);
    all.push_back(std::move(source));
  }
  return all;
}

bool is_test(const Source& source) {
  const std::string name = source.path.filename().string();
  return name.ends_with("_test.cc") || name.starts_with("test_") || name == "testing.h" ||
         name.ends_with("_testing.h") || name == "temp_directory.h";
}

// `::read(…)`, as we write system calls; a `::` behind a name is a namespace's.
bool calls_system(const std::string& line) {
  const auto is_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  for (auto at = line.find("::"); at != std::string::npos; at = line.find("::", at + 2)) {
    if (at > 0 && (is_name(line[at - 1]) || line[at - 1] == '>' || line[at - 1] == ':')) continue;
    auto end = at + 2;
    while (end < line.size() && is_name(line[end])) ++end;
    if (end > at + 2 && end < line.size() && line[end] == '(') return true;
  }
  return false;
}

// The room and what is inside it.
bool is_within(const std::string& room, const std::string& outer) {
  return room == outer || room.starts_with(outer + "/");
}

}  // namespace

TEST_CASE("rooms include only what the matrix allows") {
  const auto all = sources();
  REQUIRE(all.size() > 100);
  for (const Source& source : all) {
    if (source.room.empty()) continue;
    REQUIRE_MESSAGE(kMayInclude.contains(source.room), source.name);
    for (const std::string& line : source.lines) {
      if (!line.starts_with("#include \"")) continue;
      const std::string room = line.substr(10, line.rfind('/') - 10);
      const bool allowed = room == source.room || kMayInclude.at(source.room).contains(room) ||
                           (is_test(source) && kForTests.contains(room)) ||
                           (source.room == "agents" && is_within(room, "agents")) ||
                           (source.room == "os/fake" && room == "os/posix");
      CHECK_MESSAGE(allowed, source.name << ": " << line);
    }
  }
}

TEST_CASE("heavy headers are in one place each") {
  for (const Source& source : sources())
    for (const std::string& line : source.lines)
      for (const auto& [header, place] : kOnlyIn)
        if (line.starts_with("#include " + header)) CHECK_MESSAGE(source.name == place, line);
}

TEST_CASE("files and lines stay short and clean") {
  constexpr std::size_t kMaxLines = 450;
  for (const Source& source : sources()) {
    CHECK_MESSAGE((source.lines.size() <= kMaxLines || is_test(source)), source.name);
    for (const std::string& line : source.lines) {
      CHECK_MESSAGE(line.find('\t') == std::string::npos, source.name << ": tab");
      CHECK_MESSAGE((line.empty() || line.back() != ' '), source.name << ": trailing space");
      for (const char* word : {"TO"
                               "DO",
                               "FIX"
                               "ME",
                               "HA"
                               "CK"})
        CHECK_MESSAGE(line.find(word) == std::string::npos, source.name << ": " << line);
    }
  }
}

TEST_CASE("only os/ touches the operating system") {
  for (const Source& source : sources()) {
    if (is_within(source.room, "os") || is_test(source)) continue;
    for (const std::string& line : source.lines) {
      const bool reads_environment = line.find("getenv(") != std::string::npos;
      CHECK_MESSAGE(!reads_environment, source.name << ": " << line);
      CHECK_MESSAGE(!calls_system(line), source.name << ": " << line);
      if (line.starts_with("#include "))
        CHECK_MESSAGE(!kSystemHeaders.contains(line.substr(9)), source.name << ": " << line);
    }
  }
}

// Everything else is drawn by screen/, which makes it printable first.
TEST_CASE("only screen/ knows a terminal's escape sequences") {
  for (const Source& source : sources()) {
    if (source.room == "screen" || is_test(source)) continue;
    if (source.path.filename() == "random_run.h") continue;  // what hostile agents say, for tests
    for (const std::string& line : source.lines)
      for (const char* escape : {"\\x1b", "\\x1B", "\\033", "\\e["})
        CHECK_MESSAGE(line.find(escape) == std::string::npos, source.name << ": " << line);
  }
}
