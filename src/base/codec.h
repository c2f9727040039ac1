#pragma once
// Turns described structs into JSON and back, with an error that names the member. Written here
// because Boost.JSON's described conversion (1.81) reports neither the path nor a missing default.
//
// How it works. A struct lists its members once:
//
//   PF_FIELDS(PF_ALWAYS(seq, agent),            // written even when empty (null for an optional)
//             PF_IF_SET(title),                 // left out of the JSON when empty, zero or false
//             v.always("state", self.phase),    // always, by another name; v("state", …) if set
//             Roles::fields(v, self.roles));    // the members of a member
//
// An enum has PF_NAMES, or another names_of that is found by argument-dependent lookup. A member
// that is missing keeps its default; a wrong type is an error.
#include <fmt/format.h>

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/ids.h"
#include "base/json.h"

namespace pf {

template <class E>
  requires std::is_enum_v<E>
constexpr std::string_view name_of(E value) {
  for (const auto& [candidate, name] : names_of(E{}))
    if (candidate == value) return name;
  return "?";
}

template <class E>
  requires std::is_enum_v<E>
std::optional<E> parse_name(std::string_view text) {
  for (const auto& [candidate, name] : names_of(E{}))
    if (name == text) return candidate;
  return std::nullopt;
}

namespace codec {

template <class T>
struct is_optional : std::false_type {};
template <class T>
struct is_optional<std::optional<T>> : std::true_type {};
template <class T>
struct is_vector : std::false_type {};
template <class T>
struct is_vector<std::vector<T>> : std::true_type {};
template <class T>
struct is_named : std::false_type {};
template <class T>
struct is_named<Named<T>> : std::true_type {};

template <class T>
bool is_empty(const T& value) {
  if constexpr (is_optional<T>::value)
    return !value.has_value();
  else if constexpr (requires { value.empty(); })
    return value.empty();
  else if constexpr (std::integral<T>)
    return value == 0;
  else
    return false;
}

template <class T>
Json encode(const T& value);
template <class T>
Status decode(const Json& json, T& value);

class Encoder {
 public:
  explicit Encoder(JsonObject& out) : out_(out) {}
  template <class T>
  void operator()(std::string_view key, const T& value) {
    if (!is_empty(value)) always(key, value);
  }
  template <class T>
  void always(std::string_view key, const T& value) {
    out_[key] = encode(value);
  }

 private:
  JsonObject& out_;
};

class Decoder {
 public:
  explicit Decoder(const JsonObject& in) : in_(in) {}
  template <class T>
  void operator()(std::string_view key, T& value) {
    if (!status_) return;
    const Json* json = in_.if_contains(key);
    if (json == nullptr) return;
    if (auto done = decode(*json, value); !done)
      status_ = fail(Exit::damaged, fmt::format("{}: {}", key, done.error().what));
  }
  template <class T>
  void always(std::string_view key, T& value) {
    (*this)(key, value);
  }
  const Status& status() const { return status_; }

