#include "verbs/core/show.h"

#include "screen/times.h"

namespace pf {

Answered answered(const Error& error, bool json) {
  Answered all;
  all.exit = static_cast<int>(error.exit);
  if (json)
    all.out =
        dump(JsonObject{
            {"version", 1}, {"ok", false}, {"exit", all.exit}, {"error", error_json(error)}}) +
        "\n";
  else
    all.err = fmt::format("pairflow: {}\n{}", printable_lines(error.what), reason_and_fix(error));
  return all;
}

Answered answered(const Said& said, bool json) {
  Answered all;
  all.exit = said.exit;
  if (json) {
    JsonObject shown{{"version", 1}, {"ok", said.exit == 0}};
    for (const auto& member : said.json) shown[member.key()] = member.value();
    if (!said.warnings.empty()) shown["warnings"] = codec::encode(said.warnings);
    all.out = dump(shown) + "\n";
    return all;
  }
  all.out = said.text;
  for (const std::string& warning : said.warnings)
    all.err += fmt::format("pairflow: warning: {}\n", printable_lines(warning));
  return all;
}

Answered answered(const Result<Said>& said, bool json) {
  return said ? answered(*said, json) : answered(said.error(), json);
}

JsonObject error_json(const Error& error) {
  return {{"what", error.what}, {"why", error.why}, {"fix", error.fix}};
}

std::string reason_and_fix(const Error& error) {
  std::string out;
  if (!error.why.empty()) out += fmt::format("  because: {}\n", printable_lines(error.why));
  if (!error.fix.empty()) out += fmt::format("  → {}\n", printable_lines(error.fix));
  return out;
}

std::string local_time(Clock& clock, const std::string& ts) {
  return screen::full_time(parse_iso8601(ts), clock.utc_offset());
}

Status show_in_pager(Caller& caller, const Path& path) {
  Command command{{"/bin/sh", "-c", "exec ${PAGER:-less} \"$1\"", "pager", path.string()}, "/"};
  if (!caller.os.env.get("LESS")) command.environment = {{"LESS", "FRX"}};
  const bool pager = caller.os.env.get("PAGER") || caller.os.processes.find_program("less");
  if (!pager) command.argv = {"cat", path.string()};
  if (TRY(caller.os.processes.run_in_foreground(command)) != 0)
    caller.os.env.print(Stream::err, TRY(caller.os.files.read(path)));
  return {};
}

std::string item_text(const InboxItem& item, std::string_view margin) {
  std::string out;
  for (const auto line : split(item.text, '\n')) out += fmt::format("{}{}\n", margin, line);
  out += fmt::format("    → {}\n", item.command);
  for (const std::string& other : item.otherwise) out += fmt::format("      or {}\n", other);
  return out;
}

std::string inbox_text(Clock& clock, const std::string& whose,
                       const std::vector<InboxItem>& inbox) {
  std::string out;
  for (const InboxItem& item : inbox)
    out += fmt::format("{}  {}  {}  from {}  {}\n{}", whose, item.kind, item.id, item.from,
                       local_time(clock, item.since), item_text(item, "    "));
  return out;
}

}  // namespace pf
