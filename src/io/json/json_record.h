// RecordParser: one line of JSON Lines -> id, text, rank value, block, or the reason of its rejection.
//
// Only the text can cause a rejection: a value of another type at the id field is not an id, and one at the rank field not a number. The
// whole line is checked, skipped values too. Of equal names in one object the first counts. A dotted field name is first searched as one
// name, then as a path of nested objects. simdjson does the work; a line that it rejects is read by the careful reader (json_scan.h), which
// reports the fault and its place, or accepts half surrogate pairs and huge numbers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/json/json_scan.h"
#include "io/json/problem.h"
#include "neardup/document.h"
#include "neardup/options.h"

namespace neardup {

struct RecordFields {
  std::vector<std::string> text;  ///< at least one
  std::string id;                 ///< empty: none
  std::string rank;               ///< empty: none
  std::string block;              ///< empty: none
  std::vector<FieldValue> protect{};
};

/// For one thread at a time.
class RecordParser {
 public:
  /// `fields` must outlive the parser.
  explicit RecordParser(const RecordFields& fields);
  ~RecordParser();

  /// Sets everything in `record` but where and raw. The kJsonPadding bytes after the line must be readable.
  /// The views in `record` live until the next call.
  void parse(std::string_view line, Record& record);
  /// Of a line that parse() accepted before: sets text and block, and perhaps others. The views live until the next call. Same padding.
  void read_again(std::string_view line, Record& record);
  /// parse() through the careful reader alone; needs no padding. The slow twin in tests.
  void parse_carefully(std::string_view line, Record& record);

  /// True if it holds much more memory than usual records need, and should not be kept.
  [[nodiscard]] bool is_large() const noexcept;

 private:
  class Parser;
  // The result of reading a record with one of the two readers.
  enum class Outcome { kDone, kNeedsCarefulReader };
  template <class Value>
  Outcome extract(const Value& root, Record& record);
  // An id that is neither a string nor a number is ignored: it never rejects the document.
  template <class Value>
  Outcome extract_id(const Value& root, Record& record);
  template <class Value>
  Outcome extract_block(const Value& root, Record& record);
  template <class Value>
  Outcome extract_protection(const Value& root, Record& record);
  template <class Value>
  bool extract_text(const Value& root, Record& record);
  void reject(Record& record, RejectKind kind, std::string problem);

  const RecordFields& fields_;
  std::unique_ptr<Parser> parser_;
  Problem problem_;
  std::string id_;
  std::string block_;
  std::string protection_;
  std::string text_;
  std::string piece_;
};

}  // namespace neardup
