#include "neardup/tools/neighbours.h"

#include <fmt/format.h>

#include "io/bytes/compression.h"
#include "io/bytes/name_ending.h"
#include "io/bytes/output_file.h"
#include "io/json/field_text.h"

namespace neardup {
namespace {

// A piece consists of lines: the cell of the query, empty if the place names it; then the rest of each row, one line per neighbour.
class LineSink : public NeighbourSink {
 public:
  LineSink(const std::string& path, bool counts, const DocumentSource* source) : counts_(counts), source_(source), file_(path) {}

  void append(const DocumentId& where, std::string_view piece) override {
    const size_t cell = piece.find('\n');
    query_ = piece.substr(0, cell);
    if (query_.empty()) append_name(fmt::format("{}:{}", source_->source_name(where.source), where.row), query_);
    lines_.clear();
    ++queries_;
    bool any = false;
    for (size_t at = cell + 1; at < piece.size();) {
      const size_t end = piece.find('\n', at) + 1;
      const std::string_view line = piece.substr(at, end - at);
      // Under counts_ a line begins with the number for internal use, and a blank.
      const size_t blank = counts_ ? line.find(' ') : 0;
      const uint64_t found = counts_ ? std::stoull(std::string(line.substr(0, blank))) : 1;
      neighbours_ += found;
      any = any || found > 0;
      append_line(line.substr(counts_ ? blank + 1 : 0));
      at = end;
    }
    answered_ += any;
    file_.append(lines_);
  }
  void flush() override { file_.flush(); }
  void commit() override { file_.commit(); }
  void withdraw() noexcept override { file_.withdraw(); }

  void begin(std::optional<std::string_view> query, std::string& piece) const override {
    if (query) append_name(*query, piece);
    piece.push_back('\n');
  }

  [[nodiscard]] uint64_t queries() const noexcept override { return queries_; }
  [[nodiscard]] uint64_t answered() const noexcept override { return answered_; }
  [[nodiscard]] uint64_t neighbours() const noexcept override { return neighbours_; }

 protected:
  // Not empty, in one line.
  virtual void append_name(std::string_view name, std::string& out) const = 0;
  // `rest` with its newline, after query_.
  virtual void append_line(std::string_view rest) = 0;

  static void begin_count(std::optional<uint64_t> neighbours, std::string& piece) {
    append_number(neighbours.value_or(0), piece);
    piece.push_back(' ');
  }

  const bool counts_;
  const DocumentSource* const source_;
  OutputFile file_;
  std::string query_;
  std::string lines_;
  uint64_t queries_ = 0;
  uint64_t answered_ = 0;
  uint64_t neighbours_ = 0;
};

class JsonNeighbours final : public LineSink {
 public:
  using LineSink::LineSink;
  void add(std::string_view name, uint32_t distance, std::string& piece) const override {
    piece += ",\"id\":";
    append_json_string(name, piece);
    end(distance, piece);
  }
  void add(uint64_t id, uint32_t distance, std::string& piece) const override {
    piece += ",\"id\":";
    append_number(id, piece);
    end(distance, piece);
  }
  void count(std::optional<uint64_t> neighbours, std::string& piece) const override {
    begin_count(neighbours, piece);
    piece += ",\"count\":";
    if (neighbours) append_number(*neighbours, piece);
    piece += neighbours ? "}\n" : "null}\n";
  }

 private:
  static void end(uint32_t distance, std::string& piece) {
    piece += ",\"distance\":";
    append_number(distance, piece);
    piece += "}\n";
  }
  void append_name(std::string_view name, std::string& out) const override { append_json_string(name, out); }
  void append_line(std::string_view rest) override {
    lines_ += "{\"query\":";
    lines_ += query_;
    lines_ += rest;
  }
};

class TableNeighbours final : public LineSink {
 public:
  TableNeighbours(const std::string& path, bool counts, const DocumentSource* source) : LineSink(path, counts, source) {
    file_.append(counts ? "query\tcount\n" : "query\tid\tdistance\n");
  }
  void add(std::string_view name, uint32_t distance, std::string& piece) const override {
    append_tsv_cell(name, piece);
    end(distance, piece);
  }
  void add(uint64_t id, uint32_t distance, std::string& piece) const override {
    append_number(id, piece);
    end(distance, piece);
  }
  void count(std::optional<uint64_t> neighbours, std::string& piece) const override {
    begin_count(neighbours, piece);
    if (neighbours) append_number(*neighbours, piece);
    piece.push_back('\n');
  }

 private:
  static void end(uint32_t distance, std::string& piece) {
    piece.push_back('\t');
    append_number(distance, piece);
    piece.push_back('\n');
  }
  void append_name(std::string_view name, std::string& out) const override {
    append_tsv_cell(name, out);
    if (name.empty()) out.push_back(' ');
  }
  void append_line(std::string_view rest) override {
    lines_ += query_;
    lines_.push_back('\t');
    lines_ += rest;
  }
};

}  // namespace

std::unique_ptr<NeighbourSink> make_neighbour_sink(const std::string& path, const NeighbourFormat& format, const DocumentSource* source) {
  if (format.jsonl || has_ending(without_compression_suffix(path), ".jsonl"))
    return std::make_unique<JsonNeighbours>(path, format.counts, source);
  return std::make_unique<TableNeighbours>(path, format.counts, source);
}

}  // namespace neardup
