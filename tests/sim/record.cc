#include "record.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"

namespace pf::sim {
namespace {

constexpr int kOraclePid = 1;

}  // namespace

Record::Record(World& world) : world_(world) {
  files_.emplace(world.disk, world.clock, kOraclePid);
  states_[""] = state_;
}

std::uint64_t Record::size() {
  const auto info = files_->info(world_.files.journal);
  return info && *info ? (*info)->size : 0;
}

bool Record::look() {
  const std::uint64_t now = size();
  if (now == bytes_.size()) return false;
  if (now < bytes_.size()) {
    if (now < committed_)
      throw Broken{fmt::format("promise 3: the journal was cut to {} bytes, {} were committed", now,
                               committed_)};
    cut(now);
    return true;
  }
  const auto file = files_->open(world_.files.journal, Open::read);
  bytes_ += (*file)->read_at(bytes_.size(), now - bytes_.size()).value();
  parse();
  return false;
}

std::string Record::read() {
  return files_->read_if_there(world_.files.journal).value().value_or("");
}

void Record::compare() {
  const std::string now = read();
  if (now == bytes_) return;
  const auto same = std::ranges::mismatch(bytes_, now).in1 - bytes_.begin();
  throw Broken{fmt::format("promise 3: byte {} of the journal changed", same)};
}

std::size_t Record::after_power_cut() {
  files_.emplace(world_.disk, world_.clock, kOraclePid);
  const std::string now = read();
  const auto same =
      static_cast<std::uint64_t>(std::ranges::mismatch(bytes_, now).in1 - bytes_.begin());
  if (same < committed_)
    throw Broken{fmt::format("promise 1: {} bytes were answered for, a loss of power left {}",
                             committed_, same)};
  cut(same);
  const std::size_t kept = batches_.size();
  bytes_ = now;
  parse();
  return kept;
}

void Record::cut(std::uint64_t to) {
  bytes_.resize(to);
  while (whole() > to) batches_.pop_back();
  state_ = batches_.empty() ? states_.at("") : batches_.back().state;
}

void Record::parse() {
  while (take_batch()) {
  }
}

// Takes the next whole batch; false when there is none, be it torn or not there yet.
bool Record::take_batch() {
  Batch batch;
  std::uint64_t at = whole();
  Hash prev = batches_.empty() ? Hash() : batches_.back().hash;
  batch.before = state_;
  bubble::State state = *state_;
  Seq seq = state.last_seq;
  for (bool more = true; more;) {
    const auto newline = bytes_.find('\n', at);
    if (newline == std::string::npos) return false;
    const auto text = std::string_view(bytes_).substr(at, newline - at);
    auto line = decode_line(text);
    if (!line || line->seq != next(seq) || line->prev != prev) return false;
    if (!batch.lines.empty() &&
        (line->left != batch.lines.back().left - 1 || line->request != batch.lines.back().request))
      return false;
    prev = hash_of(text);
    seq = line->seq;
    line->mark = {seq, at, newline + 1, prev};
    at = newline + 1;
    more = line->left > 0;
    auto folded = bubble::fold(std::move(state), *line);
    if (!folded) throw Broken{"a line cannot be folded: " + folded.error().what};
    state = std::move(*folded);
    batch.lines.push_back(std::move(*line));
  }
  batch.request = batch.lines.front().request;
  batch.warning = batch.lines.front().draft.type == "PROTOCOL_WARNING";
  batch.end = at;
  batch.hash = prev;
  state_ = batch.state = std::make_shared<bubble::State>(std::move(state));
  states_[prev.str()] = state_;
  batches_.push_back(std::move(batch));
  return true;
}

const Record::Batch* Record::find(const RequestId& request) const {
  const auto found = std::ranges::find_if(
      batches_, [&](const Batch& b) { return b.request == request && !b.warning; });
  return found == batches_.end() ? nullptr : &*found;
}

const bubble::State* Record::state_at(const Hash& hash) const {
  const auto found = states_.find(hash.str());
  return found == states_.end() ? nullptr : found->second.get();
}

}  // namespace pf::sim
