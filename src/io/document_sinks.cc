// The sinks of neardup/io.h that write documents: the kept or the removed ones, all with their verdicts, or a file for each input.
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/atomic_file.h"
#include "base/made_folders.h"
#include "io/bytes/compression.h"
#include "io/json/added_members.h"
#include "io/json/field_projection.h"
#include "io/json/field_text.h"
#include "io/port/connectors.h"
#include "io/port/source_traits.h"
#include "io/table/table_rows_sink.h"
#include "neardup/error.h"
#include "neardup/io.h"

namespace neardup {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "neardup_";  // of the members that annotate
constexpr std::string_view kWhite = " \t\n\r";
constexpr char kPresent = 1;  // before the bytes of a text file, also of an empty one

class DocumentSink final : public Sink {
 public:
  DocumentSink(std::unique_ptr<LineTarget> target, Which which, const DocumentSource& source, const TargetOptions& options)
      : written_(which == Which::kKept ? Decision::kKeep : Decision::kRemove),
        source_(source),
        traits_(source),
        key_(target->key_member()),
        target_(std::move(target)) {
    if (!options.fields.empty()) projection_.emplace(options.fields, *options.recipe, key_);
  }

  [[nodiscard]] bool needs_parsed() const noexcept override { return traits_.any_text() || (projection_ && projection_->needs_text()); }

  void format(const Record& record, const Verdict& verdict, std::string& out) const override {
    if (verdict.decision != written_) return;
    if (!traits_.is_text(record.where.source)) {
      format_line(record, record.raw, out);
    } else if (key_.empty() && !projection_) {
      append_text_line(record, out);
    } else {
      std::string line;
      append_text_line(record, line);
      format_line(record, line, out);
    }
    out.push_back('\n');
  }
  void append(uint32_t, std::string_view bytes) override { target_->append(bytes); }
  void commit() override { target_->commit(); }
  void withdraw() noexcept override { target_->withdraw(); }

 private:
  static void append_text_line(const Record& record, std::string& out) {
    out += "{\"id\":";
    append_json_string(record.id, out);
    out += ",\"text\":";
    append_json_string(record.text, out);
    out += '}';
  }
  void format_line(const Record& record, std::string_view line, std::string& out) const {
    if (projection_) {
      projection_->write(record, line, source_, out);
    } else if (key_.empty()) {
      out += line;
    } else {
      append_keyed_line(key_, line, record, source_, out);
    }
  }

  const Decision written_;
  const DocumentSource& source_;
  const TraitsOf traits_;
  const std::string key_;  // LineTarget::key_member()
  std::optional<FieldProjection> projection_;
  const std::unique_ptr<LineTarget> target_;
};

class AnnotateSink final : public Sink {
 public:
  AnnotateSink(std::unique_ptr<LineTarget> target, const DocumentSource& source)
      : source_(source), traits_(source), target_(std::move(target)) {}

  [[nodiscard]] bool needs_parsed() const noexcept override { return traits_.any_text(); }

  void format(const Record& record, const Verdict& verdict, std::string& out) const override {
    const std::string_view key = target_->key_member();
    if (target_->updates()) {
      out += "{\"";
      out += key;
      out += "\":";
      out += member_of(record.raw, key);
      append_verdict_json(kPrefix, verdict, source_, out);
      out += "}\n";
      return;
    }
    if (key.empty()) return format_line(record, verdict, out);
    std::string line;
    format_line(record, verdict, line);
    append_keyed_line(key, line, record, source_, out);
  }
  void append(uint32_t, std::string_view bytes) override { target_->append(bytes); }
  void commit() override { target_->commit(); }
  void withdraw() noexcept override { target_->withdraw(); }

 private:
  void format_line(const Record& record, const Verdict& verdict, std::string& out) const {
    // A document is an object, so its last brace closes it, and only white space can follow.
    const size_t brace = record.raw.rfind('}');
    if (traits_.is_text(record.where.source) || brace == std::string_view::npos || brace == 0) {
      out += "{\"id\":";
      append_json_string(record.id, out);
      out += ",\"text\":";
      append_json_string(record.text, out);
      append_verdict_json(kPrefix, verdict, source_, out);
      out += "}\n";
      return;
    }
    out.append(record.raw, 0, brace);
    const size_t fields = out.size();
    append_verdict_json(kPrefix, verdict, source_, out);
    const size_t before = record.raw.find_last_not_of(kWhite, brace - 1);
    if (record.raw[before] == '{') out.erase(fields, 1);  // no member before: no comma
    out.append(record.raw, brace);
    out.push_back('\n');
  }

  const DocumentSource& source_;
  const TraitsOf traits_;
  const std::unique_ptr<LineTarget> target_;
};

fs::path absolute_path(std::string_view name) {
  std::error_code error;
  const fs::path absolute = fs::absolute(fs::path(name), error);
  return (error ? fs::path(name) : absolute).lexically_normal();
}

// a.warc.gz -> a.warc.jsonl.gz
fs::path lines_name(std::string_view name) {
  const std::string_view plain = without_compression_suffix(name);
  return std::string(plain) + ".jsonl" + std::string(name.substr(plain.size()));
}

fs::path common_folder(const fs::path& a, const fs::path& b) {
  fs::path common;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end() && *i == *j; ++i, ++j) common /= *i;
  return common;
}

