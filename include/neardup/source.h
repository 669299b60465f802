// DocumentSource: the interface of inputs: files, databases and memory.
//
// A source is cut into batches. next() is called under a lock, one call at a time, and should be cheap; Batch::read() is called
// by worker threads in parallel and does the heavy part (reading, parsing). A run reads its source up to three times:
// after rewind() the same batches come in the same order with the same records, or an Error{kInput} says what changed.
//
// ReferredTexts: reads single texts of sources again, later and in any order.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "neardup/document.h"

namespace neardup {

class Batch {
 public:
  enum class Need {
    kPlace,   ///< only Record::where is filled; a source may fill more where that costs nothing
    kRaw,     ///< only Record::where and raw are filled
    kText,    ///< everything but raw, which may be incomplete: a database is asked for the needed fields only
    kParsed,  ///< everything
  };
  /// Returns whether the reader wants the n-th record of the batch (from 0); others are only counted. Called exactly once per record, in
  /// ascending order.
  using Filter = std::function<bool(uint32_t record)>;
  using Visitor = std::function<void(uint32_t record, const Record&)>;

  virtual ~Batch() = default;
  /// Visits the wanted records in order. An empty filter wants all. Throws Error{kInput}. Returns the number of records.
  /// Record::where.row counts from the start of the batch, or of the source if that begins inside it.
  virtual uint32_t read(Need need, const Filter& wanted, const Visitor& visit) = 0;

  /// Fetches the data for read(need) from another machine, so that waiting does not block computing. May be called once before read(),
  /// which otherwise waits itself. Throws what read() throws.
  virtual void fetch(Need need) { static_cast<void>(need); }

  /// May be called before read(kText): only records that an earlier reading gave without a problem are wanted, and of them only the text
  /// and the block. So they need not be checked again.
  virtual void expect_known_records() {}

  /// The source of the first record. A batch may hold several whole sources (small files), or a part of one.
  [[nodiscard]] virtual uint32_t source() const noexcept = 0;
  /// Rows of that source in this batch, blank lines included; known after read(). Rows of the next batch of the same source follow on.
  [[nodiscard]] virtual uint64_t rows() const noexcept = 0;
  /// Bytes of input (as stored, before decompression) that this batch stands for, for progress.
  [[nodiscard]] virtual uint64_t input_bytes() const noexcept = 0;
};

class DocumentSource {
 public:
  virtual ~DocumentSource() = default;
  /// The next batch, or null at the end. Throws Error{kInput}.
  virtual std::unique_ptr<Batch> next() = 0;
  virtual void rewind() = 0;

  [[nodiscard]] virtual uint32_t source_count() const noexcept = 0;
  /// The name of a source in messages and verdicts: a path as the user gave it.
  [[nodiscard]] virtual std::string_view source_name(uint32_t source) const = 0;
  /// True if Batch::fetch() mostly waits for another machine: then more batches are in flight.
  [[nodiscard]] virtual bool waits() const noexcept { return false; }
  /// A state by which a later run detects changes of the source: size and time of a file. Empty: unknown.
  [[nodiscard]] virtual std::string state_of(uint32_t source) const {
    static_cast<void>(source);
    return {};
  }
  /// How to read single texts of the source again after the run: TextReference::source of its records. Empty: that is not possible, as for
  /// compressed files, standard input, archives, tables and databases. May look into the file.
  [[nodiscard]] virtual std::string reference_to(uint32_t source) const {
    static_cast<void>(source);
    return {};
  }
  /// True if its texts are pages of HTML, or may be: a recipe that does not clean them compares tags.
  [[nodiscard]] virtual bool holds_html(uint32_t source) const noexcept {
    static_cast<void>(source);
    return false;
  }
  /// Total of Batch::input_bytes(), or 0 when unknown (standard input).
  [[nodiscard]] virtual uint64_t input_bytes() const noexcept = 0;
};

/// Where a text can be read again.
struct TextReference {
  std::string_view source;  ///< DocumentSource::reference_to()
  uint64_t offset = 0;      ///< Record::offset
  uint64_t length = 0;      ///< of Record::raw; at most 256 MiB
  uint64_t hash = 0;        ///< XXH3-64 of Record::text
  friend bool operator==(const TextReference&, const TextReference&) = default;
};

/// For one thread. make_referred_texts() of neardup/io.h makes one for files.
class ReferredTexts {
 public:
  virtual ~ReferredTexts() = default;
  /// Reads Record::text. Throws Error{kInput} that names the source and the offset if it cannot be read, or has another hash.
  virtual void read(const TextReference& reference, std::string& text) = 0;
};

}  // namespace neardup
