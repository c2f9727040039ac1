#pragma once
// The one door: every state change of every loop walks through Engine::execute.
//
//   load → decide → gather facts → LOCK → reload → decide → append one batch → snapshot → UNLOCK
//
// Inside the lock nothing is spawned, asked or waited for. A domain D names its State, Event and
// Command, beside which the functions of the Domain concept are; the engine knows lines, marks and
// requests.
#include <fmt/format.h>

#include <concepts>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/codec.h"
#include "base/deciding.h"
#include "base/text.h"
#include "journal/journal.h"
#include "journal/snapshot.h"

namespace pf {

template <class D>
concept Domain =
    requires(typename D::State s, const typename D::Command& c, const typename D::Event& e,
             const Request& r, const Facts& f, const Line& l, const Rejection& x) {
      { decide(s, r, c, f) } -> std::same_as<Decision<typename D::Event>>;
      { fold(std::move(s), l) } -> std::same_as<Result<typename D::State>>;
      { encode(e) } -> std::same_as<Draft>;
      { D::decode(l) } -> std::same_as<Result<typename D::Event>>;
      { D::has_begun(s) } -> std::same_as<bool>;
      { warning_event(s, r, c, x) } -> std::same_as<std::optional<typename D::Event>>;
      { answers(e, r, c) } -> std::convertible_to<bool>;
      { s.requests } -> std::convertible_to<const RecentRequests&>;
      { D::State::kFold } -> std::convertible_to<int>;
    };

template <Domain D>
class Engine {
 public:
  static constexpr Duration kDoorWait = std::chrono::seconds(30);  // one fsync long, 64 in a row
  using State = typename D::State;
  using Event = typename D::Event;
  using Command = typename D::Command;
  // Adds what is asked for to the facts; runs outside the lock.
  using Gather =
      std::function<Status(const std::vector<Need>&, const State&, const Command&, Facts&)>;
  // Writes the projections of a state that has just become true, and of what led to it; runs inside
  // the lock. Again for a request that is answered again: the first process may have been killed.
  using Project = std::function<Status(const State&, const std::vector<Event>&)>;

  struct Loaded {
    State state;
    Mark mark;
    std::optional<TornTail> torn;
    std::vector<std::string> mended = {};  // what was wrong with the journal
  };
  struct Answer {
    State state;                           // after the command
    std::vector<Event> events;             // of its batch; none when all was well already
    bool repeated = false;                 // the same request was answered before
    std::vector<std::string> warnings;     // trouble after the append
    std::vector<std::string> mended = {};  // what was wrong with the journal before
    std::vector<std::string> all_warnings() const {
      std::vector<std::string> all = mended;
      all.insert(all.end(), warnings.begin(), warnings.end());
      return all;
    }
  };

  Engine(Os& os, LoopFiles files, Gather gather, Project project)
      : os_(os),
        files_(std::move(files)),
        journal_(os, files_.journal, files_.id, files_.verify),
        gather_(std::move(gather)),
        project_(std::move(project)) {}

  // No lock; what is being written at this moment is not there yet.
  Result<Loaded> load() const {
    Loaded loaded;
    if (auto snapshot = TRY(read_snapshot(os_.files, files_.snapshot, State::kFold)))
      if (codec::decode_fields(snapshot->state, loaded.state)) loaded.mark = snapshot->mark;
    std::string head;  // of the last line, which no snapshot covers then
    if (loaded.mark.seq == Seq::none) {
      loaded.state = State{};
      head = Lock::head_in(os_, files_.door).value_or("");
    }
    const Reach reach = TRY(journal_.scan(loaded.mark, [&](Line&& line) -> Status {
      auto folded = fold(std::move(loaded.state), line);
      if (!folded) return std::unexpected(journal_.unreadable(line.mark, folded.error()));
      loaded.state = std::move(*folded);
      return {};
    }));
    if (const auto changed = journal_.changed(head, reach.mark)) return std::unexpected(*changed);
    loaded.mark = reach.mark;
    loaded.torn = reach.torn;
    return loaded;
  }

  // Whether a failed write stops everything until verify --repair.
  Result<bool> in_doubt() const { return journal_.in_doubt(); }

  // Holds the door, and all that is loaded meanwhile would survive a loss of power.
  Result<Lock> prove() {
    Lock door = TRY(Lock::take(os_, files_.door, kDoorWait));
    TRY(journal_.prove(door));
    return door;
  }

  // The events with their numbers, after `from`.
  Result<std::vector<Event>> events(const Mark& from = {}) const {
    std::vector<Event> events;
    TRY(journal_.scan(from, [&](Line&& line) -> Status {
      auto event = D::decode(line);
      if (!event) return std::unexpected(journal_.unreadable(line.mark, event.error()));
      events.push_back(std::move(*event));
      return {};
    }));
    return events;
  }

  // Decides and appends. A refusal is an Error; a returned error means nothing of it was recorded
  // (but a PROTOCOL_WARNING). The same request id gets the same answer again. Whatever it comes to,
  // the bells are rung: one that was killed behind its append has rung nobody, and asked again it
  // finds nothing to append. (Who performs the effects would only wake himself.)
  Result<Answer> execute(const Request& request, const Command& command) {
    auto answer = carry_out(request, command);
    const bool rung = answer && !answer->repeated && !answer->events.empty();
    if (!rung && request.who.kind != PrincipalKind::orchestrator) os_.files.ring(files_.bells);
    return answer;
  }