// The targets of all sources from `first` on: the same names below `directory`, without the longest folder that all share.
// Throws Error{kOutput} for standard input, which has no name, and for two inputs that would have one target.
std::vector<std::string> output_names(const std::string& directory, const DocumentSource& source, uint32_t first) {
  std::vector<fs::path> paths;
  fs::path common;
  for (uint32_t i = first; i < source.source_count(); ++i) {
    const std::string_view name = source.source_name(i);
    if (name == "-") throw Error(ErrorCode::kOutput, "standard input has no name for a file in '" + directory + "'");
    paths.push_back(absolute_path(name));
    if (TraitsOf(source).is_archive(i)) paths.back() = lines_name(paths.back().native());
    common = i == first ? paths.back().parent_path() : common_folder(common, paths.back().parent_path());
  }
  std::vector<std::string> names;
  std::map<std::string, std::string_view> taken;
  for (size_t i = 0; i < paths.size(); ++i) {
    names.push_back((fs::path(directory) / paths[i].lexically_relative(common)).native());
    const std::string_view input = source.source_name(first + static_cast<uint32_t>(i));
    const auto [before, inserted] = taken.try_emplace(names.back(), input);
    if (!inserted) {
      throw Error(ErrorCode::kOutput,
                  "'" + std::string(before->second) + "' and '" + std::string(input) + "' would both be written to '" + names.back() + "'");
    }
  }
  return names;
}

// One file open at a time: append() comes in the order of the sources. A table or JSON Lines input always gets its file, even an empty one;
// a text file is written, unchanged, only when it is kept.
class DirectorySink final : public Sink {
 public:
  DirectorySink(const std::string& directory, const DocumentSource& source, const TargetOptions& options)
      : traits_(source),
        options_(options),
        first_(traits_.reference_sources()),
        sources_(source.source_count()),
        directory_(directory),
        names_(output_names(directory, source, first_)),
        next_(first_) {
    check_outputs(names_, source);
    folders_.make(directory_);
  }
  ~DirectorySink() override {
    if (committed_) return;
    files_.clear();
    folders_.remove();
  }
  DirectorySink(const DirectorySink&) = delete;
  DirectorySink& operator=(const DirectorySink&) = delete;

  [[nodiscard]] bool needs_raw() const noexcept override {
    for (uint32_t i = first_; i < sources_; ++i) {
      const TableFile* table = traits_.table_of(i);
      if (table == nullptr || table->kind != TableKind::kParquet) return true;
    }
    return false;
  }
  void format(const Record& record, const Verdict& verdict, std::string& out) const override {
    if (verdict.decision != Decision::kKeep) return;
    if (traits_.is_text(record.where.source)) {
      out.push_back(kPresent);  // an empty file that is kept is still a file
      out += record.raw;
    } else if (const TableFile* table = traits_.table_of(record.where.source)) {
      format_kept_row(record, *table, out);
    } else {
      out += record.raw;
      out.push_back('\n');
    }
  }

  void append(uint32_t source, std::string_view bytes) override {
    if (source < first_ || bytes.empty()) return;
    open_until(source + 1);
    if (traits_.is_text(source)) {
      open(source);
      bytes.remove_prefix(1);
    }
    files_.back()->append(bytes);
  }

  void commit() override {
    open_until(sources_);
    if (!files_.empty()) files_.back()->finish();
    try {
      for (const auto& file : files_) file->commit();
    } catch (...) {
      withdraw();
      throw;
    }
    committed_ = true;
  }

  void withdraw() noexcept override {
    for (const auto& file : files_) file->withdraw();
    files_.clear();
    folders_.remove();
  }

 private:
  // Opens the files of all JSON Lines inputs before `end` that have none yet.
  void open_until(uint32_t end) {
    for (; next_ < end; ++next_) {
      if (!traits_.is_text(next_)) open(next_);
    }
  }

  void open(uint32_t source) {
    if (!files_.empty()) files_.back()->finish();
    const std::string& name = names_[source - first_];
    folders_.make(fs::path(name).parent_path());
    if (const TableFile* table = traits_.table_of(source)) {
      files_.push_back(make_table_rows_file(name, *table, options_));
    } else {
      files_.push_back(make_plain_rows_file(name));
    }
  }

  const TraitsOf traits_;
  const TargetOptions options_;
  const uint32_t first_;
  const uint32_t sources_;
  const std::string directory_;
  const std::vector<std::string> names_;
  uint32_t next_;
  MadeFolders folders_;
  std::vector<std::unique_ptr<TableRowsFile>> files_;
  bool committed_ = false;
};

}  // namespace

std::unique_ptr<Sink> make_document_sink(const std::string& target, Which which, const DocumentSource& source,
                                         const TargetOptions& options) {
  const RowsWritten written = which == Which::kKept ? RowsWritten::kKept : RowsWritten::kRemoved;
  if (options.fields.empty()) {
    if (auto rows = make_table_rows_sink(target, written, source, options)) return rows;
  }
  return std::make_unique<DocumentSink>(open_target(target, options), which, source, options);
}

std::unique_ptr<Sink> make_annotate_sink(const std::string& target, const DocumentSource& source, const TargetOptions& options) {
  if (auto rows = make_table_rows_sink(target, RowsWritten::kAnnotated, source, options)) return rows;
  TargetOptions annotated = options;
  annotated.lines = TargetOptions::Lines::kAnnotated;
  return std::make_unique<AnnotateSink>(open_target(target, annotated), source);
}

std::unique_ptr<Sink> make_directory_sink(const std::string& directory, const DocumentSource& source, const TargetOptions& options) {
  return std::make_unique<DirectorySink>(directory, source, options);
}

void remove_partial_outputs(const std::string& directory, const DocumentSource& source) {
  AtomicFile::remove_leftovers(output_names(directory, source, TraitsOf(source).reference_sources()));
}

}  // namespace neardup
