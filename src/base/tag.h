#pragma once
// Names belong to the struct: each alternative of an event's Body and of a Command says in kTag
// what it is called. What goes by name is generic over the variant, so that none can be forgotten.
#include <array>
#include <cstddef>
#include <string_view>
#include <variant>

namespace pf {

// How an event is told from others on disk: by its envelope's type and, where many share one, by
// payload.event.
struct EventTag {
  std::string_view type;
  std::string_view slug = {};
  friend constexpr bool operator==(const EventTag&, const EventTag&) = default;
};
// The type that many share.
inline constexpr std::string_view kLifecycle = "LIFECYCLE";

// Who may ask for a command.
enum class By : unsigned { human = 1, agent = 2, orchestrator = 4 };
constexpr By operator|(By a, By b) {
  return static_cast<By>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr bool includes(By all, By one) {
  return (static_cast<unsigned>(all) & static_cast<unsigned>(one)) != 0;
}

// What a command looks at before it is decided, in a loop that has documents.
enum class Reads { documents, nothing };

struct CommandTag {
  std::string_view verb;
  By by;
  Reads reads = Reads::documents;
};

// The events that a batch may begin with when it answers a command. What the human or an agent may
// ask for says so: `using Answer = AnsweredBy<Passed>;`
template <class... Bodies>
struct AnsweredBy {
  template <class Body>
  static bool holds(const Body& body) {
    return (std::holds_alternative<Bodies>(body) || ...);
  }
};

constexpr bool is_named(const EventTag& tag) {
  return !tag.type.empty() && (tag.type != kLifecycle || !tag.slug.empty());
}
constexpr bool is_named(const CommandTag& tag) { return !tag.verb.empty(); }

template <class T>
concept Tagged = is_named(T::kTag);

template <class Variant>
struct TagsOf;
template <Tagged... Alternatives>
struct TagsOf<std::variant<Alternatives...>> {
  static constexpr std::array kTags = {Alternatives::kTag...};
};

// Of all alternatives, in the order of the variant.
template <class V>
inline constexpr auto& tags_of = TagsOf<typename V::variant>::kTags;

template <class V>
constexpr const auto& tag_of(const V& variant) {
  return tags_of<V>[variant.index()];
}

// The name of a command, for warnings.
template <class Command>
std::string_view verb_of(const Command& command) {
  return tag_of(command).verb;
}
// The type of an event's body on disk.
template <class Body>
  requires requires { typename Body::variant; }
std::string_view type_of(const Body& body) {
  return tag_of(body).type;
}

constexpr bool is_same_on_disk(const EventTag& a, const EventTag& b) {
  return a.type == b.type && (a.type != kLifecycle || a.slug == b.slug);
}

// No two of them would be taken for each other.
template <std::size_t N>
constexpr bool are_distinct(const std::array<EventTag, N>& tags) {
  for (std::size_t a = 0; a < N; ++a)
    for (std::size_t b = a + 1; b < N; ++b)
      if (is_same_on_disk(tags[a], tags[b])) return false;
  return true;
}

}  // namespace pf
