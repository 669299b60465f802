#include "neardup/tools/frequencies.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/atomic_file.h"
#include "base/format.h"
#include "base/hash.h"
#include "base/limits.h"
#include "dedup/fit/corpus_frequencies.h"
#include "dedup/pass/outputs.h"
#include "features/document_frequency.h"
#include "features/frequency_builder.h"
#include "features/frequency_words.h"
#include "features/frequency_writer.h"
#include "features/idf.h"
#include "jobs/text_sample.h"
#include "neardup/sketcher.h"
#include "neardup/stop.h"
#include "neardup/tools/map_documents.h"
#include "neardup/tools/plan.h"
#include "sketch/sketcher_access.h"
#include "text/tokens/token_buffer.h"

namespace neardup {
namespace {

void append_escaped(std::string_view word, std::string& out) {
  for (const char byte : word) {
    switch (byte) {
      case '\t':
        out += "\\t";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\\':
        out += "\\\\";
        break;
      default:
        out += byte;
    }
  }
}

void keep_smallest(std::string& kept, std::string_view word) {
  if (kept.empty() || word < kept) kept = word;
}

// Finds the words of the most frequent hashes of a table, for people.
class FrequentWords {
 public:
  /// `wanted` in the order of the table.
  FrequentWords(const std::vector<HashCount>& wanted, uint32_t workers);

  /// Workers in parallel.
  void look_at(uint32_t worker, const TokenBuffer& tokens);

  /// The word of the i-th wanted hash, empty if none was seen. If words share a hash, the smallest one represents them.
  [[nodiscard]] std::string word(size_t i) const;
  /// A header and one line for each of the first `count` words, tab-separated: word, documents, idf (six decimals), hash (16 hexadecimal
  /// digits). Tabs, line ends and backslashes in words are written as \t, \n, \r, \\.
  [[nodiscard]] std::string table(uint64_t documents, size_t count) const;

 private:
  const std::vector<HashCount>& wanted_;
  std::unordered_map<uint64_t, size_t> place_;   // hash to index in wanted_
  std::vector<std::vector<std::string>> words_;  // by worker and index; empty: not seen (no token is empty)
};

FrequentWords::FrequentWords(const std::vector<HashCount>& wanted, uint32_t workers)
    : wanted_(wanted), words_(workers, std::vector<std::string>(wanted.size())) {
  for (size_t i = 0; i < wanted.size(); ++i) place_[wanted[i].hash] = i;
}

void FrequentWords::look_at(uint32_t worker, const TokenBuffer& tokens) {
  for (size_t i = 0; i < tokens.size(); ++i) {
    const std::string_view word = tokens.token(i);
    if (const auto found = place_.find(hash64(word)); found != place_.end()) keep_smallest(words_[worker][found->second], word);
  }
}

std::string FrequentWords::word(size_t i) const {
  std::string word;
  for (const auto& of_worker : words_) {
    if (!of_worker[i].empty()) keep_smallest(word, of_worker[i]);
  }
  return word;
}

std::string FrequentWords::table(uint64_t documents, size_t count) const {
  std::string text = "word\tdocuments\tidf\thash\n";
  for (size_t i = 0; i < std::min(count, wanted_.size()); ++i) {
    append_escaped(word(i), text);
    const double idf = static_cast<double>(idf_fixed(documents, wanted_[i].count)) / kIdfOne;
    append_format(text, "\t{}\t{:.6f}\t{:016x}\n", wanted_[i].count, idf, wanted_[i].hash);
  }
  return text;
}

// A sample of this size lacks a token that one document in 500 has with a probability of 1 in 3,600.
constexpr size_t kSampledTexts = 4096;
constexpr uint64_t kSampleBytes = kSampledTexts * TextSample::kMaxBytes;
static_assert(kSampleBytes <= limits::kMinMemory * 3 / 4, "the rest is for counting");

class FrequencyPasses {
 public:
  FrequencyPasses(const Options& options, const RunPlan& plan, const FrequencyRun& run)
      : run_(run),
        max_rejects_(options.max_rejects),
        threads_(plan.threads),
        sketcher_(tokens_only(plan.recipe)),
        builder_(plan.threads, plan.memory_bytes - kSampleBytes, options.temp_dir),
        scratches_(plan.threads) {}

  Summary count() {
    BorrowedRejectSink rejects(run_.rejects);
    const auto add = [this](uint32_t worker, const Record& record, std::string&) {
      builder_.add(worker, SketcherAccess::token_hashes(sketcher_, record.text, scratches_[worker]));
      sample_.add(record.text);
      return false;
    };
    return map_documents("count", threads_, add, pass_over(&rejects));
  }

  void write(FrequencyWriter& writer, AtomicFile& table) {
    builder_.write(writer);
    writer.finish(frequency_description(sketcher_.recipe().canonical_json()), builder_.documents(), table);
  }
  // The words of the most frequent tokens of a written table, as far as a sample of the corpus has them: that needs no second reading, and
  // a large sample without a frequent token is very unlikely. A small corpus is its own sample.
  [[nodiscard]] std::vector<FrequencyWord> sampled_words(const std::vector<HashCount>& top) {
    const std::vector<HashCount> wanted(top.begin(), top.begin() + static_cast<std::ptrdiff_t>(std::min(top.size(), kMaxFrequencyWords)));
    FrequentWords found(wanted, 1);
    for (const auto& [hash, text] : sample_.texts()) found.look_at(0, SketcherAccess::tokenize(sketcher_, text, scratches_.front()));
    std::vector<FrequencyWord> words;
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (std::string word = found.word(i); !word.empty()) words.push_back({wanted[i].hash, std::move(word)});
    }
    return words;
  }
  [[nodiscard]] uint64_t spilled_bytes() const noexcept { return builder_.spilled_bytes(); }

