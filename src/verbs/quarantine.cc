#include "loop/quarantine.h"

#include <fmt/format.h>

#include "base/text.h"
#include "verbs/core/show.h"
#include "verbs/verbs.h"

namespace pf {
namespace {

constexpr std::size_t kShownBytes = 16u << 10;
constexpr std::size_t kShownNames = 100;

JsonObject json_of(const QuarantinedFile& one) {
  return {{"id", one.id},
          {"from", one.from.string()},
          {"at", one.at},
          {"by", one.by},
          {"kept", one.kept.string()}};
}

// "… -> /etc/x"; the link itself has moved, so a relative one leads from where it was.
std::string link_in_words(Os& os, const Path& link) {
  Command command{{"readlink", "-n", "--", link.string()}};
  command.timeout = std::chrono::seconds(10);
  const auto ran = os.processes.run(command);
  return ran && ran->ok() ? fmt::format("a symbolic link to {}", printable(ran->out))
                          : "a symbolic link";
}

// What it holds, by name.
Result<std::string> listing_of(Os& os, const Path& top) {
  std::string text = "(a directory)\n";
  std::vector<Path> waiting = {top};
  std::size_t shown = 0;
  while (!waiting.empty()) {
    const Path here = std::move(waiting.back());
    waiting.pop_back();
    for (const Entry& entry : TRY(os.files.list(here))) {
      if (++shown > kShownNames) return text + "…\n";
      const Path path = here / entry.name;
      const auto info = TRY(os.files.info(path));
      const bool is_link = entry.kind == FileKind::symlink;
      text += fmt::format("{}{}\n", printable(path.lexically_relative(top).string()),
                          is_link                    ? " (" + link_in_words(os, path) + ")"
                          : info && info->executable ? " (a program)"
                                                     : "");
      if (entry.kind == FileKind::directory) waiting.push_back(path);
    }
  }
  return text;
}

// What the file says, as far as it is a text.
Result<std::string> content_of(Os& os, const QuarantinedFile& one) {
  const auto info = TRY(os.files.info(one.kept));
  const FileKind kind = info ? info->kind : FileKind::other;
  if (kind == FileKind::symlink) return fmt::format("({})\n", link_in_words(os, one.kept));
  if (kind == FileKind::directory) return listing_of(os, one.kept);
  if (kind == FileKind::other) return std::string("(a pipe, a socket or a device)\n");
  const auto file = TRY(os.files.open(one.kept, Open::read));
  const std::string text = TRY(file->read_at(0, kShownBytes));
  return fmt::format("{}{}{}", info->executable ? "(a program)\n" : "", printable_lines(text),
                     info->size > text.size() ? "\n…\n"
                     : text.ends_with('\n')   ? ""
                                              : "\n");
}

}  // namespace

Result<Said> run_quarantine_show(Caller& caller, const Args& args) {
  Said said;
  JsonArray files;
  if (args.has("file")) {
    const QuarantinedFile one = TRY(quarantined(caller.os, args.text("file")));
    said.text = fmt::format(
        "{}  {}  {}\n{}\n  put it back: pairflow quarantine restore {}\n  remove it: pairflow "
        "quarantine forget {}\n",
        one.id, local_time(caller.os.clock, one.at), printable(one.from.string()),
        TRY(content_of(caller.os, one)), one.id, one.id);
    files.push_back(json_of(one));
  } else {
    for (const QuarantinedFile& one : TRY(quarantined(caller.os))) {
      said.text += fmt::format("{}  {}  {}\n", one.id, local_time(caller.os.clock, one.at),
                               printable(one.from.string()));
      files.push_back(json_of(one));
    }
    if (said.text.empty()) said.text = "nothing is in quarantine\n";
  }
  said.json["files"] = std::move(files);
  return said;
}

Result<Said> run_quarantine_restore(Caller& caller, const Args& args) {
  const QuarantinedFile one = TRY(quarantined(caller.os, args.text("file")));
  TRY(restore_quarantined(caller.os, one.id));
  Said said;
  said.text = fmt::format("{} is where it was\n", printable(one.from.string()));
  said.json = json_of(one);
  return said;
}

Result<Said> run_quarantine_forget(Caller& caller, const Args& args) {
  const QuarantinedFile one = TRY(quarantined(caller.os, args.text("file")));
  TRY(forget_quarantined(caller.os, one.id));
  Said said;
  said.text = fmt::format("{} is gone for good\n", printable(one.from.string()));
  said.json = json_of(one);
  return said;
}

}  // namespace pf
