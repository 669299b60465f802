#include "io/bytes/byte_stream.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "neardup/error.h"

namespace neardup {
namespace {

std::string message_of(const std::string& path, const std::string& temp_dir) {
  try {
    const SpooledStream stream(path, temp_dir);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

size_t open_descriptors() {
  size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) count += entry.path().empty() ? 0 : 1;
  return count;
}

TEST(SpooledStream, NamesAMissingInputWhateverTheFolderOfTemporaryFiles) {
  EXPECT_EQ(message_of("/nonexistent/input", "/nonexistent/folder"), "cannot open '/nonexistent/input': No such file or directory");
}

TEST(SpooledStream, ClosesItsInputWhenThereCanBeNoTemporaryFile) {
  const size_t before = open_descriptors();
  EXPECT_NE(message_of("/dev/null", "/nonexistent/folder"), "");
  EXPECT_EQ(open_descriptors(), before);
}

}  // namespace
}  // namespace neardup
