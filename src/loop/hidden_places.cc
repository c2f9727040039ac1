#include "loop/hidden_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "loop/bound_sockets.h"
#include "loop/other_loops.h"

namespace pf {
namespace {

constexpr std::size_t kPasswdBytes = 1u << 20;

std::unexpected<Error> no_home(const std::string& why) {
  return fail(Exit::machine, "the home directory is not known", why,
              "set HOME to your home directory, then run the same command again");
}

// "dev:x:1000:1000:Dev,,,:/home/dev:/bin/sh"
Result<std::string> home_in_passwd(Os& os) {
  const std::string text = TRY(os.files.read_if_there("/etc/passwd", kPasswdBytes)).value_or("");
  const std::string user = std::to_string(os.env.uid());
  for (const std::string_view line : split(text, '\n')) {
    const auto fields = split(line, ':');
    if (fields.size() > 5 && fields[2] == user) return std::string(fields[5]);
  }
  return "";
}

// Where the path really is. Below the home directory, which is empty at first, what is shown is
// found under the name it has there.
Path real(Os& os, const Path& path, const Path& home) {
  if (lies_in(path, home)) return path;
  if (auto there = os.files.canonical(path)) return *std::move(there);
  const auto above = os.files.canonical(path.parent_path());
  return above ? *above / path.filename() : path;
}

// A link in a writable directory cannot be sealed, only what it leads to.
void resolve_sealed(Os& os, Confinement& c) {
  std::vector<Path> sealed;
  for (const Path& path : c.sealed) {
    const Path place = real(os, path.parent_path(), c.home) / path.filename();
    const auto info = os.files.info(place);
    if (!info || !*info || (*info)->kind != FileKind::symlink)
      sealed.push_back(place);
    else if (const auto target = os.files.canonical(place))
      c.visible.push_back(*target);
  }
  c.sealed = std::move(sealed);
}

// The directories in which sockets of tmux are: of the server of the bubbles, of the one we are in
// ourselves, and of any other of the user's.
std::vector<Path> tmux_directories(Os& os, const Settings& settings) {
  const auto named = [&](const char* name) { return os.env.get(name).value_or(""); };
  std::vector<Path> all;
  const std::string around_us = named("TMUX");
  for (const Path& socket :
       {Path(tmux_socket(os, settings)), Path(around_us.substr(0, around_us.find(',')))})
    if (socket.is_absolute()) all.push_back(socket.parent_path());
  if (const Path own = named("TMUX_TMPDIR"); own.is_absolute()) {
    // The server makes its directory when it first starts: until then the one above is hidden.
    const Path of_user = own / fmt::format("tmux-{}", os.env.uid());
    all.push_back(os.files.exists(of_user).value_or(false) ? of_user : own);
  }
  std::vector<Path> real_ones;
  for (const Path& path : all)
    if (auto there = os.files.canonical(path)) real_ones.push_back(*std::move(there));
  return real_ones;
}

std::optional<Path> shown_above(const Confinement& c, const Path& place) {
  for (const auto& all : {c.visible, c.writable})
    for (const Path& shown : all)
      if (lies_in(place, shown)) return shown;
  return std::nullopt;
}

bool is_empty_place(const Confinement& c, const Path& place) {
  return lies_in(place, "/tmp") || lies_in(place, "/run") || lies_in(place, c.home);
}

// The directory of a socket, unless it has something besides that belongs to nobody's tmux.
Result<std::optional<Path>> directory_of_socket(Os& os, const Path& socket) {
  const auto directory = os.files.canonical(socket.parent_path());
  if (socket.empty() || !directory) return std::nullopt;
  for (const Entry& entry : TRY(os.files.list(*directory)))
    if (entry.kind != FileKind::other && !entry.name.starts_with(socket.filename().string()))
      return std::nullopt;
  return *directory;
}

// Locks and sockets of the loops of other repositories, also of a tmux that is not running now.
// Those of its own are the caller's to hide.
Status hide_other_loops(Os& os, Confinement& c) {
  for (const OtherLoops& other : TRY(other_loops(os))) {
    std::vector<Path> places = {other.control / "locks", other.control / "runtime"};
    if (auto directory = TRY(directory_of_socket(os, other.tmux_socket)))
      places.push_back(*std::move(directory));
    for (const Path& place : places) {
      const auto covers = [&](const Path& hidden) { return lies_in(place, hidden); };
      if (is_empty_place(c, place) && !shown_above(c, place)) continue;
      if (std::ranges::any_of(c.hidden, covers) || std::ranges::any_of(c.empty, covers)) continue;
      if (TRY(os.files.exists(place))) c.hidden.push_back(place);
    }
  }
  return {};
}

}  // namespace

bool lies_in(const Path& path, const Path& place) {
  const auto [inside, whole] = std::ranges::mismatch(place, path);
  return inside == place.end() || *inside == "";
}

std::vector<Path> directories_between(const Path& top, const std::vector<Path>& sealed) {
  std::set<Path> between;
  for (const Path& path : sealed)
    for (Path up = path.parent_path(); up != top && lies_in(up, top); up = up.parent_path())
      between.insert(up);
  return {between.begin(), between.end()};
}

Result<Path> home_directory(Os& os) {
  std::string named = os.env.get("HOME").value_or("");
  if (!named.starts_with('/') || named == "/") named = TRY(home_in_passwd(os));
  if (!named.starts_with('/')) return no_home("HOME is not set, and /etc/passwd does not name one");
  const auto there = os.files.canonical(named);
  if (!there) return no_home(fmt::format("'{}' is not there", printable(named)));
  const auto info = TRY(os.files.info(*there));
  if (*there == "/" || !info || info->kind != FileKind::directory)
    return no_home(fmt::format("'{}' is no directory of yours", printable(named)));
  if (printable(there->string()) != there->string())
    return no_home(fmt::format("'{}' has control characters in its name", printable(named)));
  return *there;
}

std::string tmux_socket(Os& os, const Settings& settings) {
  const std::string chosen = os.env.get("PAIRFLOW_TMUX_SOCKET").value_or("");
  return chosen.empty() ? settings.tmux_socket : chosen;
}

Path below_home(const std::string& named, const Path& home) {
  if (named.starts_with('/')) return named;
  return home / (named.starts_with("~/") ? named.substr(2) : named);
}

Status refuse_home_inside(const Path& home, const Path& place) {
  if (!lies_in(home, place)) return {};
  return fail(Exit::refused, fmt::format("agents would see all of {}", home.string()),
              fmt::format("your home directory lies in {}, which they work with",
                          printable(place.string())),
              "keep the repository in a directory of its own below your home directory");
}

Status hide_places(Os& os, const Settings& settings, std::vector<Path> open, Confinement& c) {
  for (const std::string& name : settings.sandbox_allow) open.push_back(below_home(name, c.home));
  for (auto* all : {&c.visible, &c.writable, &c.pinned, &c.hidden, &open})
    for (Path& path : *all) path = real(os, path, c.home);
  c.directory = real(os, c.directory, c.home);
  resolve_sealed(os, c);
  c.root = os.env.uid() == 0;
  if (const auto above = c.terminal ? shown_above(c, c.home) : std::nullopt)
    TRY(refuse_home_inside(c.home, *above));
  for (const Path& place : tmux_directories(os, settings)) {
    if (const auto above = place == "/" ? std::optional<Path>("/") : shown_above(c, place))
      return fail(
          Exit::refused, "agents could type into every pane",
          fmt::format("the socket of tmux lies in {}, which they see", printable(above->string())),
          "set [tmux] socket (or TMUX_TMPDIR) to a directory that holds nothing else");
    if (!is_empty_place(c, place)) c.empty.push_back(place);
  }
  TRY(hide_other_loops(os, c));
  return cover_sockets(os, open, c);
}

}  // namespace pf
