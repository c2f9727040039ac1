#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "os/path.h"

namespace pf {

enum class Stream { in, out, err };

// The process's surroundings: variables, standard streams, who and where we are.
class Environment {
 public:
  virtual ~Environment() = default;
  virtual std::optional<std::string> get(std::string_view name) = 0;
  virtual Path current_directory() = 0;
  virtual Path executable() = 0;  // absolute path of this program
  virtual int pid() = 0;
  virtual unsigned uid() = 0;

  virtual bool is_terminal(Stream stream) = 0;
  virtual std::size_t terminal_columns() = 0;  // 80 when unknown
  virtual std::size_t terminal_rows() = 0;     // 24 when unknown
  virtual void print(Stream stream, std::string_view text) = 0;
  // One line without its newline; nothing at end of file.
  virtual std::optional<std::string> read_line() = 0;
  // All of standard input; a usage error past `limit` bytes.
  virtual Result<std::string> read_all(std::size_t limit) = 0;
};

}  // namespace pf
