// Families: the copies of each document of a sample, and their labels.
//
// Immutable but for the scratch of each worker; a family is a function of the sample, the document and the run's members.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/generate/donors.h"
#include "jobs/generate/edit.h"
#include "jobs/generate/original_sample.h"
#include "neardup/sketcher.h"
#include "neardup/tools/generate.h"

namespace neardup::generate_detail {

/// The recipe by which the output tells similarities; the labels do not depend on it.
inline constexpr std::string_view kMeasuredBy = "chars-5";

/// A kind and strength; copies take turns with these.
struct Turn {
  const EditKind* kind;
  EditStrength strength;

  /// Empty for a kind without strengths.
  [[nodiscard]] std::string_view strength_label() const { return kind->info.has_strength ? std::string_view(strength.label()) : ""; }
};
/// In the order of kinds, then of strengths.
std::vector<Turn> turns_of(const GenerateRun& run);

/// An original with its copies.
struct Family {
  struct Copy {
    size_t turn;
    std::string id;
    double similarity;  ///< to the original
  };
  struct Pair {
    std::string a;
    std::string b;
    double similarity;
  };
  std::string lines;  ///< of JSON
  std::vector<Copy> copies;
  std::vector<Pair> pairs;  ///< near-duplicates, in the order of the lines
};

class Families {
 public:
  /// At least two originals; they, `run` and `turns` must outlive the object.
  Families(std::span<const Original> originals, const GenerateRun& run, const std::vector<Turn>& turns, uint32_t threads);

  /// Calls with the same worker must not overlap.
  Family make(size_t document, uint32_t worker);

 private:
  struct Labelled;

  [[nodiscard]] bool next_copy(size_t document, uint64_t first, std::vector<bool>& used, Labelled& made) const;
  std::vector<uint64_t> features(std::string_view text, uint32_t worker);

  const std::span<const Original> originals_;
  const GenerateRun& run_;
  const std::vector<Turn>& turns_;
  std::vector<TextUnits> units_;
  std::unique_ptr<const Donors> donors_;
  const Sketcher sketcher_;
  std::vector<Sketcher::Scratch> scratches_;
};

}  // namespace neardup::generate_detail
