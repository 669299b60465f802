// NeighbourSink: the results of queries of an index, one line each: a table with tabs, or JSON Lines.
//
//   query  id  distance      a neighbour; the members of JSON have these names
//   query  count             under `counts`, one line a query; empty or null where a text is too short for a fingerprint
// A neighbour's id is its name, or its number in an index without names. On standard output, every batch of answers is written immediately.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "neardup/sink.h"
#include "neardup/source.h"

namespace neardup {

struct NeighbourFormat {
  bool jsonl = false;   ///< JSON Lines, whatever the name of the output; a name that ends in .jsonl means it too
  bool counts = false;  ///< numbers of neighbours, not the neighbours
};

/// A piece is one query: begin(), then any number of add(), or one count(). Those are thread-safe.
class NeighbourSink : public PieceSink {
 public:
  /// Without a name, the query is named by its place, SOURCE:ROW.
  virtual void begin(std::optional<std::string_view> query, std::string& piece) const = 0;
  virtual void add(std::string_view name, uint32_t distance, std::string& piece) const = 0;
  virtual void add(uint64_t id, uint32_t distance, std::string& piece) const = 0;
  virtual void count(std::optional<uint64_t> neighbours, std::string& piece) const = 0;

  [[nodiscard]] virtual uint64_t queries() const noexcept = 0;     ///< appended so far
  [[nodiscard]] virtual uint64_t answered() const noexcept = 0;    ///< of these, with neighbours
  [[nodiscard]] virtual uint64_t neighbours() const noexcept = 0;  ///< of all
};

/// The path as in make_document_sink(). `source` names queries without a name; it is not owned, and may be null if all have one. Throws
/// Error{kOutput}.
std::unique_ptr<NeighbourSink> make_neighbour_sink(const std::string& path, const NeighbourFormat& format, const DocumentSource* source);

}  // namespace neardup
