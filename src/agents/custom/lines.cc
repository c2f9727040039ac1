#include "agents/stream_lines.h"
#include "base/codec.h"

// Programs whose output is what they say, and our own scripted one, which tells items.
namespace pf {
namespace {

class PlainLines : public StreamLines {
 public:
  void read(std::string_view line, std::vector<StreamItem>& items) override {
    items.push_back(said(line));
  }
  void end(std::string_view, std::vector<StreamItem>& items) override {
    items.push_back(finished_well(""));
  }
};

class ScriptedLines : public PlainLines {
 public:
  void read(std::string_view line, std::vector<StreamItem>& items) override {
    StreamItem item;
    const auto json = parse_json(line);
    if (!json || !codec::decode(*json, item)) return PlainLines::read(line, items);
    items.push_back(std::move(item));
  }
};

}  // namespace

std::unique_ptr<StreamLines> plain_lines() { return std::make_unique<PlainLines>(); }
std::unique_ptr<StreamLines> scripted_lines() { return std::make_unique<ScriptedLines>(); }

std::string line_of(const StreamItem& item) { return dump(codec::encode(item)) + "\n"; }

}  // namespace pf
