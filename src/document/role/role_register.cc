#include "document/role/role_register.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"
#include "base/text.h"
#include "base/time.h"
#include "document/role/handoff_note.h"
#include "document/role/json_members.h"

// How it works. Each key has one function that takes its value or files what is wrong with it;
// rules that join two keys are looked at when each of them is sound by itself.
namespace pf::document {
namespace {

constexpr std::array<std::string_view, 12> kKeys = {
    "plan_slug",    "current_role", "state",      "branch",    "msg",          "autopilot",
    "last_updated", "run_id",       "last_agent", "ci_status", "tests_passed", "artifacts"};
constexpr std::array<std::string_view, 6> kRequired = {"plan_slug", "current_role", "state",
                                                       "branch",    "msg",          "last_updated"};
constexpr std::size_t kMaxWord = 200;
constexpr std::size_t kMaxArtifacts = 200;

template <class E>
std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& [value, name] : names_of(E{})) all.emplace_back(name);
  return all;
}

template <class E>
std::string one_of() {
  return fmt::format("it must be one of {}", join(names<E>(), ", "));
}

template <class E>
std::string meant(std::string_view word) {
  const auto all = names<E>();
  std::vector<std::string_view> views(all.begin(), all.end());
  const std::string_view near = nearest(word, views);
  for (const std::string& name : all)
    if (kebab_of(name) == kebab_of(word)) return fmt::format("write \"{}\"", name);
  return near.empty() ? "write one of them" : fmt::format("write \"{}\"", near);
}

bool is_one_line(std::string_view text) {
  return !trim(text).empty() && text.size() <= kMaxWord && printable(text) == text;
}

class Reader {
 public:
  explicit Reader(const std::vector<std::string>& types) : types_(types) {}
  std::vector<FieldProblem> problems;
  RoleRegister reg;

  void take(const JsonMember& member) {
    member_ = &member;
    const std::string& key = member.key;
    if (key == "plan_slug")
      take_slug();
    else if (key == "current_role")
      take_name(reg.current_role);
    else if (key == "state")
      take_name(reg.state);
    else if (key == "branch")
      take_branch();
    else if (key == "msg")
      take_msg();
    else if (key == "autopilot")
      take_name(reg.autopilot.emplace());
    else if (key == "last_updated")
      take_time();
    else if (key == "run_id")
      take_word(reg.run_id.emplace());
    else if (key == "last_agent")
      take_word(reg.last_agent.emplace());
    else if (key == "ci_status")
      take_name(reg.ci_status.emplace());
    else if (key == "tests_passed")
      take_bool();
    else if (key == "artifacts")
      take_artifacts();
  }

  void missing(std::string_view key, const std::vector<JsonMember>& members) {
    std::vector<std::string_view> others;
    for (const JsonMember& member : members)
      if (std::ranges::find(kKeys, member.key) == kKeys.end()) others.push_back(member.key);
    const std::string_view near = nearest(key, others);
    problems.push_back({std::string(key), "", "it must be there", 1,
                        near.empty() ? fmt::format("add \"{}\"", key)
                                     : fmt::format("write \"{}\" instead of \"{}\"", key,
                                                   clip(printable(near), 60))});
  }

  void check_together(const std::vector<JsonMember>& members) {
    if (reg.state == Lifecycle::init && reg.current_role != AgentRole::planner)
      wrong(members, "current_role", "it must be PLANNER while state is init", "write \"PLANNER\"");
    if (reg.state == Lifecycle::done && reg.current_role != AgentRole::reviewer)
      wrong(members, "current_role", "it must be REVIEWER while state is done",
            "write \"REVIEWER\", or another state");
    const bool speaks = reg.state == Lifecycle::handoff || reg.state == Lifecycle::blocked;
    if (speaks && trim(reg.msg).empty())
      wrong(members, "msg",
            fmt::format("it must say something while state is {}", name_of(reg.state)),
            "write what the next role has to know");
    if (reg.branch && !reg.plan_slug)
      wrong(members, "branch", "it must be null while plan_slug is null",
            "name the feature in plan_slug, or write null");
    if (!reg.branch || !reg.plan_slug) return;
    const auto name = parse_branch(*reg.branch, types_);
    const bool fits = name->slug == *reg.plan_slug ||
                      kebab_of(name->feature + "-" + name->slug) == *reg.plan_slug;
    if (!fits)
      wrong(members, "branch",
            fmt::format("it must be of the feature \"{}\" that plan_slug names", *reg.plan_slug),
            fmt::format("write \"{}/{}-{}\", or another plan_slug", name->type, name->feature,
                        *reg.plan_slug));
  }

 private:
  void wrong(const std::vector<JsonMember>& members, std::string_view key, std::string rule,
             std::string fix) {
    member_ = &*std::ranges::find(members, key, &JsonMember::key);
    wrong(std::move(rule), std::move(fix));
  }
  void wrong(std::string rule, std::string fix) {
    problems.push_back({member_->key, clip(printable(member_->text), 80), std::move(rule),
                        member_->line, std::move(fix)});
  }
  std::optional<std::string> text() const {
    if (!member_->value.is_string()) return std::nullopt;
    return std::string(member_->value.get_string());
  }

