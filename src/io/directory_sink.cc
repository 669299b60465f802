#include <deque>
#include <filesystem>
#include <utility>

#include "io/output_file.h"
#include "io/output_tree.h"
#include "io/source_traits.h"
#include "neardup/error.h"
#include "neardup/io.h"

namespace neardup {
namespace {

constexpr char kPresent = 1;

// One file open at a time: append() comes in the order of the sources. A JSON Lines input always gets its file, even an empty one; a
// text file is written, as it was, only when it is kept.
class DirectorySink final : public Sink {
 public:
  DirectorySink(const std::string& directory, const DocumentSource& source)
      : traits_(source),
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

  void format(const Record& record, const Verdict& verdict, std::string& out) const override {
    if (verdict.decision != Decision::kKeep) return;
    if (traits_.is_text(record.where.source)) {
      out.push_back(kPresent);  // an empty file that is kept is still a file
      out += record.raw;
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
    files_.back().append(bytes);
  }

  void commit() override {
    open_until(sources_);
    if (!files_.empty()) files_.back().finish();
    try {
      for (OutputFile& file : files_) file.commit();
    } catch (...) {
      withdraw();
      throw;
    }
    committed_ = true;
  }

  void withdraw() noexcept override {
    for (OutputFile& file : files_) file.withdraw();
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
    if (!files_.empty()) files_.back().finish();
    const std::string& name = names_[source - first_];
    folders_.make(std::filesystem::path(name).parent_path());
    files_.emplace_back(name);
  }

  const TraitsOf traits_;
  const uint32_t first_;
  const uint32_t sources_;
  const std::string directory_;
  const std::vector<std::string> names_;
  uint32_t next_;
  MadeFolders folders_;
  std::deque<OutputFile> files_;
  bool committed_ = false;
};

}  // namespace

std::unique_ptr<Sink> make_directory_sink(const std::string& directory, const DocumentSource& source, const TargetOptions&) {
  return std::make_unique<DirectorySink>(directory, source);
}

}  // namespace neardup
