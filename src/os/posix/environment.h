#pragma once
#include "os/environment.h"

namespace pf {

// Makes sure that descriptors 0 to 2 are open (else a journal could become standard output) and
// that a closed pipe is an error to ignore instead of a signal.
class PosixEnvironment : public Environment {
 public:
  PosixEnvironment();
  std::optional<std::string> get(std::string_view name) override;
  std::vector<std::string> all() override;
  Path current_directory() override;  // empty when it was removed
  Path executable() override;
  int pid() override;
  unsigned uid() override;
  bool is_terminal(Stream stream) override;
  std::size_t terminal_columns() override;
  std::size_t terminal_rows() override;
  Result<std::unique_ptr<SignalWatch>> watch_signals() override;
  Result<std::unique_ptr<Keys>> take_keys() override;
  void print(Stream stream, std::string_view text) override;
  std::errc output_error() override { return output_error_; }
  std::optional<std::string> read_line() override;
  Result<std::optional<std::string>> read_line_within(std::size_t limit) override;
  std::string read_some() override;
  Result<std::string> read_all(std::size_t limit) override;

 private:
  bool read_more();

  std::string unread_;
  std::errc output_error_ = {};
};

}  // namespace pf
