#pragma once
#include "document/markdown.h"
#include "document/plan/step_label.h"

// The families of lines in a plan of which one holds its steps, and which of them competes.
namespace pf::document {

// A line of a plan: what CommonMark says it is, and what its front says of a step.
struct PlanLine {
  TextLine line;
  MarkdownLine form;       // an item or a heading only where CommonMark has one
  bool hidden = false;     // code, comments
  bool underline = false;  // of the heading above it
  bool paragraph = false;  // in a paragraph that is in no list
  int depth = 0;           // of an item: 1 for one that is in no other
  bool in_bullet = false;  // an item that is in a bulleted one
  FrontText front = {};    // of headings, items and paragraphs
  StepLabel label = {};    // a step's word and number
  StepLabel number = {};   // a number alone
};
std::vector<PlanLine> plan_lines(std::string_view body);

// The title of a heading without its number and colon, in small letters.
std::string section_name(const PlanLine& heading);

// Lines that nothing but their likeness makes steps: as many, at least.
inline constexpr std::size_t kSeveral = 2;

enum class FamilyKind { headings, bold, labelled, numbered, boxes, bullets };

struct Family {
  FamilyKind kind = FamilyKind::headings;
  std::string word = {};            // "step", "phase"; "" for numbers alone
  bool listed = false;              // all of it below a heading such as "Steps" or "Tasks"
  std::vector<std::size_t> starts;  // the lines on which its steps begin, from 0

  bool is_step() const { return word == "step"; }
  // "step headings", "headings", "numbered list", "checkbox list"
  std::string form() const;
};

// Every family that is there:
//   headings that begin with a step's word and number, or with a number, of the highest level that
//   has any; bold or plain paragraphs that begin so; list items that do, the least indented;
//   numbered items and checkboxes in no other list. Below a heading "Steps" also its bullets, or
//   the headings below it.
std::vector<Family> families_of(const std::vector<PlanLine>& lines);

// The first line that no longer belongs to the step of the family that begins at `start`.
std::size_t end_of(const std::vector<PlanLine>& lines, const Family& family, std::size_t start);

// Those between which a person would hesitate; one when nobody would, none when there is none.
std::vector<Family> competing(const std::vector<PlanLine>& lines, std::vector<Family> families);

}  // namespace pf::document
