#include <fmt/format.h>

#include <set>

#include "agents/stream_lines.h"
#include "base/text.h"

// Codex CLI's exec --json, as seen with 0.166.
namespace pf {
namespace {

// The next word as a POSIX shell reads it, taken off `text`.
std::string next_word(std::string_view& text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  std::string word;
  char quote = 0;
  for (; !text.empty() && (quote != 0 || text.front() != ' '); text.remove_prefix(1)) {
    const char c = text.front();
    if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == '\\' && quote != '\'' && text.size() > 1) {
      text.remove_prefix(1);
      word += text.front();
    } else {
      word += c;
    }
  }
  return word;
}

// What is run, without the shell that runs it: `/bin/bash -c 'make test'`.
std::string bare_command(const std::string& command) {
  std::string_view rest = command;
  if (!next_word(rest).ends_with("sh")) return command;
  const std::string option = next_word(rest);
  if (option != "-c" && option != "-lc") return command;
  std::string script = next_word(rest);
  return trim(rest).empty() ? script : command;
}

StreamItem file_call(const JsonObject& item) {
  StreamItem call{.kind = ItemKind::tool, .tool = "write"};
  const JsonArray* changes = array_in(item, "changes");
  if (changes == nullptr) return call;
  std::string files;
  for (const Json& json : *changes)
    if (const JsonObject* change = json.if_object()) {
      if (text_of(*change, "kind") != "add") call.tool = "edit";
      files += (files.empty() ? "" : " ") + text_of(*change, "path");
    }
  call.text = in_short(files);
  return call;
}

// The call that an item is; kind said when it is none.
StreamItem item_call(const JsonObject& item) {
  const std::string type = text_of(item, "type");
  if (type == "command_execution")
    return {.kind = ItemKind::tool,
            .tool = "bash",
            .text = in_short(bare_command(text_of(item, "command")))};
  if (type == "file_change") return file_call(item);
  if (type == "mcp_tool_call")
    return tool_of_server(text_of(item, "server"), text_of(item, "tool"));
  if (type == "web_search")
    return {.kind = ItemKind::tool, .tool = "search", .text = in_short(text_of(item, "query"))};
  return {};
}

// What an item that failed tells of it.
std::string output_of(const JsonObject& item, const StreamItem& call) {
  // It comes without a reason, and only when the system refused: a patch that does not fit is none.
  if (text_of(item, "type") == "file_change")
    return fmt::format("permission denied: {} could not be written", call.text);
  if (const JsonObject* error = object_in(item, "error")) return text_of(*error, "message");
  if (const JsonObject* result = object_in(item, "result"))
    if (const JsonArray* parts = array_in(*result, "content"); parts && !parts->empty())
      if (const JsonObject* part = parts->front().if_object()) return text_of(*part, "text");
  return fmt::format("exit {}\n{}", number_of(item, "exit_code", -1),
                     text_of(item, "aggregated_output"));
}

class CodexLines : public StreamLines {
 public:
  explicit CodexLines(const AgentKind& kind) : kind_(kind) {}

  void read(std::string_view line, std::vector<StreamItem>& items) override {
    const auto json = parse_json(line);
    const JsonObject* object = json ? json->if_object() : nullptr;
    if (object == nullptr) return;
    const std::string type = text_of(*object, "type");
    if (type == "thread.started")
      items.push_back(
          {.kind = ItemKind::conversation, .text = in_short(text_of(*object, "thread_id"))});
    else if (type == "item.started" || type == "item.completed")
      read_item(*object, type == "item.completed", items);
    else if (type == "error")
      read_error(text_of(*object, "message"), items);
    else if (type == "turn.completed" || type == "turn.failed")
      read_end(*object, type == "turn.completed", items);
  }

  void end(std::string_view errors, std::vector<StreamItem>& items) override {
    if (finished_) return;
    if (errors.contains("no rollout found")) items.push_back({.kind = ItemKind::conversation});
    items.push_back(finished_badly(kind_, error_.empty() ? last_error(errors) : error_));
  }

 private:
  void read_item(const JsonObject& object, bool completed, std::vector<StreamItem>& items) {
    const JsonObject* item = object_in(object, "item");
    if (item == nullptr) return;
    const std::string type = text_of(*item, "type");
    if (completed && type == "agent_message") {
      last_words_ = text_of(*item, "text");
      return items.push_back(said(last_words_));
    }
    if (completed && type == "error") return read_notice(text_of(*item, "message"), items);
    const StreamItem call = item_call(*item);
    if (call.kind != ItemKind::tool) return;
    const std::string id = text_of(*item, "id");
    if (!begun_.contains(id)) items.push_back(call);
    if (!completed) begun_.insert(id);
    if (completed) begun_.erase(id);
    if (completed && text_of(*item, "status") == "failed")
      items.push_back(failed_call(call, output_of(*item, call)));
  }

  // A warning of the program's own; that our hooks run without questions is our own wish.
  static void read_notice(const std::string& text, std::vector<StreamItem>& items) {
    if (text.contains("--dangerously-bypass-hook-trust")) return;
    items.push_back({.kind = ItemKind::failed, .text = in_short(text)});
  }

  // The last one comes again with the end of the turn.
  void read_error(const std::string& text, std::vector<StreamItem>& items) {
    if (text.starts_with("Reconnecting...")) return items.push_back(tries_again(text));
    error_ = text;
  }

  void read_end(const JsonObject& object, bool completed, std::vector<StreamItem>& items) {
    finished_ = true;
    if (const JsonObject* used = object_in(object, "usage"))
      items.push_back({.kind = ItemKind::usage,
                       .input_tokens = number_of(*used, "input_tokens"),
                       .output_tokens = number_of(*used, "output_tokens")});
    if (completed) return items.push_back(finished_well(last_words_));
    const JsonObject* error = object_in(object, "error");
    items.push_back(finished_badly(kind_, error == nullptr ? error_ : text_of(*error, "message")));
  }

  std::set<std::string> begun_;  // ids of the calls that were told
  std::string last_words_;
  std::string error_;
  bool finished_ = false;
  const AgentKind& kind_;
};

}  // namespace

std::unique_ptr<StreamLines> codex_lines(const AgentKind& kind) {
  return std::make_unique<CodexLines>(kind);
}

}  // namespace pf
