#include "cli/run.h"
#include "mcp/serve.h"
#include "os/posix_os.h"

int main(int argc, char** argv) {
  pf::PosixOs posix;
  pf::Os os = posix.os();
  if (argc < 1) return 2;
  return pf::run_command_line(os, argv[0], {argv + 1, argv + argc}, {pf::mcp::serve_verb()});
}
