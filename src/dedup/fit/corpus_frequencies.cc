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
#include "features/frequency_builder.h"
#include "neardup/error.h"
#include "neardup/sketcher.h"
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
  DocumentFrequencyBuilder builder(threads, memory_bytes, temp_dir);
  std::vector<Sketcher::Scratch> scratches(threads);
  std::atomic<uint64_t> text_bytes{0};
  std::atomic<uint64_t> documents{0};
  for_each_batch(
      source, threads, monitor, "count", [](Batch& batch, uint64_t) { batch.fetch(Batch::Need::kText); },
      [&](uint32_t worker, Batch& batch, uint64_t, size_t) {
        Sketcher::Scratch& scratch = scratches[worker];
        batch.read(Batch::Need::kText, {}, [&](uint32_t, const Record& record) {
          if (!record.problem.empty() || record.text.size() > limits::kMaxTextBytes) return;
          builder.add(worker, SketcherAccess::token_hashes(sketcher, record.text, scratch));
          text_bytes += record.text.size();
          ++documents;
        });
      },
      [&](Batch&, uint64_t, size_t) { return documents.exchange(0); });
  std::optional<TempFolder> folder;
  if (keep_as.empty()) folder.emplace(temp_dir);
  const std::string path = folder ? folder->path() + "/corpus.idf" : keep_as;
  AtomicFile file(path);
  FrequencyWriter writer(1, temp_dir);
  builder.write(writer);
  recipe.ids.idf = writer.finish(frequency_description(sketcher.recipe().canonical_json()), builder.documents(), file);
  file.commit();
  auto table = std::make_unique<const DocumentFrequencyTable>(DocumentFrequencyTable::open(path));
  return {std::move(recipe), std::move(table), text_bytes, builder.spilled_bytes()};
}

std::optional<FittedRecipe> load_fitted(const Recipe& recipe, const std::string& path) {
  if (path_kind(path) == PathKind::kMissing) return std::nullopt;
  try {
    auto table = std::make_unique<const DocumentFrequencyTable>(DocumentFrequencyTable::open(path));
    if (table->description() != frequency_description(tokens_only(recipe).canonical_json())) return std::nullopt;
    FittedRecipe fitted{recipe, nullptr, 0, 0};
    fitted.recipe.ids.idf = table->id();
    fitted.table = std::move(table);
    return fitted;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kInput) throw;
    return std::nullopt;  // the machine lost power while it was written: it is fitted again
  }
}

}  // namespace neardup
