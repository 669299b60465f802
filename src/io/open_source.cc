// Implements open_source() of neardup/io.h: lists the inputs, recognizes their kinds, and reads JSON Lines, text files and archives as one
// source; other kinds through their connectors, in sequence.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <ctime>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

#include "io/bytes/byte_stream.h"
#include "io/bytes/compression.h"
#include "io/files/charset.h"
#include "io/files/content.h"
#include "io/files/files_ahead.h"
#include "io/files/input_list.h"
#include "io/files/line_part.h"
#include "io/files/referred_texts.h"
#include "io/files/text_files.h"
#include "io/port/connectors.h"
#include "io/port/field_check.h"
#include "io/port/source_traits.h"
#include "io/source_sequence.h"
#include "io/table/table_source.h"
#include "io/warc/warc_records.h"
#include "neardup/error.h"
#include "neardup/io.h"

namespace neardup {
namespace {

constexpr uint64_t kSmallFileBytes = 256u << 10;  // compressed

// Read ahead of many files; the system itself reads ahead in those that are longer.
constexpr uint64_t kHeadBytesAhead = 16u << 10;
constexpr uint64_t kFileBytesAhead = 1u << 20;

// The number of bytes that recognize_archive() examines.
std::string read_head(ByteStream& stream) {
  std::string head(kForeignBytes, '\0');
  size_t filled = 0;
  while (filled < head.size()) {
    const size_t got = stream.read(head.data() + filled, head.size() - filled);
    if (got == 0) break;
    filled += got;
  }
  head.resize(filled);
  stream.rewind();
  return head;
}

Compression recognize_archive(std::string_view head, const std::string& path) {
  constexpr std::string_view kRead = "crawl archives are read plain or compressed by gzip or zstd";
  const ForeignFormat foreign = foreign_format(head);
  if (!foreign.name.empty()) throw Error(ErrorCode::kInput, foreign_message(path, foreign, kRead));
  const Compression compression = sniff_compression(head);
  if (compression != Compression::kBzip2) return compression;
  throw Error(ErrorCode::kInput, fmt::format("'{}' is {} data; {}", path, name_of(compression), kRead));
}

[[noreturn]] void fail_archive_as_lines(const std::string& path) {
  throw Error(ErrorCode::kInput, fmt::format("'{}' is a crawl archive (WARC), not JSON Lines: give --format warc", path));
}

// The files of a run, one after the other.
class FileSource final : public DocumentSource, public SourceTraits, public FieldsUnknown {
 public:
  FileSource(std::vector<InputEntry> entries, const SourceOptions& options)
      : entries_(std::move(entries)),
        charset_(Charset::parse(options.charset)),
        page_charset_(charset_.is_utf8() ? Charset::parse("auto") : charset_),
        context_(options),
        contents_(entries_.size()),
        states_(entries_.size()) {
    UpcomingFiles heads = upcoming(kHeadBytesAhead);
    for (size_t i = 0; i < entries_.size(); ++i) {
      InputEntry& entry = entries_[i];
      total_bytes_ += entry.stamp.size;
      has_text_ = has_text_ || entry.kind == InputEntry::Kind::kText;
      has_stream_ = has_stream_ || entry.streamed;
      if (entry.kind == InputEntry::Kind::kLines || entry.kind == InputEntry::Kind::kStream) require_utf8(entry.path);
      if (entry.kind == InputEntry::Kind::kText || entry.streamed) continue;
      const FilesAhead::Timing timing = heads.reading(i);
      FileStream stream(entry.path, entry.stamp);  // an unreadable file ends the run before it begins
      if (entry.kind == InputEntry::Kind::kLines) {
        contents_[i] = recognize_content(stream, entry.path);
        if (contents_[i].layout != Layout::kArchive) continue;
        if (options.format != InputFormat::kAuto) fail_archive_as_lines(entry.path);
        entry.kind = InputEntry::Kind::kWarc;
        entry.html = true;
      }
      contents_[i].compression = recognize_archive(read_head(stream), entry.path);
    }
  }

