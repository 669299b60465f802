// FrequencyStages: the stages before those of stages.h for a recipe that weighs by the IDF of the corpus itself.
//
//   count -> [by part] sum -> table
//
// The table is that of `neardup dedup` over the same documents, to the byte, for any parts, tasks and order of blobs. fitted_recipe() names
// it: with this recipe, Stages and every other function of the library weigh as that run does.
//
// Blobs, errors and threads are as in stages.h.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "neardup/options.h"
#include "neardup/tools/stages.h"

namespace neardup {

/// The map side: counts in how many documents each token occurs. Counts beyond the memory are sorted on disk.
class CountStage {
 public:
  virtual ~CountStage() = default;
  /// Nothing: null. Such a text, and one above 256 MiB, is rejected by later stages and not counted.
  virtual void add(std::optional<std::string_view> text) = 0;
  /// As ReduceStage::next(): blobs of kFrequencies, in ascending order of hashes, and one of kCounts, with documents and text_bytes.
  virtual std::optional<Blob> next() = 0;
};

/// Writes the table from all blobs that sum() made.
class FrequencyTableStage {
 public:
  virtual ~FrequencyTableStage() = default;
  /// In any order. Throws Error{kInput} for a blob that is not one of this run, and Error{kOutput} when the disk is full.
  virtual void add(std::string_view blob) = 0;
  /// Writes the file and returns the id of the table. The last call. `documents`: that of the blobs of kCounts. Throws Error{kInput} if a
  /// hash is in two blobs, Error{kResource} for more than 2^32 - 2 documents, Error{kOutput}.
  virtual uint64_t finish(const std::string& path, uint64_t documents) = 0;
};

class FrequencyStages {
 public:
  /// True if the recipe of these options must be fitted. Throws as Recipe::load().
  static bool needed(const Options& options);
  /// Throws as Stages, and Error{kUsage} unless needed(options).
  explicit FrequencyStages(const Options& options);
  ~FrequencyStages();

  struct Facts {
    std::string recipe;
    uint64_t recipe_id = 0;  ///< until a table is known
  };
  [[nodiscard]] Facts facts() const;

  // Makers, as those of Stages. Parts are ranges of hashes.
  [[nodiscard]] std::unique_ptr<CountStage> count(uint32_t parts, const StageSpace& space) const;
  [[nodiscard]] std::unique_ptr<ReduceStage> sum(const StageSpace& space) const;
  [[nodiscard]] std::unique_ptr<FrequencyTableStage> table(const StageSpace& space) const;
  [[nodiscard]] StageCounts counts(Stages::Blobs blobs) const;

  /// The recipe as JSON with the path of its table, for Options::recipe. Options::clean is applied already; it may be applied again.
  [[nodiscard]] std::string fitted_recipe(const std::string& table) const;

 private:
  struct Impl;
  std::unique_ptr<const Impl> impl_;
};

}  // namespace neardup
