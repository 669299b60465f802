// How the queries of neardup query INDEX are answered: one by one while documents stream by, or batch by batch where all are fingerprints.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>

#include "neardup/hamming_store.h"
#include "neardup/options.h"
#include "neardup/tools/fingerprint_files.h"
#include "neardup/tools/map_documents.h"
#include "neardup/tools/neighbours.h"

namespace neardup::cli {

struct AnswerRule {
  uint32_t radius = 0;
  uint64_t limit = std::numeric_limits<uint64_t>::max();  ///< the nearest of each query
  bool counts = false;
};

/// One query a document, by options.recipe; run.sink is `sink`.
template <typename Code>
Summary answer_documents(const HammingStore<Code>& store, const AnswerRule& rule, const Options& options, const MapRun& run,
                         const NeighbourSink& sink);

/// Those of `codes`, whose names are as many. Does not commit.
template <typename Code>
void answer_all(const HammingStore<Code>& store, const AnswerRule& rule, std::span<const Code> codes, std::span<const std::string> names,
                uint32_t threads, NeighbourSink& sink);

/// All that the reader gives, as many at a time as there are without waiting. Returns how many were too short. Does not commit.
template <typename Code>
uint64_t answer_fingerprints(const HammingStore<Code>& store, const AnswerRule& rule, FingerprintReader& reader, uint32_t threads,
                             const std::function<bool()>& stop, NeighbourSink& sink);

}  // namespace neardup::cli
