#pragma once
#include "base/fields.h"
#include "base/tag.h"
#include "bubble/domain/types.h"

// What happens to the agents' processes and programs.
namespace pf::bubble {

// A process runs in the agent's pane, for the launch that event `cause` asked for.
struct Launched {
  static constexpr EventTag kTag{kLifecycle, "launched"};
  AgentName agent;
  Role role = Role::implementer;
  Seq cause = Seq::none;
  std::string pane, key;
  std::string enforcement = {};
  std::string conversation = {};   // its id, when it was chosen before or is continued
  std::string program = {};        // "claude 2.1.325", and what is doubtful about it
  bool confirms = false;           // the program tells when it has taken a prompt
  std::optional<Seq> covers = {};  // a line that it does not need: it only has to wait
  PF_FIELDS(PF_ALWAYS(agent, role, cause, pane, key),
            PF_IF_SET(enforcement, conversation, program, confirms, covers));
};
// The agent's program took the line that was delivered for `cause` as a prompt.
struct PromptTaken {
  static constexpr EventTag kTag{kLifecycle, "prompt_taken"};
  AgentName agent;
  Seq cause = Seq::none;
  std::string conversation;
  PF_FIELDS(PF_ALWAYS(agent, cause), PF_IF_SET(conversation));
};
struct Hindered {
  static constexpr EventTag kTag{kLifecycle, "hindered"};
  AgentName agent;
  Obstacle obstacle = Obstacle::dialog;
  std::string what;
  std::string until = {};  // wall time at which it may go on, when that is known
  std::string how = {};    // known by its hook or its screen
  PF_FIELDS(PF_ALWAYS(agent, obstacle, what), PF_IF_SET(until, how));
};
struct Freed {
  static constexpr EventTag kTag{kLifecycle, "freed"};
  AgentName agent;
  bool again = false;  // it waits at its prompt: it is to be told once more
  PF_FIELDS(PF_ALWAYS(agent), PF_IF_SET(again));
};
struct AgentExited {
  static constexpr EventTag kTag{kLifecycle, "agent_exited"};
  AgentName agent;
  std::string what;
  bool forgets = false;  // its conversation could not be continued
  PF_FIELDS(PF_ALWAYS(agent, what), PF_IF_SET(forgets));
};

}  // namespace pf::bubble
