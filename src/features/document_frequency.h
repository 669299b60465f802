// DocumentFrequencyTable: the number of documents of a corpus that contain each token, and the IDF weight that follows from it.
//
// A file of these parts, all numbers little-endian; docs/weights.md has it to the byte:
//
//   header        magic "neardupF", version, length of the description, documents, entries, minimum frequency kept
//   description   how tokens were made (JSON), padded with zeros to a multiple of 8
//   hashes        XXH3-64 of each token, 8 bytes, strictly ascending
//   counts        documents with the token, 4 bytes, in the same order, padded likewise
//   checksum      XXH3-64 of everything before; it is the id of the table
//   words         optional, for people: frequency_words.h
//
// A table is checked completely when it is opened, and trusted afterwards. Immutable, shared by threads. Two tokens with equal hashes are
// one token.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/mapped_file.h"

namespace neardup {

class DocumentFrequencyTable {
 public:
  /// Maps the file. Throws Error{kInput} that names the file and the part that is wrong.
  static DocumentFrequencyTable open(const std::string& path);
  /// From memory; `name` is for errors.
  static DocumentFrequencyTable parse(std::string bytes, const std::string& name);

  [[nodiscard]] uint64_t id() const noexcept { return id_; }
  [[nodiscard]] uint64_t documents() const noexcept { return documents_; }
  [[nodiscard]] std::string_view description() const noexcept { return description_; }
  /// Tokens in fewer documents were left out when it was written; 1: none.
  [[nodiscard]] uint32_t min_frequency() const noexcept { return min_frequency_; }
  [[nodiscard]] size_t size() const noexcept { return hashes_.size(); }
  [[nodiscard]] std::span<const uint64_t> hashes() const noexcept { return hashes_; }
  [[nodiscard]] std::span<const uint32_t> counts() const noexcept { return counts_; }
  /// The section of words, checked when the table was opened; may be empty.
  [[nodiscard]] std::string_view words_section() const noexcept { return words_section_; }

  /// MappedFile::check() of a table that open() mapped. Call it before reporting anything computed from the table.
  void check_file() const {
    if (file_) file_->check();
  }

  /// 0 for a token that the table does not have.
  [[nodiscard]] uint32_t frequency(uint64_t hash) const noexcept;
  /// idf_fixed(documents(), frequency(hash)).
  [[nodiscard]] int32_t idf(uint64_t hash) const noexcept { return idf_of_frequency(frequency(hash)); }
  /// Requires a frequency that some entry has, or 0.
  [[nodiscard]] int32_t idf_of_frequency(uint32_t frequency) const noexcept;

  static constexpr std::string_view kMagic = "neardupF";
  static constexpr uint32_t kVersion = 1;
  static constexpr size_t kHeaderBytes = 40;
  static constexpr size_t kMaxDescriptionBytes = 65536;

 private:
  DocumentFrequencyTable() = default;
  void check(std::string_view bytes, const std::string& name);
  void check_entries(const std::string& name) const;
  void make_index();

  std::unique_ptr<const MappedFile> file_;  // one of these two holds the bytes
  std::unique_ptr<const std::string> memory_;
  uint64_t id_ = 0;
  uint64_t documents_ = 0;
  uint32_t min_frequency_ = 1;
  std::string_view description_;
  std::span<const uint64_t> hashes_;
  std::span<const uint32_t> counts_;
  std::string_view words_section_;
  int bucket_shift_ = 63;
  std::vector<uint64_t> buckets_;                        // start of the hashes with these first bits
  std::vector<int32_t> small_idf_;                       // by frequency
  std::vector<std::pair<uint32_t, int32_t>> large_idf_;  // sorted; few tokens are in that many documents
};

/// The description of a table made by this recipe: a JSON object with sorted members that determine the tokens. It is the canonical form of
/// the recipe without shingle, min_features, feature_hash, sketch and weighting.
std::string frequency_description(std::string_view canonical_recipe);

}  // namespace neardup
