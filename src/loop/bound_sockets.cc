#include "loop/bound_sockets.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "loop/hidden_places.h"

namespace pf {
namespace {

constexpr std::size_t kMostBytes = 8u << 20;  // of the kernel's list, some 100 a socket
constexpr std::size_t kMostCovered = 500;     // bubblewrap takes 9,000 words
constexpr int kFieldsBefore = 7;              // of the path in the kernel's list

// "0000000000000000: 00000002 00000000 00010000 0001 01 12345 /srv/socket" → "/srv/socket"
std::string_view path_in(std::string_view line) {
  for (int i = 0; i < kFieldsBefore; ++i) {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    line.remove_prefix(std::min(line.find(' '), line.size()));
  }
  return line.substr(std::min<std::size_t>(1, line.size()));
}

bool is_in_any(const Path& path, const std::vector<Path>& places) {
  return std::ranges::any_of(places, [&](const Path& place) { return lies_in(path, place); });
}

bool is_gits_own(const Path& path) {
  return std::ranges::any_of(path.parent_path(), [](const Path& part) {
    return part.extension() == ".git" || part == ".git";
  });
}

// Everything of the file system is shown that is not hidden.
bool is_shown(const Confinement& c, const Path& path) {
  for (const char* made_anew : {"/dev", "/proc", "/sys"})
    if (lies_in(path, made_anew)) return false;
  if (is_in_any(path, c.hidden)) return false;
  if (is_in_any(path, c.visible) || is_in_any(path, c.writable)) return true;
  return !is_in_any(path, c.empty) && !is_in_any(path, {"/tmp", "/run", c.home});
}

// What is shown under another name than its own, by a link: that, and where it leads to.
std::vector<std::pair<Path, Path>> links_in(Os& os, const Confinement& c) {
  std::vector<std::pair<Path, Path>> links;
  for (const auto& all : {c.visible, c.writable})
    for (const Path& shown : all)
      if (auto real = os.files.canonical(shown); real && *real != shown)
        links.emplace_back(shown, *std::move(real));
  return links;
}

}  // namespace

Result<std::vector<Path>> bound_sockets(Os& os) {
  const auto listed = TRY(os.files.read_if_there("/proc/net/unix", kMostBytes)).value_or("");
  std::set<Path> found;
  for (const std::string_view line : split(listed, '\n')) {
    const Path path = path_in(line);
    if (!path.is_absolute()) continue;
    const auto directory = os.files.canonical(path.parent_path());
    if (!directory) continue;
    const Path place = *directory / path.filename();
    const auto info = os.files.info(place);
    if (info && *info && (*info)->kind == FileKind::other) found.insert(place);
  }
  return std::vector<Path>(found.begin(), found.end());
}

Status cover_sockets(Os& os, const std::vector<Path>& open, Confinement& c) {
  const std::string of_tmux = fmt::format("tmux-{}", os.env.uid());
  const auto cover = [&](const Path& socket) {
    if (!is_shown(c, socket) || is_in_any(socket, open) || is_gits_own(socket)) return;
    if (socket.parent_path().filename() == of_tmux)
      c.hidden.push_back(socket.parent_path());
    else
      c.covered.push_back(socket);
  };
  const auto links = links_in(os, c);
  for (const Path& socket : TRY(bound_sockets(os))) {
    cover(socket);
    for (const auto& [link, real] : links)
      if (lies_in(socket, real)) cover(link / socket.lexically_relative(real));
  }
  if (c.covered.size() <= kMostCovered) return {};
  return fail(Exit::refused,
              fmt::format("there are {} sockets that agents would see, one of them {}",
                          c.covered.size(), printable(c.covered.front().string())),
              fmt::format("at most {} can be kept from them", kMostCovered),
              "end the programs that listen there, or let them listen below /tmp or /run");
}

}  // namespace pf
