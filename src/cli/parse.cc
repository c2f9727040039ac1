#include "cli/parse.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

namespace pf {
namespace {

std::string audience_of(const Verb& verb) {
  switch (verb.who) {
    case Audience::human: return "For you, the operator; refused in an agent's pane.";
    case Audience::agent:
      return fmt::format("For agents: PAIRFLOW_REPO, {}, PAIRFLOW_AGENT say who.",
                         verb.group == "plan" ? "PAIRFLOW_PLAN, PAIRFLOW_RUN" : "PAIRFLOW_BUBBLE");
    case Audience::either: return "For you, and for agents: PAIRFLOW_AGENT says who.";
    case Audience::anyone:
    case Audience::hook:
    case Audience::internal: break;
  }
  return "";
}

std::string group_help(std::string_view group) {
  if (group == "plan") return "a feature, step by step, through docs/<feature>/plan.md";
  if (group == "role")
    return "the roadmap: planner, coder and reviewer, through docs/agents/state.json";
  if (group == "help") return "which loop to use for what";
  if (group == "quarantine") return "files that agents left beside their programs' settings";
  return "one change in its own worktree";
}

// "" or what is wrong with it.
std::string whole_number(const std::string& text) {
  if (is_number(text)) return "";
  return fmt::format("a whole number from 1 to {} is needed", kMaxNumber);
}

// An argument that may stand alone is told once, with its option's name.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_positionals(const CLI::App*) const override { return {}; }
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override {
    const std::string name = CLI::Formatter::make_option_name(option, is_positional);
    if (is_positional || !option->get_positional()) return name;
    return option->get_name(true) + ", " + name;
  }
};

void add_options(CLI::App& app, const Verb& verb) {
  const auto add = [&](const std::string& name, std::string_view help) {
    return app.add_option(name, CLI::callback_t(), std::string(help));
  };
  add("--repo", "repository (default: PAIRFLOW_REPO, else from here)")->type_name("PATH");
  app.add_flag("--json")->description("answer as JSON");
  add("--request", "the same id again: the same answer, done once")->type_name("ID");
  for (const Param& param : verb.params) {
    if (param.behind_dashes) continue;
    std::string name = fmt::format("--{}", param.name);
    if (param.positional) name += fmt::format(",{}", param.name);
    if (param.type == Type::flag) {
      app.add_flag(name)->description(std::string(param.help));
      continue;
    }
    CLI::Option* option = add(name, param.help);
    const char* type = param.type == Type::number ? "N"
                       : param.type == Type::word ? "WORD"
                                                  : "TEXT";
    option->type_name(type)->required(param.required);
    if (param.type == Type::number) option->check(whole_number);
    if (param.repeats)
      option->take_all()
          ->expected(1, static_cast<int>(kMaxRepeats))
          ->allow_extra_args(false)
          ->type_name(fmt::format("{} ...", type));
  }
}

Args values_in(const CLI::App& app, const Verb& verb) {
  Args args;
  for (const Param& param : verb.params) {
    if (param.behind_dashes) continue;
    const std::string name(param.name);
    const CLI::Option* option = app.get_option("--" + name);
    if (option->count() == 0) continue;
    if (param.type != Type::flag)
      args.set(name, option->results());
    else if (option->as<bool>())
      args.set(name, {});
  }
  for (const std::string name : {"repo", "request"})
    if (const auto& given = app.get_option("--" + name)->results();
        !given.empty() && !given.front().empty())
      args.set(name, given);
  return args;
}

const Param* param_behind_dashes(const Verb& verb) {
  const auto* found = std::ranges::find(verb.params, true, &Param::behind_dashes);
  return found == verb.params.end() ? nullptr : found;
}

}  // namespace

std::variant<Parsed, Printed, Error> parse_command_line(const Table& table,
                                                        const std::vector<std::string>& words,
                                                        std::string_view program) {
  const Verb* chosen = verb_in(table, words);
  if (const Param* rest = chosen == nullptr ? nullptr : param_behind_dashes(*chosen)) {
    const auto dashes = std::ranges::find(words, "--");
    if (dashes != words.end()) {
      auto parsed = parse_command_line(table, {words.begin(), dashes}, program);
      if (auto* good = std::get_if<Parsed>(&parsed); good != nullptr && dashes + 1 != words.end())
        good->args.set(std::string(rest->name), {dashes + 1, words.end()});
      return parsed;
    }
  }
  CLI::App app{"Pairflow: two coding agents, one worktree, one reviewed commit.",
               std::string(program)};
  app.require_subcommand(1);
  app.set_version_flag("--version", "pairflow " PAIRFLOW_VERSION);
  app.set_help_flag("-h,--help", "show this help");
  app.formatter(std::make_shared<HelpFormatter>());
  app.get_formatter()->column_width(28);
  app.footer(
      "`pairflow orchestra …` offers the agents' commands alone. Exit codes: 0 done, 1 refused, "
      "2 usage, 3 this machine, 4 damaged data.");
  std::vector<std::pair<const Verb*, CLI::App*>> all;
  std::map<std::string_view, CLI::App*> groups{{"", &app}};
  for (const Verb& verb : each(table)) {
    if (chosen != nullptr && chosen != &verb) continue;
    CLI::App*& parent = groups[verb.group];
    if (parent == nullptr) {
      parent = app.add_subcommand(std::string(verb.group), group_help(verb.group));
      parent->require_subcommand(1);
    }
    CLI::App* command = parent->add_subcommand(std::string(verb.name), std::string(verb.help));
    if (verb.who == Audience::internal || verb.who == Audience::hook) command->group("");
    if (verb.who == Audience::agent) command->group("For agents");
    const Param* rest = param_behind_dashes(verb);
    command->footer(fmt::format("{}{}\nExample: {}",
                                rest == nullptr ? "" : fmt::format("Behind --: {}\n", rest->help),
                                audience_of(verb), verb.example));
    add_options(*command, verb);
    all.emplace_back(&verb, command);
  }
  try {
    std::vector<std::string> reversed(words.rbegin(), words.rend());
    app.parse(reversed);
  } catch (const CLI::Success& wanted) {
    std::ostringstream out, err;
    app.exit(wanted, out, err);
    return Printed{out.str()};
  } catch (const CLI::ParseError& error) {
    return wrong_line(table, words, program, error.what());
  }
  for (const auto& [verb, command] : all)
    if (command->parsed())
      return Parsed{verb, values_in(*command, *verb), command->get_option("--json")->as<bool>()};
  return wrong_line(table, words, program, "which command?");
}

}  // namespace pf
