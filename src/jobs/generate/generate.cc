#include "neardup/tools/generate.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <unordered_set>

#include "base/parallel.h"
#include "dedup/pass/outputs.h"
#include "jobs/generate/families.h"
#include "jobs/generate/original_sample.h"
#include "neardup/error.h"
#include "neardup/stop.h"
#include "neardup/texts.h"
#include "neardup/tools/machine.h"
#include "neardup/tools/map_documents.h"

namespace neardup {
namespace {

using namespace generate_detail;

// From this similarity on, two documents of the sample would be near-duplicates that no label tells of.
constexpr uint32_t kSameInSample = 500'000;

void check_generate_run(const GenerateRun& run, size_t turns) {
  for (const std::string& name : run.kinds) {
    const auto kinds = all_edit_kinds();
    if (std::any_of(kinds.begin(), kinds.end(), [&](const EditKind& kind) { return kind.info.name == name; })) continue;
    std::string known;
    for (const EditKind& kind : kinds) known += fmt::format("{}{}", known.empty() ? "" : ", ", kind.info.name);
    throw Error(ErrorCode::kUsage, fmt::format("kind: expected {}, not '{}'", known, name));
  }
  std::unordered_set<std::string_view> labels;
  for (const EditStrength& strength : run.strengths) {
    if (!labels.insert(strength.label()).second)
      throw Error(ErrorCode::kUsage, fmt::format("strength: '{}' is given twice", strength.label()));
  }
  if (run.copies > turns)
    throw Error(ErrorCode::kUsage, fmt::format("copies: expected 0 to {}, one for each kind and strength, not {}", turns, run.copies));
  if (run.max_documents < 2 || run.max_documents > GenerateRun::kMaxDocuments)
    throw Error(ErrorCode::kUsage,
                fmt::format("documents: expected 2 to {} documents, not {}", GenerateRun::kMaxDocuments, run.max_documents));
  if (run.min_words < 1) throw Error(ErrorCode::kUsage, "min-words: expected at least 1 word, not 0");
}

// Leaves out documents that resemble one before them; returns how many.
uint64_t drop_similar(std::vector<Original>& originals, const Options& options) {
  std::vector<std::string_view> texts;
  texts.reserve(originals.size());
  for (const Original& original : originals) texts.push_back(original.text);
  Options exact;
  exact.recipe = kMeasuredBy;
  exact.threshold = Threshold::from_millionths(kSameInSample);
  exact.search = Search::kExact;
  exact.threads = options.threads;
  exact.temp_dir = options.temp_dir;
  std::vector<bool> dropped(originals.size());
  // In the order of a, so that dropped[a] is final.
  for (const TextPair& pair : pair_texts(texts, exact)) {
    if (!dropped[pair.a]) dropped[pair.b] = true;
  }
  const size_t drawn = originals.size();
  size_t i = 0;
  std::erase_if(originals, [&](const Original&) { return static_cast<bool>(dropped[i++]); });
  return drawn - originals.size();
}

// How many families are made at once after a block of `block`, the largest of which has `largest` bytes: more as long as they stay small,
// and at least one for each thread.
size_t next_block(size_t block, size_t largest, uint32_t threads) {
  constexpr size_t kMostFamilies = 256;
  constexpr size_t kBlockBytes = size_t{32} << 20;
  return std::max<size_t>(threads, std::min({2 * block, kMostFamilies, kBlockBytes / largest}));
}

// Writes families in order and counts what they have.
class FamilyWriter {
 public:
  FamilyWriter(const GenerateRun& run, const std::vector<Turn>& turns, GenerateSummary& summary) : run_(run), summary_(summary) {
    for (const Turn& turn : turns) summary_.kinds.push_back({std::string(turn.kind->info.name), std::string(turn.strength_label())});
  }

