#include "document/role/role_register.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/codec.h"
#include "base/text.h"
#include "base/time.h"
#include "document/role/handoff_note.h"
#include "document/role/json_members.h"

// How it works. Each key has one function that takes its value or files what is wrong with it;
// rules that join two keys are looked at when each of them is sound by itself.
namespace pf::document {
namespace {

constexpr std::size_t kMaxWord = 200;
constexpr std::size_t kMaxArtifacts = 200;

template <class E>
std::vector<std::string_view> names() {
  std::vector<std::string_view> all;
  for (const auto& [value, name] : names_of(E{})) all.push_back(name);
  return all;
}

template <class E>
std::string meant(std::string_view word) {
  std::string_view near = nearest(word, names<E>());
  for (const std::string_view name : names<E>())
    if (kebab_of(name) == kebab_of(word)) near = name;
  return near.empty() ? "write one of them" : fmt::format("write \"{}\"", near);
}

bool is_one_line(std::string_view text) {
  return !trim(text).empty() && text.size() <= kMaxWord && printable(text) == text;
}

class RegisterReader {
 public:
  explicit RegisterReader(const std::vector<std::string>& types) : types_(types) {}
  std::vector<FieldProblem> problems;
  RoleRegister reg;

  struct Key {
    std::string_view name;
    void (RegisterReader::*take)();
    bool required = false;
  };
  // In the order of the seed.
  static std::span<const Key> keys();
  static const Key* find(std::string_view name) {
    const auto at = std::ranges::find(keys(), name, &Key::name);
    return at == keys().end() ? nullptr : &*at;
  }

  void take(const Key& key, const JsonMember& member) {
    member_ = &member;
    (this->*key.take)();
  }

  void missing(std::string_view key, const std::vector<JsonMember>& members) {
    std::vector<std::string_view> others;
    for (const JsonMember& member : members)
      if (find(member.key) == nullptr) others.push_back(member.key);
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

  template <class E, auto member>
  void take_name() {
    const auto word = text();
    const auto value = word ? parse_name<E>(*word) : std::nullopt;
    if (value)
      reg.*member = *value;
    else
      wrong(fmt::format("it must be one of {}", fmt::join(names<E>(), ", ")),
            word ? meant<E>(*word) : "write one of them between quotes");
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
  template <auto member>
  void take_word() {
    const std::string& word = (reg.*member).emplace(text().value_or(""));
    if (!is_one_line(word))
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

std::span<const RegisterReader::Key> RegisterReader::keys() {
  using Self = RegisterReader;
  using Reg = RoleRegister;
  static constexpr Key kKeys[] = {
      {"plan_slug", &Self::take_slug, true},
      {"current_role", &Self::take_name<AgentRole, &Reg::current_role>, true},
      {"state", &Self::take_name<Lifecycle, &Reg::state>, true},
      {"branch", &Self::take_branch, true},
      {"msg", &Self::take_msg, true},
      {"autopilot", &Self::take_name<Autopilot, &Reg::autopilot>},
      {"last_updated", &Self::take_time, true},
      {"run_id", &Self::take_word<&Reg::run_id>},
      {"last_agent", &Self::take_word<&Reg::last_agent>},
      {"ci_status", &Self::take_name<CiStatus, &Reg::ci_status>},
      {"tests_passed", &Self::take_bool},
      {"artifacts", &Self::take_artifacts}};
  return kKeys;
}

// A list has a line for each item.
std::string written(const Json& value) {
  if (!value.is_array() || value.get_array().empty()) return dump(value);
  std::vector<std::string> items;
  for (const Json& item : value.get_array()) items.push_back("\n    " + dump(item));
  return "[" + join(items, ",") + "\n  ]";
}

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
  RegisterReader reader(types);
  std::string after;
  for (const JsonMember& member : *members) {
    const auto* key = RegisterReader::find(member.key);
    if (key == nullptr) {
      reader.reg.foreign.push_back({after, member.key, member.text});
      continue;
    }
    after = member.key;
    reader.take(*key, member);
  }
  for (const auto& key : RegisterReader::keys())
    if (key.required && std::ranges::find(*members, key.name, &JsonMember::key) == members->end())
      reader.missing(key.name, *members);
  if (reader.problems.empty()) reader.check_together(*members);
  if (!reader.problems.empty()) return std::unexpected(std::move(reader.problems));
  return std::move(reader.reg);
}

std::string render_register(const RoleRegister& reg) {
  JsonObject values;
  codec::encode_fields(reg, values);
  std::string out;
  const auto put = [&](std::string_view key, std::string_view value) {
    out += fmt::format("{}  {}: {}", out.empty() ? "" : ",\n", dump(Json(key)), value);
  };
  const auto put_foreign = [&](std::string_view after) {
    for (const ForeignMember& member : reg.foreign)
      if (member.after == after) put(member.key, member.text);
  };
  put_foreign("");
  for (const auto& key : RegisterReader::keys()) {
    if (const Json* value = values.if_contains(key.name)) put(key.name, written(*value));
    put_foreign(key.name);
  }
  return "{\n" + out + "\n}\n";
}

}  // namespace pf::document
