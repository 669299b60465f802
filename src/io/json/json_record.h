// RecordParser: one line of JSON Lines -> id, text, rank value; or why it is rejected.
//
// Only the text decides about that: a value of another type at the id field is not an id, and one at the rank field not a number.
// The whole line is checked, skipped values too. Of equal names in one object the first counts. A dotted field name is first
// looked for as it stands, then as a path of nested objects. simdjson does the work; a line it refuses is read by the careful
// reader (json_scan.h), which says what is wrong and where, or accepts half surrogate pairs and huge numbers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/json/json_scan.h"
#include "io/json/problem.h"
#include "neardup/document.h"

namespace neardup {

struct RecordFields {
  std::vector<std::string> text;  ///< at least one
  std::string id;                 ///< empty: none
  std::string rank;               ///< empty: none
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
  /// The same through the careful reader alone; needs no padding. The slow twin in tests.
  void parse_carefully(std::string_view line, Record& record);

  /// True if it holds much more memory than usual records need, and is not worth keeping.
  [[nodiscard]] bool is_large() const noexcept;

 private:
  class Parser;
  // What reading a record through one of the two readers came to.
  enum class Outcome { kDone, kNeedsCarefulReader };
  template <class Value>
  Outcome extract(const Value& root, Record& record);
  // An id that is neither a string nor a number is none: it never costs the document.
  template <class Value>
  Outcome extract_id(const Value& root, Record& record);
  template <class Value>
  bool extract_text(const Value& root, Record& record);
  void reject(Record& record, RejectKind kind, std::string problem);

  const RecordFields& fields_;
  std::unique_ptr<Parser> parser_;
  Problem problem_;
  std::string id_;
  std::string text_;
  std::string piece_;
};

}  // namespace neardup
