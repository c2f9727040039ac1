#include "bubble/domain/checking_files.h"

#include <doctest/doctest.h>

namespace pf::bubble {

TEST_CASE("what configures builds, tests and their tools is known by its name") {
  for (const auto* path : {"Makefile",
                           "sub/CMakeLists.txt",
                           "vitest.config.ts",
                           "web/vitest.config.mts",
                           "jest.config.cjs",
                           "tox.ini",
                           ".mocharc.json",
                           ".mocharc",
                           "sitecustomize.py",
                           "tests/conftest.py",
                           ".cargo/config.toml",
                           "crates/a/.cargo/config",
                           "build.rs",
                           "go.work",
                           "gradlew",
                           "gradlew.bat",
                           "tsconfig.json",
                           "tsconfig.build.json",
                           "noxfile.py",
                           "deno.json",
                           "deno.jsonc",
                           "app/build.gradle.kts",
                           ".github/workflows/ci.yml",
                           "lib/hook.pth",
                           "test/package.json"}) {
    CAPTURE(path);
    CHECK(checking_of(path, {}) == Checking::settings);
  }
}

TEST_CASE("tests are known by their directory or name") {
  for (const auto* path : {"tests/a.py", "test/a.c", "pkg/tests/x/y.sh", "src/__tests__/a.tsx",
                           "src/a.test.ts", "b.spec.js", "pkg/a_test.go", "test_a.py"}) {
    CAPTURE(path);
    CHECK(checking_of(path, {}) == Checking::tests);
  }
}

TEST_CASE("other files have no part in the checks, unless a command names them") {
  for (const auto* path : {"src/main.c", "docs/tests.md", "contest/a.c", "attest.txt",
                           "src/latest.js", "README", "build.rst", "my-Makefile", "go.works"}) {
    CAPTURE(path);
    CHECK(checking_of(path, {}) == Checking::no);
  }
  const Profile profile{{{"test", "sh ci/check.sh && run 'all.py'"}}, {}, {}};
  CHECK(checking_of("ci/check.sh", profile) == Checking::settings);
  CHECK(checking_of("all.py", profile) == Checking::settings);
  CHECK(checking_of("eck.sh", profile) == Checking::no);
  const Profile again{{{"test", "./checked && ./check"}}, {}, {}};
  CHECK(checking_of("check", again) == Checking::settings);
}

}  // namespace pf::bubble
