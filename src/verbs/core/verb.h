#pragma once
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "os/os.h"

// One row a command: the CLI's options and the MCP tools, and later HTTP routes, completions and
// the manual, are made from it.
namespace pf {

// either: the human's and the agents', each in their own name. hook: what an agent's program calls
// by itself, in the agent's name.
enum class Audience { human, agent, either, hook, anyone, internal };
enum class Type { text, word, number, flag };

inline constexpr std::size_t kMaxText = 128u << 10;  // summaries, questions, replies
inline constexpr std::size_t kMaxTask = 256u << 10;  // tasks
inline constexpr std::size_t kMaxPackage = 256u << 10;
inline constexpr std::size_t kMaxRepeats = 50;  // findings, refs, … of one command

// A value that may also be given as an object, by front ends that have objects.
struct ObjectForm {
  JsonArray (*schemas)();                                 // JSON Schema of each of its shapes
  Result<std::string> (*text)(const JsonObject& object);  // the same as a command line writes it
};

// How a parameter differs where values are JSON and never a file's name.
struct InJson {
  std::string_view name = {};  // "": the option's, with _ for -
  std::string_view help = {};  // "": the option's
  const ObjectForm* object = nullptr;
};

struct Param {
  std::string_view name;  // --name
  Type type;
  std::string_view help;
  bool required = false;
  bool repeats = false;
  std::size_t limit = kMaxText;  // bytes of a text
  InJson json = {};
  bool positional = false;     // its value may stand alone, in the order of the table
  bool behind_dashes = false;  // its values are the words behind --, whatever they are
};

constexpr Param required(Param param) {
  param.required = true;
  return param;
}
constexpr Param positional(Param param) {
  param.positional = true;
  return param;
}
constexpr Param behind_dashes(Param param) {
  param.behind_dashes = true;
  return param;
}
constexpr Param in_json(Param param, const InJson& json) {
  param.json = json;
  return param;
}

// Values by parameter name, checked against the table.
class Args {
 public:
  void set(std::string name, std::vector<std::string> values) {
    values_[std::move(name)] = std::move(values);
  }
  bool has(std::string_view name) const { return values_.contains(std::string(name)); }
  std::string text(std::string_view name, const std::string& otherwise = {}) const {
    const auto at = values_.find(std::string(name));
    return at == values_.end() || at->second.empty() ? otherwise : at->second.front();
  }
  std::vector<std::string> all(std::string_view name) const {
    const auto at = values_.find(std::string(name));
    return at == values_.end() ? std::vector<std::string>{} : at->second;
  }
  int number(std::string_view name, int otherwise) const {
    return has(name) ? std::stoi(text(name)) : otherwise;
  }

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
};

// What a command says: text for people, JSON for programs.
struct Said {
  std::string text;
  JsonObject json;
  std::vector<std::string> warnings;
  int exit = 0;
};

struct Caller {
  Os& os;
  bool json = false;
  std::string agent = {};  // known by the channel it came by; "": by the environment
  bool literal = false;    // values are the texts themselves, never names of files
  bool ordered = false;    // by the human's standing order, which was proved; then it is his word
};

using VerbFunction = Result<Said>(Caller&, const Args&);

// The options of a command, in the order of its help.
class ParamList {
 public:
  constexpr ParamList(std::initializer_list<Param> params) : size_(params.size()) {
    std::ranges::copy(params, all_.begin());
  }
  constexpr const Param* begin() const { return all_.data(); }
  constexpr const Param* end() const { return all_.data() + size_; }

 private:
  static constexpr std::size_t kMost = 14;  // one more does not compile
  std::array<Param, kMost> all_{};
  std::size_t size_;
};

// What most commands are not.
struct VerbTraits {
  // Reads what the options name (files) where the command was given; run() may be elsewhere.
  Status (*prepare)(Caller&, Args&) = nullptr;
  bool reads = false;          // changes nothing
  bool quiet = false;          // its trouble is nobody's business: nothing is said, the code is 0
  std::string_view role = {};  // of a plan's agents, whose tool it is; "": both
};

// One row: constant data, so starting costs nothing, however many there are.
struct Verb : VerbTraits {
  // `words`: "bubble approve", or "pass" of no group.
  constexpr Verb(std::string_view words, Audience audience, VerbFunction* function,
                 std::string_view what, std::string_view shown, const ParamList& options = {},
                 const VerbTraits& traits = {})
      : VerbTraits(traits),
        full_name(words),
        group(words.substr(0, words.find(' ') == words.npos ? 0 : words.find(' '))),
        name(words.substr(words.find(' ') + 1)),
        help(what),
        example(shown),
        who(audience),
        run(function),
        params(options) {}

  std::string_view full_name;
  std::string_view group;  // "bubble" or ""
  std::string_view name;
  std::string_view help;
  std::string_view example;
  Audience who;
  VerbFunction* run;
  ParamList params;
};
using Verbs = std::span<const Verb>;
// The rows of each room, one room after the other, in the order of the help.
using Table = std::vector<Verbs>;

// All rows of a table as one range.
inline auto each(const Table& table) { return table | std::views::join; }
auto each(const Table&& table) = delete;

const Verb* find_verb(const Table& table, std::string_view group, std::string_view name);

inline constexpr int kMaxNumber = 9999;  // of Type::number; the least is 1
bool is_number(std::string_view text);

// A text that may go into the journal: UTF-8 of at most `limit` bytes without control characters
// but newline and tab. A usage error that says what is wrong otherwise.
Status check_text(std::string_view what, std::string_view text, std::size_t limit);
// What every front end refuses alike, as a usage error that names the option: a value that is
// missing, empty, too long, no text or no number; too many of them; a --request that is no id.
Status check_values(const Verb& verb, const Args& args);

}  // namespace pf
