#pragma once
#include <compare>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace pf {

// A string that stands for one kind of thing, so that a bubble id cannot be passed as an agent
// name.
template <class Tag>
class Named {
 public:
  Named() = default;
  explicit Named(std::string text) : text_(std::move(text)) {}
  const std::string& str() const { return text_; }
  bool empty() const { return text_.empty(); }
  friend auto operator<=>(const Named&, const Named&) = default;

 private:
  std::string text_;
};

using BubbleId = Named<struct BubbleIdTag>;
using AgentName = Named<struct AgentNameTag>;  // "codex", "claude"; also a finding's source
using MessageId = Named<struct MessageIdTag>;  // msg_20260221_001
using RequestId = Named<struct RequestIdTag>;  // random, chosen by the caller
using FindingId = Named<struct FindingIdTag>;  // F<round>.<n>
using TreeId = Named<struct TreeIdTag>;        // git tree object
using CommitId = Named<struct CommitIdTag>;    // git commit object
using Hash = Named<struct HashTag>;            // lower-case hex, see hash.h

// A position in one journal: gapless from 1; 0 is "before the first line".
enum class Seq : std::uint64_t { none = 0 };
constexpr std::uint64_t number(Seq seq) { return static_cast<std::uint64_t>(seq); }
constexpr Seq next(Seq seq) { return static_cast<Seq>(number(seq) + 1); }

// A lower-case letter, then a-z, 0-9, '_' or '-', of so many characters.
bool is_slug(std::string_view text, std::size_t least, std::size_t most);
// `^[a-z][a-z0-9_-]{2,39}$`, else a usage error that shows the rule.
Result<BubbleId> parse_bubble_id(std::string_view text);
// `^[a-z][a-z0-9_-]{0,31}$` and none of human, orchestrator, both.
Result<AgentName> parse_agent_name(std::string_view text);

}  // namespace pf

template <class Tag>
struct std::hash<pf::Named<Tag>> {
  std::size_t operator()(const pf::Named<Tag>& name) const {
    return std::hash<std::string>{}(name.str());
  }
};
