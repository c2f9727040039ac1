#include <doctest/doctest.h>

#include "os/fake/clock.h"
#include "os/fake/environment.h"
#include "os/fake/files.h"
#include "os/fake/processes.h"
#include "os/fake/random.h"
#include "verbs/verbs.h"

namespace pf {
namespace {

struct Surroundings {
  FakeDisk disk;
  FakeClock clock;
  FakeFiles files{disk, clock, 1};
  FakeProcesses processes;
  FakeRandom random;
  FakeEnvironment env;
  Os os{files, processes, clock, random, env};
};

// Says the text it was given; prepare() takes it as a name.
constexpr Verb kEcho("echo", Audience::anyone,
                     [](Caller&, const Args& args) -> Result<Said> {
                       if (args.text("text") == "bad")
                         return fail(Exit::refused, "no", "it is bad", "mend it");
                       return Said{
                           args.text("text") + "\n", {{"text", args.text("text")}}, {"late"}, 0};
                     },
                     "", "",
                     {{"text", Type::text, "", true, true, 10}, {"count", Type::number, ""}},
                     {.prepare = [](Caller&, Args& args) -> Status {
                       args.set("text", {"file " + args.text("text")});
                       return {};
                     }});

Args with(std::vector<std::string> texts, std::string count = "1") {
  Args args;
  args.set("text", std::move(texts));
  args.set("count", {std::move(count)});
  return args;
}

TEST_CASE("a verb's words, warnings, refusals and code, as text and as JSON") {
  Surroundings around;
  Caller caller{.os = around.os, .literal = true};
  const Answered good = dispatch(caller, kEcho, with({"x"}));
  CHECK(good.exit == 0);
  CHECK(good.out == "x\n");
  CHECK(good.err == "pairflow: warning: late\n");
  const Answered bad = dispatch(caller, kEcho, with({"bad"}));
  CHECK(bad.exit == 1);
  CHECK(bad.err == "pairflow: no\n  because: it is bad\n  → mend it\n");
  caller.json = true;
  CHECK(dispatch(caller, kEcho, with({"x"})).out ==
        "{\"version\":1,\"ok\":true,\"text\":\"x\",\"warnings\":[\"late\"]}\n");
}

TEST_CASE("literal values name no files") {
  Surroundings around;
  Caller literal{.os = around.os, .literal = true}, command_line{.os = around.os};
  CHECK(dispatch(literal, kEcho, with({"x"})).out == "x\n");
  CHECK(dispatch(command_line, kEcho, with({"x"})).out == "file x\n");
}

TEST_CASE("values are checked before anything else happens") {
  Surroundings around;
  Caller caller{.os = around.os};
  const auto refused = [&](Args args) {
    const Answered all = dispatch(caller, kEcho, std::move(args));
    CHECK(all.exit == 2);
    return all.err.substr(0, all.err.find('\n'));
  };
  CHECK(refused({}) == "pairflow: --text is missing");
  CHECK(refused(with({" \n"})) == "pairflow: --text is empty");
  CHECK(refused(with({"x", "12345678901"})) == "pairflow: --text is too long");
  CHECK(refused(with({std::string("a\0b", 3)})) == "pairflow: --text contains control characters");
  CHECK(refused(with({"caf\xe9"})) == "pairflow: --text is not UTF-8 text");
  CHECK(refused(with(std::vector<std::string>(51, "x"))) == "pairflow: too many --text");
  for (const char* number : {"0", "", "-1", "1.5", "10000", "1e3"})
    CHECK(refused(with({"x"}, number)) == "pairflow: --count is no number");
  Args named = with({"x"});
  named.set("request", {"two words"});
  CHECK(refused(named) == "pairflow: --request is no request id");
}

}  // namespace
}  // namespace pf
