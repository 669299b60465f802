#include "neardup/texts.h"

#include <algorithm>
#include <cstring>

#include "neardup/dedup.h"
#include "neardup/pairs.h"

namespace neardup {
namespace {

constexpr size_t kTextsPerBatch = 512;

class TextBatch : public Batch {
 public:
  explicit TextBatch(std::span<const std::string_view> texts) : texts_(texts) {}

  uint32_t read(Need, const Filter& wanted, const Visitor& visit) override {
    for (uint32_t i = 0; i < texts_.size(); ++i) {
      if (wanted && !wanted(i)) continue;
      Record record;
      record.where = {0, i + uint64_t{1}};
      record.raw = record.text = texts_[i];
      visit(i, record);
    }
    return static_cast<uint32_t>(texts_.size());
  }
  [[nodiscard]] uint32_t source() const noexcept override { return 0; }
  [[nodiscard]] uint64_t rows() const noexcept override { return texts_.size(); }
  [[nodiscard]] uint64_t input_bytes() const noexcept override {
    uint64_t bytes = 0;
    for (const std::string_view text : texts_) bytes += text.size();
    return bytes;
  }

 private:
  std::span<const std::string_view> texts_;
};

class TextSource : public DocumentSource {
 public:
  explicit TextSource(std::span<const std::string_view> texts) : texts_(texts) {
    for (const std::string_view text : texts) bytes_ += text.size();
  }
  std::unique_ptr<Batch> next() override {
    if (next_ >= texts_.size()) return nullptr;
    const size_t first = next_;
    next_ = std::min(next_ + kTextsPerBatch, texts_.size());
    return std::make_unique<TextBatch>(texts_.subspan(first, next_ - first));
  }
  void rewind() override { next_ = 0; }
  [[nodiscard]] uint32_t source_count() const noexcept override { return 1; }
  [[nodiscard]] std::string_view source_name(uint32_t) const override { return "memory"; }
  [[nodiscard]] uint64_t input_bytes() const noexcept override { return bytes_; }

 private:
  std::span<const std::string_view> texts_;
  size_t next_ = 0;
  uint64_t bytes_ = 0;
};

// Verdicts pass the sink interface, which accepts only bytes, as their bytes.
class VerdictCollector : public Sink {
 public:
  explicit VerdictCollector(std::vector<TextVerdict>& verdicts) : verdicts_(verdicts) {}
  void format(const Record&, const Verdict& verdict, std::string& out) const override {
    const TextVerdict row{verdict.decision, verdict.reason, verdict.decision == Decision::kRemove ? verdict.keeper.row - 1 : 0,
                          verdict.similarity};
    out.append(reinterpret_cast<const char*>(&row), sizeof row);
  }
  void append(uint32_t, std::string_view bytes) override {
    const size_t count = bytes.size() / sizeof(TextVerdict);
    const size_t at = verdicts_.size();
    verdicts_.resize(at + count);
    std::memcpy(verdicts_.data() + at, bytes.data(), bytes.size());
  }
  void commit() override {}
  void withdraw() noexcept override {}

 private:
  std::vector<TextVerdict>& verdicts_;
};

class PairCollectorSink : public PairSink {
 public:
  explicit PairCollectorSink(std::vector<TextPair>& pairs) : pairs_(pairs) {}
  void append(const End& a, const End& b, double similarity) override { pairs_.push_back({a.where.row - 1, b.where.row - 1, similarity}); }
  void commit() override {}
  void withdraw() noexcept override {}

 private:
  std::vector<TextPair>& pairs_;
};

}  // namespace

std::unique_ptr<DocumentSource> make_text_source(std::span<const std::string_view> texts) {
  return std::make_unique<TextSource>(texts);
}

std::vector<TextVerdict> dedup_texts(std::span<const std::string_view> texts, const Options& options, Summary* summary) {
  TextSource source(texts);
  std::vector<TextVerdict> verdicts;
  VerdictCollector collector(verdicts);
  DedupRun run;
  run.source = &source;
  run.sinks = {&collector};
  Summary result = dedup(options, run);
  if (summary != nullptr) *summary = std::move(result);
  return verdicts;
}

std::vector<TextPair> pair_texts(std::span<const std::string_view> texts, const Options& options, Summary* summary) {
  TextSource source(texts);
  std::vector<TextPair> found;
  PairCollectorSink collector(found);
  PairsRun run;
  run.source = &source;
  run.sink = &collector;
  Summary result = pairs(options, run);
  if (summary != nullptr) *summary = std::move(result);
  return found;
}

}  // namespace neardup
