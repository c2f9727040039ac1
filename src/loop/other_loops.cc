#include "loop/other_loops.h"

#include "base/hash.h"
#include "loop/held_names.h"

namespace pf {
namespace {

Result<Path> notes(Os& os) { return TRY(state_directory(os)) / "repositories"; }

}  // namespace

Result<std::vector<Path>> control_directories(Os& os) {
  const Path directory = TRY(notes(os));
  std::vector<Path> all;
  for (const Entry& entry : TRY(os.files.list(directory))) {
    const Path control = TRY(os.files.read(directory / entry.name));
    const auto there = os.files.exists(control);
    if (!there) continue;  // not for us to see now, so not for an agent either
    if (*there)
      all.push_back(control);
    else
      TRY(os.files.remove(directory / entry.name));
  }
  return all;
}

Status note_control_directory(Os& os, const Path& control) {
  const Path directory = TRY(notes(os));
  const Path note = directory / hash_of(control.string()).str();
  if (TRY(os.files.exists(note))) return {};
  TRY(os.files.make_directories(directory));
  return os.files.replace(note, control.string(), Durable::no);
}

}  // namespace pf
