#pragma once
#include <span>
#include <string>
#include <string_view>

#include "config/settings.h"

namespace pf {

// What an agent's screen shows, as far as it matters for speaking to it.
enum class Sight {
  unknown,  // this kind of agent shows nothing that we know
  ready,    // an empty input box: a line pasted and entered is taken as a prompt
  typed,    // text is in the box: the human's, or a line of ours whose Enter was swallowed
  dialog,   // a choice is offered
  other,    // none of these: not up yet, or something we have never seen
};

// By its kind's look. Where that is not known its [agents.x] ready is: a line near the bottom that
// begins with it, and with nothing behind it, is its empty input box. Pure.
Sight sight_of(const AgentSettings& agent, std::string_view screen);

// Without blanks at its ends, and without these pieces: at both ends, or only in front.
std::string_view stripped(std::string_view text, std::span<const std::string_view> pieces,
                          bool both_ends = true);

// The last lines that say something, for people; nothing in it is a control.
std::string last_words_on(std::string_view screen);

}  // namespace pf
