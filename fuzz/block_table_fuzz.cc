// Records to a table of blocks and back, also through another table; edits of good tables, and any bytes as one: an Error, or records.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_sink.h"
#include "fuzz_support.h"
#include "store/clue/block_table.h"
#include "store/clue/block_table_writer.h"

namespace {

using namespace neardup;

using Records = std::vector<std::string>;

class FuzzSink final : public ByteSink {
 public:
  void append(std::string_view bytes) override { bytes_.append(bytes); }
  [[nodiscard]] uint64_t size() const noexcept override { return bytes_.size(); }
  [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }

 private:
  std::string bytes_;
};

std::string table_of(const Records& records) {
  FuzzSink sink;
  BlockTableWriter writer(sink, 1, {});
  for (const std::string& record : records) writer.add(record);
  writer.finish();
  return sink.bytes();
}

// Records of a few bytes, and long ones; enough for some blocks.
Records some_records() {
  Records records;
  for (uint32_t i = 0; i < 400; ++i) records.push_back(std::string(i % 100 == 7 ? 20'000 : i * i % 200, static_cast<char>('a' + i % 26)));
  return records;
}

void use(std::string_view bytes) {
  // Of exactly this size, so that the sanitizer sees the first byte outside.
  const auto copy = std::make_unique<char[]>(bytes.size());
  std::copy(bytes.begin(), bytes.end(), copy.get());
  try {
    const BlockTable table({copy.get(), bytes.size()}, nullptr, "fuzz");
    BlockTable::Scratch scratch;
    // Not all: a few bytes may state billions of records.
    for (uint32_t i = 0; i < std::min(table.size(), 1000u); ++i) {
      for (const uint32_t record : {i, table.size() - 1 - i}) {
        try {
          static_cast<void>(table.view(record, scratch));
          fuzz::require(table.block_of(record) < table.blocks());
        } catch (const Error& error) {
          fuzz::require_one_line(error);
          return;
        }
      }
    }
  } catch (const Error& error) {
    fuzz::require(error.code() == ErrorCode::kInput);
    fuzz::require_one_line(error);
  }
}

void require_records(const std::string& bytes, const Records& records) {
  const BlockTable table(bytes, nullptr, "fuzz");
  fuzz::require(table.size() == records.size());
  BlockTable::Scratch scratch;
  for (uint32_t i = 0; i < records.size(); ++i) fuzz::require(table.view(i, scratch) == records[i]);
}

// Records whose sizes the input chooses, and what remains when some of them are left out.
void round_trip(std::string_view input) {
  fuzz::Fields fields(input);
  Records records;
  Records rest;
  std::vector<std::pair<uint32_t, uint32_t>> runs;  // of `rest` in `records`
  while (!fields.empty() && records.size() < 4096) {
    const uint8_t kind = fields.byte();
    const uint32_t count = kind % 4 == 1 ? fields.byte() : 1;
    const size_t size = kind % 4 == 3 ? size_t{fields.byte()} << kind / 4 % 8 : fields.byte();
    const auto first = static_cast<uint32_t>(records.size());
    for (uint32_t i = 0; i < count; ++i) records.push_back(std::string(size, static_cast<char>(i)) + static_cast<char>(kind));
    if (kind % 3 == 0) continue;
    runs.emplace_back(first, static_cast<uint32_t>(records.size()));
    rest.insert(rest.end(), records.begin() + first, records.end());
  }
  const std::string bytes = table_of(records);
  require_records(bytes, records);
  const BlockTable table(bytes, nullptr, "fuzz");
  FuzzSink sink;
  BlockTableWriter writer(sink, 1, {});
  BlockTable::Scratch scratch;
  for (const auto& [begin, end] : runs) writer.append(table, begin, end, scratch);
  writer.finish();
  fuzz::require(sink.bytes() == table_of(rest));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::string good = table_of(some_records());
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  if (input.empty()) {
    use(input);
    return 0;
  }
  const std::string_view rest = input.substr(1);
  if (data[0] % 4 == 0) use(rest);
  if (data[0] % 4 == 1) round_trip(rest);
  if (data[0] % 4 < 2) return 0;
  std::string bytes = good;
  for (size_t i = 0; i + 4 <= rest.size(); i += 4) {
    uint32_t back = 0;
    std::memcpy(&back, rest.data() + i, 3);
    bytes[bytes.size() - 1 - back % bytes.size()] = rest[i + 3];
  }
  use(bytes);
  return 0;
}
