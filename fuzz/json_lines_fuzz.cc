// Any bytes as a JSON Lines file: both JSON readers must agree on every line, and every way to frame the bytes must agree on the lines.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz_support.h"
#include "io/bytes/buffer.h"
#include "io/files/line_batch.h"
#include "io/json/json_record.h"

namespace {

using namespace neardup;
using fuzz::require;

// Everything in a record but its place and its bytes.
std::string describe(const Record& record) {
  std::string all;
  for (const std::string_view part : {record.id, record.text, record.problem}) all.append(part).push_back('\0');
  for (const bool flag : {record.has_id, record.repaired, record.has_rank_value}) all.push_back(flag ? '1' : '0');
  all.append(reinterpret_cast<const char*>(&record.rank_value), sizeof record.rank_value);
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static LineContext context([] {
    SourceOptions options;
    options.text_field = {"text", "a.b"};
    options.rank_field.assign(1, 'n');  // gcc 12 takes = "n" for an overlapping copy
    options.max_record_bytes = 200;
    return options;
  }());
  std::string bytes(reinterpret_cast<const char*>(data), size);
  bytes.resize(size + kJsonPadding, '"');
  const std::string_view input(bytes.data(), size);

  RecordParser careful(context.fields);
  uint32_t expected_row = 0;
  size_t at = 0;
  const LineCount count = visit_lines(context, 0, input, {}, Batch::Need::kParsed, {}, [&](uint32_t ordinal, const Record& record) {
    require(ordinal == expected_row++);
    const size_t begin = static_cast<size_t>(record.raw.data() - bytes.data());
    require(begin >= at && (begin == 0 || bytes[begin - 1] == '\n'));
    at = begin + record.raw.size();
    require(at == size || bytes[at] == '\n');
    if (record.raw.size() > context.max_record_bytes) {
      require(!record.problem.empty());
      return;
    }
    Record twin;
    careful.parse_carefully(record.raw, twin);
    require(describe(record) == describe(twin));
  });
  require(count.records == expected_row);

  uint64_t unwanted = 0;
  const LineCount skipped = visit_lines(
      context, 0, input, {}, Batch::Need::kParsed, [](uint32_t) { return false; }, [&](uint32_t, const Record&) { ++unwanted; });
  require(unwanted == 0 && skipped.records == count.records && skipped.rows == count.rows);
  return 0;
}
