#include "record.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "bubble/host/loop.h"
#include "plan/host/loop.h"
#include "role/host/loop.h"

namespace pf::sim {
namespace {

constexpr int kOraclePid = 1;

}  // namespace

template <class D>
Record<D>::Record(FakeDisk& disk, FakeClock& clock, Path journal)
    : disk_(disk), clock_(clock), journal_(std::move(journal)) {
  files_.emplace(disk_, clock_, kOraclePid);
  states_[""] = state_;
}

template <class D>
std::uint64_t Record<D>::size() {
  const auto info = files_->info(journal_);
  return info && *info ? (*info)->size : 0;
}

template <class D>
bool Record<D>::look() {
  const std::uint64_t now = size();
  if (now == bytes_.size()) return false;
  if (now < bytes_.size()) {
    if (now < committed_)
      throw Broken{fmt::format("promise 3: the journal was cut to {} bytes, {} were committed", now,
                               committed_)};
    cut(now);
    return true;
  }
  const auto file = files_->open(journal_, Open::read);
  bytes_ += (*file)->read_at(bytes_.size(), now - bytes_.size()).value();
  parse();
  return false;
}

template <class D>
std::string Record<D>::read() {
  return files_->read_if_there(journal_).value().value_or("");
}

template <class D>
void Record<D>::compare() {
  const std::string now = read();
  if (now == bytes_) return;
  const auto same = std::ranges::mismatch(bytes_, now).in1 - bytes_.begin();
  throw Broken{fmt::format("promise 3: byte {} of the journal changed", same)};
}

template <class D>
std::size_t Record<D>::after_power_cut() {
  files_.emplace(disk_, clock_, kOraclePid);
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

template <class D>
void Record<D>::cut(std::uint64_t to) {
  bytes_.resize(to);
  while (whole() > to) batches_.pop_back();
  state_ = batches_.empty() ? states_.at("") : batches_.back().state;
}

template <class D>
void Record<D>::parse() {
  while (take_batch()) {
  }
}

// Takes the next whole batch; false when there is none, be it torn or not there yet.
template <class D>
bool Record<D>::take_batch() {
  Batch batch;
  std::uint64_t at = whole();
  Hash prev = batches_.empty() ? Hash() : batches_.back().hash;
  batch.before = state_;
  State state = *state_;
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
    auto folded = fold(std::move(state), *line);
    if (!folded) throw Broken{"a line cannot be folded: " + folded.error().what};
    state = std::move(*folded);
    batch.lines.push_back(std::move(*line));
  }
  batch.request = batch.lines.front().request;
  batch.warning = batch.lines.front().draft.type == "PROTOCOL_WARNING";
  batch.end = at;
  batch.hash = prev;
  state_ = batch.state = std::make_shared<State>(std::move(state));
  states_[prev.str()] = state_;
  batches_.push_back(std::move(batch));
  return true;
}

template <class D>
const typename Record<D>::Batch* Record<D>::find(const RequestId& request) const {
  const auto found = std::ranges::find_if(
      batches_, [&](const Batch& b) { return b.request == request && !b.warning; });
  return found == batches_.end() ? nullptr : &*found;
}

template <class D>
const typename Record<D>::State* Record<D>::state_at(const Hash& hash) const {
  const auto found = states_.find(hash.str());
  return found == states_.end() ? nullptr : found->second.get();
}

template class Record<bubble::Domain>;
template class Record<plan::Domain>;
template class Record<role::Domain>;

}  // namespace pf::sim
