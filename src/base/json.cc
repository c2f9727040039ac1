#include "base/json.h"

namespace pf {

Result<Json> parse_json(std::string_view text) {
  boost::json::error_code code;
  boost::json::parse_options options;
  options.max_depth = 32;
  // Its parts are freed at once, with the last of them.
  auto parts = boost::json::make_shared_resource<boost::json::monotonic_resource>(2 * text.size());
  auto value = boost::json::parse(boost::json::string_view(text.data(), text.size()), code,
                                  std::move(parts), options);
  if (code) return fail(Exit::damaged, "not valid JSON", code.message());
  return value;
}

std::size_t json_stops_at(std::string_view text) {
  boost::json::stream_parser parser;
  boost::json::error_code code;
  return parser.write_some(text.data(), text.size(), code);
}

std::string dump(const Json& value) { return boost::json::serialize(value); }

std::string text_of(const JsonObject& object, std::string_view key) {
  const auto* value = object.if_contains(key);
  if (value == nullptr || !value->is_string()) return {};
  return std::string(value->get_string());
}

std::int64_t number_of(const JsonObject& object, std::string_view key, std::int64_t otherwise) {
  const auto* value = object.if_contains(key);
  if (value == nullptr) return otherwise;
  if (value->is_int64()) return value->get_int64();
  if (value->is_uint64()) return static_cast<std::int64_t>(value->get_uint64());
  return otherwise;
}

}  // namespace pf
