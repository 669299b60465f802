// FieldCheck: checks that the fields named by options occur in the inputs of a run.
//
// A wrong name would reject every record, or silently leave documents without rank and id. So the first kMaxBytes of each JSON Lines input
// and MongoDB collection are checked before anything is written:
//   - where kManyObjects or more objects of one input, or of all, were seen, at least one must have a text field;
//   - each field must occur in at least one input, if all inputs were seen to their ends; else a later record may have it, and its lack
//     is only warned of.
// So a short input may lack a field that others have. Depends on the inputs alone, never on threads. One thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/io.h"
#include "neardup/source.h"

namespace neardup {

class FieldCheck {
 public:
  static constexpr uint64_t kManyObjects = 100;
  static constexpr uint64_t kMaxBytes = 4u << 20;
  static constexpr size_t kMaxInputs = 100;  ///< checked inputs, so that a million files do not take longer

  explicit FieldCheck(const SourceOptions& options);

  /// Looks at the first records of the input `name`, which are JSON. `next` gives its batches, then null. Throws Error{kInput} when there
  /// are many and none has a text field.
  void look(std::string_view name, const std::function<std::unique_ptr<Batch>()>& next);
  /// Adds an input that may have any field and is not checked.
  void pass_over() noexcept { all_seen_ = false; }
  /// Announces an input that cannot be checked yet: finish() waits for its check_late().
  void expect() noexcept { ++expected_; }
  void check_late(std::string_view name, const std::function<std::unique_ptr<Batch>()>& next);
  /// Ends the check. Throws Error{kInput} for a field that no input has, or warns of it.
  void finish() const;

 private:
  struct Field {
    std::string name;
    std::string option;
    bool is_text = false;
    bool found = false;  // in any input
  };
  // In one input, or in all.
  struct Seen {
    std::string input{};  // the first with an object
    std::string names{};  // of the fields of its first object, to show
    std::vector<std::string> all_names{};
    uint64_t objects = 0;
    uint64_t inputs = 0;  // with an object
    bool text = false;
    bool whole = true;  // to the end
  };
  void look_at(std::string_view line, Seen& seen);
  [[nodiscard]] std::string lack(const Seen& seen, const Field& field) const;
  // What to do about it.
  static std::string advice(const Seen& seen, const Field& field);
  [[noreturn]] void refuse(const Seen& seen, const Field& field) const;

  std::vector<Field> fields_;
  std::function<void(const std::string&)> warn_;
  Seen all_;
  size_t looks_ = 0;
  size_t expected_ = 0;
  bool all_seen_ = true;
};

/// A source whose records are JSON with fields that are unknown before reading.
class FieldsUnknown {
 public:
  virtual ~FieldsUnknown() = default;
  /// Checks the inputs of the source, and rewinds it. A stream is checked when it is read.
  virtual void look_for_fields(const std::shared_ptr<FieldCheck>& check) = 0;
};

}  // namespace neardup
