// One contract, two implementations: the real files and the simulated ones.
#include <doctest/doctest.h>
#include <sys/eventfd.h>

#include "os/descriptor.h"
#include "os/fake/files.h"
#include "os/posix/os.h"
#include "os/posix/temp_directory.h"

namespace pf {
namespace {

using namespace std::chrono_literals;

struct Real {
  TempDirectory temp;
  PosixFiles files;
  Path root = temp.path();
  void link(const Path& target, const Path& path) { std::filesystem::create_symlink(target, path); }
};

struct Simulated {
  FakeDisk disk;
  FakeClock clock;
  FakeFiles files{disk, clock, 1};
  Path root = "/root";
  Simulated() { REQUIRE(files.make_directories(root)); }
  void link(const Path& target, const Path& path) { disk.make_symlink(target, path); }
};

void put(Files& files, const Path& path, std::string_view bytes) {
  REQUIRE(files.replace(path, bytes, Durable::no));
}

std::vector<std::string> names(Files& files, const Path& directory) {
  std::vector<std::string> result;
  const auto entries = files.list(directory).value();
  for (const Entry& entry : entries) result.push_back(entry.name);
  return result;
}

}  // namespace

TEST_CASE_TEMPLATE("open modes", Place, Real, Simulated) {
  Place at;
  const Path path = at.root / "file";
  const auto missing = at.files.open(path, Open::read);
  REQUIRE(!missing);
  CHECK(missing.error().exit == Exit::machine);
  CHECK(missing.error().what.find(path.string()) != std::string::npos);
  CHECK(!missing.error().why.empty());
  CHECK(!at.files.open(path, Open::write));
  CHECK(at.files.open(path, Open::create));
  CHECK(at.files.open(path, Open::write));
  const auto reader = at.files.open(path, Open::read).value();
  CHECK(!reader->write_at(0, "x"));
  CHECK(!reader->truncate(0));
  CHECK(!at.files.open(at.root / "none" / "file", Open::create));
  CHECK(!at.files.open(path / "below", Open::create));
  CHECK(!at.files.read(at.root));
}

TEST_CASE_TEMPLATE("reading and writing at offsets", Place, Real, Simulated) {
  Place at;
  const auto file = at.files.open(at.root / "file", Open::create).value();
  CHECK(file->read_at(0, 10).value() == "");
  CHECK(file->write_at(0, "").value() == 0);
  CHECK(file->write_at(0, "hello").value() == 5);
  CHECK(file->write_at(7, "world").value() == 5);
  CHECK(file->size().value() == 12);
  CHECK(file->read_at(0, 100).value() == std::string_view("hello\0\0world", 12));
  CHECK(file->read_at(8, 3).value() == "orl");
  CHECK(file->read_at(12, 3).value() == "");
  CHECK(file->read_at(1000, 3).value() == "");
  CHECK(file->read_at(0, 0).value() == "");
  CHECK(file->write_at(3, "LO").value() == 2);
  CHECK(file->truncate(5));
  CHECK(file->read_at(0, 100).value() == "helLO");
  CHECK(file->truncate(6));
  CHECK(file->read_at(4, 100).value() == std::string_view("O\0", 2));
  CHECK(file->sync());
}

TEST_CASE_TEMPLATE("a huge file comes back whole", Place, Real, Simulated) {
  Place at;
  std::string huge(3u << 20, '\0');
  for (std::size_t i = 0; i < huge.size(); ++i) huge[i] = static_cast<char>(i * 7 + i / 1000);
  put(at.files, at.root / "huge", huge);
  CHECK(at.files.read(at.root / "huge").value() == huge);
  CHECK(at.files.read(at.root / "huge", huge.size()).value() == huge);
  const auto limited = at.files.read(at.root / "huge", huge.size() - 1);
  REQUIRE(!limited);
  CHECK(limited.error().exit == Exit::usage);
}

TEST_CASE_TEMPLATE("two files of one process on one path exclude each other", Place, Real,
                   Simulated) {
  Place at;
  const Path path = at.root / "lock";
  auto first = at.files.open(path, Open::create).value();
  auto second = at.files.open(path, Open::create).value();
  CHECK(first->lock(0s).value());
  CHECK(first->lock(0s).value());
  CHECK(!second->lock(0s).value());
  CHECK(!second->lock(2ms).value());
  CHECK(second->is_locked().value());
  first.reset();
  CHECK(!second->is_locked().value());
  CHECK(second->lock(0s).value());
}

TEST_CASE_TEMPLATE("info tells kinds and does not follow links", Place, Real, Simulated) {
  Place at;
  put(at.files, at.root / "file", "four");
  REQUIRE(at.files.make_directories(at.root / "dir"));
  at.link("file", at.root / "link");
  at.link("nowhere", at.root / "dangling");
  CHECK(!at.files.info(at.root / "none").value());
  CHECK(!at.files.info(at.root / "file" / "below").value());
  CHECK(at.files.info(at.root / "file").value()->kind == FileKind::file);
  CHECK(at.files.info(at.root / "file").value()->size == 4);
  CHECK(!at.files.info(at.root / "file").value()->executable);
  CHECK(at.files.info(at.root / "dir").value()->kind == FileKind::directory);
  CHECK(at.files.info(at.root / "link").value()->kind == FileKind::symlink);
  CHECK(at.files.exists(at.root / "dangling").value());
  CHECK(!at.files.read(at.root / "dangling"));
  CHECK(at.files.read(at.root / "link").value() == "four");
}

TEST_CASE_TEMPLATE("list is sorted, with hostile names as they are", Place, Real, Simulated) {
  Place at;
  CHECK(at.files.list(at.root).value().empty());
  CHECK(at.files.list(at.root / "none").value().empty());
  const std::vector<std::string> hostile{"\x1b[31m", " ", "$(x)", "-rf", "a\nb", "\xff"};
  for (const auto& name : hostile) put(at.files, at.root / name, "");
  REQUIRE(at.files.make_directories(at.root / "b"));
  CHECK(names(at.files, at.root) ==
        std::vector<std::string>{"\x1b[31m", " ", "$(x)", "-rf", "a\nb", "b", "\xff"});
  CHECK(at.files.list(at.root).value()[5].kind == FileKind::directory);
  CHECK(!at.files.list(at.root / " "));
}

TEST_CASE_TEMPLATE("make_directories: twice, through a link, over a file", Place, Real, Simulated) {
  Place at;
  const Path deep = at.root / "a" / "b" / "c";
  CHECK(at.files.make_directories(deep));
  CHECK(at.files.make_directories(deep));
  CHECK(at.files.make_directories(deep / ""));
  at.link("a", at.root / "link");
  CHECK(at.files.make_directories(at.root / "link" / "d"));
  CHECK(at.files.exists(at.root / "a" / "d").value());
  put(at.files, at.root / "file", "");
  CHECK(!at.files.make_directories(at.root / "file"));
  CHECK(!at.files.make_directories(at.root / "file" / "below"));
}

TEST_CASE_TEMPLATE("rename replaces files and moves directories", Place, Real, Simulated) {
  Place at;
  put(at.files, at.root / "old", "old");
  put(at.files, at.root / "new", "new");
  CHECK(at.files.rename(at.root / "new", at.root / "old"));
  CHECK(names(at.files, at.root) == std::vector<std::string>{"old"});
  CHECK(at.files.read(at.root / "old").value() == "new");
  CHECK(at.files.rename(at.root / "old", at.root / "old"));
  CHECK(!at.files.rename(at.root / "none", at.root / "other"));
  CHECK(!at.files.rename(at.root / "old", at.root / "none" / "other"));
  REQUIRE(at.files.make_directories(at.root / "dir" / "sub"));
  CHECK(!at.files.rename(at.root / "old", at.root / "dir"));
  CHECK(at.files.rename(at.root / "old", at.root / "dir" / "sub" / "moved"));
  CHECK(at.files.rename(at.root / "dir", at.root / "place"));
  CHECK(at.files.read(at.root / "place" / "sub" / "moved").value() == "new");
}

TEST_CASE("remove_all: directories that their owner made read-only") {
  Real at;
  const Path deep = at.root / "cache" / "module";
  REQUIRE(at.files.make_directories(deep));
  REQUIRE(at.files.replace(deep / "file", "x", Durable::no));
  for (const Path& path : {deep, at.root / "cache"})
    std::filesystem::permissions(path, std::filesystem::perms::owner_read);
  CHECK(at.files.remove_all(at.root / "cache"));
  CHECK(at.files.exists(at.root / "cache") == false);
}

TEST_CASE_TEMPLATE("remove and remove_all", Place, Real, Simulated) {
  Place at;
  CHECK(at.files.remove(at.root / "none"));
  CHECK(at.files.remove(at.root / "none" / "below"));
  CHECK(at.files.remove_all(at.root / "none"));
  REQUIRE(at.files.make_directories(at.root / "kept"));
  put(at.files, at.root / "kept" / "file", "kept");
  REQUIRE(at.files.make_directories(at.root / "dir" / "sub"));
  put(at.files, at.root / "dir" / "sub" / "file", "");
  at.link(at.root / "kept", at.root / "dir" / "link");
  at.link(at.root / "kept", at.root / "link");
  CHECK(!at.files.remove(at.root / "dir"));
  CHECK(at.files.remove_all(at.root / "dir"));
  CHECK(at.files.remove_all(at.root / "link"));
  CHECK(names(at.files, at.root) == std::vector<std::string>{"kept"});
  CHECK(at.files.read(at.root / "kept" / "file").value() == "kept");
  CHECK(at.files.remove(at.root / "kept" / "file"));
  CHECK(at.files.remove(at.root / "kept" / "file"));
}

TEST_CASE_TEMPLATE("an open file outlives its name", Place, Real, Simulated) {
  Place at;
  put(at.files, at.root / "file", "before");
  const auto file = at.files.open(at.root / "file", Open::read).value();
  put(at.files, at.root / "file", "after");
  CHECK(file->read_at(0, 100).value() == "before");
  REQUIRE(at.files.remove(at.root / "file"));
  CHECK(file->read_at(0, 100).value() == "before");
}

TEST_CASE_TEMPLATE("an open file knows whether its path still leads to it", Place, Real,
                   Simulated) {
  Place at;
  const Path path = at.root / "locks" / "file";
  REQUIRE(at.files.make_directories(path.parent_path()));
  const auto file = at.files.open(path, Open::create).value();
  CHECK(file->in_place().value());
  REQUIRE(at.files.rename(path, at.root / "aside"));
  CHECK_FALSE(file->in_place().value());
  const auto other = at.files.open(path, Open::create).value();
  CHECK_FALSE(file->in_place().value());
  CHECK(other->in_place().value());
  REQUIRE(at.files.rename(at.root / "aside", path));
  CHECK(file->in_place().value());
  REQUIRE(at.files.remove_all(path.parent_path()));
  CHECK_FALSE(file->in_place().value());
}

TEST_CASE_TEMPLATE("replace leaves nothing beside and keeps the executable bit", Place, Real,
                   Simulated) {
  Place at;
  const Path path = at.root / "file";
  CHECK(at.files.read_if_there(path).value() == std::nullopt);
  CHECK(at.files.replace(path, "a longer first text", Durable::yes));
  REQUIRE(at.files.set_executable(path));
  CHECK(at.files.replace(path, "", Durable::yes));
  CHECK(at.files.read_if_there(path).value() == "");
  CHECK(at.files.replace(path, "short", Durable::no));
  CHECK(at.files.read_if_there(path).value() == "short");
  CHECK(at.files.info(path).value()->executable);
  CHECK(at.files.copy_mode(at.root / "nothing", path));
  CHECK(at.files.info(path).value()->executable);
  CHECK(!at.files.copy_mode(path, at.root / "nothing"));
  REQUIRE(at.files.make_directories(at.root / "dir"));
  CHECK(!at.files.replace(at.root / "dir", "x", Durable::no));
  CHECK(!at.files.replace(at.root / "none" / "file", "x", Durable::no));
  CHECK(names(at.files, at.root) == std::vector<std::string>{"dir", "file"});
}

TEST_CASE_TEMPLATE("canonical resolves links and needs the file", Place, Real, Simulated) {
  Place at;
  REQUIRE(at.files.make_directories(at.root / "dir" / "sub"));
  put(at.files, at.root / "dir" / "file", "");
  at.link("dir/sub", at.root / "link");
  at.link(at.root / "loop", at.root / "loop");
  CHECK(at.files.canonical(at.root / "link" / ".." / "." / "file").value() ==
        at.root / "dir" / "file");
  CHECK(at.files.canonical(at.root / "dir" / "sub" / "").value() == at.root / "dir" / "sub");
  CHECK(!at.files.canonical(at.root / "none"));
  CHECK(!at.files.canonical(at.root / "loop"));
  CHECK(at.files.canonical("/").value() == "/");
}

TEST_CASE_TEMPLATE("copy takes files and links, and never writes through a link", Place, Real,
                   Simulated) {
  Place at;
  put(at.files, at.root / "from", "text");
  REQUIRE(at.files.set_executable(at.root / "from"));
  put(at.files, at.root / "victim", "victim");
  at.link("victim", at.root / "to");
  CHECK(at.files.copy(at.root / "from", at.root / "to"));
  CHECK(at.files.read(at.root / "to").value() == "text");
  CHECK(at.files.info(at.root / "to").value()->executable);
  CHECK(at.files.read(at.root / "victim").value() == "victim");
  at.link("victim", at.root / "link");
  CHECK(at.files.copy(at.root / "link", at.root / "other"));
  CHECK(at.files.info(at.root / "other").value()->kind == FileKind::symlink);
  CHECK(at.files.copy(at.root / "from", at.root / "from"));
  CHECK(at.files.read(at.root / "from").value() == "text");
  REQUIRE(at.files.make_directories(at.root / "dir"));
  CHECK(!at.files.copy(at.root / "dir", at.root / "x"));
  CHECK(!at.files.copy(at.root / "from", at.root / "dir"));
  CHECK(!at.files.copy(at.root / "none", at.root / "x"));
  CHECK(names(at.files, at.root) ==
        std::vector<std::string>{"dir", "from", "link", "other", "to", "victim"});
}

TEST_CASE_TEMPLATE("read_beneath refuses everything outside", Place, Real, Simulated) {
  Place at;
  const Path root = at.root / "root";
  REQUIRE(at.files.make_directories(root / "sub"));
  put(at.files, at.root / "secret", "secret");
  put(at.files, root / "file", "text");
  put(at.files, root / "sub" / "file", "deep");
  at.link("file", root / "link");
  at.link("sub", root / "linked");
  at.link(at.root / "secret", root / "out");
  at.link(root, at.root / "root-link");
  CHECK(at.files.read_beneath(root, "file", 4).value() == "text");
  CHECK(at.files.read_beneath(root, "sub/file", 100).value() == "deep");
  CHECK(at.files.read_beneath(root, "./sub/./file", 100).value() == "deep");
  CHECK(at.files.read_beneath(at.root / "root-link", "file", 4).value() == "text");
  for (const char* bad : {"", "..", "../secret", "sub/../file", "sub/../../secret", "link", "out",
                          "linked/file", "none", "sub", "file/below", "/etc/passwd"}) {
    CAPTURE(bad);
    const auto result = at.files.read_beneath(root, bad, 100);
    REQUIRE(!result);
    CHECK(result.error().exit == Exit::usage);
  }
  const auto large = at.files.read_beneath(root, "file", 3);
  REQUIRE(!large);
  CHECK(large.error().exit == Exit::usage);
}

TEST_CASE_TEMPLATE("bells", Place, Real, Simulated) {
  Place at;
  const Path directory = at.root / "bells" / "here";
  at.files.ring(directory);
  {
    const auto bell = at.files.listen(directory).value();
    const auto other = at.files.listen(directory).value();
    CHECK(!bell->wait(0s));
    for (int i = 0; i < 5000; ++i) at.files.ring(directory);
    CHECK(bell->wait(0s));
    CHECK(!bell->wait(1ms));
    CHECK(other->wait(0s));
    at.files.ring(directory);
    bell->silence();
    CHECK(!bell->wait(0s));
    at.files.ring(at.root);
    other->silence();
    CHECK(!other->wait(0s));
  }
  at.files.ring(directory);
  CHECK(names(at.files, directory).empty());
}

TEST_CASE_TEMPLATE("a bell that also watches descriptors", Place, Real, Simulated) {
  Place at;
  const auto bell = at.files.listen(at.root / "bells").value();
  const Descriptor one(::eventfd(0, EFD_CLOEXEC)), two(::eventfd(0, EFD_CLOEXEC));
  const std::vector<int> both = {one.get(), two.get()};
  CHECK(bell->wait_or_readable(1ms, both).empty());
  CHECK(bell->wait_or_readable(1ms, {}).empty());
  at.files.ring(at.root / "bells");
  CHECK(bell->wait_or_readable(Duration::max(), both).empty());
  CHECK(!bell->wait(0s));
  REQUIRE(::eventfd_write(two.get(), 1) == 0);
  CHECK(bell->wait_or_readable(Duration::max(), both) == std::vector{two.get()});
  REQUIRE(::eventfd_write(one.get(), 1) == 0);
  at.files.ring(at.root / "bells");
  CHECK(bell->wait_or_readable(Duration::max(), both) == both);
}

}  // namespace pf
