#include "loop/other_loops.h"

#include "base/hash.h"
#include "loop/held_names.h"

namespace pf {
namespace {

Result<Path> notes(Os& os) { return TRY(state_directory(os)) / "repositories"; }

// "/srv/repo/.pairflow", and in a line of its own the socket.
OtherLoops loops_in(const std::string& note) {
  const auto end = note.find('\n');
  return {note.substr(0, end), end == std::string::npos ? "" : note.substr(end + 1)};
}

}  // namespace

Result<std::vector<OtherLoops>> other_loops(Os& os) {
  const Path directory = TRY(notes(os));
  std::vector<OtherLoops> all;
  for (const Entry& entry : TRY(os.files.list(directory))) {
    OtherLoops loops = loops_in(TRY(os.files.read(directory / entry.name)));
    const auto there = os.files.exists(loops.control);
    if (!there) continue;  // not for us to see now, so not for an agent either
    if (*there)
      all.push_back(std::move(loops));
    else
      TRY(os.files.remove(directory / entry.name));
  }
  return all;
}

Status note_loops(Os& os, const OtherLoops& loops) {
  const Path directory = TRY(notes(os));
  const Path note = directory / hash_of(loops.control.string()).str();
  std::string text = loops.control.string();
  if (!loops.tmux_socket.empty()) text += "\n" + loops.tmux_socket.string();
  if (TRY(os.files.read_if_there(note)) == text) return {};
  TRY(os.files.make_directories(directory));
  return os.files.replace(note, text, Durable::no);
}

}  // namespace pf
