#include "jobs/tune/read_corpus.h"

#include <cstring>
#include <limits>
#include <string_view>

#include "base/hash.h"
#include "base/parallel.h"
#include "jobs/tune/consistent_key.h"
#include "jobs/tune/text_traits.h"
#include "neardup/tools/map_documents.h"
#include "neardup/tools/run_recipe.h"
#include "text/clean/cleaner.h"
#include "text/utf8/characters.h"

namespace neardup {
namespace {

// What a worker passes on of a document; the id and the text follow if a sample may want them.
struct Piece {
  uint64_t key;
  uint64_t exact;
  uint64_t hash;
  uint64_t characters;
  uint32_t id_bytes;
  uint32_t text_bytes;
  bool empty;
  bool near;
  bool uniform;
};

class SampleSink : public PieceSink {
 public:
  explicit SampleSink(CorpusReading& reading) : reading_(reading) {}

  void append(const DocumentId& where, std::string_view bytes) override {
    Piece piece;
    std::memcpy(&piece, bytes.data(), sizeof piece);
    const std::string_view id = bytes.substr(sizeof piece, piece.id_bytes);
    const std::string_view text = bytes.substr(sizeof piece + piece.id_bytes, piece.text_bytes);
    ++reading_.documents;
    if (where.source >= reading_.documents_of.size()) reading_.documents_of.resize(where.source + size_t{1});
    ++reading_.documents_of[where.source];
    reading_.characters += piece.characters;
    reading_.empty += piece.empty;
    reading_.lengths.add(piece.characters);
    if (piece.near) reading_.near.add(piece.key, piece.exact, where, id, text);
    if (piece.uniform) reading_.uniform.add(piece.hash, text);
  }
  void commit() override {}
  void withdraw() noexcept override {}

 private:
  CorpusReading& reading_;
};

struct Worker {
  Cleaner::Scratch cleaner;
  ConsistentKey::Scratch keys;
};

CleanChain chain_of(const std::string& clean) {
  if (clean.empty()) return {};
  return CleanChain::parse(with_cleaner(Recipe::load("chars-5"), clean).clean, {});
}

}  // namespace

void read_corpus(const Options& options, const TuneRun& run, const std::string& clean, CorpusReading& reading) {
  const ConsistentKey keys;
  const CleanChain chain = chain_of(clean);
  std::vector<Worker> workers(resolve_threads(options.threads));
  SampleSink sink(reading);
  MapRun map{run, nullptr, options.max_rejects};
  map.sink = &sink;
  const auto look_at = [&](uint32_t number, const Record& record, std::string& out) {
    Worker& worker = workers[number];
    const std::string_view text = chain.clean(record.text, worker.cleaner);
    const ConsistentKey::Keys key = keys.of(text, worker.keys);
    Piece piece{.key = key.key,
                .exact = key.exact,
                .hash = hash64(text),
                .characters = count_character_begins(text),
                .id_bytes = static_cast<uint32_t>(record.id.size()),
                .text_bytes = 0,
                .empty = key.empty,
                .near = false,
                .uniform = false};
    // The bounds only fall: what they exclude now, the samples would not take later.
    const uint64_t bound = reading.near.bound();
    piece.near = key.key < bound || bound == std::numeric_limits<uint64_t>::max();
    piece.uniform = piece.hash <= reading.uniform.bound();
    const bool wanted = piece.near || piece.uniform;
    if (wanted) piece.text_bytes = static_cast<uint32_t>(text.size());
    out.append(reinterpret_cast<const char*>(&piece), sizeof piece);
    out.append(record.id);
    if (wanted) out.append(text);
    return false;
  };
  reading.summary = map_documents(clean.empty() ? "sample" : "sample pages", options.threads, look_at, map);
  reading.documents_of.resize(run.source->source_count());
}

}  // namespace neardup
