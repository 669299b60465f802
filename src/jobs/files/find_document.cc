#include "neardup/tools/find_document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <filesystem>
#include <memory>
#include <system_error>
#include <vector>

#include "io/bytes/uri.h"
#include "jobs/files/id_condition.h"
#include "neardup/error.h"
#include "neardup/tools/nearest_names.h"
#include "neardup/tools/secrets.h"

namespace neardup {
namespace {

constexpr size_t kNearestIds = 3;

bool is_input(const std::string& name) {
  std::error_code error;
  return database_of(name) != Database::kNone || std::filesystem::exists(name, error);
}

[[noreturn]] void refuse_document(const DocumentName& name, const std::string& why) {
  const std::string document = name.row ? fmt::format("in row {}", *name.row) : fmt::format("with the id '{}'", name.id);
  throw Error(ErrorCode::kInput, fmt::format("'{}' has no document {}{}", without_secrets(name.input), document, why));
}

std::string read_text_of(const Record& record, const DocumentName& name) {
  if (!record.problem.empty()) refuse_document(name, fmt::format(" that can be read: {}", record.problem));
  return std::string(record.text);
}

// Reads up to the document.
std::optional<std::string> scan(DocumentSource& source, const DocumentName& name, NearestNames& nearest) {
  std::optional<std::string> text;
  for (auto batch = source.next(); batch && !text; batch = source.next()) {
    batch->read(Batch::Need::kText, {}, [&](uint32_t, const Record& record) {
      if (text || !record.has_id) return;
      if (record.id == name.id) {
        text = read_text_of(record, name);
      } else {
        nearest.look(record.id);
      }
    });
  }
  return text;
}

// Nothing if the database cannot compare the id; then the rows must be read.
std::optional<std::string> ask(const DocumentName& name, SourceOptions options) {
  try {
    options.where = id_condition(name.input, name.id, options);
    if (options.where.empty()) return std::nullopt;
    NearestNames nobody({}, 0);
    return scan(*open_source({name.input}, options), name, nobody);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kInput && error.code() != ErrorCode::kUsage) throw;
    return std::nullopt;
  }
}

FoundDocument find_row(const DocumentName& name, const SourceOptions& options) {
  const std::unique_ptr<DocumentSource> source = open_source({name.input}, options);
  if (source->source_count() != 1) {
    throw Error(ErrorCode::kInput,
                fmt::format("'{}' has {} files: name the file of row {}", name.input, source->source_count(), *name.row));
  }
  std::optional<std::string> text;
  uint64_t rows = 0;  // of earlier batches
  for (auto batch = source->next(); batch && !text && rows < *name.row; batch = source->next()) {
    batch->read(Batch::Need::kText, {}, [&](uint32_t, const Record& record) {
      if (rows + record.where.row == *name.row) text = read_text_of(record, name);
    });
    rows += batch->rows();
  }
  if (!text) refuse_document(name, rows < *name.row ? fmt::format("; the last row is {}", rows) : "");
  return {.text = std::move(*text), .kinds = input_kinds(*source)};
}

}  // namespace

std::optional<DocumentName> parse_document_name(const std::string& word) {
  std::error_code error;
  if (word == "-" || std::filesystem::exists(word, error)) return std::nullopt;
  for (size_t at = word.find('#'); at != std::string::npos; at = word.find('#', at + 1)) {
    if (at > 0 && is_input(word.substr(0, at))) return DocumentName{.input = word.substr(0, at), .id = word.substr(at + 1)};
  }
  const size_t colon = word.rfind(':');
  if (colon == std::string::npos || colon == 0 || !is_input(word.substr(0, colon))) return std::nullopt;
  uint64_t row = 0;
  const auto [end, bad] = std::from_chars(word.data() + colon + 1, word.data() + word.size(), row);
  if (bad != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return DocumentName{.input = word.substr(0, colon), .id = {}, .row = row};
}

FoundDocument find_document(const DocumentName& name, const SourceOptions& given) {
  SourceOptions options = given;
  options.field_checks = SourceOptions::FieldChecks::kText;
  if (name.row) return find_row(name, options);
  if (database_of(name.input) != Database::kNone) {
    if (auto text = ask(name, options)) return {.text = std::move(*text), .kinds = {.databases = true}};
  }
  const std::unique_ptr<DocumentSource> source = open_source({name.input}, options);
  NearestNames nearest(name.id, kNearestIds);
  if (auto text = scan(*source, name, nearest)) return {.text = std::move(*text), .kinds = input_kinds(*source)};
  const std::vector<std::string> near = nearest.names();
  refuse_document(name, near.empty() ? "" : fmt::format("; did you mean '{}'?", fmt::join(near, "', '")));
}

}  // namespace neardup
