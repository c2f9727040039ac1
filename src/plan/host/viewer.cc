#include "plan/host/viewer.h"

#include "base/error_text.h"
#include "plan/domain/views.h"
#include "plan/host/driver.h"

namespace pf {
namespace {

plan::Command command_for(const PlanWish& wish) {
  using Kind = PlanWish::Kind;
  switch (wish.kind) {
    case Kind::force_coder: return plan::Force{plan::Role::coder, wish.text};
    case Kind::force_reviewer: return plan::Force{plan::Role::reviewer, wish.text};
    case Kind::reset_guard: return plan::ResetGuard{};
    case Kind::pause: return plan::Pause{};
    case Kind::resume: return plan::Resume{};
    case Kind::reset: return plan::Reset{};
    case Kind::reply:
    case Kind::leave: break;
  }
  return plan::Reply{wish.text, MessageId(wish.question)};
}

class ViewedPlan : public Viewed {
 public:
  ViewedPlan(PlanLoop& loop, PlanWatcher& watcher, bool waits)
      : loop_(loop), watcher_(watcher), waits_(waits) {}

  Result<Look> look() override {
    state_ = TRY(loop_.load());
    const bool wanted = wants_driver(state_);
    const bool over = state_.phase == plan::Phase::done ? !wanted : !waits_ && !goes_on(state_);
    return Look{state_.mark, wanted, over};
  }
  Result<std::vector<StreamLine>> events(const Mark& from) override {
    std::vector<StreamLine> lines;
    for (const plan::Event& event : TRY(loop_.events(from))) lines.push_back(line_of(event));
    return lines;
  }
  void say(const StreamLine& line) override { watcher_.say(line); }
  Status show() override {
    watcher_.show(plan_view(state_, TRY(loop_.steps(state_))));
    return {};
  }
  void complain(const std::string& text) override { watcher_.complain(text); }
  int input() const override { return watcher_.input(); }
  bool heard() override {
    bool leaves = false;
    for (const PlanWish& wish : watcher_.heard())
      if (wish.kind == PlanWish::Kind::leave)
        leaves = true;
      else if (auto done = fulfil(wish); !done)
        watcher_.complain(in_words(done.error()));
    notice_edit();
    return leaves;
  }
  void resized() override { watcher_.resized(); }

 private:
  Status fulfil(const PlanWish& wish) {
    const Principal user{PrincipalKind::human};
    Os& os = loop_.os();
    TRY(loop_.execute({RequestId(os.random.token(16)), user, wish.turn}, command_for(wish)));
    return ensure_running(os, plan_driver(loop_.paths()));
  }

  // The driver looks at plan.md when it is rung; it is, once for each edit.
  void notice_edit() {
    const auto now = loop_.document(state_.policy.workspace, "plan.md");
    if (!now || now->hash == state_.plan || now->hash == edit_) return;
    edit_ = now->hash;
    loop_.os().files.ring(loop_.paths().bells);
  }

  PlanLoop& loop_;
  PlanWatcher& watcher_;
  Hash edit_;  // of plan.md, told to the driver
  bool waits_;
  plan::State state_;
};

}  // namespace

StreamLine line_of(const plan::Event& event) {
  plan::Told told = plan::tell(event);
  return {std::string(type_of(event.body)), event.ts, std::move(told.prefix), std::move(told.text),
          event.seq};
}

Result<Left> view_plan(PlanLoop& loop, PlanWatcher& watcher, bool waits) {
  ViewedPlan viewed(loop, watcher, waits);
  return attach(loop.os(), plan_driver(loop.paths()),
                StreamTail(loop.os(), loop.paths().stream, {}), viewed);
}

}  // namespace pf