  // Reads the corpus again: the table has only hashes.
  Summary name(FrequentWords& words) {
    const auto look = [&](uint32_t worker, const Record& record, std::string&) {
      words.look_at(worker, SketcherAccess::tokenize(sketcher_, record.text, scratches_[worker]));
      return false;
    };
    return map_documents("words", threads_, look, pass_over(nullptr));
  }

 private:
  // `rejects`: null in a later reading.
  [[nodiscard]] MapRun pass_over(RejectSink* rejects) const {
    MapRun map{run_, nullptr, max_rejects_};
    map.rejects = rejects;
    return map;
  }

  const FrequencyRun& run_;
  const RejectLimit max_rejects_;
  const uint32_t threads_;
  const Sketcher sketcher_;
  DocumentFrequencyBuilder builder_;
  TextSample sample_{kSampledTexts};
  std::vector<Sketcher::Scratch> scratches_;
};

using WordsByHash = std::unordered_map<uint64_t, std::string>;

// Of words that share a hash, the smallest one.
void add_words(const DocumentFrequencyTable& table, const std::string& name, WordsByHash& words) {
  for (const FrequencyWord& entry : read_frequency_words(table.words_section(), name)) keep_smallest(words[entry.hash], entry.word);
}

// Those of the merged table's most frequent tokens that a table has a word for.
std::vector<FrequencyWord> merged_words(const std::vector<NamedTable>& tables, const std::vector<HashCount>& top) {
  WordsByHash known;
  for (const auto& [name, table] : tables) add_words(table, name, known);
  std::vector<FrequencyWord> words;
  for (const HashCount& entry : top) {
    if (const auto found = known.find(entry.hash); found != known.end()) words.push_back({entry.hash, found->second});
  }
  return words;
}

}  // namespace

Summary fit_frequencies(const Options& options, const FrequencyRun& run) {
  const StopScope scope(&run.stop);
  const RunPlan plan = plan_run(options);
  AtomicFile table(run.output);
  std::optional<AtomicFile> words_file;
  if (!run.words.empty()) words_file.emplace(run.words);

  FrequencyPasses passes(options, plan, run);
  Summary summary = passes.count();
  FrequencyWriter writer(run.min_documents, options.temp_dir);
  writer.remember_top(std::max<uint64_t>(words_file ? run.top_words : 0, kMaxFrequencyWords));
  passes.write(writer, table);
  table.append(frequency_words_section(passes.sampled_words(writer.top())));
  if (words_file) {
    FrequentWords words(writer.top(), plan.threads);
    const Summary named = passes.name(words);
    summary.passes.push_back(named.passes.front());
    summary.peak_memory_bytes = named.peak_memory_bytes;
    words_file->append(words.table(summary.kept, run.top_words));
  }
  summary.recipe_name = plan.recipe.name;
  summary.recipe_id = plan.recipe.id();
  summary.spilled_bytes = passes.spilled_bytes();

  Outputs outputs;
  outputs.add(&table);
  outputs.add(words_file ? &*words_file : nullptr);
  outputs.add(run.rejects);
  outputs.commit();
  return summary;
}

void merge_frequencies(const Options& options, std::span<const std::string> inputs, const std::string& output, uint32_t min_documents) {
  std::vector<DocumentFrequencyTable> tables;
  tables.reserve(inputs.size());
  std::vector<NamedTable> named;
  for (const std::string& path : inputs) {
    tables.push_back(DocumentFrequencyTable::open(path));
    named.push_back({path, tables.back()});
  }
  AtomicFile file(output);
  FrequencyWriter writer(min_documents, options.temp_dir);
  writer.remember_top(kMaxFrequencyWords);
  const uint64_t documents = merge_tables(named, writer);
  writer.finish(tables.empty() ? std::string_view() : tables.front().description(), documents, file);
  file.append(frequency_words_section(merged_words(named, writer.top())));
  for (const DocumentFrequencyTable& table : tables) table.check_file();
  file.commit();
}

FrequencyInfo read_frequencies(const std::string& path, size_t top) {
  const DocumentFrequencyTable table = DocumentFrequencyTable::open(path);
  std::vector<size_t> order(table.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  const size_t shown = std::min(top, order.size());
  const auto counts = table.counts();
  // The hashes ascend, so that the index decides between equals.
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown), order.end(),
                    [&](size_t a, size_t b) { return counts[a] != counts[b] ? counts[a] > counts[b] : a < b; });
  const auto idf = [&](uint32_t frequency) { return static_cast<double>(table.idf_of_frequency(frequency)) / kIdfOne; };
  FrequencyInfo info{.id = table.id(),
                     .documents = table.documents(),
                     .tokens = table.size(),
                     .min_documents = table.min_frequency(),
                     .description = std::string(table.description()),
                     .unseen_idf = idf(0),
                     .top = {}};
  WordsByHash words;
  add_words(table, path, words);
  for (size_t i = 0; i < shown; ++i) {
    const uint64_t hash = table.hashes()[order[i]];
    std::string word;
    if (const auto found = words.find(hash); found != words.end()) append_escaped(found->second, word);
    info.top.push_back({hash, counts[order[i]], idf(counts[order[i]]), std::move(word)});
  }
  table.check_file();
  return info;
}

}  // namespace neardup
