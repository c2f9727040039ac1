#pragma once
#include "dice.h"

namespace pf::sim {

// How often what happens, once in so many calls; 0 is never.
struct Weather {
  std::size_t switching = 2;  // to another process
  std::size_t crowd = 3;      // processes at once
  std::size_t kill = 0, error = 0, full = 0, power = 0, erase = 0, jump = 0, edit = 0;

  static Weather draw(Dice& dice) {
    Weather weather;
    weather.switching = dice.pick_of({1, 2, 2, 5, 20});
    weather.crowd = dice.pick_of({1, 2, 3, 4, 6});
    weather.kill = dice.pick_of({0, 40, 120, 300});
    weather.error = dice.pick_of({0, 0, 60, 200});
    weather.full = dice.pick_of({0, 0, 8, 30});  // of the writes
    weather.power = dice.pick_of({0, 300, 300, 1000});
    weather.erase = dice.pick_of({0, 40, 200});
    weather.jump = dice.pick_of({0, 0, 150});
    weather.edit = dice.pick_of({0, 200, 500});
    return weather;
  }
};

}  // namespace pf::sim
