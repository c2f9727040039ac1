#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "os/path.h"

namespace pf {

enum class Stream { in, out, err };

// The terminal while a program draws on all of it: keys are not echoed, a changed size and the wish
// that the program ends (INT, TERM, HUP, or nobody reads standard output any more) are told instead
// of acted on. The destructor undoes this.
class SignalWatch {
 public:
  struct News {
    bool resized = false;
    bool end = false;
  };
  virtual ~SignalWatch() = default;
  virtual int fd() const = 0;    // readable when there is news
  virtual News take_news() = 0;  // since the last call; never waits
};

// A terminal's keys while a program reads each of them: nothing is echoed, no key is a signal, a
// stop or the end of a line. The destructor undoes this; end it before a SignalWatch that was taken
// earlier.
class Keys {
 public:
  virtual ~Keys() = default;
  virtual int fd() const = 0;  // readable when there are keys, or it is time to wake
  // Once; another call takes its place.
  virtual void wake_after(Duration time) = 0;
  // The bytes typed since the last call; never waits. Nothing: the terminal is gone.
  virtual std::optional<std::string> take() = 0;
};

// The process's surroundings: variables, standard streams, who and where we are.
class Environment {
 public:
  virtual ~Environment() = default;
  virtual std::optional<std::string> get(std::string_view name) = 0;
  virtual std::vector<std::string> all() = 0;  // NAME=value
  virtual Path current_directory() = 0;
  virtual Path executable() = 0;  // absolute path of this program
  virtual int pid() = 0;
  virtual unsigned uid() = 0;

  virtual bool is_terminal(Stream stream) = 0;
  virtual std::size_t terminal_columns() = 0;  // 80 when unknown
  virtual std::size_t terminal_rows() = 0;     // 24 when unknown
  // At most one at a time.
  virtual Result<std::unique_ptr<SignalWatch>> watch_signals() = 0;
  // Of standard input, which has to be a terminal.
  virtual Result<std::unique_ptr<Keys>> take_keys() = 0;
  virtual void print(Stream stream, std::string_view text) = 0;
  // Why something printed on standard output did not arrive; broken_pipe: nobody reads it any more.
  virtual std::errc output_error() = 0;
  // One line without its newline; nothing at end of file.
  virtual std::optional<std::string> read_line() = 0;
  // The same of at most `limit` bytes; a longer one is a usage error, skipped up to its end.
  virtual Result<std::optional<std::string>> read_line_within(std::size_t limit) = 0;
  // Whatever standard input has, waiting for some; "" at its end.
  virtual std::string read_some() = 0;
  // All of standard input; a usage error past `limit` bytes.
  virtual Result<std::string> read_all(std::size_t limit) = 0;
};

}  // namespace pf
