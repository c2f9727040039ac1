#include "screen/key.h"

#include <doctest/doctest.h>

namespace pf::screen {
namespace {

using Kind = Key::Kind;

std::vector<Key> read(std::string_view bytes) { return KeyReader().read(bytes); }

}  // namespace

TEST_CASE("keys of the bytes that terminals send") {
  CHECK(read("aé漢") == std::vector<Key>{{Kind::text, "a"}, {Kind::text, "é"}, {Kind::text, "漢"}});
  CHECK(read("\r\x7f\x03\x10") ==
        std::vector<Key>{{Kind::enter}, {Kind::backspace}, {Kind::interrupt}, {Kind::palette}});
  CHECK(read("\x1b[A\x1bOB\x1b[5~\x1b[1;5C") ==
        std::vector<Key>{{Kind::up}, {Kind::down}, {Kind::page_up}, {Kind::word_right}});
  CHECK(read("\x1b\r\n\x1b[13;2u") ==
        std::vector<Key>{{Kind::newline}, {Kind::newline}, {Kind::newline}});
  CHECK(read("\x1b") == std::vector<Key>{{Kind::escape}});
  CHECK(read("\x1b[?64;1c\x1b[<0;3;4M").empty());
}

TEST_CASE("keys that come in pieces") {
  KeyReader reader;
  CHECK(reader.read("\xe6").empty());
  CHECK(reader.read("\xbc\xa2") == std::vector<Key>{{Kind::text, "漢"}});
  CHECK(reader.read("\x1b[").empty());
  CHECK(reader.read("6~") == std::vector<Key>{{Kind::page_down}});
  CHECK(reader.read("\x1b[200~one\r") == std::vector<Key>{{Kind::text, "one"}});
  CHECK(reader.read("\ntwo\x1b[20") == std::vector<Key>{{Kind::text, "\ntwo"}});
  CHECK(reader.read("1~\r") == std::vector<Key>{{Kind::enter}});
  CHECK(reader.read("\x1b[200~never ended").size() == 1);
  CHECK(reader.read("\x03") == std::vector<Key>{{Kind::interrupt}});
  CHECK(reader.read("\r") == std::vector<Key>{{Kind::enter}});
}

}  // namespace pf::screen
