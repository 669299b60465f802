#include "base/temp_file.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "io/io_fixture.h"

namespace neardup::testing {
namespace {

class TempFiles : public IoTest {};

TEST_F(TempFiles, HoldWhatWasAppended) {
  TempFile file(folder_);
  std::string bytes(3'000'000, '\0');
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 31 >> 3);
  file.append(bytes.data(), 1000);
  file.append(bytes.data() + 1000, 0);
  file.append(bytes.data() + 1000, bytes.size() - 1000);
  EXPECT_EQ(file.size(), bytes.size());
  std::string back(bytes.size(), '\0');
  file.read(0, back.data(), back.size());
  EXPECT_TRUE(back == bytes);
  file.read(12345, back.data(), 100);
  EXPECT_EQ(back.substr(0, 100), bytes.substr(12345, 100));
}

TEST_F(TempFiles, HaveNoName) {
  TempFile file(folder_);
  file.append("x", 1);
  EXPECT_TRUE(listing().empty());
}

TEST_F(TempFiles, Move) {
  TempFile file(folder_);
  file.append("first", 5);
  TempFile moved(std::move(file));
  TempFile other(folder_);
  other = std::move(moved);
  char back[5];
  other.read(0, back, 5);
  EXPECT_EQ(std::string(back, 5), "first");
  EXPECT_EQ(other.size(), 5u);
}

TEST_F(TempFiles, ReadsFromManyThreads) {
  TempFile file(folder_);
  std::string bytes(1 << 20, 'x');
  for (size_t i = 0; i < bytes.size(); i += 4096) bytes[i] = static_cast<char>(i >> 12);
  file.append(bytes.data(), bytes.size());
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (size_t i = 0; i < bytes.size(); i += 4096) {
        char c = 0;
        file.read(i, &c, 1);
        EXPECT_EQ(c, bytes[i]);
      }
    });
  }
}

TEST_F(TempFiles, ErrorsNameTheFolder) {
  EXPECT_EQ(error_of([&] { TempFile file(path("none")); }),
            "output: cannot create a temporary file in '" + path("none") + "': No such file or directory");
  TempFile file(folder_);
  char c = 0;
  EXPECT_EQ(error_of([&] { file.read(0, &c, 1); }),
            "input: cannot read temporary data in '" + folder_ + "' at byte 0: the file ends there");
}

TEST_F(TempFiles, EmptyFolderMeansTmpdir) {
  const char* before = std::getenv("TMPDIR");
  const std::string saved = before != nullptr ? before : "";
  setenv("TMPDIR", path("none").c_str(), 1);
  const std::string error = error_of([] { TempFile file(""); });
  if (before != nullptr) {
    setenv("TMPDIR", saved.c_str(), 1);
  } else {
    unsetenv("TMPDIR");
  }
  EXPECT_NE(error.find(path("none")), std::string::npos);
  EXPECT_EQ(error_of([] { TempFile file(""); }), "");
}

}  // namespace
}  // namespace neardup::testing
