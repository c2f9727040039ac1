#include <rapidcheck.h>

#include "tmux/server.h"
#include "tmux/testing.h"

namespace pf {
namespace {

TEST_CASE("script: every byte but NUL reaches the command as it is") {
  testing::Lab lab;
  auto terminal = lab.terminal("script");
  REQUIRE(terminal.ensure_session());
  TmuxServer server(lab.os, terminal.spec().socket);

  std::string every;
  for (int c = 1; c < 256; ++c) every += static_cast<char>(c);
  for (const std::string& text :
       {every, std::string("a\n   indented # no comment"), std::string("$HOME ~ #{pid} #(id) %d ;"),
        std::string("ends with ;"), std::string("-x"), std::string(100000, 'x')}) {
    const auto back =
        server.ask({{"set-buffer", "-b", "b", "--", text}, {"show-buffer", "-b", "b"}});
    REQUIRE(back);
    REQUIRE(back->has_value());
    CHECK(**back == text);
  }
}

TEST_CASE("script: an error stops the rest of the list") {
  testing::Lab lab;
  auto terminal = lab.terminal("script");
  REQUIRE(terminal.ensure_session());
  TmuxServer server(lab.os, terminal.spec().socket);
  const auto gone = server.ask({{"select-pane", "-t", "%99"}, {"set-buffer", "-b", "late", "x"}});
  REQUIRE(gone);
  CHECK_FALSE(gone->has_value());
  CHECK(lab.tmux({"list-buffers"}).empty());
}

TEST_CASE("script: no word can end the list or leave its quotes") {
  CHECK(rc::check([](const std::string& word) {
    const auto text = tmux_script({{"display-message", word}});
    RC_ASSERT(text.starts_with("\"display-message\" \""));
    const auto inner = text.substr(19, text.size() - 21);
    RC_ASSERT(inner.find_first_of("\";$~ \n#'{}") == std::string::npos);
  }));
}

}  // namespace
}  // namespace pf
