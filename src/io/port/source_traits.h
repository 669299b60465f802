// SourceTraits: properties of a source, beyond DocumentSource, for the sinks for files.
#pragma once

#include <cstdint>

#include "neardup/source.h"

namespace neardup {

struct TableFile;

/// Implemented by the sources for files and tables, and by SourceSequence; other sources count as JSON Lines without reference documents.
class SourceTraits {
 public:
  virtual ~SourceTraits() = default;
  /// True if the source is a text file, one document; then Record::raw is not a line.
  [[nodiscard]] virtual bool is_text(uint32_t source) const noexcept = 0;
  /// True if the source is an archive whose documents are written as JSON Lines: its name does not give the format of an output.
  [[nodiscard]] virtual bool is_archive(uint32_t source) const noexcept {
    static_cast<void>(source);
    return false;
  }
  [[nodiscard]] virtual bool any_text() const noexcept = 0;
  /// The number of leading sources that are a reference corpus, which is never written.
  [[nodiscard]] virtual uint32_t reference_sources() const noexcept = 0;
  /// The object with the documents of one source, if it is another one than this.
  [[nodiscard]] virtual const DocumentSource* part(uint32_t source) const noexcept {
    static_cast<void>(source);
    return nullptr;
  }
  /// The file, if the source is a Parquet, CSV or TSV file; else null.
  [[nodiscard]] virtual const TableFile* table_of(uint32_t source) const noexcept {
    static_cast<void>(source);
    return nullptr;
  }
};

/// The traits of any source.
class TraitsOf {
 public:
  explicit TraitsOf(const DocumentSource& source) noexcept : traits_(dynamic_cast<const SourceTraits*>(&source)), source_(&source) {}
  [[nodiscard]] bool is_text(uint32_t source) const noexcept { return traits_ != nullptr && traits_->is_text(source); }
  [[nodiscard]] bool is_archive(uint32_t source) const noexcept { return traits_ != nullptr && traits_->is_archive(source); }
  [[nodiscard]] bool any_text() const noexcept { return traits_ != nullptr && traits_->any_text(); }
  [[nodiscard]] uint32_t reference_sources() const noexcept { return traits_ != nullptr ? traits_->reference_sources() : 0; }
  [[nodiscard]] const TableFile* table_of(uint32_t source) const noexcept {
    return traits_ != nullptr ? traits_->table_of(source) : nullptr;
  }
  [[nodiscard]] const DocumentSource& part(uint32_t source) const noexcept {
    const DocumentSource* const found = traits_ != nullptr ? traits_->part(source) : nullptr;
    return found != nullptr ? *found : *source_;
  }

 private:
  const SourceTraits* traits_;
  const DocumentSource* source_;
};

}  // namespace neardup
