#include "mcp/server.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "mcp/tool.h"
#include "verbs/verbs.h"

namespace pf::mcp {
namespace {

// A server whose commands say what they were given, unless told otherwise.
struct Talk {
  Answered says{0, "done\n", ""};
  mutable std::vector<std::string> ran = {};
  Server server{verbs(), [this](const Verb& verb, const Args& args) {
                  ran.push_back(std::string(verb.name) + " " + args.text("summary"));
                  return says;
                }};

  Json ask(std::string_view line) const {
    const auto answer = server.answer(line);
    REQUIRE_MESSAGE(answer.has_value(), line);
    CHECK(answer->find('\n') == std::string::npos);
    return parse_json(*answer).value();
  }
  // The code of the error, 0 for a result.
  std::int64_t code(std::string_view line) const {
    const Json answer = ask(line);
    CHECK(answer.at("jsonrpc") == "2.0");
    if (answer.get_object().contains("result")) return 0;
    CHECK(!answer.at("error").at("message").get_string().empty());
    return answer.at("error").at("code").get_int64();
  }
};

TEST_CASE("initialize: the client's version when it is known, else the newest") {
  const Talk talk;
  const auto version = [&](const std::string& params) {
    const Json answer = talk.ask(R"({"jsonrpc":"2.0","id":1,"method":"initialize")" + params + "}");
    CHECK(answer.at("id") == 1);
    CHECK(answer.at("result").at("serverInfo").at("name") == "pairflow");
    CHECK(answer.at("result").at("serverInfo").at("version") == PAIRFLOW_VERSION);
    CHECK(answer.at("result").at("capabilities").at("tools").is_object());
    return std::string(answer.at("result").at("protocolVersion").get_string());
  };
  for (const std::string known : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"})
    CHECK(version(R"(,"params":{"protocolVersion":")" + known + "\"}") == known);
  for (const std::string params :
       {"", R"(,"params":{})", R"(,"params":[])", R"(,"params":{"protocolVersion":"2099-01-01"})",
        R"(,"params":{"protocolVersion":7})"})
    CHECK(version(params) == "2025-11-25");
}

TEST_CASE("the other methods") {
  const Talk talk;
  CHECK(talk.ask(R"({"jsonrpc":"2.0","id":"p","method":"ping"})") ==
        parse_json(R"({"jsonrpc":"2.0","id":"p","result":{}})").value());
  const Json list = talk.ask(R"({"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}})");
  REQUIRE(list.at("result").at("tools").get_array().size() == 4);
  CHECK(list.at("result").at("tools").at(0).at("name") == "pass");
  for (const char* method : {"server/discover", "resources/list", "prompts/list", "", "Ping"})
    CHECK(talk.code(R"({"jsonrpc":"2.0","id":3,"method":")" + std::string(method) + "\"}") ==
          -32601);
}

TEST_CASE("messages without an id are never answered and never run") {
  const Talk talk;
  for (const char* line :
       {R"({"jsonrpc":"2.0","method":"notifications/initialized"})",
        R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})",
        R"({"jsonrpc":"2.0","method":"nonsense"})", R"({"jsonrpc":"2.0","method":"ping"})",
        R"({"jsonrpc":"2.0","method":"tools/call","params":{"name":"turn"}})", "", " \r",
        R"({"jsonrpc":"2.0","id":9,"result":{}})",
        R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}})"})
    CHECK_MESSAGE(!talk.server.answer(line).has_value(), line);
  CHECK(talk.ran.empty());
}

TEST_CASE("what is no request: an error with the id if there is one") {
  const Talk talk;
  for (const std::string& line :
       {std::string("garbage"), std::string("{"), std::string("{} {}"), std::string("\0", 1),
        std::string("{\"a\":\"\xff\"}"), std::string("{\"a\":\"\0\"}", 9), std::string(100, '[')}) {
    CHECK_MESSAGE(talk.code(line) == -32700, line);
    CHECK(talk.ask(line).at("id").is_null());
  }
  for (const char* line :
       {"[]", R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])", "7", "null", "\"x\"", "{}",
        R"({"id":1,"method":"ping"})", R"({"jsonrpc":"1.0","id":1,"method":"ping"})",
        R"({"jsonrpc":"2.0","id":1})", R"({"jsonrpc":"2.0","id":1,"method":7})",
        R"({"jsonrpc":"2.0","method":7})", R"({"jsonrpc":"2.0","id":null,"method":"ping"})",
        R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})",
        R"({"jsonrpc":"2.0","id":{},"method":"ping"})"})
    CHECK_MESSAGE(talk.code(line) == -32600, line);
  CHECK(talk.ask(R"({"jsonrpc":"2.0","id":"mine","method":7})").at("id") == "mine");
  CHECK(parse_json(talk.server.answer_too_long()).value().at("error").at("code") == -32600);
}

