// BsonRecord: one document of MongoDB -> id, text, rank value and its line of JSON, or the reason of its rejection.
//
// The rules for text are those of JSON Lines (json_record.h), with two differences: the dots of a field name always lead into objects, and
// malformed UTF-8, which a server may hold, is read as U+FFFD and counted, because such a document is otherwise intact.
#pragma once

#include <cstdint>
#include <string>

#include "io/json/json_record.h"
#include "io/json/problem.h"
#include "io/mongo/mongo_library.h"
#include "neardup/document.h"
#include "neardup/source.h"

namespace neardup {

/// For one thread at a time.
class BsonRecord {
 public:
  /// `exact_types`: the line is canonical Extended JSON, from which the same BSON can be made again; else relaxed. `fields` must outlive
  /// it.
  BsonRecord(const RecordFields& fields, uint64_t max_text_bytes, bool exact_types)
      : fields_(fields), max_text_bytes_(max_text_bytes), exact_types_(exact_types) {}

  /// Fills the members that `need` asks for. Sets everything in `record` but where. The views are valid until the next call.
  void read(const bson_t& document, Batch::Need need, Record& record);

 private:
  void read_id(const bson_t& document, Record& record);
  void read_rank(const bson_t& document, Record& record) const;
  void read_block(const bson_t& document, Record& record);
  void read_protection(const bson_t& document, Record& record);
  bool read_text(const bson_t& document, Record& record);
  bool read_strings(const bson_iter_t& array, const std::string& field, Record& record);
  void join(const bson_iter_t& string, Record& record);
  void reject(Record& record, RejectKind kind, std::string problem);
  void write_line(const bson_t& document, Record& record);

  const RecordFields& fields_;
  const uint64_t max_text_bytes_;
  const bool exact_types_;
  bool joined_ = false;
  Problem problem_;
  std::string id_;
  std::string block_;
  std::string protection_;
  std::string text_;
  std::string line_;
};

/// The document as a line of Extended JSON. Malformed UTF-8 becomes U+FFFD. Empty if it is not BSON at all.
void write_json(const bson_t& document, bool canonical, std::string& out);

/// The projection that fetches `fields` and _id. No path of it leads into another one, which servers reject.
bson_t* new_projection(const RecordFields& fields);

}  // namespace neardup
