// One small example for each public header, as docs/library.md recommends it. Each checks what it did; the program names those that failed.
#include <neardup/compare.h>
#include <neardup/dedup.h>
#include <neardup/document.h>
#include <neardup/error.h>
#include <neardup/fingerprint.h>
#include <neardup/hamming_index.h>
#include <neardup/hamming_store.h>
#include <neardup/io.h>
#include <neardup/jieba.h>
#include <neardup/options.h>
#include <neardup/pairs.h>
#include <neardup/recipe.h>
#include <neardup/sink.h>
#include <neardup/sketcher.h>
#include <neardup/source.h>
#include <neardup/stop.h>
#include <neardup/texts.h>

#include <atomic>
#include <cstdio>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

const std::vector<std::string> kTexts = {
    "It was the best of times, it was the worst of times, it was the age of wisdom",
    "IT WAS the best of times, it was the worst of times: it was the age of wisdom!",
    "Call me Ishmael. Some years ago, never mind how long precisely, having little money",
};

// texts.h: texts in memory.
bool use_texts(const std::string&) {
  const std::vector<neardup::TextVerdict> verdicts = neardup::dedup_texts(kTexts, {});
  const std::vector<neardup::TextPair> pairs = neardup::pair_texts(kTexts, {});
  return verdicts[1].decision == neardup::Decision::kRemove && verdicts[1].keeper == 0 && pairs.size() == 1 && pairs[0].b == 1;
}

// options.h: every knob, by its name in the struct.
bool use_options(const std::string&) {
  neardup::Options options;
  options.recipe = "chars-5";
  options.threshold = 0.8;
  options.search = neardup::Search::kExact;
  options.keep = "longest";
  options.threads = 1;
  return neardup::dedup_texts(kTexts, options)[0].decision == neardup::Decision::kRemove;
}

// recipe.h: what a text is compared by. Store the id with the sketches.
bool use_recipe(const std::string&) {
  const neardup::Recipe preset = neardup::Recipe::load("words-5");
  const neardup::Recipe own = neardup::Recipe::parse(preset.canonical_json(), "mine");
  return own.id() == preset.id() && !neardup::Recipe::preset_names().empty();
}

// sketcher.h: features and sketches of single texts. One Sketcher for all threads, one Scratch for each.
bool use_sketcher(const std::string&) {
  const neardup::Sketcher sketcher(neardup::Recipe::load("simhash-words-3"));
  neardup::Sketcher::Scratch scratch;
  std::vector<uint32_t> sketch(sketcher.sketch_words());
  const neardup::Sketcher::Result result = sketcher.sketch(kTexts[0], scratch, sketch);
  const neardup::Fingerprint128 fingerprint = neardup::Sketcher::fingerprint(sketch);
  const size_t features = sketcher.features(kTexts[0], scratch).size();
  return !result.too_short && fingerprint.high == 0 && features > 3 && sketcher.exact(kTexts[0], scratch).exact == result.exact;
}

// fingerprint.h: the bits of a SimHash, and their distance.
bool use_fingerprint(const std::string&) {
  const neardup::Fingerprint64 a{0x9f3c2b1a00ff1234};
  const auto read = neardup::fingerprint64_from_hex(neardup::to_hex(a));
  return read == a && neardup::hamming_distance(a, {a.low ^ 5}) == 2;
}

// hamming_index.h: all fingerprints within a distance, in memory.
bool use_hamming_index(const std::string&) {
  const std::vector<neardup::Fingerprint64> codes = {{0x9f3c2b1a00ff1234}, {0x9f3c2b1a00ff1230}, {0x1111111111111111}};
  const auto index = neardup::HammingIndex64::build(codes, {}, {.radius = 3});
  neardup::HammingScratch scratch;
  std::vector<neardup::HammingHit> hits;
  index.query(codes[0], 3, scratch, hits);
  return hits == std::vector<neardup::HammingHit>{{0, 0}, {1, 1}} && index.count_pairs(3, 1) == 1;
}

// hamming_store.h: the same in a folder that grows and shrinks.
bool use_hamming_store(const std::string& folder) {
  const std::string path = folder + "/index";
  {
    auto store = neardup::HammingStore64::create(path, {.bits = 64, .radius = 3, .names = true});
    store.add({0x9f3c2b1a00ff1234}, "first");
    store.flush();
    neardup::HammingBulk<neardup::Fingerprint64> bulk(store);
    bulk.add({0x9f3c2b1a00ff1230}, "second");
    bulk.commit();
  }
  const auto reader = neardup::HammingStore64::open(path, neardup::HammingAccess::kRead);
  neardup::HammingStoreScratch scratch;
  std::vector<neardup::HammingHit> hits;
  reader.nearest({0x9f3c2b1a00ff1230}, 1, 3, scratch, hits);
  return hits.size() == 1 && reader.name(hits[0].id) == "second" && reader.count({0x9f3c2b1a00ff1230}, 3, scratch) == 2;
}

