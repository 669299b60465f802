// Any bytes as a CSV, TSV or Parquet file, by DuckDB's library where it is installed: an Error in one line, or rows that are records of
// JSON and the same in a second reading.
//
// Without the library every input is refused, which is all that there is to see then.
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz_support.h"
#include "neardup/io.h"

namespace {

using namespace neardup;
using fuzz::require;

std::string rows_of(const std::string& path) {
  std::string rows;
  try {
    const auto source = open_source({path}, {});
    while (const auto batch = source->next()) {
      batch->read(Batch::Need::kParsed, {}, [&](uint32_t, const Record& record) {
        rows.append(record.raw).push_back('\n');
        require(record.problem.find('\n') == std::string_view::npos);
      });
    }
  } catch (const Error& error) {
    fuzz::require_one_line(error);
    rows += "refused";
  }
  return rows;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const fuzz::Folder folder;
  for (const char* name : {"rows.csv", "rows.tsv", "rows.parquet"}) {
    folder.write(name, {reinterpret_cast<const char*>(data), size});
    require(rows_of(folder.file(name)) == rows_of(folder.file(name)));
  }
  return 0;
}
