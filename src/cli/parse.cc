#include "cli/parse.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/wrong_line.h"

namespace pf {
namespace {

// Where CLI11 puts the values of one verb.
struct Slots {
  const Verb* verb;
  CLI::App* app;
  std::map<std::string, std::vector<std::string>> values;
  std::map<std::string, bool> flags;
};

struct Globals {
  std::string repo, request;
  bool json = false;
};

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
  return "one change in its own worktree";
}

void add_globals(CLI::App& app, Globals& globals) {
  app.add_option("--repo", globals.repo, "repository (default: PAIRFLOW_REPO, else from here)")
      ->type_name("PATH");
  app.add_flag("--json", globals.json, "answer as JSON");
  app.add_option("--request", globals.request, "the same id again: the same answer, done once")
      ->type_name("ID");
}

// "" or what is wrong with it.
std::string whole_number(const std::string& text) {
  if (is_number(text)) return "";
  return fmt::format("a whole number from 1 to {} is needed", kMaxNumber);
}

void add_params(Slots& slots) {
  for (const Param& param : slots.verb->params) {
    std::string name = fmt::format("--{}", param.name);
    if (param.positional) name += fmt::format(",{}", param.name);
    if (param.type == Type::flag) {
      slots.app->add_flag(name, slots.flags[std::string(param.name)], std::string(param.help));
      continue;
    }
    auto* option =
        slots.app->add_option(name, slots.values[std::string(param.name)], std::string(param.help));
    option->type_name(param.type == Type::number ? "N"
                      : param.type == Type::word ? "WORD"
                                                 : "TEXT");
    option->required(param.required);
    option->expected(1);
    option->allow_extra_args(false);
    if (param.type == Type::number) option->check(whole_number);
    if (param.repeats) {
      option->take_all();
      option->type_size(1);
      option->expected(1, static_cast<int>(kMaxRepeats));
      option->type_name(std::string(option->get_type_name()) + " ...");
    }
  }
}

Args collect(const Slots& slots, const Globals& globals) {
  Args args;
  for (const Param& param : slots.verb->params) {
    const std::string name(param.name);
    if (param.type == Type::flag) {
      if (slots.flags.at(name)) args.set(name, {});
    } else if (slots.app->count("--" + name) > 0) {
      args.set(name, slots.values.at(name));
    }
  }
  if (!globals.repo.empty()) args.set("repo", {globals.repo});
  if (!globals.request.empty()) args.set("request", {globals.request});
  return args;
}

}  // namespace

std::variant<Parsed, Printed, Error> parse_command_line(const Table& table,
                                                        const std::vector<std::string>& words,
                                                        std::string_view program) {
  CLI::App app{"Pairflow: two coding agents, one worktree, one reviewed commit.",
               std::string(program)};
  app.require_subcommand(1);
  app.set_version_flag("--version", "pairflow " PAIRFLOW_VERSION);
  app.set_help_flag("-h,--help", "show this help");
  app.get_formatter()->column_width(28);
  app.footer(
      "`pairflow orchestra …` offers the agents' commands alone. Exit codes: 0 done, 1 refused, "
      "2 usage, 3 this machine, 4 damaged data.");
  Globals globals;
  std::vector<std::unique_ptr<Slots>> all;
  std::map<std::string_view, CLI::App*> groups{{"", &app}};
  const Verb* chosen = verb_in(table, words);
  for (const Verb& verb : each(table)) {
    if (chosen != nullptr && chosen != &verb) continue;
    CLI::App*& parent = groups[verb.group];
    if (parent == nullptr) {
      parent = app.add_subcommand(std::string(verb.group), group_help(verb.group));
      parent->require_subcommand(1);
    }
    auto slots = std::make_unique<Slots>();
    slots->verb = &verb;
    slots->app = parent->add_subcommand(std::string(verb.name), std::string(verb.help));
    if (verb.who == Audience::internal || verb.who == Audience::hook) slots->app->group("");
    if (verb.who == Audience::agent) slots->app->group("For agents");
    slots->app->footer(fmt::format("{}\nExample: {}", audience_of(verb), verb.example));
    add_globals(*slots->app, globals);
    add_params(*slots);
    all.push_back(std::move(slots));
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
  for (const auto& slots : all)
    if (slots->app->parsed()) return Parsed{slots->verb, collect(*slots, globals), globals.json};
  return wrong_line(table, words, program, "which command?");
}

}  // namespace pf