  std::unique_ptr<Batch> next() override {
    while (next_entry_ < entries_.size() || part_) {
      if (part_) {
        auto batch = part_->next();
        if (batch) return batch;
        close_part();
        continue;
      }
      const size_t at = next_entry_;
      if (entries_[at].kind == InputEntry::Kind::kText) return next_texts();
      ++next_entry_;
      open_part(at, Decompress::kAhead);
    }
    return nullptr;
  }
  void rewind() override {
    close_part();
    next_entry_ = 0;
    upcoming_.emplace(upcoming(kFileBytesAhead));
  }

  [[nodiscard]] uint32_t source_count() const noexcept override { return static_cast<uint32_t>(entries_.size()); }
  [[nodiscard]] std::string_view source_name(uint32_t source) const override { return entries_[source].path; }
  [[nodiscard]] std::string state_of(uint32_t source) const override {
    const InputEntry& entry = entries_[source];
    if (entry.streamed) return {};
    constexpr int64_t kSecond = 1'000'000'000;
    return fmt::format("{} bytes of {:%F %T}.{:09} UTC", entry.stamp.size,
                       fmt::gmtime(static_cast<std::time_t>(entry.stamp.modified_ns / kSecond)), entry.stamp.modified_ns % kSecond);
  }
  [[nodiscard]] std::string reference_to(uint32_t source) const override {
    const InputEntry& entry = entries_[source];
    if (entry.kind == InputEntry::Kind::kText) return reference_to_text(entry, charset_);
    const bool plain_lines = entry.kind == InputEntry::Kind::kLines && is_plain(contents_[source]);
    return plain_lines ? reference_to_lines(entry.path, context_.fields.text) : std::string();
  }
  [[nodiscard]] uint64_t input_bytes() const noexcept override { return has_stream_ ? 0 : total_bytes_; }

  [[nodiscard]] bool is_text(uint32_t source) const noexcept override { return entries_[source].kind == InputEntry::Kind::kText; }
  [[nodiscard]] bool holds_html(uint32_t source) const noexcept override { return entries_[source].html; }
  [[nodiscard]] bool is_archive(uint32_t source) const noexcept override { return entries_[source].kind == InputEntry::Kind::kWarc; }
  [[nodiscard]] bool any_text() const noexcept override { return has_text_; }
  [[nodiscard]] uint32_t reference_sources() const noexcept override { return 0; }

  void look_for_fields(const std::shared_ptr<FieldCheck>& check) override {
    for (size_t at = 0; at < entries_.size(); ++at) {
      const InputEntry& entry = entries_[at];
      const bool streamed_lines =
          entry.kind == InputEntry::Kind::kStream && !context_.once;  // read once, so that its first records are answered
      if (streamed_lines) {
        check->expect();
        check_ = check;
      } else if (entry.kind == InputEntry::Kind::kLines && !entry.streamed) {
        check->look(entry.path, [&] {
          if (!part_) open_part(at, Decompress::kInNext);  // only its first records are read
          return part_->next();
        });
        close_part();
      } else if (entry.kind != InputEntry::Kind::kText) {
        check->pass_over();
      }
    }
  }

 private:
  // Lines as they are in the file.
  static bool is_plain(const Content& content) noexcept {
    return content.compression == Compression::kNone && content.layout == Layout::kLines;
  }

  // RFC 8259: JSON exchanged between systems is UTF-8.
  void require_utf8(const std::string& path) const {
    if (charset_.is_utf8() || charset_.is_auto()) return;
    throw Error(ErrorCode::kUsage, "charset: '" + path + "' is JSON Lines, which is UTF-8; " + charset_.name() +
                                       " is for text files. Convert it first: iconv -f " + charset_.name() + " -t UTF-8");
  }

  std::unique_ptr<Batch> next_texts() {
    const size_t at = next_entry_;
    const size_t count = text_batch_size(std::span(entries_).subspan(at), context_.batch_bytes);
    next_entry_ += count;
    return make_text_batch(std::span(entries_).subspan(at, count), std::span(states_).subspan(at, count), static_cast<uint32_t>(at),
                           charset_, context_, ahead_);
  }

