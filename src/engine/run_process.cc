#include "engine/run_process.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/codec.h"
#include "base/text.h"
#include "engine/run_launch.h"

namespace pf {
namespace {

constexpr std::uint64_t kLongestTranscript = 256u << 20;
constexpr std::size_t kReadAtOnce = 1u << 20;  // others want to be heard too

}  // namespace

RunProcess::RunProcess(PlanLoop& loop, const plan::Run& run, std::string_view kind)
    : loop_(loop), role_(run.role), agent_(run.agent), reader_(kind) {
  started_.run = run.number;
}

RunProcess::~RunProcess() {
  if (child_ && !child_->ended()) child_->kill_group();
  for (const auto& one : serving_)
    if (!one->ended()) one->kill_group();  // somebody who waits for an answer
  (void)loop_.os().files.remove_all(loop_.paths().channel(started_.run).parent_path());
}

Status RunProcess::open_files(const plan::Run& run) {
  Files& files = loop_.os().files;
  const PlanPaths& paths = loop_.paths();
  TRY(files.make_directories(paths.runs));
  const Path transcript = paths.run_file(run, "ndjson");
  started_.transcript = transcript.lexically_relative(paths.directory).string();
  transcript_ = TRY(files.open(transcript, Open::create));
  written_ = TRY(transcript_->size());
  log_ = paths.run_file(run, "log");
  calls_ = TRY(files.open_listener(paths.channel(run.number)));
  return {};
}

Result<std::unique_ptr<LiveRun>> RunProcess::start(PlanLoop& loop, const plan::State& state,
                                                   const plan::Run& run, bool afresh) {
  RunLaunch launch = TRY(prepare_run(loop, state, run, afresh));
  std::unique_ptr<RunProcess> process(new RunProcess(loop, run, launch.kind));
  TRY(process->open_files(run));
  process->started_.conversation = launch.continues ? launch.conversation : "";
  process->started_.program = launch.program;
  process->started_.enforcement = launch.enforcement;
  process->child_ = TRY(loop.os().processes.converse(launch.command, process->log_));
  return process;
}

std::vector<int> RunProcess::descriptors() const {
  std::vector<int> all = {child_->pidfd(), calls_->fd()};
  if (!silent_) all.push_back(child_->output());
  return all;
}

Result<std::vector<StreamItem>> RunProcess::read() {
  std::vector<StreamItem> items;
  std::array<char, 64u << 10> buffer{};
  for (std::size_t all = 0; !silent_ && all < kReadAtOnce;) {
    const auto got = ::read(child_->output(), buffer.data(), buffer.size());
    if (got < 0) break;
    silent_ = got == 0;
    const std::string_view bytes(buffer.data(), static_cast<std::size_t>(got));
    all += bytes.size();
    if (written_ < kLongestTranscript) {
      written_ += TRY(transcript_->write_at(written_, bytes));
      if (written_ >= kLongestTranscript)
        items.push_back(
            {StreamItem::Kind::failed, "", "its transcript is full: what follows is not kept"});
    }
    auto some = silent_ ? reader_.end(errors()) : reader_.feed(bytes);
    std::ranges::move(some, std::back_inserter(items));
  }
  for (const StreamItem& item : items) note(item);
  return items;
}

// The end of what it wrote to its standard error.
std::string RunProcess::errors() const {
  constexpr std::size_t kShown = 2000;
  const auto log = loop_.os().files.open(log_, Open::read);
  if (!log) return {};
  const auto size = (*log)->size().value_or(0);
  return (*log)->read_at(size - std::min<std::uint64_t>(size, kShown), kShown).value_or("");
}

void RunProcess::note(const StreamItem& item) {
  using Kind = StreamItem::Kind;
  if (item.kind == Kind::conversation) {
    forgotten_ |= item.text.empty();
    if (!item.text.empty()) conversation_ = item.text;
  }
  if (item.kind == Kind::said) last_words_ = item.text;
  if (item.kind == Kind::finished) {
    finished_ = true;
    if (!item.ok) error_ = item.text;
  }
  if (item.kind == Kind::usage)
    input_tokens_ = item.input_tokens, output_tokens_ = item.output_tokens;
}

bool RunProcess::is_called(const std::vector<int>& readable) const {
  return std::ranges::find(readable, calls_->fd()) != readable.end();
}

Status RunProcess::serve() {
  Os& os = loop_.os();
  const int connection = calls_->accept();
  if (connection < 0) return {};
  const PlanPaths& paths = loop_.paths();
  Command command{{os.env.executable().string(), "relay"}, paths.repository.top};
  command.environment = {{"PAIRFLOW_REPO", paths.repository.top.string()},
                         {"PAIRFLOW_PLAN", paths.feature.str()},
                         {"PAIRFLOW_RUN", std::to_string(started_.run)},
                         {"PAIRFLOW_ROLE", std::string(name_of(role_))},
                         {"PAIRFLOW_AGENT", agent_.str()},
                         {"PAIRFLOW_BUBBLE", std::nullopt},
                         {"PAIRFLOW_CHANNEL", std::nullopt}};
  auto child = TRY(os.processes.serve(command, connection, paths.errors));
  std::erase_if(serving_, [](const auto& one) { return one->ended().has_value(); });
  serving_.push_back(std::move(child));
  return {};
}

void RunProcess::stop() {
  stopped_at_its_end_ = finished_;
  child_->kill_group();
}

std::optional<int> RunProcess::ended() { return child_->ended(); }

// Why it ended, in its own words where it has some.
plan::FileRunEnded RunProcess::end_report(std::optional<int> exit) const {
  plan::FileRunEnded report{started_.run};
  report.lost = !exit;
  report.exit = exit.value_or(0);
  if (stopped_at_its_end_) report.exit = error_.empty() ? 0 : 1;
  report.conversation = conversation_;
  report.input_tokens = input_tokens_;
  report.output_tokens = output_tokens_;
  report.what = !error_.empty() ? error_ : last_words_;
  if (report.exit != 0 && error_.empty()) {
    const std::string said = errors();
    if (!trim(said).empty()) report.what = std::string(trim(said));
  }
  return report;
}

std::string conversation_of_lost(PlanLoop& loop, const plan::Run& run) {
  const auto settings = loop.settings();
  const auto text = loop.os().files.read_if_there(loop.paths().run_file(run, "ndjson"));
  const AgentSettings* agent = settings ? find_agent(*settings, run.agent) : nullptr;
  if (agent == nullptr || !text || !*text) return {};
  std::string conversation;
  for (const StreamItem& item : StreamReader(agent->kind).feed(**text))
    if (item.kind == StreamItem::Kind::conversation) conversation = item.text;
  return conversation;
}

}  // namespace pf
