#include "cli/relay.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "channel/message.h"
#include "cli/output.h"
#include "verbs/caller.h"

namespace pf {
namespace {

bool speaks_for_agent(const Verb& verb) {
  return verb.who == Audience::agent || verb.who == Audience::hook;
}

Ask ask_of(const Parsed& command) {
  Ask ask{std::string(command.verb->name), {}, command.json};
  for (const Param& param : command.verb->params)
    if (command.args.has(param.name) && param.name != "id")
      ask.options.push_back({std::string(param.name), command.args.all(param.name)});
  ask.options.push_back({"request", {command.args.text("request")}});
  return ask;
}

// The connection broke: the process that held it is gone, so the journal knows.
Result<Said> look_up(Caller& caller, const Args& args) {
  BubbleLoop loop(caller.os, TRY(bubble_of(caller, args)));
  const bubble::State state = TRY(loop.load());
  if (state.requests.find(RequestId(args.text("request"))) == nullptr)
    return fail(Exit::machine, "the command was not carried out",
                "the connection to the supervisor broke before it was recorded",
                "run the same command again");
  Said said;
  said.text = "recorded; the connection to the supervisor broke on the way back\n";
  said.json = state_json(state);
  said.json["repeated"] = true;
  return said;
}

Error nobody_listens(Os& os, const Error& cause) {
  return {Exit::machine, "the bubble's supervisor does not answer", cause.why,
          fmt::format("run the same command again in a moment; if it stays so, the human runs: "
                      "pairflow bubble resume --id {}",
                      printable(os.env.get("PAIRFLOW_BUBBLE").value_or("<id>")))};
}

Result<Args> args_of(const Verb& verb, const Ask& ask) {
  Args args;
  for (const Option& option : ask.options) {
    const auto param = std::ranges::find(verb.params, option.name, &Param::name);
    if (option.name != "request" && (param == verb.params.end() || option.name == "id"))
      return fail(Exit::usage, fmt::format("there is no option '{}'", printable(option.name)));
    if (param != verb.params.end() && param->repeats && option.values.size() > kMaxRepeats)
      return fail(Exit::usage, fmt::format("too many --{}", param->name));
    for (const std::string& value : option.values)
      TRY(check_text("--" + option.name, value,
                     param == verb.params.end() ? kMaxText : param->limit));
    args.set(option.name, option.values);
  }
  for (const Param& param : verb.params)
    if (param.required && !args.has(param.name))
      return fail(Exit::usage, fmt::format("--{} is missing", param.name));
  return args;
}

Result<Answered> answer(Caller& caller, const std::string& line) {
  const Ask ask = TRY(parse_ask(line));
  const auto table = verbs();
  const auto verb = std::ranges::find_if(table, [&](const Verb& v) {
    return speaks_for_agent(v) && v.group.empty() && v.name == ask.verb;
  });
  if (verb == table.end())
    return fail(Exit::refused, fmt::format("'{}' is no agent's command", printable(ask.verb)));
  auto args = args_of(*verb, ask);
  if (!args) return answered(args.error(), ask.json);
  Caller agent{caller.os, ask.json, TRY(agent_caller(caller)).name.str()};
  auto said = verb->run(agent, *args);
  return said ? answered(*said, ask.json) : answered(said.error(), ask.json);
}

}  // namespace

bool is_forwarded(Os& os, const Verb& verb) {
  return speaks_for_agent(verb) && !verb.reads &&
         !os.env.get(kChannelVariable).value_or("").empty();
}

int forward(Os& os, const Parsed& command) {
  Parsed asked = command;
  if (!asked.args.has("request")) asked.args.set("request", {os.random.token(16)});
  const auto line =
      os.files.call(*os.env.get(kChannelVariable), line_of(ask_of(asked)), kMaxMessage);
  if (!line) return print(os, answered(nobody_listens(os, line.error()), command.json));
  if (*line)
    if (const auto all = parse_answered(**line)) return print(os, *all);
  Caller caller{os, command.json};
  const auto said = look_up(caller, asked.args);
  return print(os, said ? answered(*said, command.json) : answered(said.error(), command.json));
}

Result<Said> run_relay(Caller& caller, const Args& args) {
  TRY(require_supervisor(caller, TRY(bubble_of(caller, args))));
  Caller served = caller;
  served.agent = caller.os.env.get("PAIRFLOW_AGENT").value_or("");
  const auto line = TRY(caller.os.env.read_all(kMaxMessage));
  const auto all = answer(served, line);
  Said said;
  said.text = line_of(all ? *all : answered(all.error(), false));
  return said;
}

}  // namespace pf
