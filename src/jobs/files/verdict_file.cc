#include "neardup/tools/verdict_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <charconv>
#include <cmath>
#include <cstring>
#include <new>
#include <optional>

#include "base/mapped_file.h"
#include "base/open_file.h"
#include "io/bytes/compression.h"
#include "io/bytes/name_ending.h"
#include "io/files/text_lines.h"
#include "io/json/field_text.h"
#include "neardup/error.h"
#include "neardup/tools/nearest_names.h"

namespace neardup {
namespace {

constexpr size_t kMaxLine = size_t{64} << 20;
constexpr std::string_view kColumns =
    "id\tsource\trow\tverdict\treason\tkeeper_id\tkeeper_source\tkeeper_row\tsimilarity\tcluster_id\tcluster_size";
constexpr size_t kColumnCount = 11;
constexpr double kMillion = 1e6;

// The bytes to search for in a line; none: every line.
struct LinePart {
  std::string bytes{};
  bool begins_line = false;
};

// Returns whether to continue.
using VisitLine = std::function<bool(std::string_view line)>;

std::string json_text(std::string_view text) {
  std::string quoted;
  append_json_string(text, quoted);
  return quoted;
}

std::string table_cell(std::string_view text) {
  std::string cell;
  append_tsv_cell(text, cell);
  return cell;
}

template <typename Number>
bool parse_whole(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

bool is_verdict(std::string_view word) {
  return word == "keep" || word == "remove";
}

// Nothing if the line is not a verdict.
std::optional<VerdictLine> read_json(std::string_view line) {
  namespace json = boost::json;
  try {
    const json::value value = json::parse(line);
    const json::object& object = value.as_object();
    VerdictLine found;
    const auto text = [&](const char* name) { return json::value_to<std::string>(object.at(name)); };
    const auto optional_text = [&](const char* name, std::string& to) {
      const bool is_there = !object.at(name).is_null();
      if (is_there) to = text(name);
      return is_there;
    };
    found.has_id = optional_text("id", found.id);
    found.source = text("source");
    found.row = json::value_to<uint64_t>(object.at("row"));
    const std::string verdict = text("verdict");
    if (!is_verdict(verdict)) return std::nullopt;
    found.removed = verdict == "remove";
    found.reason = text("reason");
    found.cluster_id = text("cluster_id");
    found.cluster_size = json::value_to<uint64_t>(object.at("cluster_size"));
    if (found.cluster_size == 0) return std::nullopt;
    if (!found.removed) return found;
    found.keeper_has_id = optional_text("keeper_id", found.keeper_id);
    found.keeper_source = text("keeper_source");
    found.keeper_row = json::value_to<uint64_t>(object.at("keeper_row"));
    const auto similarity = json::value_to<double>(object.at("similarity"));
    if (!(similarity >= 0 && similarity <= 1)) return std::nullopt;
    found.similarity_millionths = static_cast<uint32_t>(std::lround(similarity * kMillion));
    return found;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

std::optional<VerdictLine> read_table(std::string_view line) {
  std::string_view cells[kColumnCount];
  for (size_t i = 0; i < kColumnCount; ++i) {
    const size_t end = line.find('\t');
    if ((end == std::string_view::npos) != (i + 1 == kColumnCount)) return std::nullopt;
    cells[i] = line.substr(0, end);
    line.remove_prefix(i + 1 == kColumnCount ? line.size() : end + 1);
  }
  VerdictLine found;
  found.id = cells[0];
  found.has_id = !cells[0].empty();
  found.source = cells[1];
  found.removed = cells[3] == "remove";
  found.reason = cells[4];
  found.cluster_id = cells[9];
  if (!is_verdict(cells[3]) || !parse_whole(cells[2], found.row) || !parse_whole(cells[10], found.cluster_size) ||
      found.cluster_size == 0) {
    return std::nullopt;
  }
  if (!found.removed) return found;
  double similarity = 0;
  found.keeper_id = cells[5];
  found.keeper_has_id = !cells[5].empty();
  found.keeper_source = cells[6];
  if (!parse_whole(cells[7], found.keeper_row) || !parse_whole(cells[8], similarity) || !(similarity >= 0 && similarity <= 1)) {
    return std::nullopt;
  }
  found.similarity_millionths = static_cast<uint32_t>(std::lround(similarity * kMillion));
  return found;
}

}  // namespace

// The lines of the file that have some bytes in them.
class VerdictFile::Lines {
 public:
  explicit Lines(std::string path) : path_(std::move(path)) {
    const std::string head = read_head();
    if (sniff_compression(head) == Compression::kNone) mapped_.emplace(path_);
  }

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

  // The first line is never the wanted one of a part that begins a line: it is the header of a table.
  void search(const LinePart& wanted, const VisitLine& visit) const {
    if (!mapped_) return search_stream(wanted, visit);
    const std::string part = wanted.begins_line ? "\n" + wanted.bytes : wanted.bytes;
    mapped_->expect(MappedFile::Reading::kInOrder);
    const std::string_view all = mapped_->bytes();
    for (size_t at = 0; at < all.size();) {
      const char* found = all.data() + at;
      if (!part.empty()) {
        found = static_cast<const char*>(::memmem(all.data() + at, all.size() - at, part.data(), part.size()));
        if (found == nullptr) break;
      }
      const auto hit = static_cast<size_t>(found - all.data()) + (wanted.begins_line ? 1 : 0);
      const size_t before = hit == 0 ? std::string_view::npos : all.rfind('\n', hit - 1);
      const size_t begin = before == std::string_view::npos ? 0 : before + 1;
      const size_t end = std::min(all.find('\n', hit), all.size());
      at = wanted.begins_line ? end : end + 1;  // this line end may begin the next part
      if (!visit(all.substr(begin, end - begin))) break;
    }
    mapped_->check();
  }

 private:
  [[nodiscard]] std::string read_head() const {
    TextLines lines(path_, kSniffBytes);  // also says what is wrong with the path
    const FileDescriptor file = open_file(path_);
    std::string head(kSniffBytes, '\0');
    const ssize_t got = ::pread(file.get(), head.data(), head.size(), 0);
    head.resize(static_cast<size_t>(std::max<ssize_t>(got, 0)));
    return head;
  }
  void search_stream(const LinePart& wanted, const VisitLine& visit) const {
    TextLines lines(path_, kMaxLine);
    std::string_view line;
    while (lines.next(line)) {
      const bool has_part = wanted.begins_line ? line.starts_with(wanted.bytes) : line.find(wanted.bytes) != std::string_view::npos;
      if (has_part && !visit(line)) return;
    }
  }

  const std::string path_;
  std::optional<MappedFile> mapped_;
};

// How a line is written and read.
class VerdictFile::Format {
 public:
  Format(std::string path, bool table) : path_(std::move(path)), table_(table) {}

  [[nodiscard]] bool table() const noexcept { return table_; }
  [[nodiscard]] bool is_header(std::string_view line) const { return table_ && line == kColumns; }
  [[nodiscard]] VerdictLine read(std::string_view line) const {
    if (auto found = table_ ? read_table(line) : read_json(line)) return std::move(*found);
    constexpr size_t kShown = 60;
    throw Error(ErrorCode::kInput, fmt::format("'{}' has a line that is not a verdict: {}{}", path_, line.substr(0, kShown),
                                               line.size() > kShown ? "..." : ""));
  }
  // Bytes that the line of a document with this id has.
  [[nodiscard]] LinePart id_part(std::string_view id) const {
    if (table_) return {.bytes = table_cell(id) + "\t", .begins_line = true};
    return {.bytes = "\"id\":" + json_text(id) + ",\"source\":"};
  }
  [[nodiscard]] LinePart place_part(std::string_view source, uint64_t row) const {
    if (table_) return {.bytes = fmt::format("\t{}\t{}\t", table_cell(source), row)};
    return {.bytes = fmt::format("\"source\":{},\"row\":{},", json_text(source), row)};
  }
  [[nodiscard]] LinePart keeper_part(std::string_view source, uint64_t row) const {
    if (table_) return place_part(source, row);
    return {.bytes = fmt::format("\"keeper_source\":{},\"keeper_row\":{},", json_text(source), row)};
  }
  [[nodiscard]] std::string shown(std::string_view text) const { return table_ ? table_cell(text) : std::string(text); }

 private:
  const std::string path_;
  const bool table_;
};

VerdictFile::VerdictFile(const std::string& path) : lines_(std::make_unique<const Lines>(path)) {
  std::string first;
  lines_->search({}, [&](std::string_view line) {
    first = line;
    return false;
  });
  const bool table = first == kColumns;
  if (!table && (first.empty() || !read_json(first))) {
    throw Error(ErrorCode::kInput, fmt::format("'{}' is not a verdict file: it must come from neardup dedup --verdicts, as JSON Lines or a "
                                               "table (.tsv)",
                                               path));
  }
  format_ = std::make_unique<const Format>(path, table);
}

VerdictFile::~VerdictFile() = default;

bool VerdictFile::is_table() const noexcept {
  return format_->table();
}

std::vector<VerdictLine> VerdictFile::find(std::string_view id, size_t most) const {
  std::vector<VerdictLine> found;
  const std::string wanted = format_->shown(id);
  if (wanted.empty() && is_table()) return found;
  lines_->search(format_->id_part(id), [&](std::string_view line) {
    if (format_->is_header(line)) return true;
    VerdictLine read = format_->read(line);
    if (read.has_id && read.id == wanted) found.push_back(std::move(read));
    return found.size() < most;
  });
  return found;
}

std::vector<VerdictLine> VerdictFile::find_place(std::string_view source, uint64_t row) const {
  std::vector<VerdictLine> found;
  const std::string wanted = format_->shown(source);
  lines_->search(format_->place_part(source, row), [&](std::string_view line) {
    VerdictLine read = format_->read(line);
    if (read.source == wanted && read.row == row) found.push_back(std::move(read));
    return found.empty();
  });
  return found;
}

std::vector<VerdictLine> VerdictFile::members(std::string_view keeper_source, uint64_t keeper_row, size_t most) const {
  std::vector<VerdictLine> found;
  if (most == 0) return found;
  const std::string wanted = format_->shown(keeper_source);
  lines_->search(format_->keeper_part(keeper_source, keeper_row), [&](std::string_view line) {
    VerdictLine read = format_->read(line);
    if (read.removed && read.keeper_source == wanted && read.keeper_row == keeper_row) found.push_back(std::move(read));
    return found.size() < most;
  });
  return found;
}

std::vector<std::string> VerdictFile::nearest(std::string_view id, size_t most) const {
  NearestNames nearest(format_->shown(id), most);
  lines_->search({}, [&](std::string_view line) {
    if (line.empty() || format_->is_header(line)) return true;
    if (is_table()) {
      nearest.look(line.substr(0, line.find('\t')));
      return true;
    }
    // Only the lines whose id may be near are worth parsing: an id is written as it is unless it has a quote or a control character.
    constexpr std::string_view kBegin = "{\"id\":\"";
    const size_t end = line.find('"', kBegin.size());
    if (line.starts_with(kBegin) && end != std::string_view::npos && line.substr(0, end).find('\\') == std::string_view::npos) {
      nearest.look(line.substr(kBegin.size(), end - kBegin.size()));
    } else if (const VerdictLine read = format_->read(line); read.has_id) {
      nearest.look(read.id);
    }
    return true;
  });
  return nearest.names();
}

}  // namespace neardup
