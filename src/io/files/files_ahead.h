// FilesAhead: reads the first bytes of upcoming files into the cache of the system, 16 files at the same time.
//
// Opening and reading many small files one after the other waits for the storage once or more per file; a disk or a server answers many
// requests in the same time. Nothing is read ahead while reads do not wait, for which one of eight is timed.
//
// FilesAhead is for any number of threads, UpcomingFiles for one. Errors are ignored, because the real read reports them. Only regular
// files are opened.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace neardup {

class FilesAhead {
 public:
  static constexpr size_t kInFlight = 16;
  static constexpr size_t kWindow = 4 * kInFlight;  // how many files UpcomingFiles is ahead of the reader
  static constexpr size_t kMaxWanted = 1024;        // files that wait for a thread; more are left out

  /// Called by the threads, up to kInFlight at the same time, with `bytes` of want(). Must end soon after `stop` becomes true.
  using Reader = std::function<void(const std::string& path, uint64_t bytes, const std::atomic<bool>& stop)>;

  FilesAhead();
  explicit FilesAhead(Reader reader);
  /// Waits for the reads in flight.
  ~FilesAhead();
  FilesAhead(const FilesAhead&) = delete;
  FilesAhead& operator=(const FilesAhead&) = delete;

  /// How long a real read waited: lives while it opens and reads a file.
  class Timing {
   public:
    explicit Timing(FilesAhead& ahead) noexcept : Timing(&ahead) {}
    ~Timing() { stop(); }
    Timing(const Timing&) = delete;
    Timing& operator=(const Timing&) = delete;
    void stop() noexcept;

   private:
    friend class UpcomingFiles;
    explicit Timing(FilesAhead* ahead) noexcept;  // null: is not timed

    FilesAhead* ahead_;
    const int64_t begin_ns_;
  };

  /// True while reads wait for the storage.
  [[nodiscard]] bool helps() const noexcept { return score_.load(std::memory_order_relaxed) >= kHelps; }
  /// The first `bytes` bytes will be read soon; 0: only what the system knows about the file.
  void want(const std::string& path, uint64_t bytes);

 private:
  struct Wanted {
    std::string path;
    uint64_t bytes = 0;
  };
  static constexpr int kHelps = 8;

  void note(int64_t waited_ns) noexcept;
  void work();

  const Reader reader_;
  std::atomic<int> score_ = 0;  // rises with every read that waits, falls with every other
  std::atomic<bool> closing_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Wanted> wanted_;
  size_t idle_ = 0;
  std::vector<std::thread> threads_;
};

/// The files that one thread reads in their order.
class UpcomingFiles {
 public:
  /// Calls want() for file i < count, or not if it will not be read.
  using Want = std::function<void(FilesAhead& ahead, size_t i)>;

  /// `want` is called by reading() only.
  UpcomingFiles(FilesAhead& ahead, size_t count, Want want) : ahead_(ahead), count_(count), want_(std::move(want)) {}

  /// File i is opened and read now, while the result lives; those after it will be.
  [[nodiscard]] FilesAhead::Timing reading(size_t i);

 private:
  FilesAhead& ahead_;
  const size_t count_;
  const Want want_;
  size_t next_ = 0;  // the first that was not passed to want_
};

}  // namespace neardup
