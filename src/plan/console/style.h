#pragma once
#include "screen/row.h"

namespace pf::console {

using namespace screen;

// What the looks of the console mean.
inline constexpr Style kCoder{Colour::cyan, Weight::bold}, kReviewer{Colour::magenta, Weight::bold},
    kUser{Colour::yellow, Weight::bold}, kPairflow{Colour::bright_blue},
    kAlarm{Colour::red, Weight::bold};

}  // namespace pf::console
