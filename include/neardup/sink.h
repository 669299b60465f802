// Sink: where a run's output goes. format() runs in parallel, append() in input order, commit() once at the end.
//
// Nothing appears under its final name before commit(). A sink that is destroyed without commit() leaves no trace.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "neardup/document.h"

namespace neardup {

/// The base of all outputs.
class Committable {
 public:
  virtual ~Committable() = default;

  /// Makes the output visible under its final name. Throws Error{kOutput}.
  virtual void commit() = 0;
  /// Undoes commit(), if it was called. Called when a later output of the same run could not commit.
  virtual void withdraw() noexcept = 0;
};

/// Receives documents with their verdicts.
class Sink : public Committable {
 public:
  /// True if format() needs the text or other parsed fields. The place and the id are always there.
  [[nodiscard]] virtual bool needs_parsed() const noexcept { return false; }
  /// True if format() needs Record::raw.
  [[nodiscard]] virtual bool needs_raw() const noexcept { return true; }
  /// Appends the bytes of this sink for one document, if any. Thread-safe.
  virtual void format(const Record& record, const Verdict& verdict, std::string& out) const = 0;
  /// Called in input order with the bytes of format() for consecutive documents of one source. Throws Error{kOutput}.
  virtual void append(uint32_t source, std::string_view bytes) = 0;
};

/// Receives rejected records, unchanged, in input order.
class RejectSink : public Committable {
 public:
  virtual void append(const Record& record) = 0;
};

/// Receives pairs, sorted by a, then b: a before b in input order, or, of pairs by containment, a contained in b.
class PairSink : public Committable {
 public:
  struct End {
    DocumentId where;
    std::string_view id;
    bool has_id = false;
  };
  virtual void append(const End& a, const End& b, double similarity) = 0;
};

/// Receives the pieces made from the documents, in input order.
class PieceSink : public Committable {
 public:
  virtual void append(const DocumentId& where, std::string_view piece) = 0;
  /// Called after the last piece of every batch, for readers that follow the output.
  virtual void flush() {}
};

}  // namespace neardup
