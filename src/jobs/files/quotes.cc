#include "neardup/tools/quotes.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/spill_file.h"
#include "dedup/pass/outputs.h"
#include "dedup/pass/pass_progress.h"
#include "io/bytes/compression.h"
#include "io/bytes/name_ending.h"
#include "io/json/field_text.h"
#include "neardup/io.h"
#include "neardup/stop.h"
#include "neardup/tools/machine.h"
#include "neardup/tools/map_documents.h"
#include "neardup/tools/plan.h"
#include "neardup/tools/readable.h"
#include "search/quotes/quotes.h"
#include "text/clue/clue_form.h"
#include "text/utf8/code_point_cursor.h"

namespace neardup {
namespace {

constexpr uint64_t kTextShare = 8;     // of the memory: texts and names, before they go to a file
constexpr uint64_t kPlacesShare = 16;  // places of forms that are kept for the next rows

// What a worker makes of a text, as bytes: the sizes, then the id, the text, its form and its anchors.
struct QuotePiece {
  uint32_t id_bytes;
  uint32_t text_bytes;
  uint32_t form_bytes;
  uint32_t anchors;
  uint32_t has_id;
};

// Receives the pieces in input order.
class QuoteCorpus final : public PieceSink {
 public:
  QuoteCorpus(const DocumentSource& source, QuoteFinder& finder, uint64_t memory_bytes, const std::string& temp_dir)
      : source_(source), finder_(finder), bytes_(memory_bytes / kTextShare, temp_dir) {}

  void append(const DocumentId& where, std::string_view bytes) override {
    QuotePiece piece;
    std::memcpy(&piece, bytes.data(), sizeof piece);
    bytes.remove_prefix(sizeof piece);
    const auto take = [&bytes](size_t count) {
      const std::string_view taken = bytes.substr(0, count);
      bytes.remove_prefix(count);
      return taken;
    };
    const std::string_view id = take(piece.id_bytes);
    const std::string_view text = take(piece.text_bytes);
    const std::string_view form = take(piece.form_bytes);
    anchors_.resize(piece.anchors);
    if (piece.anchors > 0) std::memcpy(anchors_.data(), bytes.data(), piece.anchors * sizeof(Anchor));
    finder_.add(form, anchors_);
    bytes_.append(piece.has_id != 0 ? id : fmt::format("{}:{}", source_.source_name(where.source), where.row));
    name_ends_.push_back(bytes_.size());
    bytes_.append(text);
    text_ends_.push_back(bytes_.size());
  }
  void commit() override {}
  void withdraw() noexcept override {}

  void finish() { all_ = bytes_.bytes(); }
  [[nodiscard]] std::string_view name(uint32_t text) const noexcept {
    const uint64_t begin = text == 0 ? 0 : text_ends_[text - 1];
    return all_.substr(begin, name_ends_[text] - begin);
  }
  [[nodiscard]] std::string_view text(uint32_t text) const noexcept {
    return all_.substr(name_ends_[text], text_ends_[text] - name_ends_[text]);
  }
  [[nodiscard]] uint64_t spilled_bytes() const noexcept { return bytes_.spilled_bytes(); }

 private:
  const DocumentSource& source_;
  QuoteFinder& finder_;
  std::vector<Anchor> anchors_;
  SpillFile bytes_;
  std::string_view all_;
  std::vector<uint64_t> name_ends_;
  std::vector<uint64_t> text_ends_;
};

// A form with the bytes of its text that each code point came from.
class PlacedForm {
 public:
  struct Bytes {
    uint64_t begin;
    uint64_t end;
  };

  PlacedForm(std::string_view text, const ClueForm& form, ClueForm::Scratch& scratch) {
    form.form_with_places(text, form_, places_, scratch);
    CodePointCursor cursor(form_);
    for (size_t at = 0; at <= form_.size(); at += kBlock) counts_.push_back(static_cast<uint32_t>(cursor.count_before(at)));
  }
  /// Of the run of code points [begin, end), in bytes of the form.
  [[nodiscard]] Bytes bytes_of(size_t begin, size_t end) const {
    return {places_[count_before(begin)].begin, places_[count_before(end) - 1].end};
  }
  [[nodiscard]] size_t size() const noexcept { return places_.size(); }

 private:
  static constexpr size_t kBlock = 1024;  // bytes that are counted at most, so that a place in a long form costs little

