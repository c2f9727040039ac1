// The table of kinds, row by row, and a kind that only this test knows.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "agents/launch_parts.h"
#include "agents/model_trouble.h"
#include "agents/program.h"
#include "agents/sight.h"
#include "agents/stream_lines.h"
#include "agents/testing.h"
#include "base/text.h"
#include "os/posix/os.h"

namespace pf {
namespace {

std::string text_of_file(const std::string& name) {
  std::ifstream in(PAIRFLOW_SOURCE_DIR "/" + name);
  REQUIRE_MESSAGE(in, name);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// What a row leaves out on purpose; one that is not here leaves out nothing.
const std::map<std::string_view, std::string> kLeftOut = {
    {"custom", "program look versions troubles own"},    // its user says what is known of it
    {"scripted", "program look versions troubles own"},  // it is ours and takes no words
};

std::string left_out(const AgentKind& kind) {
  std::vector<std::string> parts;
  if (kind.program.empty()) parts.emplace_back("program");
  if (kind.launch == nullptr) parts.emplace_back("launch");
  if (kind.lines == nullptr) parts.emplace_back("lines");
  if (kind.look.box.empty()) parts.emplace_back("look");
  if (kind.versions.option.empty() || kind.versions.first >= kind.versions.below)
    parts.emplace_back("versions");
  if (kind.troubles.on_screen.empty()) parts.emplace_back("troubles");
  if (kind.own.configuration.empty()) parts.emplace_back("own");
  return join(parts, " ");
}

// A program that nobody has: "okto run WORDS" when headless, and its prompt typed in a pane.
constexpr std::array<Arguments, 3> kArguments = {
    {{When::headless, {"run", "{prompt}"}},
     {When::modelled, {"--model", "{model}"}},
     {When::continues, {"--again", "{conversation}"}}}};

Result<AgentLaunch> plan_okto(const AgentSettings& agent, const LaunchContext& context) {
  AgentLaunch launch = TRY(configured_command(agent));
  add_arguments(launch.argv, kArguments, context, usual_fillings(context));
  launch.keep = {"OKTO_*"};
  launch.home_writable = {".okto"};
  return launch;
}

struct OktoLines : StreamLines {
  explicit OktoLines(const AgentKind& row) : kind(row) {}
  void read(std::string_view line, std::vector<StreamItem>& items) override {
    if (line.starts_with("! ")) return items.push_back(finished_badly(kind, line.substr(2)));
    items.push_back(said(line));
  }
  void end(std::string_view, std::vector<StreamItem>&) override {}
  const AgentKind& kind;
};

constexpr std::array<std::string_view, 1> kLimits = {"no more ink"};
constexpr std::array<std::string_view, 1> kOverloads = {"the sea is rough"};
constexpr std::array<Troubles::Line, 1> kOnScreen = {{{"okto says"}}};
constexpr AgentKind kOkto = {{.name = "okto", .program = "okto"},
                             plan_okto,
                             [](const AgentKind& kind) -> std::unique_ptr<StreamLines> {
                               return std::make_unique<OktoLines>(kind);
                             },
                             Look{.box = "~>"},
                             Versions{"-V", {8, 0, 0}, {9, 0, 0}},
                             Troubles{kLimits, kOverloads, "swims again", kOnScreen}};

// As the configuration gives it, by a table that has one more kind.
AgentSettings configured(const std::string& text) {
  std::vector<const KindSettings*> kinds(agent_kinds().begin(), agent_kinds().end());
  kinds.push_back(&kOkto);
  const auto settings = merge_settings({{"bubble.toml", text}}, kinds);
  REQUIRE_MESSAGE(settings, settings.error().what);
  REQUIRE(find_agent(*settings, AgentName("okto")) != nullptr);
  return *find_agent(*settings, AgentName("okto"));
}

LaunchContext plain_context() {
  LaunchContext context;
  context.repo = "/repo";
  context.executable = "/opt/pairflow";
  return context;
}

}  // namespace

TEST_CASE("each kind's row is complete, and what is left out is left out on purpose") {
  std::set<std::string_view> names;
  for (const KindSettings* row : agent_kinds()) {
    CAPTURE(row->name);
    CHECK(names.insert(row->name).second);
    const AgentKind& kind = kind_named(row->name);
    const auto known = kLeftOut.find(row->name);
    CHECK(left_out(kind) == (known == kLeftOut.end() ? "" : known->second));
    CHECK((kind.program.empty() || parse_agent_name(kind.name)));
    CHECK((kind.takes_command || kind.program.empty()));
    for (const auto words : {kind.troubles.limits, kind.troubles.overloads})
      for (const auto text : words)
        CHECK(std::ranges::none_of(text, [](char c) { return c >= 'A' && c <= 'Z'; }));
  }
  CHECK(names.size() == agent_kinds().size());
}

TEST_CASE("the documents name each kind") {
  const std::string agents = text_of_file("docs/agents.md");
  const std::string configuration = text_of_file("docs/configuration.md");
  std::vector<std::string> quoted;
  for (const KindSettings* kind : agent_kinds()) {
    quoted.push_back(fmt::format("`{}`", kind->name));
    CHECK_MESSAGE(agents.contains(fmt::format("\n| `{}` | ", kind->name)), kind->name);
  }
  CHECK(configuration.contains(fmt::format("\n| `kind` | {} |", join(quoted, ", "))));
}

TEST_CASE("the first two agents need no configuration") {
  const auto settings = merge_settings({}, agent_kinds());
  REQUIRE(settings);
  REQUIRE(settings->agents.size() == 2);
  CHECK(settings->agents[0] == plain_agent(kind_named("claude")));
  CHECK(settings->agents[1] == plain_agent(kind_named("codex")));
}

TEST_CASE("a new kind is one row: the configuration, launches and readers ask nothing else") {
  using Words = std::vector<std::string>;
  AgentSettings okto = configured("");  // built in by its program
  CHECK(okto.command == Words{"okto"});
  okto = configured("[agents.okto]\nkind = \"okto\"\nmodel = \"m\"\nenv = [\"MINE\"]\n");

  auto where = plain_context();
  where.headless = true;
  where.prompt = "go";
  const auto launch = plan_launch(okto, where);
  REQUIRE(launch);
  CHECK(launch->argv == Words{"okto", "run", "go"});
  CHECK(launch->keep.front() == "OKTO_*");
  CHECK(launch->keep.back() == "MINE");
  CHECK(launch->home_writable == Words{".okto"});
  where = plain_context();
  where.model = "m";
  where.continues = true;
  where.conversation = "c-8";
  CHECK(plan_launch(okto, where)->argv == Words{"okto", "--model", "m", "--again", "c-8"});

  StreamReader reader(kind_of(okto));
  const auto items = reader.feed("hello\n! no more ink today\n");
  REQUIRE(items.size() == 2);
  CHECK(items[0].text == "hello");
  CHECK(items[1].text == "its model's limit is reached: no more ink today");

  CHECK(sight_of(okto, "~>\n") == Sight::ready);
  CHECK(sight_of(okto, "~> words\n") == Sight::typed);
  CHECK(sight_of(okto, "Sure?\n~> 1. Yes\n   2. No\n") == Sight::dialog);
  const auto trouble =
      trouble_on_screen(kOkto.troubles, "okto says: the sea is rough, swims again\n", {}, {});
  REQUIRE(trouble);
  CHECK(trouble->kind == ModelTrouble::Kind::overload);
  CHECK(trouble->retries);

  CHECK(judge_version(kind_of(okto), "okto 8.1.0").in_words() == "okto 8.1.0");
  CHECK_FALSE(judge_version(kind_of(okto), "okto 9.0.0").tried);
  PosixOs posix;
  Os os = posix.os();
  okto.command = {"/no/such/okto"};
  CHECK(check_program(os, okto).error().fix == "install it, or set command in [agents.okto]");
}

}  // namespace pf