  void write(const Original& original, const Family& family) {
    claim(original.id);
    for (const Family::Copy& copy : family.copies) {
      claim(copy.id);
      GenerateSummary::Kind& kind = summary_.kinds[copy.turn];
      ++kind.copies;
      kind.mean_similarity += copy.similarity;
    }
    ++summary_.originals;
    summary_.copies += family.copies.size();
    summary_.pairs += family.pairs.size();
    if (run_.documents != nullptr) run_.documents->append(original.where, family.lines);
    if (run_.truth == nullptr) return;
    for (const Family::Pair& pair : family.pairs)
      run_.truth->append({original.where, pair.a, true}, {original.where, pair.b, true}, pair.similarity);
  }

  void finish() {
    for (GenerateSummary::Kind& kind : summary_.kinds) {
      if (kind.copies > 0) kind.mean_similarity /= static_cast<double>(kind.copies);
    }
  }

 private:
  // A corpus that was itself generated has ids of this form.
  void claim(const std::string& id) {
    if (!ids_.insert(id).second)
      throw Error(ErrorCode::kInput, fmt::format("two documents of the output would have the id '{}': give the input other ids", id));
  }

  const GenerateRun& run_;
  GenerateSummary& summary_;
  std::unordered_set<std::string> ids_;
};

}  // namespace

std::vector<EditKindInfo> edit_kinds() {
  std::vector<EditKindInfo> kinds;
  for (const EditKind& kind : all_edit_kinds()) kinds.push_back(kind.info);
  return kinds;
}

GenerateSummary generate(const Options& options, const GenerateRun& run) {
  const StopScope scope(&run.stop);
  const std::vector<Turn> turns = turns_of(run);
  check_generate_run(run, turns.size());
  GenerateSummary summary;

  OriginalSample sample(*run.source, run.seed, run.max_documents);
  BorrowedRejectSink rejects(run.rejects);
  RunHooks hooks = run;
  hooks.rejects = &rejects;
  const MapDocument map = [&](uint32_t, const Record& record, std::string& piece) {
    if (!has_units(record.text, run.min_words)) return true;
    sample.piece(record, piece);
    return false;
  };
  summary.read = map_documents("read", options.threads, map, {hooks, &sample, options.max_rejects});
  summary.short_texts = summary.read.short_texts;
  std::vector<Original> originals = sample.take();
  summary.same_texts = sample.same();
  summary.not_sampled = summary.read.kept - summary.short_texts - summary.same_texts - originals.size();
  summary.similar = drop_similar(originals, options);
  if (originals.size() < 2) {
    throw Error(ErrorCode::kInput,
                fmt::format("generate requires at least 2 different documents of at least {} words, the input has {}{}", run.min_words,
                            originals.size(), summary.short_texts > 0 ? "; min-words lowers that bound" : ""));
  }

  const auto start = std::chrono::steady_clock::now();
  Families made(originals, run, turns, options.threads);
  FamilyWriter writer(run, turns, summary);
  const uint32_t threads = resolve_threads(options.threads);
  size_t block = threads;  // families in memory
  for (size_t first = 0, next = 0; first < originals.size(); first = next) {
    std::vector<Family> families(std::min(block, originals.size() - first));
    next = first + families.size();
    parallel_for(threads, families.size(), 1, [&](uint32_t worker, size_t i) { families[i] = made.make(first + i, worker); });
    size_t largest = 1;
    for (size_t i = 0; i < families.size(); ++i) {
      largest = std::max(largest, families[i].lines.size());
      writer.write(originals[first + i], families[i]);
    }
    block = next_block(block, largest, threads);
    if (run.progress) {
      run.progress({.pass = "generate",
                    .documents = first + families.size(),
                    .steps_done = first + families.size(),
                    .steps_total = originals.size()});
    }
  }
  writer.finish();
  Outputs outputs;
  outputs.add(run.documents);
  outputs.add(run.truth);
  outputs.add(run.rejects);
  outputs.commit();
  summary.read.passes.push_back({"generate", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 0});
  summary.read.peak_memory_bytes = peak_memory_bytes();
  return summary;
}

}  // namespace neardup
