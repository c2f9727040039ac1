#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plan/console/style.h"
#include "plan/host/watcher.h"
#include "screen/input_line.h"

namespace pf::console {

// What can be wanted by name.
struct PaletteCommand {
  std::string_view name, argument, help;
  std::optional<PlanWish::Kind> wish = {};  // nothing: it shows the help
  std::string_view warning = {};            // asked back before it is done
};
inline constexpr std::array<PaletteCommand, 8> kPaletteCommands = {{
    {"force coder", "[message]", "the coder goes on, in a new conversation",
     PlanWish::Kind::force_coder},
    {"force reviewer", "[message]", "the reviewer goes on, in a new conversation",
     PlanWish::Kind::force_reviewer},
    {"reset-guard", "", "the step gets its change requests anew", PlanWish::Kind::reset_guard},
    {"pause", "", "ends the run; nobody goes on until you say so", PlanWish::Kind::pause},
    {"resume", "", "whoever was at work goes on", PlanWish::Kind::resume},
    {"reset", "", "the step begins anew with the coder", PlanWish::Kind::reset,
     "reset ends the run, and the step begins anew: y or n?"},
    {"leave", "", "ends the run and keeps the state", PlanWish::Kind::leave},
    {"help", "", "the keys"},
}};

// The list of commands while one is chosen: filtered by what is typed.
class Palette {
 public:
  bool key(const Key& key);  // false when the key means nothing here
  std::vector<const PaletteCommand*> matches() const;
  const PaletteCommand* chosen() const;  // null when nothing matches
  std::string argument() const;          // what is typed behind the chosen one's name
  const InputLine& typed() const { return typed_; }
  std::vector<Row> rows(std::size_t width, std::size_t height) const;

 private:
  void complete();

  InputLine typed_;
  std::size_t selected_ = 0;
};

}  // namespace pf::console
