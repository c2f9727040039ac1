#pragma once
#include <boost/json.hpp>
#include <string>
#include <string_view>

#include "base/result.h"

// Boost.JSON is the vocabulary of payloads and snapshots; everything else heavy stays in one .cc.
namespace pf {

using Json = boost::json::value;
using JsonObject = boost::json::object;
using JsonArray = boost::json::array;

// Strict: one value, UTF-8, nothing behind it, nesting of at most 32.
Result<Json> parse_json(std::string_view text);
// The byte at which a text that parse_json refuses stops being JSON.
std::size_t json_stops_at(std::string_view text);
std::string dump(const Json& value);

// Members by name; a missing or differently typed member gives the fallback.
std::string text_of(const JsonObject& object, std::string_view key);
std::int64_t number_of(const JsonObject& object, std::string_view key, std::int64_t otherwise = 0);

}  // namespace pf
