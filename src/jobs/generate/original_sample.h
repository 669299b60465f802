// OriginalSample: draws documents of a corpus, those whose texts have the smallest hashes, without repeated texts and ids.
//
// Filled by map_documents() with piece() in its workers; the sample is a function of the documents and the seed. Memory: the sample.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/sink.h"
#include "neardup/source.h"

namespace neardup::generate_detail {

struct Original {
  DocumentId where;
  std::string id;  ///< the user's, or SOURCE:ROW
  std::string text;
};

class OriginalSample final : public PieceSink {
 public:
  /// `source` names documents without an id; not owned.
  OriginalSample(const DocumentSource& source, uint64_t seed, uint64_t max_documents) noexcept
      : source_(source), seed_(seed), max_documents_(max_documents) {}

  /// Appends the piece of a document, nothing if it cannot be in the sample any more. Any thread.
  void piece(const Record& record, std::string& out) const;

  void append(const DocumentId& where, std::string_view piece) override;
  void commit() override {}
  void withdraw() noexcept override {}

  /// In input order. Ends the sample.
  std::vector<Original> take();
  /// Documents with a text or id of an earlier one in the sample.
  [[nodiscard]] uint64_t same() const noexcept { return same_; }

 private:
  const DocumentSource& source_;
  const uint64_t seed_;
  const uint64_t max_documents_;
  std::atomic<uint64_t> bound_{std::numeric_limits<uint64_t>::max()};  // no greater hash can be in the sample
  std::map<uint64_t, Original> chosen_;                                // by hash
  uint64_t same_ = 0;
};

}  // namespace neardup::generate_detail
