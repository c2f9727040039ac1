#include "loop/agent_process.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error_text.h"
#include "base/text.h"
#include "loop/held_names.h"
#include "loop/paths.h"

namespace pf {
namespace {

constexpr std::uint64_t kLongestTranscript = 256u << 20;
constexpr std::size_t kReadAtOnce = 1u << 20;  // others want to be heard too

}  // namespace

Status Relays::serve(Os& os, int connection, const ServedFor& whom) {
  Command command{{os.env.executable().string(), "relay"}, whom.top, whom.variables};
  command.environment.emplace_back("PAIRFLOW_CHANNEL", std::nullopt);
  auto child = TRY(os.processes.serve(command, connection, whom.errors));
  std::erase_if(serving_, [](const auto& one) { return one->ended().has_value(); });
  serving_.push_back(std::move(child));
  return {};
}

void Relays::kill() {
  for (const auto& one : serving_)
    if (!one->ended()) one->kill_group();
}

AgentProcess::AgentProcess(Os& os, const AgentKind& kind, AgentFiles files)
    : os_(os), files_(std::move(files)), reader_(kind) {}

AgentProcess::~AgentProcess() {
  if (child_ && !child_->ended()) child_->kill_group();
  relays_.kill();  // somebody who waits for an answer
  [[maybe_unused]] const auto released = release_names(os_);
  if (!files_.build.empty()) (void)clear_away(os_, files_.build);
  [[maybe_unused]] const auto gone = os_.files.remove_all(files_.channel.parent_path());
}

Result<std::unique_ptr<AgentRun>> AgentProcess::start(Os& os, const Command& command,
                                                      const AgentKind& kind, AgentFiles files) {
  std::unique_ptr<AgentProcess> process(new AgentProcess(os, kind, std::move(files)));
  const AgentFiles& places = process->files_;
  TRY(os.files.make_directories(places.transcript.parent_path()));
  process->transcript_ = TRY(os.files.open(places.transcript, Open::create));
  process->written_ = TRY(process->transcript_->size());
  if (!places.editable.empty())
    process->before_ = TRY(see_git(os, places.worktree, places.editable));
  process->calls_ = TRY(os.files.open_listener(places.channel));
  process->child_ = TRY(os.processes.converse(command, places.log));
  return process;
}

std::vector<int> AgentProcess::descriptors() const {
  std::vector<int> all = {child_->pidfd(), calls_->fd()};
  if (!silent_) all.push_back(child_->output());
  return all;
}

Result<std::vector<StreamItem>> AgentProcess::read() {
  std::vector<StreamItem> items;
  for (std::size_t all = 0; !silent_ && all < kReadAtOnce;) {
    const auto some = child_->read_some();
    if (some && some->empty()) break;
    silent_ = !some;
    const std::string bytes = some.value_or("");
    all += bytes.size();
    if (written_ < kLongestTranscript) {
      written_ += TRY(transcript_->write_at(written_, bytes));
      if (written_ >= kLongestTranscript)
        items.push_back(
            {StreamItem::Kind::failed, "", "its transcript is full: what follows is not kept"});
    }
    auto read = silent_ ? reader_.end(errors()) : reader_.feed(bytes);
    std::ranges::move(read, std::back_inserter(items));
  }
  if (!looked_ && child_->ended()) std::ranges::move(left_for_git(), std::back_inserter(items));
  for (const StreamItem& item : items) note(item);
  return items;
}

// Where there was nothing, nothing could be sealed: so at least it is told of.
std::vector<StreamItem> AgentProcess::left_for_git() {
  std::vector<StreamItem> items;
  looked_ = true;
  if (files_.editable.empty()) return items;
  const auto after = see_git(os_, files_.worktree, files_.editable);
  if (!after)
    items.push_back({StreamItem::Kind::failed, "",
                     "what it left for git was not looked at: " + in_short(after.error())});
  for (std::string& news : news_of_git(before_, after.value_or(GitSeen())))
    items.push_back({StreamItem::Kind::failed, "", std::move(news)});
  return items;
}

// The end of what it wrote to its standard error.
std::string AgentProcess::errors() const {
  constexpr std::size_t kShown = 2000;
  const auto log = os_.files.open(files_.log, Open::read);
  if (!log) return {};
  const auto size = (*log)->size().value_or(0);
  return (*log)->read_at(size - std::min<std::uint64_t>(size, kShown), kShown).value_or("");
}

void AgentProcess::note(const StreamItem& item) {
  using Kind = StreamItem::Kind;
  if (item.kind == Kind::conversation) {
    told_.no_conversation |= item.text.empty();
    if (!item.text.empty()) told_.conversation = item.text;
  }
  if (item.kind == Kind::said) said_ = item.text;
  if (item.kind == Kind::finished) {
    told_.finished = true;
    if (!item.ok) error_ = item.text;
  }
  if (item.kind == Kind::usage) {
    told_.input_tokens = item.input_tokens;
    told_.output_tokens = item.output_tokens;
  }
}

bool AgentProcess::is_called(const std::vector<int>& readable) const {
  return std::ranges::find(readable, calls_->fd()) != readable.end();
}

Status AgentProcess::serve() {
  const int connection = calls_->accept();
  return connection < 0 ? Status{} : relays_.serve(os_, connection, files_.served);
}

void AgentProcess::stop() {
  stopped_at_its_end_ = told_.finished;
  child_->kill_group();
}

std::optional<int> AgentProcess::ended() { return child_->ended(); }

int AgentProcess::code(std::optional<int> exit) const {
  if (stopped_at_its_end_) return error_.empty() ? 0 : 1;
  return exit.value_or(0);
}

std::string AgentProcess::last_words(int code) const {
  if (code != 0 && error_.empty()) {
    const std::string told = errors();
    if (!trim(told).empty()) return std::string(trim(told));
  }
  return !error_.empty() ? error_ : said_;
}

}  // namespace pf
