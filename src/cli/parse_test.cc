#include "cli/parse.h"

#include <doctest/doctest.h>

#include "verbs/verbs.h"

namespace pf {
namespace {

std::variant<Parsed, Printed, Error> parse(const Table& table, std::vector<std::string> words) {
  return parse_command_line(table, words, "pairflow");
}

}  // namespace

TEST_CASE("every verb's own example parses to that verb") {
  const Table table = verbs();
  for (const Verb& verb : each(table)) {
    std::vector<std::string> words;
    std::string word;
    bool quoted = false;
    for (const char c : std::string(verb.example) + " ") {
      if (c == '"') {
        quoted = !quoted;
      } else if (c == ' ' && !quoted) {
        if (!word.empty()) words.push_back(std::exchange(word, {}));
      } else {
        word += c;
      }
    }
    REQUIRE_MESSAGE(!words.empty(), verb.name);
    REQUIRE(words.front() == "pairflow");
    words.erase(words.begin());
    const auto parsed = parse(table, words);
    REQUIRE_MESSAGE(std::holds_alternative<Parsed>(parsed), verb.example);
    CHECK(std::get<Parsed>(parsed).verb == &verb);
  }
}

TEST_CASE("every verb has help with its example and says who it is for") {
  const Table table = verbs();
  for (const Verb& verb : each(table)) {
    std::vector<std::string> words;
    if (!verb.group.empty()) words.emplace_back(verb.group);
    words.emplace_back(verb.name);
    words.emplace_back("--help");
    const auto parsed = parse(table, words);
    REQUIRE(std::holds_alternative<Printed>(parsed));
    const Printed& printed = std::get<Printed>(parsed);
    CHECK_MESSAGE(printed.text.find(verb.example) != std::string::npos, verb.name);
    for (const Param& param : verb.params) {
      const std::string name = param.behind_dashes ? "Behind --" : "--" + std::string(param.name);
      CHECK_MESSAGE(printed.text.find(name) != std::string::npos, param.name);
    }
  }
}

TEST_CASE("values reach the verb, repeated ones in order") {
  const Table table = verbs();
  const auto parsed = parse(table, {"pass", "--summary", "s", "--finding", "P1:a", "--finding",
                                    "P2:b", "--json", "--request", "r1"});
  REQUIRE(std::holds_alternative<Parsed>(parsed));
  const Parsed& command = std::get<Parsed>(parsed);
  CHECK(command.json);
  CHECK(command.args.text("summary") == "s");
  CHECK(command.args.all("finding") == std::vector<std::string>{"P1:a", "P2:b"});
  CHECK(command.args.text("request") == "r1");
  CHECK_FALSE(command.args.has("no-findings"));
  CHECK_FALSE(command.args.has("repo"));
}

TEST_CASE("a wrong line is a usage error that names the help") {
  const Table table = verbs();
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{},
                                             {"bubble"},
                                             {"nonsense"},
                                             {"pass"},
                                             {"pass", "--summary"},
                                             {"pass", "--what", "x"},
                                             {"bubble", "status", "--id", "a", "extra"},
                                             {"bubble", "create", "--max-rounds", "x"},
                                             {"bubble", "reply", "--rounds", "99999999999"},
                                             {"bubble", "reply", "--rounds", "-1"},
                                             {"bubble", "reply", "--rounds", "1e3"},
                                             {"bubble", "reply", "--rounds", "0"}}) {
    const auto parsed = parse(table, words);
    REQUIRE(std::holds_alternative<Error>(parsed));
    CHECK(std::get<Error>(parsed).exit == Exit::usage);
    CHECK(std::get<Error>(parsed).fix.find("--help") != std::string::npos);
  }
}

TEST_CASE("a wrong word is named, with the nearest right one") {
  const Table table = verbs();
  const auto error = [&](std::vector<std::string> words) {
    const auto parsed = parse(table, std::move(words));
    REQUIRE(std::holds_alternative<Error>(parsed));
    return std::get<Error>(parsed).what + " / " + std::get<Error>(parsed).fix;
  };
  CHECK(error({"create"}) ==
        "there is no command 'pairflow create' / did you mean 'pairflow bubble create'? see: "
        "pairflow --help");
  CHECK(error({"bubble", "statsu"}) ==
        "there is no command 'pairflow bubble statsu' / did you mean 'pairflow bubble status'? "
        "see: pairflow bubble --help");
  CHECK(error({"bubble", "status", "--ID", "x"}) ==
        "'pairflow bubble status' has no option '--ID' / did you mean '--id'? see: pairflow bubble "
        "status --help");
  CHECK(error({"bubble", "status", "--id=x", "fix-login"}) ==
        "'fix-login' was not expected / pairflow bubble status --help");
  CHECK(error({"pass"}) == "--summary is required / pairflow pass --help");
  CHECK(error({"\x1b[31m"}) == "there is no command 'pairflow <U+001B>[31m' / pairflow --help");
}

TEST_CASE("words behind -- are a command's, whatever they are") {
  const Table table = verbs();
  const auto parsed =
      parse(table, {"bubble", "shell", "--id", "abc", "--", "make", "-j2", "--", "--json", "-"});
  REQUIRE(std::holds_alternative<Parsed>(parsed));
  CHECK(std::get<Parsed>(parsed).args.all("command") ==
        std::vector<std::string>{"make", "-j2", "--", "--json", "-"});
  CHECK(std::get<Parsed>(parsed).args.text("id") == "abc");
  CHECK_FALSE(std::get<Parsed>(parsed).json);
  CHECK(std::holds_alternative<Error>(parse(table, {"bubble", "shell", "make"})));
  CHECK(std::holds_alternative<Error>(parse(table, {"bubble", "shell", "--nope", "--", "make"})));
  CHECK(std::holds_alternative<Error>(parse(table, {"bubble", "status", "--", "make"})));
}

}  // namespace pf