  template <class E>
  void take_name(E& into) {
    const auto word = text();
    const auto value = word ? parse_name<E>(*word) : std::nullopt;
    if (value)
      into = *value;
    else
      wrong(one_of<E>(), word ? meant<E>(*word) : "write one of them between quotes");
  }
  void take_slug() {
    if (member_->value.is_null()) return;
    reg.plan_slug = text().value_or("");
    if (!is_kebab(*reg.plan_slug))
      wrong("it must be null or kebab-case of at most 60 characters, as in \"user-login\"",
            kebab_of(*reg.plan_slug).empty()
                ? "write null while no feature is active"
                : fmt::format("write \"{}\"", kebab_of(*reg.plan_slug)));
  }
  void take_branch() {
    if (member_->value.is_null()) return;
    reg.branch = text().value_or("");
    if (const auto name = parse_branch(*reg.branch, types_); !name)
      wrong(text() ? name.error() : "it must be null or a branch's name",
            "write the feature's branch, or null while there is none");
  }
  void take_msg() {
    const auto word = text();
    if (!word) return wrong("it must be a text", "write it between quotes, \\n between its lines");
    reg.msg = *word;
    if (const auto rule = note_problem(*word)) wrong(*rule, std::string(kNoteFix));
  }
  void take_time() {
    reg.last_updated = text().value_or("");
    if (!is_iso8601(reg.last_updated))
      wrong("it must be an ISO-8601 time with its zone", "write it as in \"2026-02-21T12:34:56Z\"");
  }
  void take_word(std::string& into) {
    into = text().value_or("");
    if (!is_one_line(into))
      wrong("it must be a text on one line", "write it between quotes, or leave the key out");
  }
  void take_bool() {
    if (member_->value.is_bool())
      reg.tests_passed = member_->value.get_bool();
    else
      wrong("it must be true or false", "write true or false without quotes, or leave it out");
  }
  void take_artifacts() {
    reg.artifacts.emplace();
    const bool is_array = member_->value.is_array();
    const auto is_path = [](const Json& item) {
      return item.is_string() && is_one_line(std::string_view(item.get_string()));
    };
    if (!is_array || !std::ranges::all_of(member_->value.get_array(), is_path) ||
        member_->value.get_array().size() > kMaxArtifacts)
      return wrong(fmt::format("it must be a list of at most {} paths", kMaxArtifacts),
                   "write it as in [\"logs/test.log\"], or leave the key out");
    for (const Json& item : member_->value.get_array())
      reg.artifacts->emplace_back(std::string_view(item.get_string()));
  }

  const std::vector<std::string>& types_;
  const JsonMember* member_ = nullptr;
};

class Renderer {
 public:
  explicit Renderer(const RoleRegister& reg) : reg_(reg) {}

  std::string text() {
    put_foreign("");
    for (const std::string_view key : kKeys) {
      put_own(key);
      put_foreign(key);
    }
    return "{\n" + out_ + "\n}\n";
  }

 private:
  void put(std::string_view key, std::string_view value) {
    out_ += fmt::format("{}  {}: {}", out_.empty() ? "" : ",\n", dump(Json(key)), value);
  }
  void put_foreign(std::string_view after) {
    for (const ForeignMember& member : reg_.foreign)
      if (member.after == after) put(member.key, member.text);
  }
  template <class T>
  void put_optional(std::string_view key, const std::optional<T>& value) {
    if (value) put(key, dump(codec::encode(*value)));
  }
  void put_own(std::string_view key) {
    if (key == "plan_slug")
      put(key, dump(codec::encode(reg_.plan_slug)));
    else if (key == "current_role")
      put(key, dump(codec::encode(reg_.current_role)));
    else if (key == "state")
      put(key, dump(codec::encode(reg_.state)));
    else if (key == "branch")
      put(key, dump(codec::encode(reg_.branch)));
    else if (key == "msg")
      put(key, dump(codec::encode(reg_.msg)));
    else if (key == "autopilot")
      put_optional(key, reg_.autopilot);
    else if (key == "last_updated")
      put(key, dump(codec::encode(reg_.last_updated)));
    else if (key == "run_id")
      put_optional(key, reg_.run_id);
    else if (key == "last_agent")
      put_optional(key, reg_.last_agent);
    else if (key == "ci_status")
      put_optional(key, reg_.ci_status);
    else if (key == "tests_passed")
      put_optional(key, reg_.tests_passed);
    else if (reg_.artifacts)
      put_artifacts(key);
  }
  void put_artifacts(std::string_view key) {
    std::vector<std::string> items;
    for (const std::string& path : *reg_.artifacts) items.push_back("\n    " + dump(Json(path)));
    put(key, items.empty() ? "[]" : "[" + join(items, ",") + "\n  ]");
  }

  const RoleRegister& reg_;
  std::string out_;
};

}  // namespace

RoleRegister default_register(std::string now) {
  RoleRegister reg;
  reg.msg = kDefaultMsg;
  reg.autopilot = Autopilot::off;
  reg.last_updated = std::move(now);
  return reg;
}

Problem FieldProblem::problem() const {
  if (key.empty()) return {line, rule, fix};
  if (value.empty()) return {line, fmt::format("{} is missing: {}", key, rule), fix};
  return {line, fmt::format("{} is {}, but {}", key, value, rule), fix};
}

std::expected<RoleRegister, std::vector<FieldProblem>> read_register(
    std::string_view text, const std::vector<std::string>& types) {
  const auto members = read_members(text);
  if (!members)
    return std::unexpected(std::vector{
        FieldProblem{"", "", members.error().what, members.error().line, members.error().fix}});
  Reader reader(types);
  std::string after;
  for (const JsonMember& member : *members) {
    if (std::ranges::find(kKeys, member.key) == kKeys.end()) {
      reader.reg.foreign.push_back({after, member.key, member.text});
      continue;
    }
    after = member.key;
    reader.take(member);
  }
  for (const std::string_view key : kRequired)
    if (std::ranges::find(*members, key, &JsonMember::key) == members->end())
      reader.missing(key, *members);
  if (reader.problems.empty()) reader.check_together(*members);
  if (!reader.problems.empty()) return std::unexpected(std::move(reader.problems));
  return std::move(reader.reg);
}

std::string render_register(const RoleRegister& reg) { return Renderer(reg).text(); }

}  // namespace pf::document