  // Batches of text files read their own files ahead.
  UpcomingFiles upcoming(uint64_t bytes) {
    return {ahead_, entries_.size(), [this, bytes](FilesAhead& ahead, size_t i) {
              const InputEntry& entry = entries_[i];
              if (!entry.streamed && entry.kind != InputEntry::Kind::kText) ahead.want(entry.path, bytes);
            }};
  }

  void open_part(size_t at, Decompress decompress) {
    const InputEntry& entry = entries_[at];
    if (!upcoming_) upcoming_.emplace(upcoming(kFileBytesAhead));
    const FilesAhead::Timing timing = upcoming_->reading(at);
    const auto source = static_cast<uint32_t>(at);
    if (entry.kind == InputEntry::Kind::kWarc) {
      const StoredBytes& stored = archive(at);
      part_ = make_warc_records(stored, contents_[at].compression, source, page_charset_, context_);
    } else if (entry.kind == InputEntry::Kind::kStream) {
      ByteStream& stream = spooled(at);  // it also detects the compression
      part_ = make_stream_lines(stream, contents_[at], source, context_, context_.once ? Decompress::kInNext : decompress);
    } else if (is_plain(contents_[at])) {
      part_ = make_plain_lines(entry.path, entry.stamp, source, context_);
    } else {
      file_ = std::make_unique<FileStream>(entry.path, entry.stamp);
      // Starting a thread takes longer than decompressing a small file.
      const bool small = entry.stamp.size < kSmallFileBytes;
      part_ = make_stream_lines(*file_, contents_[at], source, context_, small ? Decompress::kInNext : decompress);
    }
  }

  // Keeps the spool of a pipe for the next pass.
  ByteStream& spooled(size_t at) {
    auto& spool = spools_[at];
    if (!spool) {
      spool = std::make_unique<SpooledStream>(entries_[at].path, context_.temp_dir, context_.once);
      contents_[at] = recognize_content(*spool, entries_[at].path == "-" ? "standard input" : entries_[at].path, context_.once);
      if (contents_[at].layout == Layout::kArchive) fail_archive_as_lines(entries_[at].path);
      if (check_) look_for_fields(*spool, at);
    }
    spool->rewind();
    return *spool;
  }

  void look_for_fields(ByteStream& spool, size_t at) {
    const auto part = make_stream_lines(spool, contents_[at], static_cast<uint32_t>(at), context_);
    check_->check_late(entries_[at].path == "-" ? "standard input" : entries_[at].path, [&] { return part->next(); });
  }

  const StoredBytes& archive(size_t at) {
    const InputEntry& entry = entries_[at];
    if (!entry.streamed) {
      archive_ = open_stored(entry.path, entry.stamp);
      return *archive_;
    }
    auto& spool = archive_spools_[at];
    if (!spool) {
      SpooledStream stream(entry.path, context_.temp_dir, true);
      contents_[at].compression = recognize_archive(read_head(stream), entry.path);
      spool = spool_stored(stream, context_.temp_dir);
    }
    return *spool;
  }

  void close_part() {
    part_.reset();
    file_.reset();
    archive_.reset();
  }

  std::vector<InputEntry> entries_;
  const Charset charset_;       // of text files
  const Charset page_charset_;  // of documents in archives: the servers of a crawl use different charsets
  LineContext context_;
  std::shared_ptr<FieldCheck> check_;           // of streams, when they are read
  std::vector<Content> contents_;               // of JSON Lines and archives
  std::vector<std::atomic<TextState>> states_;  // of text files
  std::map<size_t, std::unique_ptr<ByteStream>> spools_;
  FilesAhead ahead_;
  std::optional<UpcomingFiles> upcoming_;  // of this pass
  uint64_t total_bytes_ = 0;
  bool has_text_ = false;
  bool has_stream_ = false;
  size_t next_entry_ = 0;
  std::map<size_t, std::unique_ptr<StoredBytes>> archive_spools_;
  std::unique_ptr<ByteStream> file_;      // the input of part_, unless it opens its own
  std::unique_ptr<StoredBytes> archive_;  // the same of an archive
  std::unique_ptr<LinePart> part_;
};

// One check for all: a field that the inputs of one part lack may be in those of another.
void check_fields(const std::vector<std::unique_ptr<DocumentSource>>& parts, const SourceOptions& options) {
  const auto check = std::make_shared<FieldCheck>(options);
  for (const auto& part : parts) {
    auto* const unknown = dynamic_cast<FieldsUnknown*>(part.get());
    unknown != nullptr ? unknown->look_for_fields(check) : check->pass_over();
  }
  check->finish();
}

// The sources of a run, in order. Parts of one group were checked together for files given twice.
struct Parts {
  std::vector<std::unique_ptr<DocumentSource>> sources;
  std::vector<size_t> groups;