// compare.h: two texts, measured.
bool use_compare(const std::string&) {
  const neardup::Sketcher sketcher(neardup::Recipe::load("words-5"));
  const neardup::Comparison comparison = neardup::compare_texts(sketcher, kTexts[0], kTexts[1]);
  return comparison.matches(neardup::Threshold::parse("0.8")) && comparison.passages.size() == 1;
}

// io.h and dedup.h: files in, files out. Nothing appears before everything is written.
bool use_io(const std::string& folder) {
  const std::string input = folder + "/corpus.jsonl";
  std::ofstream file(input, std::ios::binary);
  for (const std::string& text : kTexts) file << R"({"text": ")" << text << "\"}\n";
  file.close();
  const auto source = neardup::open_source({input}, {});
  const auto kept = neardup::make_document_sink(folder + "/kept.jsonl.gz", neardup::Which::kKept, *source);
  const auto verdicts = neardup::make_verdict_sink(folder + "/verdicts.tsv", *source);
  neardup::check_outputs({folder + "/kept.jsonl.gz", folder + "/verdicts.tsv"}, *source);
  neardup::DedupRun run;
  run.source = source.get();
  run.sinks = {kept.get(), verdicts.get()};
  const neardup::Summary summary = neardup::dedup({}, run);
  return summary.kept == 2 && std::ifstream(folder + "/kept.jsonl.gz").good() && std::ifstream(folder + "/verdicts.tsv").good();
}

// source.h: documents from wherever the program has them.
class Lines final : public neardup::DocumentSource {
 public:
  explicit Lines(const std::vector<std::string>& lines) : lines_(lines) {}
  std::unique_ptr<neardup::Batch> next() override { return std::exchange(read_, true) ? nullptr : std::make_unique<AllLines>(lines_); }
  void rewind() override { read_ = false; }
  uint32_t source_count() const noexcept override { return 1; }
  std::string_view source_name(uint32_t) const override { return "lines"; }
  uint64_t input_bytes() const noexcept override { return 0; }

 private:
  class AllLines final : public neardup::Batch {
   public:
    explicit AllLines(const std::vector<std::string>& lines) : lines_(lines) {}
    uint32_t read(Need, const Filter& wanted, const Visitor& visit) override {
      for (uint32_t i = 0; i < lines_.size(); ++i) {
        if (wanted && !wanted(i)) continue;
        neardup::Record record;
        record.where = {.source = 0, .row = i + uint64_t{1}};
        record.raw = record.text = lines_[i];
        visit(i, record);
      }
      return static_cast<uint32_t>(lines_.size());
    }
    uint32_t source() const noexcept override { return 0; }
    uint64_t rows() const noexcept override { return lines_.size(); }
    uint64_t input_bytes() const noexcept override { return 0; }

   private:
    const std::vector<std::string>& lines_;
  };

  const std::vector<std::string>& lines_;
  bool read_ = false;
};

// sink.h: what becomes of them, to wherever the program wants it.
class RemovedLines final : public neardup::Sink {
 public:
  void format(const neardup::Record& record, const neardup::Verdict& verdict, std::string& out) const override {
    if (verdict.decision == neardup::Decision::kRemove) out.append(record.raw).append("\n");
  }
  void append(uint32_t, std::string_view bytes) override { waiting_.append(bytes); }
  void commit() override { removed = waiting_; }
  void withdraw() noexcept override { removed.clear(); }

  std::string removed;

 private:
  std::string waiting_;
};

bool use_source_and_sink(const std::string&) {
  Lines source(kTexts);
  RemovedLines sink;
  neardup::DedupRun run;
  run.source = &source;
  run.sinks = {&sink};
  return neardup::dedup({}, run).removed == 1 && sink.removed == kTexts[1] + "\n";
}

// dedup.h: kept and removed documents of any source; the summary has the counts.
bool use_dedup(const std::string&) {
  Lines source(kTexts);
  neardup::DedupRun run;
  run.source = &source;
  std::atomic<int> reports = 0;
  run.progress = [&](const neardup::Progress&) { ++reports; };
  const neardup::Summary summary = neardup::dedup({}, run);
  return summary.read == summary.kept + summary.removed + summary.rejected && !summary.to_json().empty();
}

