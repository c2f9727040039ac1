#include "cli/run.h"

#include <algorithm>

#include "cli/parse.h"
#include "verbs/core/show.h"
#include "verbs/verbs.h"

namespace pf {
namespace {

// Texts given as "-" come from standard input.
Status read_texts(Os& os, const Verb& verb, Args& args) {
  bool read = false;
  for (const Param& param : verb.params) {
    if (!args.has(param.name) || param.type != Type::text) continue;
    auto values = args.all(param.name);
    for (std::string& value : values) {
      if (value != "-") continue;
      if (read)
        return fail(Exit::usage, "standard input was asked for twice", "", "use - only once");
      read = true;
      value = TRY(os.env.read_all(param.limit));
      while (value.ends_with('\n')) value.pop_back();
    }
    args.set(std::string(param.name), std::move(values));
  }
  return {};
}

// Output that is lost fails a command that only shows something; what another one did stands, and
// its code says so. A reader who has enough is nobody's trouble.
int print(Os& os, const Answered& all, bool shows = true) {
  os.env.print(Stream::out, all.out);
  os.env.print(Stream::err, all.err);
  const std::errc lost = os.env.output_error();
  if (lost == std::errc{} || lost == std::errc::broken_pipe) return all.exit;
  const bool stands = !shows && all.exit == 0;
  const Error error{
      Exit::machine, "standard output could not be written",
      std::make_error_code(lost).message() + (stands ? "; the command is carried out" : ""),
      stands ? "" : "make room or print elsewhere, then run it again"};
  os.env.print(Stream::err, answered(error, false).err);
  return shows && all.exit == 0 ? static_cast<int>(error.exit) : all.exit;
}

}  // namespace

int run_command_line(Os& os, const Path& invoked_as, std::vector<std::string> words, Table table) {
  std::string_view program = "pairflow";
  std::vector<Verb> agents;
  const bool alias = invoked_as.filename() == "orchestra";
  // `orchestra pass …` is `pairflow pass …`: the agents' commands under an older name.
  if (alias || (!words.empty() && words.front() == "orchestra")) {
    program = alias ? "orchestra" : "pairflow orchestra";
    if (!alias) words.erase(words.begin());
    std::ranges::copy_if(each(table), std::back_inserter(agents),
                         [](const Verb& verb) { return verb.who == Audience::agent; });
    table = {agents};
  }
  auto parsed = parse_command_line(table, words, program);
  if (const auto* printed = std::get_if<Printed>(&parsed)) return print(os, {0, printed->text, ""});
  if (const auto* wrong = std::get_if<Error>(&parsed))
    return print(os, answered(*wrong, std::ranges::count(words, "--json") > 0));
  auto& [verb, args, json] = std::get<Parsed>(parsed);
  Caller caller{os, json};
  const auto texts = read_texts(os, *verb, args);
  const Answered answer =
      texts ? dispatch(caller, *verb, std::move(args)) : answered(texts.error(), json);
  return print(os, answer, verb->who == Audience::anyone || verb->reads);
}

}  // namespace pf