  [[nodiscard]] size_t count_before(size_t byte) const {
    size_t count = counts_[byte / kBlock];
    for (size_t at = byte / kBlock * kBlock; at < byte; ++at) count += (static_cast<uint8_t>(form_[at]) & 0xC0) != 0x80 ? 1 : 0;
    return count;
  }

  std::string form_;
  std::vector<ClueForm::Place> places_;
  std::vector<uint32_t> counts_;  // of code points that begin before each block
};

// Translates runs of forms into bytes of texts. Runs come by ascending text, and the same earlier texts are asked for again and again, so
// both are kept.
class QuotePlaces {
 public:
  QuotePlaces(const QuoteCorpus& corpus, const ClueForm& form, uint64_t memory_bytes)
      : corpus_(corpus), form_(form), max_points_(memory_bytes / kPlacesShare / sizeof(ClueForm::Place)) {}

  PlacedForm::Bytes of_later(const RunPlace& run) {
    if (!later_ || later_text_ != run.text) later_.emplace(corpus_.text(run.text), form_, scratch_);
    later_text_ = run.text;
    return later_->bytes_of(run.begin, run.end);
  }
  PlacedForm::Bytes of_earlier(const RunPlace& run) {
    auto found = earlier_.find(run.text);
    if (found == earlier_.end()) {
      if (points_ > max_points_) {
        earlier_.clear();
        points_ = 0;
      }
      found = earlier_.try_emplace(run.text, corpus_.text(run.text), form_, scratch_).first;
      points_ += found->second.size();
    }
    return found->second.bytes_of(run.begin, run.end);
  }

 private:
  const QuoteCorpus& corpus_;
  const ClueForm& form_;
  const uint64_t max_points_;
  uint64_t points_ = 0;  // of earlier_
  ClueForm::Scratch scratch_;
  uint32_t later_text_ = 0;
  std::optional<PlacedForm> later_;
  std::unordered_map<uint32_t, PlacedForm> earlier_;
};

struct QuoteEnd {
  std::string_view id;
  PlacedForm::Bytes bytes;
};

void append_quote_table_row(const QuoteEnd& a, const QuoteEnd& b, uint32_t columns, std::string_view passage, std::string& out) {
  for (const QuoteEnd* end : {&a, &b}) {
    append_tsv_cell(end->id, out);
    out += fmt::format("\t{}\t{}\t", end->bytes.begin, end->bytes.end);
  }
  append_number(columns, out);
  out.push_back('\t');
  append_tsv_cell(passage, out);
  out.push_back('\n');
}

void append_quote_line(const QuoteEnd& a, const QuoteEnd& b, uint32_t columns, std::string_view passage, std::string& out) {
  out += "{\"id_a\":";
  append_json_string(a.id, out);
  out += fmt::format(R"(,"begin_a":{},"end_a":{},"id_b":)", a.bytes.begin, a.bytes.end);
  append_json_string(b.id, out);
  out += fmt::format(R"(,"begin_b":{},"end_b":{},"length":{},"passage":)", b.bytes.begin, b.bytes.end, columns);
  append_json_string(passage, out);
  out += "}\n";
}

class QuoteRows {
 public:
  QuoteRows(PieceSink& sink, bool json, const QuoteCorpus& corpus, const ClueForm& form, uint64_t memory_bytes)
      : sink_(sink), json_(json), corpus_(corpus), places_(corpus, form, memory_bytes) {
    if (!json) write("id_a\tbegin_a\tend_a\tid_b\tbegin_b\tend_b\tlength\tpassage\n");
  }

  void add(const RepeatedRuns::Run& found, Quotes& totals) {
    const QuoteEnd a{corpus_.name(found.here.text), places_.of_later(found.here)};
    const std::string_view passage = corpus_.text(found.here.text).substr(a.bytes.begin, a.bytes.end - a.bytes.begin);
    for (const RunPlace& earlier : found.earlier) {
      const QuoteEnd b{corpus_.name(earlier.text), places_.of_earlier(earlier)};
      row_.clear();
      json_ ? append_quote_line(a, b, found.columns, passage, row_) : append_quote_table_row(a, b, found.columns, passage, row_);
      write(row_);
    }
    ++totals.passages;
    totals.rows += found.earlier.size();
    totals.capped_passages += found.more ? 1 : 0;
    if (totals.texts == 0 || found.here.text != text_) {
      ++totals.texts;
      text_ = found.here.text;
      covered_ = 0;
    }
    if (a.bytes.end > covered_) totals.shared_bytes += a.bytes.end - std::max(a.bytes.begin, covered_);
    covered_ = std::max(covered_, a.bytes.end);
  }

