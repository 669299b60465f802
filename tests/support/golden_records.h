// Reads golden files of JSON Lines.
#pragma once

#include <gtest/gtest.h>
#include <simdjson.h>

#include <cstddef>
#include <filesystem>

namespace neardup::testing {

/// Calls visit(simdjson::dom::element) for each record; returns how many there are. An unreadable file is a failure of the test.
template <typename Visit>
size_t for_each_golden_record(const std::filesystem::path& path, Visit visit) {
  simdjson::dom::parser parser;
  simdjson::dom::document_stream documents;
  EXPECT_EQ(parser.load_many(path.string(), size_t{1} << 22).get(documents), simdjson::SUCCESS) << path;
  size_t records = 0;
  for (auto record : documents) {
    ++records;
    visit(record.value());
  }
  return records;
}

}  // namespace neardup::testing
