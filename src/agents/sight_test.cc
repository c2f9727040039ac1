#include "agents/sight.h"

#include <doctest/doctest.h>

namespace pf {

TEST_CASE("Claude Code: ready when the last box is empty") {
  CHECK(
      sight_of("claude", "Claude Code v2.1\n────\n❯\xc2\xa0\n────\n  ⏵⏵ bypass permissions on\n") ==
      Sight::ready);
  CHECK(sight_of("claude", "────\n❯ some words\n────\n") == Sight::typed);
  CHECK(sight_of("claude", "") == Sight::other);
  CHECK(sight_of("claude", "❯ an earlier prompt\n● done\n────\n❯ \n────\n  ? for shortcuts\n") ==
        Sight::ready);
}

TEST_CASE("Codex CLI: the box alone is painted before it works") {
  CHECK(sight_of("codex", "› Ask Codex to do anything\n\n  gpt-5.5 medium · /work/tree\n") ==
        Sight::ready);
  CHECK(sight_of("codex", "› Ask Codex to do anything\n") == Sight::other);
  CHECK(sight_of("codex", "› half a thought\n\n  gpt-5.5 medium · /work/tree\n") == Sight::typed);
}

TEST_CASE("a cursor before one of several choices is a dialog") {
  CHECK(sight_of("claude", "Do you trust this?\n❯ 1. Yes\n  2. No, exit\n") == Sight::dialog);
  CHECK(sight_of("claude", "│ Do you want to proceed?\n│ ❯ 1. Yes\n│   2. No\n│ Esc to cancel\n") ==
        Sight::dialog);
  CHECK(sight_of("codex", "Allow it?\n› 1. Yes, continue\n  2. No\n\n Press enter\n") ==
        Sight::dialog);
  CHECK(sight_of("claude", "● 1. first\n● 2. second\n────\n❯ \n────\n") == Sight::ready);
  CHECK(sight_of("claude", "────\n❯ 1. is what I type\n────\n") == Sight::typed);
}

TEST_CASE("other agents have no box that we know, unless the human says how it looks") {
  CHECK(sight_of("custom", "❯ \n") == Sight::unknown);
  CHECK(sight_of("scripted", "") == Sight::unknown);
  CHECK(sight_of("custom", "Aider\nask> \n", "ask>") == Sight::ready);
  CHECK(sight_of("custom", "ask> half a\n", "ask>") == Sight::typed);
  CHECK(sight_of("custom", "thinking\n", "ask>") == Sight::other);
  CHECK(sight_of("custom", "ask>\n", "ask> ") == Sight::ready);
}

TEST_CASE("what a screen says is shown without frames and controls") {
  CHECK(last_words_on("╭──────╮\n│ Sure? │\n\n❯ 1. Yes\n\x1b[1m") == "Sure? / ❯ 1. Yes / [1m");
  CHECK(last_words_on("").empty());
}

}  // namespace pf
