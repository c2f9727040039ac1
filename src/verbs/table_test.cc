#include <doctest/doctest.h>

#include <set>

#include "os/fake/clock.h"
#include "os/fake/environment.h"
#include "os/fake/files.h"
#include "os/fake/processes.h"
#include "os/fake/random.h"
#include "verbs/verbs.h"

namespace pf {
namespace {

// A value for everything that a verb requires.
Args plausible(const Verb& verb) {
  Args args;
  for (const Param& param : verb.params)
    if (param.required) args.set(std::string(param.name), {"1"});
  return args;
}

TEST_CASE("every row is whole, and no two have one name") {
  std::set<std::string> names;
  for (const Table& table : {verbs(), Table{internal_verbs()}})
    for (const Verb& verb : each(table)) {
      const std::string name(verb.full_name);
      CHECK_MESSAGE(names.insert(name).second, name);
      CHECK_MESSAGE((verb.run != nullptr), name);
      CHECK_MESSAGE(verb.help.ends_with('.'), name);
      if (verb.who != Audience::internal)
        CHECK_MESSAGE(verb.example.starts_with("pairflow " + name), name);
      std::set<std::string_view> params = {"repo", "json", "request", "help"};
      for (const Param& param : verb.params) {
        CHECK_MESSAGE(params.insert(param.name).second, name, " --", param.name);
        CHECK_MESSAGE(!param.help.empty(), name, " --", param.name);
        CHECK_MESSAGE(!(param.type == Type::flag && (param.required || param.positional)), name);
      }
    }
}

TEST_CASE("every human's verb is refused below an agent, whatever else it would say") {
  FakeDisk disk;
  FakeClock clock;
  FakeFiles files{disk, clock, 1};
  FakeProcesses processes;
  FakeRandom random;
  FakeEnvironment env;
  Os os{files, processes, clock, random, env};
  processes.ancestors = {{1, {}}, {2, {"PAIRFLOW_AGENT=codex"}}};
  Caller caller{.os = os};
  const Table table = verbs();
  int human = 0;
  for (const Verb& verb : each(table)) {
    if (verb.who != Audience::human) continue;
    ++human;
    const Answered all = dispatch(caller, verb, plausible(verb));
    CHECK_MESSAGE(all.exit == 1, verb.full_name);
    CHECK_MESSAGE(all.err.starts_with("pairflow: this decision is the human's\n"), all.err);
  }
  CHECK(human > 0);
}

}  // namespace
}  // namespace pf
