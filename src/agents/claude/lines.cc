#include <fmt/format.h>

#include <array>
#include <map>

#include "agents/stream_lines.h"
#include "base/text.h"

// Claude Code's --output-format stream-json, as seen with 2.1.
namespace pf {
namespace {

constexpr std::size_t kMostOpenCalls = 1000;

// Its tools, as they are called here, and the argument that tells most.
struct Tool {
  std::string_view name, called, argument;
};
constexpr std::array<Tool, 9> kTools = {{{"Bash", "bash", "command"},
                                         {"Read", "read", "file_path"},
                                         {"Write", "write", "file_path"},
                                         {"Edit", "edit", "file_path"},
                                         {"NotebookEdit", "edit", "notebook_path"},
                                         {"Grep", "grep", "pattern"},
                                         {"Glob", "glob", "pattern"},
                                         {"WebFetch", "fetch", "url"},
                                         {"Task", "task", "description"}}};

StreamItem tool_use_of(const JsonObject& block) {
  const std::string name = text_of(block, "name");
  constexpr std::string_view kServer = "mcp__";
  if (name.starts_with(kServer)) {
    const std::string_view rest = std::string_view(name).substr(kServer.size());
    const auto between = rest.find("__");
    if (between != rest.npos)
      return tool_of_server(rest.substr(0, between), rest.substr(between + 2));
  }
  StreamItem item{.kind = ItemKind::tool, .tool = printable(name)};
  for (const Tool& tool : kTools) {
    if (tool.name != name) continue;
    item.tool = tool.called;
    if (const JsonObject* input = object_in(block, "input"))
      item.text = in_short(text_of(*input, tool.argument));
  }
  return item;
}

// What a tool answered: a text, or a list of them.
std::string answer_of(const JsonObject& block) {
  const JsonArray* parts = array_in(block, "content");
  if (parts == nullptr) return text_of(block, "content");
  std::string all;
  for (const Json& part : *parts)
    if (const JsonObject* object = part.if_object()) all += text_of(*object, "text") + "\n";
  return all;
}

class ClaudeLines : public StreamLines {
 public:
  explicit ClaudeLines(const AgentKind& kind) : kind_(kind) {}

  void read(std::string_view line, std::vector<StreamItem>& items) override {
    const auto json = parse_json(line);
    const JsonObject* object = json ? json->if_object() : nullptr;
    if (object == nullptr) return;
    const std::string type = text_of(*object, "type");
    if (type == "assistant") return read_answer(*object, items);
    if (type == "user") return read_results(*object, items);
    if (type == "result") return read_result(*object, items);
    if (type == "system" && text_of(*object, "subtype") == "api_retry")
      items.push_back(tries_again(fmt::format(
          "{} {}, attempt {} of {}", number_of(*object, "error_status"), text_of(*object, "error"),
          number_of(*object, "attempt"), number_of(*object, "max_retries"))));
  }

  void end(std::string_view errors, std::vector<StreamItem>& items) override {
    if (!finished_) items.push_back(finished_badly(kind_, last_error(errors)));
  }

 private:
  static const JsonArray* blocks_of(const JsonObject& object) {
    const JsonObject* message = object_in(object, "message");
    return message == nullptr ? nullptr : array_in(*message, "content");
  }

  void read_answer(const JsonObject& object, std::vector<StreamItem>& items) {
    const JsonArray* blocks = blocks_of(object);
    // What the program itself says of its model comes again with the result.
    if (blocks == nullptr || flag_in(object, "is_api_error_message")) return;
    // Only now: one that was stopped before its first answer cannot be continued.
    if (!std::exchange(told_conversation_, true))
      items.push_back(
          {.kind = ItemKind::conversation, .text = in_short(text_of(object, "session_id"))});
    for (const Json& json : *blocks) {
      const JsonObject* block = json.if_object();
      if (block == nullptr) continue;
      const std::string type = text_of(*block, "type");
      if (type == "text" && !trim(text_of(*block, "text")).empty())
        items.push_back(said(text_of(*block, "text")));
      if (type != "tool_use") continue;
      items.push_back(tool_use_of(*block));
      if (calls_.size() < kMostOpenCalls) calls_[text_of(*block, "id")] = items.back();
    }
  }

  void read_results(const JsonObject& object, std::vector<StreamItem>& items) {
    const JsonArray* blocks = blocks_of(object);
    if (blocks == nullptr) return;
    for (const Json& json : *blocks) {
      const JsonObject* block = json.if_object();
      if (block == nullptr || text_of(*block, "type") != "tool_result") continue;
      const auto call = calls_.extract(text_of(*block, "tool_use_id"));
      if (flag_in(*block, "is_error"))
        items.push_back(failed_call(call ? call.mapped() : StreamItem{}, answer_of(*block)));
    }
  }

  void read_result(const JsonObject& object, std::vector<StreamItem>& items) {
    finished_ = true;
    if (const JsonObject* used = object_in(object, "usage")) {
      StreamItem usage{.kind = ItemKind::usage};
      for (const char* part :
           {"input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"})
        usage.input_tokens += number_of(*used, part);
      usage.output_tokens = number_of(*used, "output_tokens");
      items.push_back(std::move(usage));
    }
    std::string words = text_of(object, "result");
    if (!flag_in(object, "is_error")) return items.push_back(finished_well(words));
    if (const JsonArray* errors = array_in(object, "errors"); words.empty() && errors != nullptr)
      for (const Json& error : *errors)
        if (error.is_string()) words += std::string(error.get_string()) + "\n";
    if (words.contains("No conversation found")) items.push_back({.kind = ItemKind::conversation});
    items.push_back(finished_badly(kind_, words.empty() ? text_of(object, "subtype") : words));
  }

  std::map<std::string, StreamItem> calls_;  // that have no result yet, by their ids
  bool told_conversation_ = false;
  bool finished_ = false;
  const AgentKind& kind_;
};

}  // namespace

std::unique_ptr<StreamLines> claude_lines(const AgentKind& kind) {
  return std::make_unique<ClaudeLines>(kind);
}

}  // namespace pf
