#pragma once
// A plan without a world: commands are decided, their events go through the codec as through a log
// (encode → encode_line → decode_line → fold); plan.md and spec.md are texts.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/codec.h"
#include "base/hash.h"
#include "plan/decide.h"
#include "plan/outstanding.h"

namespace pf::plan::testing {

inline const AgentName kClaude("claude");
inline const AgentName kCodex("codex");

// Fails a doctest case as well as a rapidcheck property.
inline void must(bool condition, const std::string& what) {
  if (!condition) throw std::logic_error(what);
}

inline Policy test_policy() {
  Policy policy;
  policy.coder = kClaude;
  policy.reviewer = kCodex;
  return policy;
}

inline std::string plan_of(int steps, const std::string& frontmatter = "active_step: \"1\"\n") {
  std::string text = frontmatter.empty() ? "" : "---\n" + frontmatter + "---\n";
  for (int i = 1; i <= steps; ++i) text += fmt::format("## Step {}: part {}\n\nText.\n\n", i, i);
  return text;
}

// "coder.request_review claude>codex, …"
inline std::string envelopes(const std::vector<Event>& events) {
  std::string out;
  for (const Event& e : events)
    out +=
        fmt::format("{}{} {}>{}", out.empty() ? "" : ", ", type_of(e.body), e.sender, e.recipient);
  return out;
}

// "coder_active 1 #2", "awaiting_user_input(loop_guard) 1 #0"
inline std::string where(const State& state) {
  return fmt::format("{}{} {} #{}", name_of(state.phase),
                     state.halt ? fmt::format("({})", name_of(state.halt->kind)) : "", state.step,
                     state.run);
}

// "1 done, 2 pending/1"
inline std::string steps_text(const State& state) {
  std::string out;
  for (const StepState& step : state.steps)
    out += fmt::format("{}{} {}{}", out.empty() ? "" : ", ", step.id, name_of(step.status),
                       step.change_requests > 0 ? fmt::format("/{}", step.change_requests) : "");
  return out;
}

// All of the state that a refusal must not touch.
inline std::string essence(const State& state) {
  JsonObject object = codec::encode(state).get_object();
  for (const auto* key : {"last_boot", "last_mono_ms", "last_seq", "actions", "warnings",
                          "last_command_at", "requests", "last_mark"})
    object.erase(key);
  return dump(object);
}

struct Done {
  std::optional<Rejection> rejection = {};
  std::vector<Event> events = {};  // as read back; a refusal's PROTOCOL_WARNING is not among them
  bool warned = false;
  bool repeated = false;
  bool ok() const { return !rejection; }
  int exit() const { return rejection ? static_cast<int>(rejection->error.exit) : 0; }
  std::string reason() const { return rejection ? rejection->reason : ""; }
  template <class B>
  const B& body(std::size_t at = 0) const {
    return std::get<B>(events.at(at).body);
  }
};

class Plan {
 public:
  State state;
  std::string plan_text = plan_of(3);
  std::optional<std::string> spec_text;
  Duration on_step{};
  std::int64_t clock_ms = 0;         // added to the log's own clock
  std::vector<std::string> log;      // the text of each line
  std::vector<std::size_t> batches;  // how many lines there were after each batch

  // As the engine does: a request that was answered before is answered the same again.
  Done run(const Request& request, const Command& command) {
    if (state.requests.find(request.id) != nullptr) return again(request, command);
    Facts facts;
    for (int gathering = 0; gathering < 4; ++gathering) {
      auto decision = decide(state, request, command, facts);
      if (const auto* needs = std::get_if<std::vector<Need>>(&decision)) {
        for (const Need need : *needs) gather(need, facts);
        continue;
      }
      if (const auto* rejection = std::get_if<Rejection>(&decision))
        return refused(request, command, *rejection);
      return {{}, append(std::get<std::vector<Event>>(decision), request.id)};
    }
    throw std::logic_error("the decider never has enough facts");
  }
  Request request(Principal who, Seq turn = Seq::none) {
    return {RequestId(fmt::format("r{}", ++requests_)), std::move(who), turn};
  }
  Done as(const AgentName& agent, const Command& command, Seq turn = Seq::none) {
    return run(request({PrincipalKind::agent, agent, Assurance::ancestry}, turn), command);
  }
  Done human(const Command& command, Seq turn = Seq::none) {
    return run(request({PrincipalKind::human, {}, Assurance::ancestry}, turn), command);
  }
  Done orchestrator(const Command& command, Seq turn = Seq::none) {
    return run(request({PrincipalKind::orchestrator, {}, Assurance::self}, turn), command);
  }

  static Plan opened(Policy policy = test_policy(), std::string text = plan_of(3)) {
    Plan plan;
    plan.plan_text = std::move(text);
    must(plan.human(Open{std::move(policy)}).ok(), "open");
    plan.settle();
    return plan;
  }

