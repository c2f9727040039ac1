#include "cli/run.h"
#include "mcp/serve.h"
#include "os/posix/os.h"
#include "verbs/verbs.h"

int main(int argc, char** argv) {
  pf::PosixOs posix;
  pf::Os os = posix.os();
  if (argc < 1) return 2;
  std::vector<pf::Verb> others = {pf::mcp::serve_verb()};
  for (pf::Verb& verb : pf::internal_verbs()) others.push_back(std::move(verb));
  return pf::run_command_line(os, argv[0], {argv + 1, argv + argc}, others);
}
