#pragma once
#include <utility>

#include "base/fields.h"
#include "base/result.h"
#include "bubble/domain/types.h"

// The agents' part of the approval package: what the human reads before the decision. The texts are
// kept as blobs; the journal names them by their hash.
namespace pf::bubble {

enum class Part { changed, why, risks, plan, message };
PF_NAMES_AS(Part, (changed, "what changed"), (why, "why"), (risks, "tradeoffs and residual risks"),
            (plan, "manual test plan"), (message, "suggested commit message"));

using PartTexts = std::vector<std::pair<Part, std::string>>;

// The parts that a Markdown text has under headings of their names (# or ##, in any order, a part
// may be missing or empty). A usage error for a text without any, for a part that comes twice and
// for an unknown # heading.
Result<PartTexts> parse_package(std::string_view text);

// There is a word in it: not only blanks, marks, fences and comments.
bool says_something(std::string_view text);

// Some parts as they came with one command; the blob is the whole text.
struct PackageBrought {
  Hash blob;
  std::vector<Part> parts;
  PF_FIELDS(PF_ALWAYS(blob, parts));
};

// The newest text of one part.
struct PartWritten {
  Part part = Part::changed;
  Hash blob;
  std::string by;
  TreeId tree;  // what it was written for
  PF_FIELDS(PF_ALWAYS(part, blob, by, tree));
};

// Written, with what `brought` adds (null: nothing).
std::vector<Part> missing_parts(const std::vector<PartWritten>& written,
                                const PackageBrought* brought = nullptr);
// What an agent fills in.
std::string package_template(const std::vector<Part>& parts);

// The checks of a profile that the human goes through by hand: the items of its list without their
// bullets, numbers or boxes; a text without a list is one check a line. Headings are none.
std::vector<std::string> manual_items(std::string_view text);

}  // namespace pf::bubble
