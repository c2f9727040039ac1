#pragma once
#include <cstdlib>
#include <string>

#include "base/check.h"
#include "os/path.h"

namespace pf {

// A fresh directory for one test, removed with all it holds.
class TempDirectory {
 public:
  TempDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "pairflow-test-XXXXXX").string();
    PF_CHECK(::mkdtemp(name.data()) != nullptr);
    path_ = std::filesystem::canonical(name);
  }
  TempDirectory(const TempDirectory&) = delete;
  TempDirectory& operator=(const TempDirectory&) = delete;
  ~TempDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const Path& path() const { return path_; }

 private:
  Path path_;
};

}  // namespace pf