  void add(std::unique_ptr<DocumentSource> source, size_t group) {
    sources.push_back(std::move(source));
    groups.push_back(group);
  }
};

void refuse_given_twice(const Parts& parts) {
  std::unordered_map<std::string, size_t> group_of;
  for (size_t part = 0; part < parts.sources.size(); ++part) {
    const DocumentSource& source = *parts.sources[part];
    for (uint32_t i = 0; i < source.source_count(); ++i) {
      const std::string_view name = source.source_name(i);
      std::error_code error;
      const std::filesystem::path path = std::filesystem::canonical(name, error);
      if (error || !std::filesystem::is_regular_file(path, error)) continue;
      if (group_of.try_emplace(path.native(), parts.groups[part]).first->second == parts.groups[part]) continue;
      throw Error(ErrorCode::kUsage, fmt::format("'{}' is given twice", name));
    }
  }
}

// Files, folders and globs. The tables of an input come after its other files, and tables that follow each other are one source, because
// each source of tables opens a database.
void add_files(const std::vector<std::string>& inputs, const SourceOptions& options, size_t group, Parts& parts) {
  const auto is_table = [](const InputEntry& entry) { return entry.kind == InputEntry::Kind::kTable; };
  std::vector<InputEntry> listed = list_inputs(inputs, options.format, options.warn);
  std::ranges::stable_sort(listed, {}, [&](const InputEntry& entry) { return std::pair(entry.input, is_table(entry)); });
  std::vector<InputEntry> files;
  std::vector<InputEntry> tables;  // they follow the files
  const auto add_sources = [&] {
    if (!files.empty()) parts.add(std::make_unique<FileSource>(std::exchange(files, {}), options), group);
    if (!tables.empty()) parts.add(open_listed_tables(std::exchange(tables, {}), options), group);
  };
  for (InputEntry& entry : listed) {
    if (!is_table(entry) && !tables.empty()) add_sources();
    (is_table(entry) ? tables : files).push_back(std::move(entry));
  }
  add_sources();
}

}  // namespace

std::unique_ptr<DocumentSource> open_source(const std::vector<std::string>& inputs, const SourceOptions& options) {
  if (inputs.empty()) throw Error(ErrorCode::kInput, "no input is given");
  if (options.text_field.empty()) throw Error(ErrorCode::kUsage, "text_field names no field");
  Parts parts;
  // Consecutive inputs of one kind are one source, which detects a file given twice.
  for (size_t i = 0, group = 0; i < inputs.size(); ++group) {
    const SourceKind* const kind = source_kind_of(inputs[i], options.format);
    std::vector<std::string> same;
    do {
      same.push_back(inputs[i++]);
    } while (i < inputs.size() && (kind == nullptr || kind->open_all != nullptr) && source_kind_of(inputs[i], options.format) == kind);
    if (kind == nullptr) {
      add_files(same, options, group, parts);
    } else {
      parts.add(kind->open_all != nullptr ? kind->open_all(same, options) : kind->open(same.front(), options), group);
    }
  }
  if (parts.sources.size() > 1) refuse_given_twice(parts);
  check_fields(parts.sources, options);
  if (parts.sources.size() == 1) return std::move(parts.sources.front());
  return make_source_sequence(std::move(parts.sources), 0);
}

}  // namespace neardup
