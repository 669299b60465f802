#include "base/row_store.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace neardup {
namespace {

TEST(RowStore, GivesTheRowsAskedFor) {
  for (const uint64_t memory : {uint64_t{0}, uint64_t{20}, uint64_t{1000}}) {
    RowStore store(2, memory, "");
    uint8_t next = 0;
    for (const size_t count : {3, 0, 5, 1}) {
      std::vector<uint8_t> rows;
      for (size_t i = 0; i < count; ++i, ++next) rows.insert(rows.end(), {next, static_cast<uint8_t>(100 + next)});
      store.append(rows);
    }
    EXPECT_EQ(store.spilled_bytes() > 0, memory < 18);
    const auto rows_of = [&](const std::vector<uint32_t>& numbers, bool take) {
      std::vector<uint8_t> rows;
      const auto put = [&](const uint8_t* row) { rows.insert(rows.end(), row, row + 2); };
      take ? store.take(numbers, put) : store.read(numbers, put);
      return rows;
    };
    EXPECT_EQ(rows_of({0, 2, 4, 7, 8}, false), (std::vector<uint8_t>{0, 100, 2, 102, 4, 104, 7, 107, 8, 108}));
    EXPECT_EQ(rows_of({1}, false), (std::vector<uint8_t>{1, 101})) << "reading takes nothing away";
    store.keep(std::vector<uint32_t>{1, 2, 6, 8});
    store.append({50, 51, 52, 53});
    EXPECT_EQ(rows_of({0, 2, 3, 4, 5}, false), (std::vector<uint8_t>{1, 101, 6, 106, 8, 108, 50, 51, 52, 53}));
    store.keep({});
    store.append({60, 61});
    EXPECT_EQ(rows_of({0}, true), (std::vector<uint8_t>{60, 61}));
  }
}

}  // namespace
}  // namespace neardup
