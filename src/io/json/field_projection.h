// FieldProjection: selects the members of written documents: fields of the record under new names, and computed values.
//
//   NAME=VALUE,NAME=VALUE...    VALUE is a field of the record (dots lead into objects), whose JSON bytes are copied, or one of
//   $text              the text as the recipe's cleaners left it
//   $raw_text          the text as it was read
//   $id $source $row   the id (a string or null), the name of the source (a string), the row in it (a number)
//   $fingerprint       the fingerprint as 16 or 32 hexadecimal digits, null for a text that is too short
//   $fingerprint_long  a fingerprint of 64 bits as a signed integer, null for a text that is too short
// A field that the record does not have is null. Thread-safe. field_projection.cc also implements copied_fields() of neardup/io.h.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/bytes/buffer.h"
#include "neardup/document.h"
#include "neardup/recipe.h"
#include "neardup/sketcher.h"
#include "neardup/source.h"
#include "text/clean/cleaner.h"

namespace neardup {

class FieldProjection {
 public:
  /// `key`: LineTarget::key_member(); that of the old document is written first if `fields` do not name it, and integers are written so
  /// that they keep their 64 bits. Throws Error{kUsage} that names the part of `fields` and the fault.
  FieldProjection(std::string_view fields, const Recipe& recipe, std::string key);

  /// The fields of the record that `fields` copies. Throws as the constructor.
  static std::vector<std::string> copied(std::string_view fields);

  /// True if write() looks at Record::text.
  [[nodiscard]] bool needs_text() const noexcept { return needs_text_; }
  /// Appends the object. `line` is the record as a line of JSON.
  void write(const Record& record, std::string_view line, const DocumentSource& source, std::string& out) const;

 private:
  enum class Value { kField, kText, kRawText, kId, kSource, kRow, kFingerprint, kFingerprintLong };
  struct Member {
    std::string name;
    Value value;
    std::string path;  // of kField
  };
  struct Scratch {
    Cleaner::Scratch cleaner;
    Sketcher::Scratch sketcher;
    std::vector<uint32_t> sketch;
  };
  static std::vector<Member> parse(std::string_view fields);
  static Member parse_member(std::string_view text);
  void check_fingerprint(const Member& member, const Recipe& recipe) const;
  void write_value(const Member& member, const Record& record, std::string_view line, const DocumentSource& source, Scratch& scratch,
                   std::string& out) const;
  void write_fingerprint(Value form, std::string_view text, Scratch& scratch, std::string& out) const;

  const std::string key_;
  std::vector<Member> members_;
  bool names_key_ = false;
  bool needs_text_ = false;
  CleanChain cleaners_;
  std::unique_ptr<const Sketcher> sketcher_;
  mutable Pool<Scratch> scratches_;
};

}  // namespace neardup
