#include <doctest/doctest.h>

#include "bubble/host/loop.h"
#include "os/posix/os.h"

// Journals of earlier versions, one file each: they are read for ever, and mean what they meant.
namespace pf {
namespace {

TEST_CASE("the journal of version 0.1 folds to what it was") {
  PosixOs posix;
  Os os = posix.os();
  const Journal journal(os, Path(PAIRFLOW_SOURCE_DIR) / "tests/golden/bubble-0.1.ndjson", "golden");
  bubble::State state;
  const auto reach = journal.scan({}, [&](Line&& line) -> Status {
    // What is read is what would be written.
    const auto event = TRY(bubble::decode(line));
    CHECK(dump(bubble::encode(event).payload) == dump(line.draft.payload));
    state = TRY(bubble::fold(std::move(state), line));
    return {};
  });
  REQUIRE(reach);
  CHECK(number(reach->mark.seq) == 51);
  CHECK(reach->mark.hash == Hash("b6944604302d1e23817274d938f57bf0"));
  CHECK(state.phase == bubble::Phase::done);
  CHECK(state.round == 8);
  CHECK(state.closed);
  CHECK(state.history.size() == 8);
  CHECK(state.task == "Say more, politely, with the weather.");
  CHECK(state.approved_tree == state.converged_tree);
  REQUIRE(state.findings.size() == 6);
  CHECK(state.findings[0].confirmed);
  CHECK(state.findings[3].status == bubble::FindingStatus::waived);
  for (const bubble::Finding& finding : state.findings) CHECK_FALSE(finding.unsettled());
}

}  // namespace
}  // namespace pf
