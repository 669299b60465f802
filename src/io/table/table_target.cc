#include "io/table/table_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/temp_file.h"
#include "io/table/json_columns.h"
#include "io/table/table_output.h"
#include "neardup/error.h"
#include "neardup/io.h"

namespace neardup {
namespace {

class TableTarget final : public LineTarget {
 public:
  TableTarget(const std::string& path, const TargetOptions& options) : output_(path, options), spool_(options.temp_dir) {}

  void append(std::string_view lines) override {
    std::string repaired;
    while (!lines.empty()) {
      const size_t end = std::min(lines.find('\n'), lines.size() - 1) + 1;
      std::string_view line = lines.substr(0, end);
      lines.remove_prefix(end);
      if (line.find("\\ud") != std::string_view::npos || line.find("\\uD") != std::string_view::npos) {
        repaired = line;
        repair_surrogates(repaired);
        line = repaired;
      }
      columns_.add(line, precise_);
      if (!precise_.empty()) {
        quoted_.clear();
        size_t from = 0;
        for (const auto& [begin, finish] : precise_) {
          quoted_.append(line, from, begin - from).append("\"").append(line, begin, finish - begin).append("\"");
          from = finish;
        }
        line = quoted_.append(line, from);
      }
      longest_ = std::max<uint64_t>(longest_, line.size());
      spool_.append(line.data(), line.size());
      ++lines_;
    }
  }

  void commit() override {
    const bool parquet = table_kind_of(output_.path()) == TableKind::kParquet;
    std::string types;
    std::string select;
    for (const JsonColumns::Column& column : columns_.columns()) {
      const std::string comma = types.empty() ? "" : ", ";
      const std::string name = duck::quote_name(column.name);
      types += fmt::format("{}{}: {}", comma, duck::quote_text(column.name), duck::quote_text(column.sql_type));
      // A value that a cell of CSV cannot hold is written as JSON.
      select += comma + (column.nested && !parquet ? fmt::format("CAST(to_json({}) AS VARCHAR) AS {}", name, name) : name);
    }
    const std::string scan =
        lines_ == 0
            ? "(SELECT CAST(NULL AS VARCHAR) AS text LIMIT 0)"
            : fmt::format("read_json({}, format='newline_delimited', columns={{{}}}, maximum_object_size={}, compression='uncompressed')",
                          duck::quote_text(descriptor_path(spool_.descriptor())), types, std::max<uint64_t>(longest_ * 2, 1u << 24));
    try {
      duck::Connection connection(output_.database());
      const uint64_t written = output_.write(connection, fmt::format("SELECT {} FROM {}", select, scan));
      if (written != lines_) {
        throw Error(ErrorCode::kOutput, fmt::format("'{}': {} of {} rows were written", output_.path(), written, lines_));
      }
    } catch (const duck::Failure& failure) {
      throw Error(ErrorCode::kOutput, fmt::format("cannot write '{}': {}", output_.path(), failure.what()));
    }
    output_.finish();
    output_.commit();
  }
  void withdraw() noexcept override { output_.withdraw(); }

 private:
  TableOutput output_;
  TempFile spool_;
  JsonColumns columns_;
  std::vector<std::pair<size_t, size_t>> precise_;
  std::string quoted_;
  uint64_t longest_ = 0;
  uint64_t lines_ = 0;
};

bool takes(const std::string& target) {
  return !is_uri(target) && table_kind_of(target) != TableKind::kNone;
}

std::unique_ptr<LineTarget> open(const std::string& target, const TargetOptions& options) {
  return std::make_unique<TableTarget>(target, options);
}

}  // namespace

const TargetKind& table_target_kind() {
  static constexpr TargetKind kKind{"table", takes, open};
  return kKind;
}

}  // namespace neardup
