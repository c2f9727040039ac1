#include "cli/plan_run.h"
#include "cli/role_run.h"
#include "cli/run.h"
#include "mcp/serve.h"
#include "os/posix_os.h"
#include "tui/make_watcher.h"

int main(int argc, char** argv) {
  pf::PosixOs posix;
  pf::Os os = posix.os();
  if (argc < 1) return 2;
  std::vector<pf::Verb> others = pf::plan_drivers(pf::tui::make_watcher);
  others.push_back(pf::role_driver());
  others.push_back(pf::mcp::serve_verb());
  return pf::run_command_line(os, argv[0], {argv + 1, argv + argc}, others);
}
