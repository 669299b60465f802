// Reading upcoming files ahead: at least 16 at the same time, only where reads wait, and without effects on anything but regular files.
#include "io/files/files_ahead.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <mutex>
#include <set>
#include <thread>

#include "io/io_fixture.h"

namespace neardup::testing {
namespace {

using std::chrono::milliseconds;

// As a read of a slow disk.
void wait_for_storage(FilesAhead& ahead) {
  const FilesAhead::Timing timing(ahead);
  std::this_thread::sleep_for(milliseconds(2));
}

class FilesAheadTest : public IoTest {};

struct SlowStorage {
  std::mutex mutex;
  std::set<std::string> read;
  size_t now = 0;
  size_t most = 0;

  FilesAhead::Reader reader() {
    return [this](const std::string& path, uint64_t, const std::atomic<bool>&) {
      {
        const std::lock_guard lock(mutex);
        read.insert(path);
        most = std::max(most, ++now);
      }
      std::this_thread::sleep_for(milliseconds(20));
      const std::lock_guard lock(mutex);
      --now;
    };
  }
};

TEST_F(FilesAheadTest, SixteenReadsAreInFlight) {
  SlowStorage storage;
  {
    FilesAhead ahead(storage.reader());
    UpcomingFiles upcoming(ahead, 800, [](FilesAhead& to, size_t i) { to.want(std::to_string(i), 1); });
    for (size_t i = 0; i < 100; ++i) {
      const FilesAhead::Timing timing = upcoming.reading(i);
      std::this_thread::sleep_for(milliseconds(2));
    }
  }
  EXPECT_EQ(storage.most, FilesAhead::kInFlight);
  EXPECT_GT(storage.read.size(), FilesAhead::kInFlight);
  EXPECT_FALSE(storage.read.contains("0"));  // it is read already
}

TEST_F(FilesAheadTest, NothingIsReadWhileReadsDoNotWait) {
  SlowStorage storage;
  FilesAhead ahead(storage.reader());
  UpcomingFiles upcoming(ahead, 100'000, [](FilesAhead& to, size_t i) { to.want(std::to_string(i), 1); });
  for (size_t i = 0; i < 1000; ++i) upcoming.reading(i).stop();
  EXPECT_FALSE(ahead.helps());
  const std::lock_guard lock(storage.mutex);
  EXPECT_LT(storage.read.size(), 100u);  // a busy machine may interrupt a few
}

TEST_F(FilesAheadTest, EndsWhenTheStorageIsFast) {
  FilesAhead ahead([](const std::string&, uint64_t, const std::atomic<bool>&) {});
  for (int i = 0; i < 5; ++i) wait_for_storage(ahead);
  EXPECT_TRUE(ahead.helps());
  for (int i = 0; i < 10'000 && ahead.helps(); ++i) ahead.want("fast", 1);
  for (int i = 0; i < 2000 && ahead.helps(); ++i) std::this_thread::sleep_for(milliseconds(1));
  EXPECT_FALSE(ahead.helps());
}

TEST_F(FilesAheadTest, ErrorsAndFullQueuesAreIgnored) {
  FilesAhead ahead([](const std::string&, uint64_t, const std::atomic<bool>&) {
    std::this_thread::sleep_for(milliseconds(1));
    throw std::runtime_error("cannot read");
  });
  for (int i = 0; i < 5; ++i) wait_for_storage(ahead);
  for (size_t i = 0; i < 10 * FilesAhead::kMaxWanted; ++i) ahead.want("bad", 1);
}

// The end of a pipe for writing opens only while somebody reads it.
TEST_F(FilesAheadTest, OpensNoPipes) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  write("file", std::string(200'000, 'x'));
  FilesAhead ahead;
  std::atomic<bool> done = false;
  std::jthread writer([&] {
    while (!done) EXPECT_EQ(::open(path("pipe").c_str(), O_WRONLY | O_NONBLOCK), -1);
  });
  for (int i = 0; i < 8; ++i) wait_for_storage(ahead);
  for (int i = 0; i < 100; ++i) {
    ahead.want(path("pipe"), 1);
    ahead.want(path("file"), 1u << 20);
    ahead.want(path("missing"), 1);
    ahead.want(folder_, 1);
    wait_for_storage(ahead);
  }
  done = true;
}

}  // namespace
}  // namespace neardup::testing
