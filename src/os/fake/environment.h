#pragma once
#include <sys/eventfd.h>

#include <deque>
#include <functional>
#include <map>
#include <set>

#include "os/descriptor.h"
#include "os/environment.h"

namespace pf {

// Surroundings as a test sets them; what is printed is kept.
class FakeEnvironment : public Environment {
 public:
  std::map<std::string, std::string, std::less<>> variables;
  Path directory = "/";
  Path program = "/usr/bin/pairflow";
  int process = 1000;
  unsigned user = 1000;
  std::set<Stream> terminals;
  std::size_t columns = 80;
  std::size_t rows = 24;
  std::deque<std::string> input;  // lines still to be read
  std::string out;
  std::string err;
  std::errc trouble = {};  // of `out`, which gets nothing then

  std::optional<std::string> get(std::string_view name) override {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  }
  std::vector<std::string> all() override {
    std::vector<std::string> entries;
    for (const auto& [name, value] : variables) entries.push_back(name + "=" + value);
    return entries;
  }
  Path current_directory() override { return directory; }
  Path executable() override { return program; }
  int pid() override { return process; }
  unsigned uid() override { return user; }
  bool is_terminal(Stream stream) override { return terminals.contains(stream); }
  // What a SignalWatch tells.
  void resize(std::size_t new_columns, std::size_t new_rows) {
    columns = new_columns, rows = new_rows;
    news_.resized = true;
    ::eventfd_write(told_.get(), 1);
  }
  void ask_to_end() {
    news_.end = true;
    ::eventfd_write(told_.get(), 1);
  }
  bool has_screen = false;

  std::string typed;  // what Keys take
  bool hung_up = false;
  bool has_keys = false;
  std::optional<Duration> wake;  // asked for last

  std::size_t terminal_columns() override { return columns; }
  std::size_t terminal_rows() override { return rows; }
  Result<std::unique_ptr<SignalWatch>> watch_signals() override {
    return std::make_unique<FakeSignalWatch>(*this);
  }
  Result<std::unique_ptr<Keys>> take_keys() override { return std::make_unique<FakeKeys>(*this); }
  void print(Stream stream, std::string_view text) override {
    if (stream == Stream::err)
      err += text;
    else if (trouble == std::errc{})
      out += text;
    if (printed) printed();
  }
  std::function<void()> printed;  // something happens then
  std::errc output_error() override { return trouble; }
  std::optional<std::string> read_line() override {
    if (input.empty()) return std::nullopt;
    std::string line = std::move(input.front());
    input.pop_front();
    return line;
  }
  Result<std::optional<std::string>> read_line_within(std::size_t limit) override {
    auto line = read_line();
    if (line && line->size() > limit) return fail(Exit::usage, "a line is too long");
    return line;
  }
  std::string read_some() override { return read_line().value_or(""); }
  Result<std::string> read_all(std::size_t limit) override {
    std::string text;
    while (auto line = read_line()) text += *line + "\n";
    if (text.size() > limit) return fail(Exit::usage, "standard input is too long");
    return text;
  }

 private:
  class FakeSignalWatch : public SignalWatch {
   public:
    explicit FakeSignalWatch(FakeEnvironment& env) : env_(env) { env_.has_screen = true; }
    FakeSignalWatch(const FakeSignalWatch&) = delete;
    FakeSignalWatch& operator=(const FakeSignalWatch&) = delete;
    ~FakeSignalWatch() override { env_.has_screen = false; }
    int fd() const override { return env_.told_.get(); }
    News take_news() override {
      eventfd_t ignored = 0;
      ::eventfd_read(fd(), &ignored);
      return std::exchange(env_.news_, {});
    }

   private:
    FakeEnvironment& env_;
  };

  class FakeKeys : public Keys {
   public:
    explicit FakeKeys(FakeEnvironment& env) : env_(env) { env_.has_keys = true; }
    FakeKeys(const FakeKeys&) = delete;
    FakeKeys& operator=(const FakeKeys&) = delete;
    ~FakeKeys() override { env_.has_keys = false; }
    int fd() const override { return 0; }
    void wake_after(Duration time) override { env_.wake = time; }
    std::optional<std::string> take() override {
      if (env_.hung_up) return std::nullopt;
      return std::exchange(env_.typed, {});
    }

   private:
    FakeEnvironment& env_;
  };

  SignalWatch::News news_;
  Descriptor told_{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
};

}  // namespace pf
