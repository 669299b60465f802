#include "base/atomic_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <thread>

#include "io/io_fixture.h"
#include "support/allowed_skips.h"

namespace neardup::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class AtomicFiles : public IoTest {};

TEST_F(AtomicFiles, AppearOnCommit) {
  AtomicFile file(path("a"));
  file.append("one ");
  file.append("two");
  EXPECT_FALSE(exists("a"));
  EXPECT_THAT(listing(), SizeIs(1));
  EXPECT_EQ(file.size(), 7u);
  file.commit();
  EXPECT_EQ(read("a"), "one two");
  EXPECT_THAT(listing(), ElementsAre("a"));
}

TEST_F(AtomicFiles, Overwrite) {
  AtomicFile file(path("a"));
  file.append("0000-body");
  file.overwrite(0, "head");
  file.append(" tail");
  file.overwrite(5, "B");
  EXPECT_EQ(file.size(), 14u);
  file.commit();
  EXPECT_EQ(read("a"), "head-Body tail");
}

TEST_F(AtomicFiles, LeaveNoTraceWithoutCommit) {
  write("a", "before");
  {
    AtomicFile file(path("a"));
    file.append("x");
    file.finish();
  }
  EXPECT_EQ(read("a"), "before");
  EXPECT_THAT(listing(), ElementsAre("a"));
}

TEST_F(AtomicFiles, Withdraw) {
  AtomicFile file(path("a"));
  file.withdraw();
  file.commit();
  EXPECT_TRUE(exists("a"));
  file.withdraw();
  EXPECT_THAT(listing(), IsEmpty());
}

TEST_F(AtomicFiles, WithdrawBringsBackWhatWasReplaced) {
  write("a", "before");
  {
    AtomicFile file(path("a"));
    file.append("after");
    file.commit();
    EXPECT_EQ(read("a"), "after");
    file.withdraw();
    EXPECT_EQ(read("a"), "before");
  }
  EXPECT_THAT(listing(), ElementsAre("a"));
  {
    AtomicFile file(path("a"));
    file.append("after");
    file.commit();
  }
  EXPECT_EQ(read("a"), "after");
  EXPECT_THAT(listing(), ElementsAre("a"));
}

TEST_F(AtomicFiles, FinishThenCommit) {
  AtomicFile file(path("a"));
  file.append("x");
  file.finish();
  EXPECT_FALSE(exists("a"));
  file.commit();
  EXPECT_EQ(read("a"), "x");
}

TEST_F(AtomicFiles, LinksStayLinks) {
  write("target", "before");
  ASSERT_EQ(symlink("target", path("link").c_str()), 0);
  AtomicFile file(path("link"));
  file.append("after");
  file.commit();
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
  EXPECT_EQ(read("target"), "after");
}

TEST_F(AtomicFiles, UsualPermissions) {
  const mode_t mask = umask(022);
  AtomicFile(path("a")).commit();
  umask(mask);
  struct stat status {};
  ASSERT_EQ(stat(path("a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0644u);
}

TEST_F(AtomicFiles, LongNames) {
  AtomicFile file(path(std::string(255, 'n')));
  file.append("x");
  file.commit();
  EXPECT_EQ(read(std::string(255, 'n')), "x");
}

TEST_F(AtomicFiles, ManyAtOnceForOneName) {
  std::vector<std::unique_ptr<AtomicFile>> files;
  for (int i = 0; i < 100; ++i) {
    files.push_back(std::make_unique<AtomicFile>(path("a")));
    files.back()->append(std::to_string(i));
  }
  EXPECT_THAT(listing(), SizeIs(100));
  files[41]->commit();
  files.clear();
  EXPECT_EQ(read("a"), "41");
  EXPECT_THAT(listing(), ElementsAre("a"));
}

TEST_F(AtomicFiles, DevicesAreWrittenDirectly) {
  AtomicFile file("/dev/null");
  file.append("x");
  file.commit();
  file.withdraw();
  EXPECT_TRUE(std::filesystem::exists("/dev/null"));
}

TEST_F(AtomicFiles, UnwritableFolder) {
  NEARDUP_NEEDS_ORDINARY_USER();
  std::filesystem::create_directory(path("locked"));
  std::filesystem::permissions(path("locked"), std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  EXPECT_EQ(error_of([&] { AtomicFile file(path("locked/a")); }), "output: cannot write '" + path("locked/a") + "': Permission denied");
}

}  // namespace
}  // namespace neardup::testing
