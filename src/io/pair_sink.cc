#include "io/bytes/compression.h"
#include "io/bytes/name_ending.h"
#include "io/bytes/output_file.h"
#include "io/json/field_text.h"
#include "neardup/io.h"

namespace neardup {
namespace {

constexpr size_t kFlushBytes = 1u << 16;

class FilePairSink final : public PairSink {
 public:
  FilePairSink(const std::string& path, const DocumentSource& source)
      : source_(source), json_(has_ending(without_compression_suffix(path), ".jsonl")), file_(path) {
    if (!json_) pending_ = "id_a\tid_b\tsimilarity\n";
  }

  void append(const End& a, const End& b, double similarity) override {
    if (json_) {
      pending_ += "{\"id_a\":";
      append_json_string(name_of(a), pending_);
      pending_ += ",\"id_b\":";
      append_json_string(name_of(b), pending_);
      pending_ += ",\"similarity\":";
      append_similarity(similarity, pending_);
      pending_ += "}\n";
    } else {
      append_tsv_cell(name_of(a), pending_);
      pending_.push_back('\t');
      append_tsv_cell(name_of(b), pending_);
      pending_.push_back('\t');
      append_similarity(similarity, pending_);
      pending_.push_back('\n');
    }
    if (pending_.size() >= kFlushBytes) flush();
  }
  void commit() override {
    flush();
    file_.commit();
  }
  void withdraw() noexcept override { file_.withdraw(); }

 private:
  // The user's id, or SOURCE:ROW.
  std::string_view name_of(const End& end) {
    if (end.has_id) return end.id;
    place_ = source_.source_name(end.where.source);
    place_.push_back(':');
    append_number(end.where.row, place_);
    return place_;
  }
  void flush() {
    file_.append(pending_);
    pending_.clear();
  }

  const DocumentSource& source_;
  const bool json_;
  OutputFile file_;
  std::string pending_;
  std::string place_;
};

}  // namespace

std::unique_ptr<PairSink> make_pair_sink(const std::string& path, const DocumentSource& source) {
  return std::make_unique<FilePairSink>(path, source);
}

}  // namespace neardup
