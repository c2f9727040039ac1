// How it works: each file begins with a line that names it, {"stream":"…"}; each further one is
// {"type","ts","prefix","text","after"}. A reader keeps its file open, so that a rename takes
// nothing from it, and goes over to the one of another name that has taken its place.
#include "loop/live_stream.h"

#include "base/codec.h"
#include "base/text.h"

namespace pf {
namespace {

constexpr std::uint64_t kLargest = 1u << 20;
constexpr std::size_t kPieceOfFile = 256u << 10;
constexpr std::size_t kLongestName = 64;

}  // namespace

void StreamWriter::add(const StreamLine& line, Seq after) {
  (void)write(dump(codec::encode(SaidLine{line, after})) + "\n");
}

Status StreamWriter::write(const std::string& text) {
  if (!file_ || size_ > kLargest) TRY(begin());
  size_ += TRY(file_->write_at(size_, text));
  return {};
}

// A line that a killed writer has left unfinished is ended.
Status StreamWriter::begin() {
  if (file_) TRY(os_.files.rename(path_, Path(path_.string() + ".old")));
  file_ = TRY(os_.files.open(path_, Open::create));
  size_ = TRY(file_->size());
  const std::string name = dump(JsonObject{{"stream", os_.random.token(8)}}) + "\n";
  size_ += TRY(file_->write_at(size_, size_ == 0 ? name : "\n"));
  return {};
}

// What was read before `now` was loaded and speaks of later events is of a log that is gone. An
// event that came between the look that gave `now` and the reading of the events is told next time.
std::vector<StreamLine> StreamTail::merge(std::vector<StreamLine> events, const Mark& now) {
  std::erase_if(events, [&](const StreamLine& event) { return event.seq > now.seq; });
  std::erase_if(said_, [&](const SaidLine& said) { return said.after > now.seq; });
  fetch();
  std::vector<StreamLine> all;
  const auto say = [&](Seq before) {  // what was said before that event
    for (; !said_.empty() && said_.front().after < before; said_.pop_front())
      if (said_.front().after >= first_) all.push_back(std::move(said_.front().line));
  };
  for (StreamLine& event : events) {
    say(event.seq);
    all.push_back(std::move(event));
  }
  say(next(now.seq));
  mark_ = now;
  return all;
}

void StreamTail::fetch() {
  if (file_) read_rest();
  auto newest = os_.files.open(path_, Open::read);
  if (!newest) return;
  const auto head = (*newest)->read_at(0, kLongestName);
  const std::string name = head ? head->substr(0, head->find('\n')) : "";
  if (name.empty() || name == id_) return;
  file_ = std::move(*newest);
  id_ = name;
  offset_ = 0;
  unfinished_.clear();
  read_rest();
}

void StreamTail::read_rest() {
  for (;;) {
    const auto some = file_->read_at(offset_, kPieceOfFile);
    if (!some || some->empty()) return;
    offset_ += some->size();
    unfinished_ += *some;
    std::size_t begin = 0;
    for (auto end = unfinished_.find('\n'); end != std::string::npos;
         begin = end + 1, end = unfinished_.find('\n', begin))
      take(std::string_view(unfinished_).substr(begin, end - begin));
    unfinished_.erase(0, begin);
  }
}

void StreamTail::take(std::string_view line) {
  const auto json = parse_json(line);
  if (!json || !json->is_object()) return;
  SaidLine said;
  if (json->get_object().contains("after") && codec::decode(*json, said))
    said_.push_back(std::move(said));
}

}  // namespace pf
