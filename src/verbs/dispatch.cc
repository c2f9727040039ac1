#include "verbs/dispatch.h"

#include "verbs/core/answered.h"
#include "verbs/core/caller.h"
#include "verbs/core/values.h"
#include "verbs/relay.h"

namespace pf {
namespace {

Result<Answered> carry_out(Caller& caller, const Verb& verb, Args& args) {
  TRY(check_values(verb, args));
  if (verb.who == Audience::human) TRY(require_human(caller, verb.group));
  if (verb.prepare && !caller.literal) TRY(verb.prepare(caller, args));
  if (is_forwarded(caller.os, verb)) return forward(caller, verb, std::move(args));
  return answered(TRY(verb.run(caller, args)), caller.json);
}

}  // namespace

Answered dispatch(Caller& caller, const Verb& verb, Args args) {
  auto all = carry_out(caller, verb, args);
  if (verb.quiet && (!all || all->exit != 0)) return {};
  return all ? *std::move(all) : answered(all.error(), caller.json);
}

}  // namespace pf