 private:
  const JsonObject& in_;
  Status status_;
};

template <class T>
void encode_fields(const T& value, JsonObject& out) {
  Encoder encoder(out);
  T::fields(encoder, value);
}

template <class T>
Status decode_fields(const JsonObject& in, T& value) {
  Decoder decoder(in);
  T::fields(decoder, value);
  return decoder.status();
}

// The alternative at a place of a variant.
template <class Variant, std::size_t I = 0>
Result<Variant> decode_alternative(std::size_t place, const JsonObject& in) {
  if constexpr (I + 1 < std::variant_size_v<typename Variant::variant>)
    if (place != I) return decode_alternative<Variant, I + 1>(place, in);
  std::variant_alternative_t<I, typename Variant::variant> value;
  TRY(decode_fields(in, value));
  return Variant(std::move(value));
}

template <class T>
Json encode(const T& value) {
  if constexpr (std::same_as<T, Json> || std::same_as<T, bool>) {
    return value;
  } else if constexpr (std::same_as<T, std::string> || std::same_as<T, JsonObject> ||
                       std::integral<T>) {
    return Json(value);
  } else if constexpr (is_named<T>::value) {
    return Json(value.str());
  } else if constexpr (std::same_as<T, Seq>) {
    return Json(number(value));
  } else if constexpr (std::is_enum_v<T>) {
    return Json(name_of(value));
  } else if constexpr (is_optional<T>::value) {
    return value ? encode(*value) : Json(nullptr);
  } else if constexpr (is_vector<T>::value) {
    JsonArray array;
    array.reserve(value.size());
    for (const auto& item : value) array.push_back(encode(item));
    return array;
  } else {
    JsonObject object;
    encode_fields(value, object);
    return object;
  }
}

template <class T>
Status decode_number(const Json& json, T& value) {
  if (json.is_int64() && std::in_range<T>(json.get_int64())) {
    value = static_cast<T>(json.get_int64());
    return {};
  }
  if (json.is_uint64() && std::in_range<T>(json.get_uint64())) {
    value = static_cast<T>(json.get_uint64());
    return {};
  }
  return fail(Exit::damaged, "not a number in range");
}

template <class T>
Status decode_vector(const Json& json, std::vector<T>& value) {
  if (!json.is_array()) return fail(Exit::damaged, "not an array");
  value.clear();
  for (const auto& item : json.get_array()) {
    T decoded{};
    TRY(decode(item, decoded));
    value.push_back(std::move(decoded));
  }
  return {};
}

template <class T>
Status decode(const Json& json, T& value) {
  if constexpr (std::same_as<T, Json>) {
    value = json;
  } else if constexpr (std::same_as<T, bool>) {
    if (!json.is_bool()) return fail(Exit::damaged, "not true or false");
    value = json.get_bool();
  } else if constexpr (std::same_as<T, std::string>) {
    if (!json.is_string()) return fail(Exit::damaged, "not a string");
    value = std::string(json.get_string());
  } else if constexpr (std::same_as<T, JsonObject>) {
    if (!json.is_object()) return fail(Exit::damaged, "not an object");
    value = json.get_object();
  } else if constexpr (is_named<T>::value) {
    if (!json.is_string()) return fail(Exit::damaged, "not a string");
    value = T(std::string(json.get_string()));
  } else if constexpr (std::same_as<T, Seq>) {
    std::uint64_t n = 0;
    TRY(decode_number(json, n));
    value = static_cast<Seq>(n);
  } else if constexpr (std::is_enum_v<T>) {
    if (!json.is_string()) return fail(Exit::damaged, "not a name");
    const auto parsed = parse_name<T>(std::string_view(json.get_string()));
    if (!parsed)
      return fail(Exit::damaged,
                  fmt::format("unknown value '{}'", std::string_view(json.get_string())));
    value = *parsed;
  } else if constexpr (std::integral<T>) {
    TRY(decode_number(json, value));
  } else if constexpr (is_optional<T>::value) {
    value.reset();
    if (json.is_null()) return {};
    TRY(decode(json, value.emplace()));
  } else if constexpr (is_vector<T>::value) {
    TRY(decode_vector(json, value));
  } else {
    if (!json.is_object()) return fail(Exit::damaged, "not an object");
    TRY(decode_fields(json.get_object(), value));
  }
  return {};
}

}  // namespace codec
}  // namespace pf

// Ids and named values print themselves.
template <class Tag>
struct fmt::formatter<pf::Named<Tag>> : fmt::formatter<std::string_view> {
  auto format(const pf::Named<Tag>& name, fmt::format_context& context) const {
    return fmt::formatter<std::string_view>::format(name.str(), context);
  }
};
template <class E>
  requires requires(E value) { pf::name_of(value); }
struct fmt::formatter<E> : fmt::formatter<std::string_view> {
  auto format(E value, fmt::format_context& context) const {
    return fmt::formatter<std::string_view>::format(pf::name_of(value), context);
  }
};
