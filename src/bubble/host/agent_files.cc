#include "bubble/host/agent_files.h"

#include <fmt/format.h>

#include "bubble/host/review_checkout.h"

namespace pf {
namespace {

constexpr std::size_t kMaxDiffBytes = 8u << 20;

// Its writer may have died right behind the journal's append, or somebody tidied up.
Status restore_message(BubbleLoop& loop, const bubble::Delivery& delivery) {
  if (delivery.message == Seq::none || delivery.file.empty()) return {};
  Os& os = loop.os();
  const Path path = loop.paths().messages / delivery.file;
  if (TRY(os.files.exists(path))) return {};
  for (const bubble::Event& event : TRY(loop.events())) {
    if (event.seq != delivery.message) continue;
    TRY(os.files.make_directories(loop.paths().messages));
    return os.files.replace(path, bubble::message_text(event), Durable::no);
  }
  return {};
}

}  // namespace

Status write_round_diff(BubbleLoop& loop, const bubble::State& state) {
  if (state.active_role != bubble::Role::reviewer || !state.target) return {};
  Workspace workspace = loop.workspace(state);
  const std::string diff =
      TRY(workspace.diff(state.place.base_commit.str(), state.target->str(), kMaxDiffBytes));
  TRY(loop.os().files.make_directories(loop.paths().artifacts));
  return loop.os().files.replace(
      loop.paths().artifacts / fmt::format("round-{:03}.diff", state.round), diff, Durable::no);
}

Status arrange_agent_files(BubbleLoop& loop, const bubble::State& state, const AgentName& agent,
                           const bubble::Delivery& delivery) {
  TRY(restore_message(loop, delivery));
  if (const bubble::Agent* known = state.agent(agent); known != nullptr && known->apart)
    TRY(show_next_tree(loop, state));
  if (state.active_agent == agent) TRY(write_round_diff(loop, state));
  return {};
}

}  // namespace pf
