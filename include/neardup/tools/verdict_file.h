// VerdictFile: looks up documents in the file of `dedup --verdicts`, JSON Lines or a table.
//
// A plain file is mapped and searched for the bytes of the id: nothing is loaded, and only lines with these bytes are parsed. A compressed
// file is decompressed from its beginning for each question. For one thread.
//
// Implemented in src/jobs/files/verdict_file.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace neardup {

/// A line of the file, with the names of docs/formats.md.
struct VerdictLine {
  std::string id;
  bool has_id = false;
  std::string source;
  uint64_t row = 0;
  bool removed = false;
  std::string reason;
  // Of removed documents:
  std::string keeper_id;
  bool keeper_has_id = false;
  std::string keeper_source;
  uint64_t keeper_row = 0;
  uint32_t similarity_millionths = 0;
  std::string cluster_id;
  uint64_t cluster_size = 1;
};

class VerdictFile {
 public:
  /// Throws Error{kInput} when the file cannot be read, or does not begin like a verdict file.
  explicit VerdictFile(const std::string& path);
  ~VerdictFile();
  VerdictFile(const VerdictFile&) = delete;
  VerdictFile& operator=(const VerdictFile&) = delete;

  /// True for a table: it has blanks for the tabs and line ends of ids, so an id with a blank may stand for another one.
  [[nodiscard]] bool is_table() const noexcept;
  /// At most `most` documents with this id, in the order of the file. All throw Error{kInput} that names the file and its line for a line
  /// that is not a verdict.
  [[nodiscard]] std::vector<VerdictLine> find(std::string_view id, size_t most) const;
  [[nodiscard]] std::vector<VerdictLine> find_place(std::string_view source, uint64_t row) const;
  /// At most `most` documents that were removed because of this keeper.
  [[nodiscard]] std::vector<VerdictLine> members(std::string_view keeper_source, uint64_t keeper_row, size_t most) const;
  /// At most `most` ids that resemble this one, the most similar first. Reads every line.
  [[nodiscard]] std::vector<std::string> nearest(std::string_view id, size_t most) const;

 private:
  class Lines;
  class Format;
  std::unique_ptr<const Lines> lines_;
  std::unique_ptr<const Format> format_;
};

}  // namespace neardup
