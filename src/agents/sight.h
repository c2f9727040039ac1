#pragma once
#include <string>
#include <string_view>

namespace pf {

// What an agent's screen shows, as far as it matters for speaking to it.
enum class Sight {
  unknown,  // this kind of agent shows nothing that we know
  ready,    // an empty input box: a line pasted and entered is taken as a prompt
  typed,    // text is in the box: the human's, or a line of ours whose Enter was swallowed
  dialog,   // a choice is offered
  other,    // none of these: not up yet, or something we have never seen
};

// Pure; the patterns were seen with Claude Code 2.1 and Codex CLI 0.166. `ready` is the agent's own
// [agents.x] ready: a line near the bottom that begins with it, and with nothing behind it, is its
// empty input box.
Sight sight_of(std::string_view kind, std::string_view screen, std::string_view ready = {});

// The last lines that say something, for people; nothing in it is a control.
std::string last_words_on(std::string_view screen);

}  // namespace pf
