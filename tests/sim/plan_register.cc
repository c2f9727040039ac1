#include "plan_register.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "document/lines.h"

namespace pf::sim {
namespace {

constexpr int kPid = 4;

// In a frontmatter of the simulation's own making no other key has these words.
bool has_our_value(std::string_view line) {
  if (line.find("active_step:") != std::string_view::npos) return true;
  for (const std::string_view word : {"pending", "needs-changes", "done"})
    if (line.find(word) != std::string_view::npos) return true;
  return false;
}

}  // namespace

std::string persons_part(const std::string& text) {
  std::string rest = text.starts_with(document::kBom) ? std::string(document::kBom) : "";
  std::string front;
  bool inside = false, other = false;
  for (const document::TextLine& line : document::lines_of(text)) {
    const std::string whole = text.substr(line.begin, line.next - line.begin);
    const bool fence = document::trim_right(line.text) == "---";
    const bool opens = fence && line.number == 1;
    const bool ours = inside && has_our_value(line.text);
    if (const auto note = whole.find('#'); ours && note != std::string::npos) {
      front += whole.substr(note);
      other = true;
    }
    if (opens) inside = true;
    if (!inside) rest += whole;
    if (inside && !ours) front += whole;
    other |= inside && !ours && !fence;
    if (fence && !opens) {
      if (inside && other) rest += front;  // one of nothing but our own may be ours, too
      inside = false;
    }
  }
  return rest;
}

std::string PlanRegister::read() const {
  FakeFiles files(world_.disk, world_.clock, kPid);
  return files.read_if_there(world_.plan_md()).value().value_or("");
}

void PlanRegister::person_wrote(const std::string& text) {
  versions_ = {{text, hash_of(text), false}};
}

// Some event of the log says that it is to be written, over `before` if given.
bool PlanRegister::is_intended(const Hash& after, const Hash* before) const {
  return std::ranges::any_of(record_.batches(), [&](const auto& batch) {
    return std::ranges::any_of(batch.lines, [&](const Line& line) {
      const auto event = plan::decode(line);
      return event && event->write && event->write->after == after &&
             (before == nullptr || event->write->before == *before);
    });
  });
}

bool PlanRegister::look() {
  std::string now = read();
  const Version& old = versions_.back();
  if (now == old.text) return false;
  const Hash hash = hash_of(now);
  if (!is_intended(hash, &old.hash))
    throw Broken{fmt::format("plan.md was written over something else than decided: {}", now)};
  if (persons_part(now) != persons_part(old.text))
    throw Broken{fmt::format("plan.md lost what a person wrote: {}", now)};
  versions_.push_back({std::move(now), hash, true});
  return true;
}

void PlanRegister::power_cut() {
  const std::string now = read();
  const auto is_now = [&](const Version& version) { return version.text == now; };
  const auto left = std::ranges::find_if(versions_.rbegin(), versions_.rend(), is_now);
  if (left == versions_.rend()) throw Broken{"a loss of power left a torn plan.md: " + now};
  if (left->ours && !is_intended(left->hash, nullptr))
    throw Broken{"plan.md was written for something that a loss of power took back"};
  const auto known = std::ranges::find(versions_, record_.state().plan, &Version::hash);
  if (known != versions_.end() && left.base() <= known)
    throw Broken{"a loss of power took back what the log says is in plan.md"};
  versions_ = {Version(*left)};
}

}  // namespace pf::sim
