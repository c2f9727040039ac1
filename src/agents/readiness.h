#pragma once
#include <string_view>

namespace pf {

enum class InputBox {
  unknown,   // this kind of agent shows none that we know
  empty,     // a line pasted and entered is taken as a prompt
  occupied,  // somebody's text is in it, a dialog is shown, or it is not there yet
};

// What the agent's input box looks like on this screen. Pure; the patterns were seen with Claude
// Code 2.1 and Codex CLI 0.166.
InputBox input_box(std::string_view kind, std::string_view screen);

}  // namespace pf
