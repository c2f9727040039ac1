#include "loop/own_directory.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>

#include "os/posix/os.h"
#include "os/posix/temp_directory.h"

namespace pf {
namespace {

constexpr std::array<OwnFiles::Name, 2> kObeyed = {{{"settings.json", "{}\n"}, {"hooks"}}};
constexpr auto kOwnWritten =
    std::to_array<std::string_view>({"auth.json", "projects", "cache", "file-history"});
constexpr auto kOwnApart = std::to_array<std::string_view>({"shell-snapshots"});
constexpr auto kOwnRecords = std::to_array<std::string_view>({"file-history"});

// Real files: it is about their modes.
struct OwnPlace {
  PosixOs posix;
  Os os = posix.os();
  TempDirectory directory;
  Path top = directory.path();

  void put(const std::string& name, bool executable = false) {
    REQUIRE(os.files.make_directories((top / name).parent_path()));
    REQUIRE(os.files.replace(top / name, "x", Durable::no));
    if (executable) REQUIRE(os.files.set_executable(top / name));
  }
  Result<std::vector<Path>> seals(const std::vector<Path>& allowed = {}) {
    return sealed_of_own(os, top, {kObeyed, kOwnWritten, kOwnApart, kOwnRecords}, allowed);
  }
  // Their names, sorted.
  std::string sealed(const std::vector<Path>& allowed = {}) {
    std::vector<Path> all = seals(allowed).value();
    std::ranges::sort(all);
    std::string names;
    for (const Path& path : all) names += path.lexically_relative(top).string() + " ";
    return names;
  }
};

}  // namespace

TEST_CASE("what the program does not write is sealed: directories whole, files one by one") {
  OwnPlace own;
  for (const char* name : {"settings.json", "hooks/a.sh", "auth.json", "history.jsonl",
                           "state.sqlite-wal", "shell-snapshots/s.sh", "statusline.sh", "notify",
                           "local/claude", "keybindings.json", "projects/a/talk.jsonl"})
    own.put(name);
  REQUIRE(own.os.files.make_link(own.top / "notify", own.top / "link"));
  own.put("locks/a.lock");
  REQUIRE(own.os.files.make_directories(own.top / "empty"));
  CHECK(own.sealed() == "keybindings.json local notify statusline.sh ");
  CHECK(own.sealed({own.top / "local"}) == "keybindings.json notify statusline.sh ");
}

TEST_CASE("in what the program writes, programs and scripts are sealed; not among its records") {
  OwnPlace own;
  own.put("projects/a/run.py");
  own.put("projects/a/talk.jsonl");
  own.put("projects/a/notes.txt", true);
  own.put("cache/tool", true);
  own.put("cache/data");
  own.put("file-history/a/deploy.sh", true);
  CHECK(own.sealed() == "cache/tool projects/a/run.py ");
}

TEST_CASE("many programs are sealed with the directories that hold them") {
  OwnPlace own;
  for (int i = 0; i < 201; ++i) own.put(fmt::format("cache/plugins/b/c/{}.sh", i));
  own.put("cache/one.sh");
  CHECK(own.sealed() == "cache/one.sh cache/plugins/b/c ");
  for (int i = 0; i < 201; ++i) own.put(fmt::format("cache/{}.sh", i));  // the program writes here
  const auto refused = own.seals();
  REQUIRE_FALSE(refused);
  CHECK(refused.error().exit == Exit::refused);
}

TEST_CASE("a directory without files, and one that is not there, have nothing to seal") {
  OwnPlace own;
  CHECK(own.sealed().empty());
  CHECK(sealed_of_own(own.os, own.top / "missing", {}, {}).value().empty());
}

TEST_CASE("a directory holds a program at any depth, or a link to one") {
  OwnPlace own;
  own.put("notes/deep/a.txt");
  CHECK_FALSE(holds_a_program(own.os, own.top / "notes").value());
  own.put("notes/deep/run", true);
  CHECK(holds_a_program(own.os, own.top / "notes").value());
  REQUIRE(own.os.files.make_directories(own.top / "links"));
  CHECK_FALSE(holds_a_program(own.os, own.top / "links").value());
  REQUIRE(own.os.files.make_link("/bin/sh", own.top / "links/x"));
  CHECK(holds_a_program(own.os, own.top / "links").value());
}

}  // namespace pf
