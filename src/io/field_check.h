// FieldCheck: whether the fields that options name occur in the first records of the inputs.
//
// A wrong name would reject every record, or quietly rank and name documents by nothing. So the first kMostBytes of each JSON Lines input
// and MongoDB collection are looked at while they are opened, before anything is written:
//   - with kManyObjects or more objects in them, at least one must have a text field;
//   - each field must occur in at least one of the inputs looked at.
// So a short input may lack a field that others have. Depends on the inputs alone, never on threads. One thread.
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
  static constexpr uint64_t kMostBytes = 4u << 20;
  static constexpr size_t kMostInputs = 100;  ///< looked at: opening a million files takes no longer because of it

  explicit FieldCheck(const SourceOptions& options);

  /// False when there is nothing to look for, or enough inputs were looked at.
  [[nodiscard]] bool wants_more() const noexcept;
  /// Looks at the first records of the input `name`, which are JSON. `next` gives its batches, then null. Throws Error{kInput} when there
  /// are many and none has a text field.
  void look(std::string_view name, const std::function<std::unique_ptr<Batch>()>& next);
  /// No more inputs come. Throws Error{kInput} for a field that none of them has.
  void finish() const;

 private:
  struct Field {
    std::string name;
    std::string option;
    bool is_text = false;
    bool found = false;  // in any input
  };
  // In one input.
  struct Seen {
    std::string input{};
    std::string names{};  // of the fields of its first object
    uint64_t objects = 0;
    bool text = false;
  };
  void look_at(std::string_view line, Seen& seen);
  [[noreturn]] void refuse(const Seen& seen, const Field& field) const;

  std::vector<Field> fields_;
  Seen first_;  // input with an object
  size_t inputs_ = 0;
};

}  // namespace neardup