  // The tools, as the run that has the turn; then the world catches up.
  Done request_review(std::string note = {}) { return tool(RequestReview{state.run, note}); }
  Done request_changes(std::string text = "no") {
    return tool(RequestChanges{state.run, std::move(text)});
  }
  Done approve() { return tool(Approve{state.run}); }
  Done ask_user(std::string message) { return tool(AskUser{state.run, std::move(message)}); }
  Done reply(std::string message = "go on") {
    Done done = human(Reply{std::move(message)});
    settle();
    return done;
  }
  // The run that has the turn ends by itself.
  Done end_run(int exit = 0, bool explained = false) {
    const int run = state.run;
    std::erase(processes_, run);
    FileRunEnded ended{run, exit, false, "", fmt::format("talk-{}", run)};
    ended.explained = explained;
    Done done = orchestrator(ended);
    settle();
    return done;
  }

  Observed observed() const {
    Observed seen{hash_of(plan_text), {}};
    for (const int run : processes_) seen.runs.push_back({run, true, {}});
    return seen;
  }

  // Does what is outstanding, as the supervisor would, until nothing is.
  void settle() {
    for (int i = 0; i < 50; ++i) {
      const auto effects = outstanding(state, observed());
      if (effects.empty()) return;
      for (const Effect& effect : effects)
        std::visit([this](const auto& e) { perform(e); }, effect);
    }
    throw std::logic_error("there is always something outstanding");
  }

 private:
  Done tool(const Command& command) {
    Done done = as(state.current()->agent, command);
    settle();
    return done;
  }

  void perform(const WriteRegister& e) {
    must(hash_of(plan_text) == e.write.before, "an edit in between is seen");
    plan_text = *document::rewrite_plan(plan_text, change_of(e.write));
    must(hash_of(plan_text) == e.write.after, "what is written is what was decided");
  }
  void perform(const RecordWritten& e) { orchestrator(FileWritten{e.hash}); }
  void perform(const LookAtDocuments&) { orchestrator(CheckDocuments{}); }
  void perform(const StartRun& e) {
    must(processes_.empty(), "never two processes");
    processes_.push_back(e.run);
  }
  void perform(const RecordStart& e) {
    orchestrator(
        FileRunStarted{e.run, fmt::format("talk-{}", e.run), fmt::format("runs/{}.ndjson", e.run)});
  }
  void perform(const StopRun& e) {
    std::erase(processes_, e.run);
    orchestrator(FileRunEnded{e.run, e.handed_over ? 0 : 143});
  }
  void perform(const RecordEnd& e) {
    orchestrator(FileRunEnded{e.run, e.exit.value_or(0), !e.exit.has_value()});
  }

  void gather(Need need, Facts& facts) const {
    if (need == Need::idle) {
      facts.idle = IdleFact{{}, on_step, {}, {}};
      return;
    }
    facts.documents = std::vector<FileFact>{{"plan.md", true, hash_of(plan_text), plan_text}};
    if (spec_text) facts.documents->push_back({"spec.md", true, hash_of(*spec_text), *spec_text});
  }

  Done again(const Request& request, const Command& command) {
    Done done{{}, {}, false, true};
    for (const std::string& text : log) {
      const Line line = *decode_line(text);
      if (line.request == request.id) done.events.push_back(*decode(line));
    }
    if (!answers(done.events.at(0), request, command))
      done.rejection = Rejection{{Exit::usage, "this request id has been used"}};
    return done;
  }

  Done refused(const Request& request, const Command& command, const Rejection& rejection) {
    Done done{rejection};
    if (!rejection.warn) return done;
    const auto event = warning_event(state, request, command, rejection);
    if (!event) return done;
    const std::string before = essence(state);
    append({*event}, request.id);
    must(essence(state) == before, "a refusal changed the state");
    done.warned = true;
    return done;
  }

  std::vector<Event> append(const std::vector<Event>& events, const RequestId& request) {
    std::vector<Event> read;
    for (std::size_t i = 0; i < events.size(); ++i) {
      const Seq seq = next(state.last_seq);
      const WallTime now{1'771'675'200'000 + static_cast<std::int64_t>(number(seq)) * 1000};
      Line line{message_id(now, seq),
                iso8601(now),
                "login",
                encode(events[i]),
                seq,
                static_cast<int>(events.size() - i - 1),
                state.mark.hash,
                request,
                {"boot", static_cast<std::int64_t>(number(seq)) * 1000 + clock_ms},
                {}};
      const std::string text = encode_line(line);
      auto decoded = decode_line(text);
      must(decoded.has_value(), "a line cannot be read back: " + text);
      decoded->mark = {seq, state.mark.end, state.mark.end + text.size() + 1, hash_of(text)};
      auto folded = fold(state, *decoded);
      must(folded.has_value(), "a line cannot be folded: " + text);
      Event event = events[i];
      event.seq = seq, event.id = line.id, event.ts = line.ts, event.moment = line.moment;
      must(essence(apply(state, event)) == essence(apply(state, *decode(*decoded))),
           "an event is another after the codec: " + text);
      state = std::move(*folded);
      log.push_back(text);
      read.push_back(*decode(*decoded));
    }
    if (!events.empty()) batches.push_back(log.size());
    return read;
  }

  int requests_ = 0;
  std::vector<int> processes_;
};

}  // namespace pf::plan::testing