// pairs.h: all similar pairs, instead of removals.
class PairList final : public neardup::PairSink {
 public:
  void append(const End& a, const End& b, double similarity) override { waiting_.push_back({a.where, b.where, similarity}); }
  void commit() override { pairs = waiting_; }
  void withdraw() noexcept override { pairs.clear(); }

  struct Pair {
    neardup::DocumentId a;
    neardup::DocumentId b;
    double similarity = 0;
  };
  std::vector<Pair> pairs;

 private:
  std::vector<Pair> waiting_;
};

bool use_pairs(const std::string&) {
  Lines source(kTexts);
  PairList sink;
  neardup::PairsRun run;
  run.source = &source;
  run.sink = &sink;
  const neardup::Summary summary = neardup::pairs({}, run);
  return summary.read == kTexts.size() && sink.pairs.size() == 1 && sink.pairs[0].a.row == 1 && sink.pairs[0].b.row == 2 &&
         sink.pairs[0].similarity >= 0.8;
}

// document.h: the input and the result of a run.
bool use_document(const std::string&) {
  const neardup::DocumentId first{.source = 0, .row = 7};
  const neardup::DocumentId second{.source = 1, .row = 1};
  return first < second && neardup::to_string(neardup::Reason::kExactCopy) == "exact_copy";
}

// error.h: the one exception; its code says whose fault it is.
bool use_error(const std::string& folder) {
  try {
    neardup::open_source({folder + "/missing.jsonl"}, {});
  } catch (const neardup::Error& error) {
    return error.code() == neardup::ErrorCode::kInput && std::string_view(error.what()).find("missing.jsonl") != std::string_view::npos;
  }
  return false;
}

// stop.h: a run is ended from outside by a function that says so.
bool use_stop(const std::string&) {
  Lines source(kTexts);
  neardup::DedupRun run;
  run.source = &source;
  const std::atomic<bool> stop = true;
  run.stop = [&] { return stop.load(); };
  try {
    neardup::dedup({}, run);
  } catch (const neardup::Error& error) {
    return error.code() == neardup::ErrorCode::kStopped;
  }
  return false;
}

// jieba.h: your own dictionary of Chinese words, and words of the program's own.
bool use_jieba(const std::string& folder) {
  std::ofstream(folder + "/words.txt", std::ios::binary) << "北京 34488 ns\n清华大学 2053 nt\n";
  const neardup::DictionaryInfo made = neardup::build_jieba_dictionary(
      {.words = folder + "/words.txt", .idf = {}, .stop_words = {}, .hmm = {}, .tags = {}}, folder + "/words.dict");
  neardup::Jieba jieba(folder + "/words.dict");
  const std::string text = "我来到北京清华大学";
  const bool whole = jieba.cut(text, false).back() == "清华大学";
  jieba.del_word("清华大学");
  jieba.add_word("来到");
  const std::vector<std::string> words = jieba.cut(text, false);
  const neardup::Jieba::Token second = jieba.tokenize(text, neardup::Jieba::TokenizeMode::kDefault, false)[1];
  return made.words == 2 && neardup::jieba_dictionary_info(folder + "/words.dict").id == made.id && whole &&
         words == std::vector<std::string>{"我", "来到", "北京", "清", "华", "大", "学"} && second.word == "来到" && second.begin == 1 &&
         second.end == 3 && second.begin_byte == 3;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: examples DIRECTORY\n");
    return 2;
  }
  const std::pair<const char*, std::function<bool(const std::string&)>> examples[] = {
      {"compare.h", use_compare},
      {"dedup.h", use_dedup},
      {"document.h", use_document},
      {"error.h", use_error},
      {"fingerprint.h", use_fingerprint},
      {"hamming_index.h", use_hamming_index},
      {"hamming_store.h", use_hamming_store},
      {"io.h", use_io},
      {"jieba.h", use_jieba},
      {"options.h", use_options},
      {"pairs.h", use_pairs},
      {"recipe.h", use_recipe},
      {"sketcher.h", use_sketcher},
      {"source.h, sink.h", use_source_and_sink},
      {"stop.h", use_stop},
      {"texts.h", use_texts},
  };
  int failed = 0;
  for (const auto& [header, example] : examples) {
    try {
      if (example(argv[1])) continue;
      std::fprintf(stderr, "the example of %s does not do what it should\n", header);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "the example of %s: %s\n", header, error.what());
    }
    ++failed;
  }
  return failed == 0 ? 0 : 1;
}
