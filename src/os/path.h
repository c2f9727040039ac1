#pragma once
#include <filesystem>

namespace pf {

// A path as text: joined, split and compared here; only os/ asks the file system about it.
using Path = std::filesystem::path;

}  // namespace pf
