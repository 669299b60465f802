#include "neardup/tools/json_lines.h"

#include <utility>

#include "io/bytes/buffer.h"
#include "io/files/text_lines.h"
#include "io/json/json_record.h"

namespace neardup {

struct JsonLines::State {
  RecordFields fields;
  RecordParser parser{fields};
  std::string padded{};  // the parser reads beyond the line
};

JsonLines::JsonLines(std::vector<std::string> text, std::string id)
    : state_(new State{.fields = {.text = std::move(text), .id = std::move(id), .rank = {}, .block = {}}}) {}

JsonLines::~JsonLines() = default;

bool JsonLines::read(std::string_view line, bool begins_file, Record& record) {
  if (begins_file && line.starts_with(kUtf8Mark)) line.remove_prefix(kUtf8Mark.size());
  if (is_blank(line)) return false;
  state_->padded.assign(line);
  state_->padded.append(kJsonPadding, '\0');
  record = {};
  state_->parser.parse(std::string_view(state_->padded).substr(0, line.size()), record);
  return true;
}

}  // namespace neardup
