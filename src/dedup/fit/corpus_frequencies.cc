#include "dedup/fit/corpus_frequencies.h"

#include <fmt/format.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <exception>
#include <filesystem>

#include "base/atomic_file.h"
#include "base/limits.h"
#include "base/open_file.h"
#include "base/temp_file.h"
#include "features/feature_weigher.h"
#include "features/frequency_builder.h"
#include "neardup/error.h"
#include "sketch/sketcher_access.h"

namespace neardup {
namespace {

// A private folder that is removed with its files.
class TempFolder {
 public:
  explicit TempFolder(const std::string& parent) : path_(temp_folder(parent) + "/neardup-XXXXXX") {
    if (::mkdtemp(path_.data()) == nullptr)
      throw Error(ErrorCode::kOutput, fmt::format("cannot make a folder in '{}': {}", temp_folder(parent), std::strerror(errno)));
  }
  ~TempFolder() {
    try {
      std::error_code ignored;
      std::filesystem::remove_all(path_, ignored);
    } catch (const std::exception&) {  // not enough memory to read it
    }
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

struct CountInputs {
  DocumentSource& source;
  uint32_t threads;
  uint64_t memory_bytes;
  const std::string& temp_dir;
  const PassMonitor& monitor;
  const std::string& keep_as;
};

struct CountedTable {
  std::string description;
  uint32_t min_frequency;
};

struct Counted {
  std::unique_ptr<const DocumentFrequencyTable> table;
  uint64_t text_bytes = 0;
  uint64_t spilled_bytes = 0;
};

// The pass "count". hashes_of(record, scratch): what is counted, with repetitions.
template <typename HashesOf>
Counted count(const CountInputs& in, const CountedTable& made, const HashesOf& hashes_of) {
  DocumentFrequencyBuilder builder(in.threads, in.memory_bytes, in.temp_dir);
  std::vector<Sketcher::Scratch> scratches(in.threads);
  std::atomic<uint64_t> text_bytes{0};
  std::atomic<uint64_t> documents{0};
  for_each_batch(
      in.source, in.threads, in.monitor, "count", [](Batch& batch, uint64_t) { batch.fetch(Batch::Need::kText); },
      [&](uint32_t worker, Batch& batch, uint64_t, size_t) {
        Sketcher::Scratch& scratch = scratches[worker];
        batch.read(Batch::Need::kText, {}, [&](uint32_t, const Record& record) {
          if (!record.problem.empty() || record.text.size() > limits::kMaxTextBytes) return;
          builder.add(worker, hashes_of(record, scratch));
          text_bytes += record.text.size();
          ++documents;
        });
      },
      [&](Batch&, uint64_t, size_t) { return documents.exchange(0); });
  std::optional<TempFolder> folder;
  if (in.keep_as.empty()) folder.emplace(in.temp_dir);
  const std::string path = folder ? folder->path() + "/corpus.idf" : in.keep_as;
  AtomicFile file(path);
  FrequencyWriter writer(made.min_frequency, in.temp_dir);
  builder.write(writer);
  writer.finish(made.description, builder.documents(), file);
  file.commit();
  return {std::make_unique<const DocumentFrequencyTable>(DocumentFrequencyTable::open(path)), text_bytes, builder.spilled_bytes()};
}

// A stored table of this description, if it is usable.
std::unique_ptr<const DocumentFrequencyTable> load(const std::string& path, const std::string& description) {
  if (path_kind(path) == PathKind::kMissing) return nullptr;
  try {
    auto table = std::make_unique<const DocumentFrequencyTable>(DocumentFrequencyTable::open(path));
    if (table->description() != description) return nullptr;
    return table;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kInput) throw;
    return nullptr;  // the machine lost power while it was written: it is fitted again
  }
}

// Of the features themselves: everything in the recipe that makes them, and not only the tokens.
std::string features_description(const Recipe& recipe) {
  return R"({"features_of":)" + recipe.canonical_json() + "}";
}

}  // namespace

Recipe tokens_only(const Recipe& recipe) {
  Recipe tokens = recipe;
  tokens.weighting = Weighting::kNone;
  tokens.top_k = 0;
  tokens.idf.clear();
  tokens.ids.idf = 0;
  tokens.sketch = SketchKind::kMinHash;
  return tokens;
}

FittedRecipe fit_recipe(Recipe recipe, DocumentSource& source, uint32_t threads, uint64_t memory_bytes, const std::string& temp_dir,
                        const PassMonitor& monitor, const std::string& keep_as) {
  if (!recipe.needs_fitting()) return {std::move(recipe), nullptr, 0, 0};
  const Sketcher sketcher(tokens_only(recipe));
  Counted counted =
      count({source, threads, memory_bytes, temp_dir, monitor, keep_as},
            {.description = frequency_description(sketcher.recipe().canonical_json()), .min_frequency = 1},
            [&](const Record& record, Sketcher::Scratch& scratch) { return SketcherAccess::token_hashes(sketcher, record.text, scratch); });
  recipe.ids.idf = counted.table->id();
  return {std::move(recipe), std::move(counted.table), counted.text_bytes, counted.spilled_bytes};
}

FittedFeatures fit_features(const Sketcher& sketcher, bool blocks, DocumentSource& source, uint32_t threads, uint64_t memory_bytes,
                            const std::string& temp_dir, const PassMonitor& monitor, const std::string& keep_as) {
  Counted counted = count({source, threads, memory_bytes, temp_dir, monitor, keep_as},
                          {.description = features_description(sketcher.recipe()), .min_frequency = FeatureWeigher::kMinFrequency},
                          [&](const Record& record, Sketcher::Scratch& scratch) {
                            if (blocks) SketcherAccess::enter_block(sketcher, record.block, scratch);
                            return SketcherAccess::occurrences(sketcher, record.text, scratch);
                          });
  return {std::move(counted.table), counted.text_bytes, counted.spilled_bytes};
}

std::optional<FittedRecipe> load_fitted(const Recipe& recipe, const std::string& path) {
  auto table = load(path, frequency_description(tokens_only(recipe).canonical_json()));
  if (table == nullptr) return std::nullopt;
  FittedRecipe fitted{recipe, nullptr, 0, 0};
  fitted.recipe.ids.idf = table->id();
  fitted.table = std::move(table);
  return fitted;
}

std::unique_ptr<const DocumentFrequencyTable> load_features(const Recipe& recipe, const std::string& path) {
  return load(path, features_description(recipe));
}

}  // namespace neardup
