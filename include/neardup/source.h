// DocumentSource: where documents come from. One interface for files, databases and memory.
//
// A source is cut into batches. next() is called under a lock, one call at a time, and should be cheap; Batch::read() is called
// by worker threads in parallel and does the heavy part (reading, parsing). A run reads its source up to three times:
// after rewind() the same batches come in the same order with the same records, or an Error{kInput} says what changed.
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
    kText,    ///< everything but raw, which may lack what nobody asked for: a database is asked for the needed fields only
    kParsed,  ///< everything
  };
  /// Says for the n-th record of the batch (from 0) whether the reader wants it; the others are only counted. Asked exactly once for
  /// every record, in ascending order.
  using Filter = std::function<bool(uint32_t record)>;
  using Visitor = std::function<void(uint32_t record, const Record&)>;

  virtual ~Batch() = default;
  /// Visits the wanted records in order. An empty filter wants all. Throws Error{kInput}. Returns the number of records.
  /// Record::where.row counts from the start of the batch, or of the source if that begins inside it.
  virtual uint32_t read(Need need, const Filter& wanted, const Visitor& visit) = 0;

  /// Waits for what read(need) will want, where that comes from another machine: so that waiting takes no time from computing. May be
  /// called once before read(), which else waits itself. Throws what read() throws.
  virtual void fetch(Need need) { static_cast<void>(need); }

  /// The source of the first record. A batch may hold several whole sources (small files), or a part of one.
  [[nodiscard]] virtual uint32_t source() const noexcept = 0;
  /// Rows of that source that this batch used up, blank lines included; known after read(). Rows of the next batch of the same
  /// source follow on.
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
  /// True if Batch::fetch() waits for others more than it computes: then more batches are on their way at a time.
  [[nodiscard]] virtual bool waits() const noexcept { return false; }
  /// What a later run can tell by whether the source still is what it was: size and time of a file. Empty: it cannot be told.
  [[nodiscard]] virtual std::string state_of(uint32_t source) const {
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

}  // namespace neardup
