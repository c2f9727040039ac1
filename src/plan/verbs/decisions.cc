#include <fmt/format.h>

#include "base/text.h"
#include "plan/verbs/verbs.h"

namespace pf {
namespace {

constexpr std::string_view kTemplate = R"(---
active_step: 1
---
# {feature}

What this is for, in two or three sentences. Details belong in spec.md beside this file.

## Step 1: The smallest thing that works

Say what is to be done.

- Acceptance:
  - say how one can see that it is done

## Step 2: The next thing

- Acceptance:
  - one line for each criterion
)";

// A new file, made as the umask says.
Status write_shared(Files& files, const Path& path, const std::string& text) {
  const Path part = Path(path) += ".part";
  TRY(files.remove(part));
  TRY(TRY(files.open(part, Open::create_shared))->write_at(0, text));
  return files.rename(part, path);
}

}  // namespace

std::string plan_template(const plan::FeatureId& feature) {
  std::string text(kTemplate);
  return text.replace(text.find("{feature}"), 9, feature.str());
}

Result<Said> run_plan_init(Caller& caller, const Args& args) {
  if (!args.has("feature"))
    return fail(Exit::usage, "which feature?", "",
                "name it: pairflow plan init login makes docs/login/plan.md");
  const PlanPaths paths = TRY(plan_of(caller, args));
  Files& files = caller.os.files;
  const Path file = paths.documents / "plan.md";
  const Path path = paths.repository.top / file;
  const std::string text = plan_template(paths.feature);
  const auto now = TRY(files.read_if_there(path));
  if (now && *now != text)
    return fail(Exit::refused, fmt::format("{} is there already", file.string()), "",
                fmt::format("look at it: pairflow plan validate {}", paths.feature.str()));
  TRY(files.make_directories(path.parent_path()));
  // There whole or not at all; again when it is what an earlier init wrote.
  if (!now) TRY(write_shared(files, path, text));
  Said said;
  said.json["file"] = file.string();
  said.text = fmt::format("{} is there\nNext: write the steps, then: pairflow plan run {}\n",
                          file.string(), paths.feature.str());
  return said;
}

Result<Said> run_plan_reply(Caller& caller, const Args& args) {
  return ask_plan(caller, args,
                  plan::Reply{args.text("message"), MessageId(args.text("question"))});
}

Result<Said> run_plan_force(Caller& caller, const Args& args) {
  const std::string role = args.text("role");
  if (role != "coder" && role != "reviewer")
    return fail(Exit::usage, fmt::format("'{}' is no role", clip(printable(role), 40)), "",
                "force coder, or force reviewer");
  return ask_plan(caller, args,
                  plan::Force{role == "coder" ? plan::Role::coder : plan::Role::reviewer,
                              args.text("message")});
}

Result<Said> run_plan_reset_guard(Caller& caller, const Args& args) {
  return ask_plan(caller, args, plan::ResetGuard{});
}

Result<Said> run_plan_pause(Caller& caller, const Args& args) {
  return ask_plan(caller, args, plan::Pause{});
}

Result<Said> run_plan_release(Caller& caller, const Args& args) {
  return ask_plan(caller, args, plan::Release{});
}

Result<Said> run_plan_reset(Caller& caller, const Args& args) {
  TRY(need_confirmation(caller, args, "Begin the active step anew, with a new conversation?"));
  return ask_plan(caller, args, plan::Reset{});
}

}  // namespace pf