 private:
  static constexpr int kAttempts = 3;
  static constexpr int kGatherings = 4;

  Result<Answer> carry_out(const Request& request, const Command& command) {
    Loaded seen = TRY(load());
    Facts facts;
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      if (seen.state.requests.find(request.id) == nullptr) {
        const auto early = TRY(settle_needs(seen, request, command, facts));
        if (early && !early->warn) return std::unexpected(early->error);
      }
      Lock door = TRY(Lock::take(os_, files_.door, kDoorWait));
      seen = TRY(read_and_repair(door));
      if (auto again = TRY(answer_again(seen, request, command))) {
        project(*again);
        return std::move(*again);
      }
      auto decision = decision_on(seen, request, command, facts);
      if (std::holds_alternative<std::vector<Need>>(decision)) continue;
      if (auto* rejection = std::get_if<Rejection>(&decision)) {
        if (rejection->warn)
          if (auto event = warning_event(seen.state, request, command, *rejection))
            TRY(append(door, std::move(seen), {std::move(*event)}, request));
        return std::unexpected(rejection->error);
      }
      return append(door, std::move(seen), std::get<std::vector<Event>>(std::move(decision)),
                    request);
    }
    return fail(Exit::refused, "the state kept changing while this was looked at", "",
                "run the command again");
  }

  Result<Loaded> read_and_repair(Lock& door) {
    TRY(journal_.prove(door));
    Loaded loaded = TRY(load());
    std::vector<std::string> mended;
    if (const auto changed = journal_.changed(door.head(), loaded.mark))
      return std::unexpected(*changed);
    if (const auto lost = journal_.lost(door.head(), loaded.mark)) mended.push_back(lost->what);
    if (loaded.torn) {
      const std::uint64_t bytes = loaded.torn->bytes;
      const Path kept = TRY(journal_.repair_tail(door, *loaded.torn));
      loaded = TRY(load());
      mended.push_back(fmt::format("a write was cut short earlier: its {} bytes are kept as {}",
                                   bytes, printable(kept.string())));
    }
    loaded.mended = std::move(mended);
    return loaded;
  }

  static Decision<Event> decision_on(const Loaded& seen, const Request& request,
                                     const Command& command, Facts& facts) {
    facts.head = seen.mark.hash;
    if constexpr (requires { known_of(seen.state); })
      if (facts.documents && facts.known != known_of(seen.state)) facts.documents.reset();
    return decide(seen.state, request, command, facts);
  }

  // Gathers until the decider asks for nothing more; the rejection it already comes to, if any.
  Result<std::optional<Rejection>> settle_needs(const Loaded& seen, const Request& request,
                                                const Command& command, Facts& facts) {
    for (int round = 0; round < kGatherings; ++round) {
      auto decision = decision_on(seen, request, command, facts);
      if (auto* rejection = std::get_if<Rejection>(&decision)) return std::move(*rejection);
      const auto* needs = std::get_if<std::vector<Need>>(&decision);
      if (needs == nullptr) return std::nullopt;
      TRY(gather_(*needs, seen.state, command, facts));
    }
    PF_CHECK(!"a decider that never has enough facts");
    return std::nullopt;
  }

  Result<std::optional<Answer>> answer_again(const Loaded& seen, const Request& request,
                                             const Command& command) {
    const auto* before = seen.state.requests.find(request.id);
    if (before == nullptr) return std::nullopt;
    Answer answer{seen.state, {}, true, {}};
    TRY(journal_.scan(before->before, [&](Line&& line) -> Status {
      if (line.request == request.id) answer.events.push_back(TRY(D::decode(line)));
      return {};
    }));
    if (answer.events.empty() || !answers(answer.events.front(), request, command))
      return fail(Exit::usage, "this request id has been used for something else", "",
                  "leave --request out, or take a new id for every new command");
    return answer;
  }

  Result<Answer> append(Lock& door, Loaded seen, std::vector<Event> events,
                        const Request& request) {
    if (events.empty()) return Answer{std::move(seen.state), {}, false, {}, std::move(seen.mended)};
    std::vector<Draft> drafts;
    for (const Event& event : events) drafts.push_back(encode(event));
    const std::vector<Line> lines = TRY(journal_.append(door, seen.mark, drafts, request.id));
    // Durable from here on: later trouble is a warning.
    Answer answer{std::move(seen.state), {}, false, {}, std::move(seen.mended)};
    for (const Line& line : lines) {
      auto event = D::decode(line);
      auto state = fold(answer.state, line);
      PF_CHECK(event && state);  // what we write is what we read
      answer.events.push_back(std::move(*event));
      answer.state = std::move(*state);
    }
    Snapshot snapshot;
    snapshot.fold = State::kFold;
    snapshot.mark = lines.back().mark;
    codec::encode_fields(answer.state, snapshot.state);
    if (auto saved = write_snapshot(os_.files, files_.snapshot, snapshot); !saved)
      answer.warnings.push_back(saved.error().what);
    project(answer);
    os_.files.ring(files_.bells);
    return answer;
  }

  void project(Answer& answer) {
    if (auto projected = project_(answer.state, answer.events); !projected)
      answer.warnings.push_back(projected.error().what);
  }

  Os& os_;
  LoopFiles files_;
  Journal journal_;
  Gather gather_;
  Project project_;
};

}  // namespace pf
