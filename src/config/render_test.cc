#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "base/text.h"
#include "config/testing.h"

namespace pf {
namespace {

Settings plain() {
  Settings settings = default_settings();
  settings.id = "login";
  settings.repo_path = "/repo";
  settings.base_branch = "main";
  settings.bubble_branch = "bubble/login";
  return settings;
}

Result<Settings> read_back(const Settings& settings) {
  return merge_layers({{"bubble.toml", render_bubble_toml(settings)}});
}

// Quotes, backslashes, escapes, controls, wide characters, what looks like TOML.
rc::Gen<std::string> hostile() {
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(
                          rc::gen::elementOf(std::vector<std::string>{"\"",
                                                                      "'",
                                                                      "\\",
                                                                      "\n",
                                                                      "\r\n",
                                                                      "\t",
                                                                      "\x01",
                                                                      "\x1b[2J",
                                                                      "\x7f",
                                                                      "\xc2\x9b",
                                                                      "é",
                                                                      "漢",
                                                                      "🦀",
                                                                      "\xe2\x80\xa8",
                                                                      "\"\"\"",
                                                                      "'''",
                                                                      "#",
                                                                      "]",
                                                                      "[x]",
                                                                      "=",
                                                                      "\\u0041",
                                                                      "\\",
                                                                      " ",
                                                                      "a",
                                                                      "{{worktree_path}}",
                                                                      "\xef\xbb\xbf",
                                                                      "\xef\xbf\xbf"})),
                      [](const std::vector<std::string>& parts) { return join(parts, ""); });
}
std::string filled() { return "x" + *hostile(); }

rc::Gen<std::string> slug(std::size_t least) {
  return rc::gen::map(
      rc::gen::container<std::string>(rc::gen::elementOf(std::string("abcxyz0189_-"))),
      [least](std::string tail) {
        tail.resize(std::min<std::size_t>(tail.size(), 30));
        return std::string(least, 'q') + tail;
      });
}

std::vector<std::string> some_texts() {
  std::vector<std::string> texts;
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i) texts.push_back(filled());
  return texts;
}

AgentSettings some_agent(const std::string& name) {
  AgentSettings agent{.name = AgentName(name)};
  agent.kind = *rc::gen::elementOf(std::vector(std::begin(kTestKinds), std::end(kTestKinds)));
  if (agent.kind == &kTestScripted) {
    agent.scenario = filled();
  } else {
    agent.command = some_texts();
    agent.command.push_back(filled());
  }
  return agent;
}

Settings some_settings() {
  Settings settings = default_settings();
  settings.id = *slug(3);
  settings.repo_path = "/" + *hostile();
  settings.base_branch = filled();
  settings.bubble_branch = filled();
  settings.work_mode = *rc::gen::element<std::string>("worktree", "clone");
  settings.reviewer_context_mode = *rc::gen::element<std::string>("fresh", "persistent");
  settings.watchdog_timeout_minutes = *rc::gen::inRange(1, 1441);
  settings.max_rounds = *rc::gen::inRange(1, 101);
  settings.open_command = filled();
  if (*rc::gen::arbitrary<bool>()) {
    settings.implementer = AgentName("z" + *slug(0));
    settings.agents.push_back(some_agent(settings.implementer.str()));
  }
  if (*rc::gen::arbitrary<bool>()) settings.agents[0] = some_agent("claude");
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i)
    settings.commands.push_back({"c" + std::to_string(i), filled()});
  if (*rc::gen::arbitrary<bool>()) settings.setup = filled();
  settings.notifications_enabled = *rc::gen::arbitrary<bool>();
  settings.waiting_human_sound = *hostile();
  settings.converged_sound = *hostile();
  settings.scope_allow = some_texts();
  settings.scope_deny = some_texts();
  if (*rc::gen::arbitrary<bool>()) settings.risk_paths = some_texts();
  if (*rc::gen::arbitrary<bool>()) settings.risk_words = some_texts();
  settings.evidence_timeout_minutes = *rc::gen::inRange(1, 1441);
  settings.checks_checkout = *rc::gen::element<std::string>("own", "clean", "worktree");
  settings.checks_slots = *rc::gen::inRange(1, 65);
  settings.sandbox_mode = *rc::gen::element<std::string>("auto", "off");
  settings.sandbox_reviewer_writable = *rc::gen::arbitrary<bool>();
  settings.sandbox_git = *rc::gen::element<std::string>("read-only", "writable");
  settings.checks_keep_free_mb = *rc::gen::inRange(0, 1000);
  settings.checks_env = some_texts();
  if (*rc::gen::arbitrary<bool>()) settings.tmux_socket = "/" + (*slug(1));
  return settings;
}

}  // namespace

TEST_CASE("bubble.toml shows the fields in their documented order") {
  Settings settings = plain();
  settings.commands = {{"test", "cd a && npm \"test\""}};
  settings.implementer = AgentName("mine");
  settings.agents.push_back({AgentName("mine"), &kTestCustom, {"cat", "-u"}, ""});
  settings.agents.push_back({AgentName("spare"), &kTestCustom, {"cat"}, ""});
  CHECK(render_bubble_toml(settings) == R"(id = "login"
repo_path = "/repo"
base_branch = "main"
bubble_branch = "bubble/login"
work_mode = "worktree"
quality_mode = "strict"
reviewer_context_mode = "fresh"
watchdog_timeout_minutes = 5
max_rounds = 8
commit_requires_approval = true
open_command = "cursor {{worktree_path}}"

[agents]
implementer = "mine"
reviewer = "claude"

[agents.mine]
kind = "custom"
command = ["cat", "-u"]

[commands]
test = "cd a && npm \"test\""

[notifications]
enabled = true
waiting_human_sound = ""
converged_sound = ""
)");
}

TEST_CASE("settings survive bubble.toml, whatever is in their strings") {
  CHECK(read_back(plain()).value() == plain());
  CHECK(rc::check("round trip", [] {
    const Settings settings = some_settings();
    const auto back = read_back(settings);
    if (!back) RC_FAIL(back.error().what + "\n" + back.error().why);
    RC_ASSERT(*back == settings);
  }));
}

TEST_CASE("what flags brought in is refused when read back") {
  Settings settings = plain();
  settings.commands = {{"test", "a\xff"}};
  CHECK(read_back(settings).error().what == "bubble.toml:18: the text is not UTF-8");
  settings = plain();
  settings.max_rounds = 0;
  CHECK(read_back(settings).error().what == "bubble.toml:9: 'max_rounds' cannot be 0");
  settings = plain();
  settings.open_command = std::string("a\0b", 3);
  CHECK(read_back(settings).error().what.contains("NUL"));
}

}  // namespace pf