 private:
  void write(std::string_view row) { sink_.append({}, row); }

  PieceSink& sink_;
  const bool json_;
  const QuoteCorpus& corpus_;
  QuotePlaces places_;
  std::string row_;
  uint32_t text_ = 0;     // of the row before
  uint64_t covered_ = 0;  // the end of its passages so far
};

// Forms and anchors of all texts into `finder`, the texts into `corpus`.
Summary read_quote_texts(const Options& options, const QuotesRun& run, uint32_t threads, const ClueForm& form, QuoteFinder& finder,
                         QuoteCorpus& corpus) {
  struct Worker {
    ClueForm::Scratch scratch;
    AnchorScratch anchor_scratch;
    std::string form;
    std::vector<Anchor> anchors;
  };
  std::vector<Worker> workers(threads);
  const auto map = [&](uint32_t number, const Record& record, std::string& out) {
    Worker& worker = workers[number];
    form.form(record.text, worker.form, worker.scratch);
    text_anchors(worker.form, finder.shape(), worker.anchor_scratch, worker.anchors);
    const QuotePiece piece{static_cast<uint32_t>(record.id.size()), static_cast<uint32_t>(record.text.size()),
                           static_cast<uint32_t>(worker.form.size()), static_cast<uint32_t>(worker.anchors.size()),
                           record.has_id ? 1u : 0u};
    out.append(reinterpret_cast<const char*>(&piece), sizeof piece);
    out.append(record.id).append(record.text).append(worker.form);
    out.append(reinterpret_cast<const char*>(worker.anchors.data()), worker.anchors.size() * sizeof(Anchor));
    return false;
  };
  BorrowedRejectSink rejects(run.rejects);
  MapRun pass{run, &corpus, options.max_rejects};
  pass.rejects = &rejects;
  return map_documents("read", threads, map, pass);
}

}  // namespace

Quotes quotes(const Options& options, const QuotesRun& run) {
  const StopScope scope(&run.stop);
  const RunPlan plan = plan_run(options);
  const std::unique_ptr<PieceSink> sink = make_piece_sink(run.output);
  const bool json = has_ending(without_compression_suffix(run.output), ".jsonl");
  const ClueForm form(run.fold_han);
  QuoteFinder finder(
      {.min_columns = run.min_run, .max_places = run.max_places, .memory_bytes = plan.memory_bytes, .temp_dir = options.temp_dir});
  QuoteCorpus corpus(*run.source, finder, plan.memory_bytes, options.temp_dir);
  Quotes found{.summary = read_quote_texts(options, run, plan.threads, form, finder, corpus)};

  const auto start = std::chrono::steady_clock::now();
  corpus.finish();
  QuoteRows rows(*sink, json, corpus, form, plan.memory_bytes);
  const PassMonitor monitor{run.progress};
  PassProgress progress(monitor, "compare", finder.texts());
  uint32_t texts_done = 0;
  finder.for_each([&](const RepeatedRuns::Run& passage) {
    progress.done(passage.here.text - std::exchange(texts_done, passage.here.text));
    rows.add(passage, found);
  });
  found.compared_points = finder.shared_points();
  found.slices = finder.slices();
  Summary& summary = found.summary;
  summary.passes.push_back(
      {"compare", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), summary.text_bytes});
  summary.spilled_bytes = finder.spilled_bytes() + corpus.spilled_bytes();
  summary.peak_memory_bytes = peak_memory_bytes();

  Outputs outputs;
  outputs.add(sink.get());
  outputs.add(run.rejects);
  outputs.commit();
  return found;
}

std::string Quotes::to_json() const {
  std::string json = summary.to_json();
  json.pop_back();
  return json +
         fmt::format(
             R"(,"quotes":{{"passages":{},"rows":{},"texts":{},"shared_bytes":{},"capped_passages":{},"compared_points":{},"slices":{}}}}})",
             passages, rows, texts, shared_bytes, capped_passages, compared_points, slices);
}

std::string Quotes::to_text(bool verbose) const {
  std::string text = fmt::format("{} in {}, {} of {} shared\n", counted(passages, "passage"), counted(texts, "text"),
                                 data_size(shared_bytes), data_size(summary.text_bytes));
  if (capped_passages > 0) text += fmt::format("{} with more places than were listed\n", counted(capped_passages, "passage"));
  return text + summary.to_text(verbose);
}

}  // namespace neardup
