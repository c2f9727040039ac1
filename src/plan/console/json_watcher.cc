#include "plan/console/json_watcher.h"

#include "base/codec.h"
#include "base/json.h"

namespace pf::console {
namespace {

JsonArray array_of(const std::vector<std::string>& texts) {
  return JsonArray(texts.begin(), texts.end());
}

JsonObject object_of(const PlanView::Step& step) {
  return {{"id", step.id},
          {"title", step.title},
          {"status", name_of(step.status)},
          {"change_requests", step.change_requests},
          {"active", step.active},
          {"acceptance", array_of(step.acceptance)}};
}

JsonObject object_of(const PlanView& view) {
  JsonArray steps;
  for (const PlanView::Step& step : view.steps) steps.push_back(object_of(step));
  JsonObject object = {{"type", "state"},
                       {"feature", view.feature},
                       {"state", name_of(view.phase)},
                       {"since", view.since},
                       {"turn", view.turn},
                       {"step", view.step},
                       {"guard", view.guard},
                       {"parked", view.parked},
                       {"steps", std::move(steps)},
                       {"question", nullptr},
                       {"problems", array_of(view.problems)}};
  if (view.question)
    object["question"] = {{"id", view.question->id},
                          {"kind", name_of(view.question->kind)},
                          {"who", view.question->who},
                          {"text", view.question->text},
                          {"answer", view.question->answer}};
  return object;
}

}  // namespace

void JsonWatcher::show(const PlanView& view) {
  const std::string text = dump(object_of(view));
  if (text == shown_) return;
  os_.env.print(Stream::out, text + "\n");
  shown_ = text;
}

void JsonWatcher::say(const StreamLine& line) {
  JsonObject object = {
      {"type", line.type}, {"ts", line.ts}, {"prefix", line.prefix}, {"text", line.text}};
  if (line.seq != Seq::none) object["seq"] = number(line.seq);
  os_.env.print(Stream::out, dump(object) + "\n");
}

void JsonWatcher::complain(const std::string& text) {
  os_.env.print(
      Stream::out,
      dump(JsonObject{{"type", "complaint"}, {"ts", iso8601(os_.clock.wall())}, {"text", text}}) +
          "\n");
}

}  // namespace pf::console
