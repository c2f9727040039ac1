#include "agents/stream.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "agents/model_trouble.h"
#include "agents/scripted/player.h"
#include "agents/testing.h"
#include "base/codec.h"
#include "base/text.h"

namespace pf {
namespace {

std::string shown(const std::vector<StreamItem>& items) {
  std::string out;
  for (const StreamItem& item : items) {
    out += name_of(item.kind);
    if (!item.tool.empty()) out += fmt::format(" [{}{}]", item.ours ? "pairflow " : "", item.tool);
    if (!item.text.empty()) out += " " + item.text;
    if (item.kind == StreamItem::Kind::usage)
      out += fmt::format(" {} {}", item.input_tokens, item.output_tokens);
    out += item.ok ? "\n" : " (not ok)\n";
  }
  return out;
}

void append(std::vector<StreamItem>& all, std::vector<StreamItem> more) {
  all.insert(all.end(), more.begin(), more.end());
}

std::string read(std::string_view kind, std::string_view text, std::string_view errors = {}) {
  StreamReader reader(kind_named(kind));
  auto items = reader.feed(text);
  append(items, reader.end(errors));
  return shown(items);
}

std::string recorded(const std::string& name) {
  std::ifstream in(PAIRFLOW_SOURCE_DIR "/tests/golden/streams/" + name + ".ndjson");
  REQUIRE(in);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// What a program of the kind that begins the name was once seen to write.
std::string golden(const std::string& name) {
  return read(name.substr(0, name.find('-')), recorded(name));
}

}  // namespace

TEST_CASE("Claude Code at work: words, tools, what failed, the end") {
  CHECK(golden("claude-work") ==
        "conversation 11111111-2222-4333-8444-555555555555\n"
        "said I will look.\n"
        "tool [bash] echo hello; echo oops >&2\n"
        "tool [write] /work/tree/a.txt\n"
        "tool [read] /work/tree/a.txt\n"
        "tool [edit] /work/tree/a.txt\n"
        "tool [bash] exit 3\n"
        "failed [bash] Exit code 3\n"
        "tool [pairflow request-review]\n"
        "tool [pairflow ask-user]\n"
        "failed [pairflow ask-user] refused: not your turn\n"
        "said All done.\n"
        "usage 80 80\n"
        "finished All done.\n");
  CHECK(golden("claude-resumed") ==
        "conversation 11111111-2222-4333-8444-555555555555\n"
        "said Remembered.\n"
        "usage 10 10\n"
        "finished Remembered.\n");
}

TEST_CASE("Codex CLI at work: words, tools, what failed, the end") {
  CHECK(golden("codex-work") ==
        "conversation 01a1e0f9-d7c7-7913-b498-1b7e4e95a885\n"
        "said I will look.\n"
        "tool [bash] echo hello; echo oops >&2\n"
        "tool [write] /work/tree/a.txt\n"
        "tool [bash] exit 3\n"
        "failed [bash] exit 3\n"
        "tool [pairflow request-review]\n"
        "tool [pairflow ask-user]\n"
        "failed [pairflow ask-user] refused: not your turn\n"
        "said All done.\n"
        "usage 60 60\n"
        "finished All done.\n");
  CHECK(golden("codex-resumed").ends_with("usage 70 70\nfinished Remembered.\n"));
}

TEST_CASE("a write that the system refuses is blocked, by whatever tool") {
  CHECK(golden("claude-readonly") ==
        "conversation 11111111-2222-4333-8444-555555555556\n"
        "tool [bash] echo x > new.txt\n"
        "blocked [bash] /bin/bash: line 1: new.txt: Read-only file system\n"
        "tool [write] /work/tree/a.txt\n"
        "blocked [write] EROFS: read-only file system, open "
        "'/work/tree/a.txt.tmp.27919.6a2cb9738777'\n"
        "tool [read] /work/tree/base.txt\n"
        "tool [edit] /work/tree/base.txt\n"
        "blocked [edit] EROFS: read-only file system, open "
        "'/work/tree/base.txt.tmp.27919.1ca57d26f4e9'\n"
        "tool [bash] python3 -c \"open(\\\"zz\\\",\\\"w\\\")\"\n"
        "blocked [bash] OSError: [Errno 30] Read-only file system: 'zz'\n"
        "said I cannot write.\n"
        "usage 60 60\n"
        "finished I cannot write.\n");
  CHECK(golden("codex-readonly") ==
        "conversation 01a1e0fa-a293-7e00-8fd9-de50127488db\n"
        "tool [bash] echo x > new.txt\n"
        "blocked [bash] /bin/bash: line 1: new.txt: Read-only file system\n"
        "tool [write] /work/tree/a.txt\n"
        "blocked [write] permission denied: /work/tree/a.txt could not be written\n"
        "tool [bash] python3 -c \"open(\\\"zz\\\",\\\"w\\\")\"\n"
        "blocked [bash] OSError: [Errno 30] Read-only file system: 'zz'\n"
        "said I cannot write.\n"
        "usage 40 40\n"
        "finished I cannot write.\n");
}

TEST_CASE("a call that Claude Code's own rules refuse is blocked") {
  const std::string text = golden("claude-denied");
  CHECK(text.contains("\nblocked [bash] Permission to use Bash has been denied because "));
  CHECK(text.contains("\nblocked [write] <tool_use_error>Error: No such tool available: Write. "));
  CHECK(text.contains("\ntool [bash] pairflow plan approve\ntool [pairflow request-review]\n"));
}

TEST_CASE("a model that does not answer is the reason of the end, not the agent's words") {
  const std::string gone = "finished its model does not answer: ";
  CHECK(golden("claude-overloaded") ==
        "failed its model does not answer, it tries again: 529 overloaded, attempt 1 of 2\n"
        "failed its model does not answer, it tries again: 529 overloaded, attempt 2 of 2\n"
        "usage 0 0\n" +
            gone +
            "API Error: 529 as the script says. This is a server-side issue, usually temporary — "
            "try again in a moment. If it persists, check your inference gateway "
            "(127.0.0.1:8080). (not ok)\n");
  const std::string overloaded = golden("codex-overloaded");
  CHECK(
      overloaded.contains("failed its model does not answer, it tries again: Reconnecting... 1/5"));
  CHECK(overloaded.ends_with(gone +
                             "unexpected status 529 <unknown status code>: as the script says, "
                             "url: http://127.0.0.1:8080/agent/codex/v1/responses (not ok)\n"));
  CHECK(golden("codex-disconnected").contains(gone + "stream disconnected before completion"));
}

TEST_CASE("a usage limit is the reason of the end, and model_trouble reads it from there") {
  for (const char* name : {"claude-limit", "codex-limit"}) {
    const AgentKind& kind =
        kind_named(std::string_view(name).substr(0, std::string_view(name).find('-')));
    StreamReader reader(kind);
    const auto items = reader.feed(recorded(name));
    REQUIRE(!items.empty());
    CHECK(items.back().text.starts_with("its model's limit is reached: "));
    CHECK_FALSE(items.back().ok);
    const auto trouble = model_trouble(kind.troubles, items.back().text, {}, {});
    REQUIRE(trouble);
    CHECK(trouble->kind == ModelTrouble::Kind::limit);
  }
}

TEST_CASE("a conversation that is not there is told") {
  CHECK(golden("claude-no-conversation") ==
        "usage 0 0\nconversation\nfinished No conversation found with session ID: "
        "11111111-2222-4333-8444-000000000077 (not ok)\n");
  CHECK(read("codex", "",
             "Error: thread/resume: thread/resume failed: no rollout found for thread id x (code "
             "-32600)\n") ==
        "conversation\nfinished Error: thread/resume: thread/resume failed: no rollout found for "
        "thread id x (code -32600) (not ok)\n");
}

TEST_CASE("a program that just ends is finished, and its errors tell why") {
  CHECK(golden("claude-interrupted").ends_with("stop_reason=tool_use (not ok)\n"));
  for (const char* kind : {"claude", "codex"}) {
    CHECK(read(kind, "") == "finished it ended without a word (not ok)\n");
    CHECK(read(kind, "", "warning: x\nError: Session ID y is already in use.\nat z\n\n") ==
          "finished Error: Session ID y is already in use. (not ok)\n");
    CHECK(read(kind, "", "a\nNo prompt provided via stdin.\n") ==
          "finished No prompt provided via stdin. (not ok)\n");
  }
  CHECK(read("codex", "{\"type\":\"error\",\"message\":\"no key\"}\n", "noise\n") ==
        "finished no key (not ok)\n");
}

TEST_CASE("pieces of any size give the same items") {
  for (const char* name : {"claude-work", "codex-readonly"}) {
    const std::string text = recorded(name);
    const auto kind = std::string_view(name).substr(0, std::string_view(name).find('-'));
    for (const std::size_t size : {1u, 7u, 1000u}) {
      StreamReader reader(kind_named(kind));
      std::vector<StreamItem> items;
      for (std::size_t at = 0; at < text.size(); at += size)
        append(items, reader.feed(std::string_view(text).substr(at, size)));
      append(items, reader.end());
      CHECK(shown(items) == golden(name));
    }
    // Without its last newline, too.
    CHECK(read(kind, trim(text)) == golden(name));
  }
}

TEST_CASE("garbage is passed over, wherever it is") {
  const std::string text = recorded("claude-work") + recorded("codex-work");
  for (const char* kind : {"claude", "codex", "scripted", "custom"}) {
    for (std::size_t cut = 0; cut < text.size(); cut += 13) {
      StreamReader reader(kind_named(kind));
      reader.feed(std::string_view(text).substr(cut));
      reader.end();
    }
    for (const char* line :
         {"null", "[]", "7", "{", "\xff\xfe", "{\"type\":7}", "{\"type\":\"assistant\"}",
          "{\"type\":\"assistant\",\"message\":{\"content\":[7,{\"type\":\"tool_use\"}]}}",
          "{\"type\":\"user\",\"message\":{\"content\":[{\"type\":\"tool_result\",\"is_error\":"
          "true}]}"
          "}",
          "{\"type\":\"result\",\"is_error\":true}", "{\"type\":\"item.completed\",\"item\":[]}",
          "{\"type\":\"item.completed\",\"item\":{\"type\":\"file_change\",\"changes\":[7]}}",
          "{\"type\":\"turn.failed\"}", "{\"type\":\"error\"}"})
      CHECK(!read(kind, std::string(line) + "\n").empty());
  }
}

TEST_CASE("a line that is too long is passed over to its end") {
  StreamReader reader(kind_named("custom"));
  const std::string long_part(3u << 20, 'x');
  CHECK(reader.feed("a\n" + long_part).size() == 1);
  CHECK(reader.feed(long_part).empty());
  CHECK(shown(reader.feed(long_part + "\nb\n")) ==
        "failed a line of more than 4 MiB of its output was passed over\nsaid b\n");
  CHECK(shown(reader.end()) == "finished\n");
}

TEST_CASE("what other programs print is what they say") {
  CHECK(read("custom", "hello\n\n  {\"a\":1}\x1b[2J\r\nbye") ==
        "said hello\nsaid   {\"a\":1}<U+001B>[2J\nsaid bye\nfinished\n");
}

TEST_CASE("a scripted program tells items, and other lines are what it says") {
  const StreamItem item{.kind = StreamItem::Kind::tool, .tool = "bash", .text = "make"};
  CHECK(read("scripted", "hm\n" + line_of(item) + "{\"kind\":\"no such\"}\n") ==
        "said hm\ntool [bash] make\nsaid {\"kind\":\"no such\"}\nfinished\n");
}

}  // namespace pf
