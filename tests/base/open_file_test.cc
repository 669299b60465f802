#include "base/open_file.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <thread>

#include "io/io_fixture.h"

namespace neardup::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class OpenFiles : public IoTest {
 protected:
  // A listening socket.
  void make_socket(const std::string& name) {
    const int descriptor = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string full = path(name);
    ASSERT_LT(full.size(), sizeof address.sun_path);
    std::strcpy(address.sun_path, full.c_str());
    ASSERT_EQ(::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    socket_ = FileDescriptor(descriptor);
  }
  FileDescriptor socket_;
};

TEST_F(OpenFiles, RegularFilesAreReadCompletely) {
  write("a", "abc");
  EXPECT_EQ(read_file(path("a")), "abc");
  std::string large(300'000, 'x');
  large += "end";
  write("b", large);
  EXPECT_EQ(read_file(path("b")), large);
  write("empty", "");
  EXPECT_EQ(read_file(path("empty")), "");
  EXPECT_EQ(read_file(path("a"), Allow::kRegular, "read", 3), "abc");
  EXPECT_EQ(error_of([&] { read_file(path("a"), Allow::kRegular, "read the list", 2); }),
            "input: cannot read the list '" + path("a") + "': it has more than 2 bytes");
  EXPECT_FALSE(read_file("/proc/self/stat").empty()) << "a file of the kernel, whose size is 0";
}

// None of these waits for another process.
TEST_F(OpenFiles, WhatIsNoRegularFileIsNamed) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  make_socket("socket");
  const auto error = [](const std::string& name, Allow allow) { return error_of([&] { open_file(name, allow); }); };
  for (const Allow allow : {Allow::kRegular, Allow::kPipe}) {
    EXPECT_EQ(error(path("pipe"), allow), "input: cannot read '" + path("pipe") + "': it is a pipe, not a regular file");
    EXPECT_EQ(error(path("socket"), allow), "input: cannot read '" + path("socket") + "': it is a socket, not a regular file");
    EXPECT_EQ(error(folder_, allow), "input: cannot read '" + folder_ + "': it is a folder");
    EXPECT_EQ(error("/dev/zero", allow), "input: cannot read '/dev/zero': it is a device, not a regular file");
    EXPECT_EQ(error(path("none"), allow), "input: cannot read '" + path("none") + "': No such file or directory");
  }
}

TEST_F(OpenFiles, APipeThatIsOpenAlreadyIsReadWhereItMayBe) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const FileDescriptor reader(ends[0]);
  const std::string name = "/dev/fd/" + std::to_string(ends[0]);
  EXPECT_THAT(error_of([&] { open_file(name); }), HasSubstr("it is a pipe"));
  std::thread writer([end = ends[1]] {
    for (const char* part : {"one ", "two"}) {
      usleep(20'000);  // the reader waits
      EXPECT_GT(::write(end, part, std::strlen(part)), 0);
    }
    ::close(end);
  });
  EXPECT_EQ(read_file(name, Allow::kPipe), "one two");
  writer.join();
}

TEST_F(OpenFiles, KindOfAPath) {
  write("a", "");
  ASSERT_EQ(::symlink("a", path("link").c_str()), 0);
  ASSERT_EQ(::symlink("none", path("dangling").c_str()), 0);
  EXPECT_EQ(path_kind(path("a")), PathKind::kFile);
  EXPECT_EQ(path_kind(path("link")), PathKind::kFile);
  EXPECT_EQ(path_kind(path("dangling")), PathKind::kMissing);
  EXPECT_EQ(path_kind(path("a/b")), PathKind::kMissing);
  EXPECT_EQ(path_kind(folder_), PathKind::kFolder);
  EXPECT_EQ(path_kind("/dev/null"), PathKind::kOther);
  EXPECT_THAT(error_of([&] { path_kind(path(std::string(300, 'n'))); }), StartsWith("input: cannot read '" + path("nnn")));
}

}  // namespace
}  // namespace neardup::testing
