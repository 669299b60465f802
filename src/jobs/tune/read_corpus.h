// read_corpus(): the one pass of tune over a corpus: counts, lengths and both samples.
//
// Keys are computed in parallel, the samples are filled in input order: the result is the same for any number of threads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "jobs/tune/length_histogram.h"
#include "jobs/tune/near_sample.h"
#include "jobs/tune/uniform_sample.h"
#include "neardup/options.h"
#include "neardup/tools/summary.h"
#include "neardup/tools/tune.h"

namespace neardup {

struct CorpusReading {
  explicit CorpusReading(const NearSample::Limits& limits) : near(limits), uniform(kUniformTexts) {}
  static constexpr size_t kUniformTexts = 4000;

  NearSample near;
  UniformSample uniform;
  LengthHistogram lengths;
  std::vector<uint64_t> documents_of;  ///< by source
  uint64_t documents = 0;
  uint64_t characters = 0;
  uint64_t empty = 0;
  Summary summary;
};

/// `clean`: value of the option, "html" to read the text off pages; the samples then have that text. Throws what map_documents() throws.
void read_corpus(const Options& options, const TuneRun& run, const std::string& clean, CorpusReading& reading);

}  // namespace neardup
