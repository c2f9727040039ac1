#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pf {

// Pure. The entries of a git index whose files had changed at that second of their file system's
// clock or later when they were read, in the form that `update-index --index-info` takes back
// without anything known of the files. Entries that git is told to leave alone are left out.
// Nothing: it is in a form that is not read here. (git itself prints these times only as text for
// debugging, of every entry.)
std::optional<std::vector<std::string>> changed_since(std::string_view index, std::int64_t second,
                                                      std::size_t id_bytes);

}  // namespace pf
