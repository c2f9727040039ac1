#pragma once
#include "document/role/handoff_note.h"
#include "role/domain/types.h"

// What was approved on its way into a branch: prepared as objects first, so that a red check or a
// conflict leaves branches and tree as they were.
namespace pf::role {

using document::note_of;

enum class LandingKind { task, feature };
PF_NAMES(LandingKind, task, feature);

enum class Stage {
  prepare,       // a commit object is made of the tree; docs/current/ is salvaged
  checks,        // they run on it
  approval,      // waits for the human
  merge,         // a merge object is made
  merge_checks,  // the checks run on that, where the branch it goes into has moved
  commit,        // the branch moves to the commit
  pull_request,  // one for each branch head
  move,          // the branch it goes into moves
  keep,          // declined: the feature's branch moves to what was approved
  clear,         // the tree goes back to the branch that is worked on next
  landed,
  dropped,
};
PF_NAMES(Stage, prepare, checks, approval, merge, merge_checks, commit, pull_request, move, keep,
         clear, landed, dropped);
constexpr bool is_over(Stage stage) { return stage == Stage::landed || stage == Stage::dropped; }

struct Landing {
  int number = 0;
  LandingKind kind = LandingKind::task;
  Stage stage = Stage::prepare;
  std::string feature = {}, title = {}, task = {};
  std::string branch = {};  // whose work it is
  std::string into = {};    // what it is merged into; "" for nothing
  CommitId tip = {};        // where the branch was when it was approved
  // What it takes, settled at approval.
  Autopilot level = Autopilot::off;
  bool commits = false, checked = false, asks = false, pulls = false, posts = false;
  bool strict = false;                    // a red check stops it
  bool by_word = false;                   // a human approved it himself: he is not asked again
  std::string words = {};                 // the reviewer's
  std::vector<std::string> tasks = {};    // of the feature
  std::vector<std::string> planned = {};  // all that it has
  std::vector<Word> said = {};            // by the human about it
  std::vector<std::string> removes = {};  // files of docs/current/
  RoleRegister reset = {};                // the register that the closing commit holds
  // What came of it.
  CommitId commit = {};      // the prepared one, else the tip
  std::string salvage = {};  // the ref that keeps what is removed
  CommitId onto = {}, merged = {};
  TreeId merged_tree = {};  // of `merged`, when that is neither side's own
  TreeId judged = {};       // of a merge: green, or not stopped by red
  int merges = 0;           // that were checked, one for each move of the branch it goes into
  bool made = false;        // its branch is at the commit
  CiStatus ci = CiStatus::unknown;
  bool pull_begun = false;
  std::string pull = {};     // its address
  std::string remark = {};   // for the human; it goes on all the same
  std::string trouble = {};  // why it waits, or where it stopped
  bool aside = false;        // the loop goes on without it
  bool posted = false;       // its summary
  bool declined = false;     // by the human; `trouble` says why

  PF_FIELDS(PF_ALWAYS(number, kind, stage), PF_IF_SET(feature, title, task, branch, into, tip),
            PF_ALWAYS(level),
            PF_IF_SET(commits, checked, asks, pulls, posts, strict, by_word, words, tasks, planned,
                      said, removes),
            PF_ALWAYS(reset),
            PF_IF_SET(commit, salvage, onto, merged, merged_tree, judged, merges, made),
            PF_ALWAYS(ci), PF_IF_SET(pull_begun, pull, remark, trouble, aside, posted, declined));
};

// The stages of a landing in their order; the last one is `landed`.
std::vector<Stage> stages_of(const Landing& landing);
// The one behind `landing.stage`.
Stage next_stage(const Landing& landing);
// Nothing has moved yet: it can be dropped and leaves no trace but its salvage.
bool can_drop(const Landing& landing);
// What becomes of it when less is allowed than when it began: it asks where it would have gone on.
// Nothing when that is too late, or makes no difference.
std::optional<Landing> lowered(Landing landing, Autopilot level);
// It is where it belongs, whatever is still to be tidied up.
bool is_merged(const Landing& landing);

// "F001 Login", "T02 of F001 Login"
std::string name_of_landing(const Landing& landing);
// At most twelve lines about what was merged.
std::string summary_of(const Landing& landing);
// What a pull request for it says.
std::string pull_text(const Landing& landing);
// The closing commit's subject and body; a task's commit likewise.
std::string commit_message(const Landing& landing);

// What a file of ours is to be in a closing commit, or in a merge of one that meets another: the
// reset register, the roadmap with the feature done. Nothing for all other files.
std::optional<std::string> closing_text(const Landing& landing, std::string_view path,
                                        std::string_view text);

}  // namespace pf::role