std::string calling(std::string_view params) {
  return R"({"jsonrpc":"2.0","id":5,"method":"tools/call","params":)" + std::string(params) + "}";
}

TEST_CASE("tools/call: unknown tools and malformed calls are errors of the protocol") {
  const Talk talk;
  for (const char* params :
       {"[]", "{}", R"({"name":7})", R"({"name":"approve"})", R"({"name":"bubble approve"})",
        R"({"name":"bubble_approve"})", R"({"name":"ask-human"})", R"({"name":"relay"})",
        R"({"name":"mcp"})", R"({"name":"pass","arguments":[]})",
        R"({"name":"pass","arguments":"x"})"})
    CHECK_MESSAGE(talk.code(calling(params)) == -32602, params);
  CHECK(talk.code(R"({"jsonrpc":"2.0","id":5,"method":"tools/call"})") == -32602);
  CHECK(talk.ran.empty());
}

TEST_CASE("tools/call: what a command prints is the result, a refusal one with isError") {
  Talk talk;
  const auto shown = [&](std::string_view params) {
    const Json result = talk.ask(calling(params)).at("result");
    CHECK(result.at("content").get_array().size() == 1);
    CHECK(result.at("content").at(0).at("type") == "text");
    return std::string(result.at("isError").get_bool() ? "refused " : "fine ") +
           std::string(result.at("content").at(0).at("text").get_string());
  };
  CHECK(shown(R"({"name":"pass","arguments":{"summary":"it is done"}})") == "fine done\n");
  CHECK(shown(R"({"name":"turn"})") == "fine done\n");
  CHECK(shown(R"({"name":"turn","arguments":null,"_meta":{"progressToken":1}})") == "fine done\n");
  talk.says = {0, "done\n", "pairflow: warning: late\n"};
  CHECK(shown(R"({"name":"turn"})") == "fine done\npairflow: warning: late\n");
  talk.says = {1, "", "pairflow: no\n"};
  CHECK(shown(R"({"name":"turn"})") == "refused pairflow: no\n");
  talk.says = {0, "caf\xe9\n", ""};
  CHECK(shown(R"({"name":"turn"})") == "fine caf<0xE9>\n");
  CHECK(talk.ran.front() == "pass it is done");
  CHECK(talk.ran.size() == 6);
  CHECK(shown(R"({"name":"turn","arguments":{"id":"other"}})") ==
        "refused pairflow: turn has no argument 'id'\n  → call it without any\n");
  CHECK(talk.ran.size() == 6);
}

TEST_CASE("whatever line comes, the answer is one line of JSON or none") {
  const Talk talk;
  const auto pieces = rc::gen::container<std::vector<std::string>>(
      rc::gen::element<std::string>("{", "}", "[", "]", ":", ",", "\"jsonrpc\":\"2.0\"", "\"id\":1",
                                    "\"method\":\"tools/call\"", "\"params\":", "\"name\":\"pass\"",
                                    "\"arguments\":{}", "null", "7", "\"\\u0000\"", "\xff", " "));
  const auto holds = [&](const std::string& line) {
    const auto answer = talk.server.answer(line);
    if (!answer) return;
    RC_ASSERT(answer->find('\n') == std::string::npos);
    RC_ASSERT(parse_json(*answer).has_value());
  };
  CHECK(rc::check([&](const std::string& noise) { holds(noise); }));
  CHECK(rc::check([&] {
    std::string line;
    for (const std::string& piece : *pieces) line += piece;
    holds(line);
  }));
}

}  // namespace
}  // namespace pf::mcp
