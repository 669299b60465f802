#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "base/atomic_file.h"
#include "base/made_folders.h"
#include "io/bytes/output_file.h"
#include "io/output_tree.h"
#include "io/port/source_traits.h"
#include "io/table/table_rows_sink.h"
#include "neardup/error.h"
#include "neardup/io.h"

namespace neardup {
namespace {

constexpr char kPresent = 1;

// A file of bytes as they come.
class PlainFile final : public TableRowsFile {
 public:
  explicit PlainFile(const std::string& path) : file_(path) {}
  void append(std::string_view bytes) override { file_.append(bytes); }
  void finish() override { file_.finish(); }
  void commit() override { file_.commit(); }
  void withdraw() noexcept override { file_.withdraw(); }

 private:
  OutputFile file_;
};

// One file open at a time: append() comes in the order of the sources. A table or JSON Lines input always gets its file, even an empty one;
// a text file is written, as it was, only when it is kept.
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
    folders_.make(std::filesystem::path(name).parent_path());
    if (const TableFile* table = traits_.table_of(source)) {
      files_.push_back(make_table_rows_file(name, *table, options_));
    } else {
      files_.push_back(std::make_unique<PlainFile>(name));
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

std::unique_ptr<Sink> make_directory_sink(const std::string& directory, const DocumentSource& source, const TargetOptions& options) {
  return std::make_unique<DirectorySink>(directory, source, options);
}

void remove_partial_outputs(const std::string& directory, const DocumentSource& source) {
  AtomicFile::remove_leftovers(output_names(directory, source, TraitsOf(source).reference_sources()));
}

}  // namespace neardup
