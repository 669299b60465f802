// What the tests of sources and sinks share: a folder of their own, records with absolute rows, compression by the libraries' own
// one-call functions.
#pragma once

#include <bzlib.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/error.h"
#include "neardup/io.h"

namespace neardup::testing {

class IoTest : public ::testing::Test {
 protected:
  IoTest() {
    std::string name = (std::filesystem::temp_directory_path() / "neardup-test.XXXXXX").native();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
    folder_ = name;
  }
  ~IoTest() override {
    std::error_code error;
    std::filesystem::remove_all(folder_, error);
  }

  [[nodiscard]] std::string path(std::string_view name) const { return folder_ + "/" + std::string(name); }
  std::string write(std::string_view name, std::string_view bytes) const {
    std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }
  [[nodiscard]] std::string read(std::string_view name) const {
    std::ifstream file(path(name), std::ios::binary);
    EXPECT_TRUE(file.is_open()) << name;
    return {std::istreambuf_iterator<char>(file), {}};
  }
  [[nodiscard]] bool exists(std::string_view name) const { return std::filesystem::exists(path(name)); }
  /// All names below the folder, sorted.
  [[nodiscard]] std::vector<std::string> listing() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_)) {
      names.push_back(entry.path().lexically_relative(folder_).native());
    }
    std::ranges::sort(names);
    return names;
  }

  std::string folder_;
};

/// A record that outlives its visit; the row counts from the start of the source.
struct Seen {
  uint32_t source = 0;
  uint64_t row = 0;
  std::string raw, problem, id, text;
  bool has_id = false, repaired = false, has_rank_value = false;
  double rank_value = 0;
  friend bool operator==(const Seen&, const Seen&) = default;
};

inline std::ostream& operator<<(std::ostream& out, const Seen& seen) {
  return out << seen.source << ":" << seen.row << " id=" << seen.id << " text=" << seen.text << " problem=" << seen.problem
             << " raw=" << seen.raw;
}

/// One pass, as an engine does it.
inline std::vector<Seen> collect(DocumentSource& source, Batch::Need need = Batch::Need::kParsed) {
  std::vector<Seen> all;
  source.rewind();
  uint32_t current = 0;
  uint64_t rows_before = 0;
  uint64_t input_bytes = 0;
  size_t batches = 0;
  while (const auto batch = source.next()) {
    ++batches;
    if (batch->source() != current) rows_before = 0;
    current = batch->source();
    uint32_t expected = 0;
    const uint32_t count = batch->read(need, {}, [&](uint32_t ordinal, const Record& record) {
      EXPECT_EQ(ordinal, expected++);
      const uint64_t base = record.where.source == current ? rows_before : 0;
      all.push_back({record.where.source, base + record.where.row, std::string(record.raw), std::string(record.problem),
                     std::string(record.id), std::string(record.text), record.has_id, record.repaired, record.has_rank_value,
                     record.rank_value});
    });
    EXPECT_EQ(count, expected);
    rows_before += batch->rows();
    input_bytes += batch->input_bytes();
  }
  EXPECT_EQ(source.next(), nullptr);
  if (batches > 0 && source.input_bytes() > 0) {
    EXPECT_EQ(input_bytes, source.input_bytes());
  }
  return all;
}

inline std::vector<std::string> texts_of(const std::vector<Seen>& records) {
  std::vector<std::string> texts;
  for (const Seen& record : records) texts.push_back(record.problem.empty() ? record.text : "rejected: " + record.problem);
  return texts;
}

inline std::string gzip_bytes(std::string_view plain, int level = 6) {
  z_stream state{};
  deflateInit2(&state, level, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&state, plain.size()) + 64, '\0');
  state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
  state.avail_in = static_cast<uInt>(plain.size());
  state.next_out = reinterpret_cast<Bytef*>(out.data());
  state.avail_out = static_cast<uInt>(out.size());
  deflate(&state, Z_FINISH);
  out.resize(state.total_out);
  deflateEnd(&state);
  return out;
}

inline std::string zstd_bytes(std::string_view plain) {
  std::string out(ZSTD_compressBound(plain.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), plain.data(), plain.size(), 3));
  return out;
}

inline std::string bzip2_bytes(std::string_view plain) {
  std::string out(plain.size() + plain.size() / 50 + 1000, '\0');
  auto size = static_cast<unsigned>(out.size());
  BZ2_bzBuffToBuffCompress(out.data(), &size, const_cast<char*>(plain.data()), static_cast<unsigned>(plain.size()), 9, 0, 0);
  out.resize(size);
  return out;
}

/// The message of the Error that `work` throws, with "CODE: " before it; empty if it throws none.
template <class Work>
std::string error_of(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    constexpr const char* kCodes[] = {"usage: ", "input: ", "output: ", "resource: ", "stopped: "};
    return kCodes[static_cast<size_t>(error.code())] + std::string(error.what());
  }
  return {};
}

}  // namespace neardup::testing
