// store_documents(): one pass over a corpus that asks an online store about each document, and inserts the new ones.
//
// An answer is on the disk before its line is written. If the pass fails, the documents so far stay in the store: the same run again
// answers kRepeated for them. A document without an id is named SOURCE:ROW; on standard input, where that is no
// name, it is invalid.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "neardup/online_store.h"
#include "neardup/options.h"
#include "neardup/tools/map_documents.h"

namespace neardup {

/// What to do with each document.
struct StoreDocuments {
  bool insert = true;
  bool replace = false;
  bool touch = false;
};

/// read == kept + removed + repeated + conflicts + invalid + rejected, always.
struct StoreSummary {
  uint64_t read = 0;
  uint64_t kept = 0;
  uint64_t short_texts = 0;  ///< of the kept
  uint64_t removed = 0;
  uint64_t exact_copies = 0;  ///< of the removed
  uint64_t repeated = 0;
  uint64_t conflicts = 0;
  uint64_t invalid = 0;
  uint64_t rejected = 0;
  RejectCounts rejected_by_kind{};
  uint64_t repaired = 0;
  uint64_t malformed_texts = 0;
  uint64_t invalid_ids = 0;
  uint64_t text_bytes = 0;
  uint64_t stored = 0;  ///< documents of the store now
  uint64_t peak_memory_bytes = 0;
  uint32_t threads = 0;
  std::string kernels;
  std::vector<PassReport> passes;
  std::vector<std::string> warnings;

  [[nodiscard]] std::string to_json() const;
  [[nodiscard]] std::string to_text(bool verbose = false) const;  ///< for people
};

/// MapRun::sink gets a line of JSON for each document: docs/formats.md. Options used: threads, max_rejects. Throws Error.
StoreSummary store_documents(const Options& options, const StoreDocuments& what, OnlineStore& store, const MapRun& run);

}  // namespace neardup
