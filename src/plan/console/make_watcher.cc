#include "plan/console/make_watcher.h"

#include <fmt/format.h>

#include "plan/console/console_watcher.h"
#include "plan/console/json_watcher.h"
#include "plan/console/plain_watcher.h"

namespace pf::console {

std::unique_ptr<PlanWatcher> make_watcher(Os& os, Showing showing) {
  if (showing == Showing::json) return std::make_unique<JsonWatcher>(os);
  const bool both = os.env.is_terminal(Stream::in) && os.env.is_terminal(Stream::out);
  if (showing == Showing::plain || !both) return std::make_unique<PlainWatcher>(os);
  auto terminal = Terminal::open(os.env);
  if (terminal) return std::make_unique<ConsoleWatcher>(os, std::move(*terminal));
  os.env.print(Stream::err, fmt::format("pairflow: {} ({}); plain lines instead\n",
                                        terminal.error().what, terminal.error().why));
  return std::make_unique<PlainWatcher>(os);
}

}  // namespace pf::console
