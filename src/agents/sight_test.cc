#include "agents/sight.h"

#include <doctest/doctest.h>

#include "agents/testing.h"

namespace pf {
namespace {

Sight seen(std::string_view kind, std::string_view screen, const std::string& ready = {}) {
  AgentSettings agent{AgentName("mine"), &kind_named(kind)};
  agent.ready = ready;
  return sight_of(agent, screen);
}

}  // namespace

TEST_CASE("Claude Code: ready when the last box is empty") {
  CHECK(seen("claude", "Claude Code v2.1\n────\n❯\xc2\xa0\n────\n  ⏵⏵ bypass permissions on\n") ==
        Sight::ready);
  CHECK(seen("claude", "────\n❯ some words\n────\n") == Sight::typed);
  CHECK(seen("claude", "") == Sight::other);
  CHECK(seen("claude", "❯ an earlier prompt\n● done\n────\n❯ \n────\n  ? for shortcuts\n") ==
        Sight::ready);
}

TEST_CASE("Codex CLI: the box alone is painted before it works") {
  CHECK(seen("codex", "› Ask Codex to do anything\n\n  gpt-5.5 medium · /work/tree\n") ==
        Sight::ready);
  CHECK(seen("codex", "› Ask Codex to do anything\n") == Sight::other);
  CHECK(seen("codex", "› half a thought\n\n  gpt-5.5 medium · /work/tree\n") == Sight::typed);
}

TEST_CASE("a cursor before one of several choices is a dialog") {
  CHECK(seen("claude", "Do you trust this?\n❯ 1. Yes\n  2. No, exit\n") == Sight::dialog);
  CHECK(seen("claude", "│ Do you want to proceed?\n│ ❯ 1. Yes\n│   2. No\n│ Esc to cancel\n") ==
        Sight::dialog);
  CHECK(seen("codex", "Allow it?\n› 1. Yes, continue\n  2. No\n\n Press enter\n") == Sight::dialog);
  CHECK(seen("claude", "● 1. first\n● 2. second\n────\n❯ \n────\n") == Sight::ready);
  CHECK(seen("claude", "────\n❯ 1. is what I type\n────\n") == Sight::typed);
}

TEST_CASE("other agents have no box that we know, unless the human says how it looks") {
  CHECK(seen("custom", "❯ \n") == Sight::unknown);
  CHECK(seen("scripted", "") == Sight::unknown);
  CHECK(seen("custom", "Aider\nask> \n", "ask>") == Sight::ready);
  CHECK(seen("custom", "ask> half a\n", "ask>") == Sight::typed);
  CHECK(seen("custom", "thinking\n", "ask>") == Sight::other);
  CHECK(seen("custom", "ask>\n", "ask> ") == Sight::ready);
}

TEST_CASE("what a screen says is shown without frames and controls") {
  CHECK(last_words_on("╭──────╮\n│ Sure? │\n\n❯ 1. Yes\n\x1b[1m") ==
        "Sure? / ❯ 1. Yes / <U+001B>[1m");
  CHECK(last_words_on("").empty());
}

}  // namespace pf
