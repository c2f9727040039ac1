#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/toml_document.h"

namespace pf {

using TomlKind = TomlValue::Kind;

// What a text must be, "must be a relative path"; "" when it is.
using TextRule = std::string (*)(std::string_view);

// Reads one table of a scenario key by key. A missing key leaves its target alone; the first
// mistake is kept and everything after it ignored.
class TableReader {
 public:
  // `name` is how messages call the table: "[[turn]]". Both references outlive the reader.
  TableReader(const Path& file, const TomlValue& table, std::string name);

  void text(std::string_view key, std::string& into, TextRule rule = nullptr);
  void flag(std::string_view key, bool& into);
  void number(std::string_view key, int& into, int least, int most);
  void texts(std::string_view key, std::vector<std::string>& into, TextRule rule = nullptr);
  // The value when it is there and of that kind.
  const TomlValue* value(std::string_view key, TomlKind kind);
  void require(std::string_view key);  // a mistake when it is missing
  void complain(int line, std::string what, std::string why, std::string fix);

  // The first mistake, else the first key that nobody has asked for, with the nearest one.
  Status finish();

 private:
  std::string called(std::string_view key) const;
  void obey(std::string_view key, const TomlValue& text, TextRule rule);

  const Path& file_;
  const TomlValue& table_;
  std::string name_;
  std::vector<std::string_view> known_;
  std::optional<Error> first_;
};

}  // namespace pf
