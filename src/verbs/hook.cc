#include "base/text.h"
#include "bubble/host/hook_intake.h"
#include "bubble/verbs/caller.h"
#include "plan/verbs/verbs.h"
#include "role/verbs/verbs.h"
#include "verbs/verbs.h"

namespace pf {
namespace {

constexpr std::size_t kMaxEvent = 8u << 20;  // a tool's output may be in it
constexpr std::size_t kMaxShown = 2000;

// Of a prompt only the line by which ours is recognised.
std::string kept_of(const HookEvent& event) {
  const bool prompt = event.kind == HookEvent::Kind::prompt;
  return printable_lines(
      clip(prompt ? event.text.substr(0, event.text.find('\n')) : event.text, kMaxShown));
}

}  // namespace

Status read_hook_event(Caller& caller, Args& args) {
  const HookEvent event = TRY(parse_hook_event(TRY(caller.os.env.read_all(kMaxEvent))));
  args.set("event", {event.name});
  if (!event.conversation.empty()) args.set("conversation", {event.conversation});
  if (const std::string text = kept_of(event); !trim(text).empty()) args.set("text", {text});
  return {};
}

Result<Said> run_hook(Caller& caller, const Args& args) {
  if (is_of_roles(caller)) return run_role_hook(caller, args);
  if (is_of_plan(caller)) return run_plan_hook(caller, args);
  BubbleLoop loop(caller.os, TRY(bubble_of(caller, args)));
  const Principal who = TRY(agent_of(caller, origin_of(loop.paths())));
  const bubble::State state = TRY(loop.load());
  const HookEvent event =
      hook_event(args.text("event"), args.text("conversation"), args.text("text"));
  Said said;
  said.text = TRY(take_hook_event(loop, state, request_of(caller, args, who, state), event));
  return said;
}

}  // namespace pf
