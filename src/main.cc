#include "cli/run.h"
#include "mcp/server.h"
#include "os/posix/os.h"
#include "verbs/verbs.h"

int main(int argc, char** argv) {
  pf::PosixOs posix;
  pf::Os os = posix.os();
  if (argc < 1) return 2;
  pf::Table table = pf::verbs();
  table.push_back(pf::mcp::serve_verbs());
  table.push_back(pf::internal_verbs());
  return pf::run_command_line(os, argv[0], {argv + 1, argv + argc}, std::move(table));
}
