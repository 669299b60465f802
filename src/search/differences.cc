#include "search/differences.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace neardup {
namespace {

enum class EditStep : uint8_t { kEqual, kSubstitute, kDelete, kInsert };

// The steps of an alignment with the fewest edits: kDelete leaves a code point of the clue out, kInsert one of the passage.
std::vector<EditStep> alignment_of(std::span<const char32_t> clue, std::span<const char32_t> passage) {
  const size_t columns = passage.size() + 1;
  std::vector<EditStep> steps((clue.size() + 1) * columns);
  std::vector<uint32_t> row(columns);
  for (size_t j = 0; j < columns; ++j) {
    row[j] = static_cast<uint32_t>(j);
    steps[j] = EditStep::kInsert;
  }
  for (size_t i = 1; i <= clue.size(); ++i) {
    uint32_t diagonal = row[0];
    row[0] = static_cast<uint32_t>(i);
    steps[i * columns] = EditStep::kDelete;
    for (size_t j = 1; j < columns; ++j) {
      const bool equal = clue[i - 1] == passage[j - 1];
      uint32_t best = diagonal + (equal ? 0 : 1);
      EditStep step = equal ? EditStep::kEqual : EditStep::kSubstitute;
      if (row[j] + 1 < best) {
        best = row[j] + 1;
        step = EditStep::kDelete;
      }
      if (row[j - 1] + 1 < best) {
        best = row[j - 1] + 1;
        step = EditStep::kInsert;
      }
      diagonal = row[j];
      row[j] = best;
      steps[i * columns + j] = step;
    }
  }
  std::vector<EditStep> path;
  for (size_t i = clue.size(), j = passage.size(); i > 0 || j > 0;) {
    const EditStep step = steps[i * columns + j];
    path.push_back(step);
    if (step != EditStep::kInsert) --i;
    if (step != EditStep::kDelete) --j;
  }
  std::ranges::reverse(path);
  return path;
}

// No character of the text lies on both sides of this code point of the form.
bool separable(const PlacedForm& form, size_t at) {
  return at == 0 || at >= form.points.size() || form.places[at - 1].end <= form.places[at].begin;
}

// A ligature is several code points of a form, and differs as a whole if one of them does.
void extend_to_characters(const PlacedForm& clue, const PlacedForm& passage, std::vector<EditStep>& path) {
  for (bool changed = true; changed;) {
    changed = false;
    size_t i = 0;
    size_t j = 0;
    for (size_t at = 0; at < path.size(); ++at) {
      const bool border = at > 0 && (path[at] == EditStep::kEqual) != (path[at - 1] == EditStep::kEqual);
      if (border && !(separable(clue, i) && separable(passage, j))) {
        (path[at] == EditStep::kEqual ? path[at] : path[at - 1]) = EditStep::kSubstitute;
        changed = true;
      }
      if (path[at] != EditStep::kInsert) ++i;
      if (path[at] != EditStep::kDelete) ++j;
    }
  }
}

std::string_view text_of(const PlacedForm& form, size_t begin, size_t end) {
  if (begin == end) return {};
  return form.text.substr(form.places[begin].begin, form.places[end - 1].end - form.places[begin].begin);
}

}  // namespace

std::string mark_differences(const PlacedForm& clue, const PlacedForm& passage) {
  std::string marked;
  if (passage.points.empty()) return marked;
  size_t i = 0;
  size_t j = 0;
  size_t written = passage.places.front().begin;  // bytes of the text
  const auto write_up_to = [&](size_t end) {
    if (end > written) marked += passage.text.substr(written, end - written);
    written = std::max(written, end);
  };
  std::vector<EditStep> path = alignment_of(clue.points, passage.points);
  extend_to_characters(clue, passage, path);
  for (size_t at = 0; at < path.size();) {
    const size_t clue_begin = i;
    const size_t passage_begin = j;
    const bool equal = path[at] == EditStep::kEqual;
    for (; at < path.size() && (path[at] == EditStep::kEqual) == equal; ++at) {
      if (path[at] != EditStep::kInsert) ++i;
      if (path[at] != EditStep::kDelete) ++j;
    }
    if (equal) {
      write_up_to(passage.places[j - 1].end);
      continue;
    }
    // What the form leaves out between two characters stays before the mark.
    if (passage_begin < j) write_up_to(passage.places[passage_begin].begin);
    if (clue_begin < i) marked.append("[-").append(text_of(clue, clue_begin, i)).append("-]");
    if (passage_begin < j) {
      marked += "{+";
      write_up_to(passage.places[j - 1].end);
      marked += "+}";
    }
  }
  return marked;
}

}  // namespace neardup
