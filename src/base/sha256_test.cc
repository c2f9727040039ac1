#include "base/sha256.h"

#include <doctest/doctest.h>

namespace pf {
namespace {

TEST_CASE("sha256: of parts as of the whole") {
  Sha256 none;
  CHECK(none.hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  Sha256 parts;
  parts.add("a");
  parts.add("bc");
  CHECK(parts.hex() == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

}  // namespace
}  // namespace pf
