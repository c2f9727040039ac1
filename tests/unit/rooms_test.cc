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

// What each room may include besides itself and the C++ library.
const std::map<std::string, std::set<std::string>> kMayInclude = {
    {"base", {}},
    {"os", {"base"}},
    {"journal", {"base", "os"}},
    {"config", {"base", "os"}},
    {"bubble", {"base"}},
    {"document", {"base"}},
    {"plan", {"base", "document"}},
    {"role", {"base", "document"}},
    {"workspace", {"base", "os"}},
    {"tmux", {"base", "os"}},
    {"agents", {"base", "os", "config"}},
    {"notify", {"base", "os", "config"}},
    {"sandbox", {"base", "os"}},
    {"channel", {"base"}},
    {"checks", {"base", "os", "journal"}},
    {"engine",
     {"base", "os", "journal", "config", "bubble", "document", "plan", "role", "workspace", "tmux",
      "agents", "notify", "sandbox", "channel", "checks"}},
    {"supervisor",
     {"base", "os", "journal", "config", "bubble", "plan", "role", "workspace", "tmux", "notify",
      "engine"}},
    {"verbs",
     {"base", "os", "journal", "config", "bubble", "document", "plan", "role", "workspace", "tmux",
      "channel", "engine"}},
    {"cli",
     {"base", "os", "sandbox", "agents", "bubble", "plan", "role", "engine", "supervisor",
      "verbs"}},
    {"mcp", {"base", "os", "channel", "verbs"}},
    {"tui", {"base", "os", "document", "plan", "engine"}},
};

// Headers that are heavy or belong to one room.
const std::map<std::string, std::string> kOnlyIn = {
    {"<CLI/", "src/cli/parse.cc"},
    {"<toml++/", "src/config/toml_document.cc"},
    {"<boost/asio", "src/supervisor/loop.cc"},
    {"<sodium", "src/base/hash.cc"},
    {"<utf8proc", "src/base/text.cc"},
    {"<yaml", "src/document/yaml_mapping.cc"},
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
    if (below.has_parent_path()) source.room = below.begin()->string();
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) source.lines.push_back(line);
    all.push_back(std::move(source));
  }
  return all;
}

bool is_test(const Source& source) { return source.name.ends_with("_test.cc"); }

}  // namespace

TEST_CASE("rooms include only what the matrix allows") {
  const auto all = sources();
  REQUIRE(all.size() > 100);
  for (const Source& source : all) {
    if (source.room.empty()) continue;
    REQUIRE_MESSAGE(kMayInclude.contains(source.room), source.name);
    for (const std::string& line : source.lines) {
      if (!line.starts_with("#include \"")) continue;
      const std::string room = line.substr(10, line.find('/') - 10);
      CHECK_MESSAGE((room == source.room || kMayInclude.at(source.room).contains(room)),
                    source.name << ": " << line);
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

TEST_CASE("only os/ reads the environment") {
  for (const Source& source : sources()) {
    if (source.room == "os" || is_test(source)) continue;
    for (const std::string& line : source.lines)
      CHECK_MESSAGE(line.find("getenv(") == std::string::npos, source.name << ": " << line);
  }
}
