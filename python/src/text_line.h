// TextLine: an assembly line over the texts of a Python iterable. The calling thread, which has the lock of the interpreter, reads texts
// and takes results; other threads, which have not, make the results of one chunk of texts after another. So does the calling thread,
// without the lock, whenever the next result is not there yet: all threads of the call are busy, and there are no more of them than were
// asked for.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "parallel.h"
#include "python_text.h"
#include "unlocked.h"

namespace neardup::python {

/// `Result` is that of a chunk. Only a few chunks are in memory at a time.
template <typename Result>
class TextLine {
 public:
  /// Some texts in a row.
  struct Chunk {
    std::vector<PythonText> texts;
    std::vector<std::string_view> views;  ///< of the texts
    Result result;

   private:
    friend class TextLine;
    std::exception_ptr failure;
    bool started = false;
    bool done = false;
  };
  /// Makes the result of a chunk, without the lock of the interpreter.
  using Work = std::function<void(Chunk&)>;
  /// Takes chunks in their order, with the lock.
  using Take = std::function<void(const Chunk&)>;

  /// Runs the whole line. `threads`: see thread_count(). Throws what the iterable and `work` throw, and the exception of a signal handler,
  /// as that of Ctrl-C, when the threads have ended, which they do within the time of a chunk. `texts`: an iterable of str, or of what
  /// `bytes` allows.
  static void run(nanobind::handle texts, PythonText::Bytes bytes, uint32_t threads, Work work, const Take& take) {
    const nanobind::object iterator = nanobind::steal(PyObject_GetIter(texts.ptr()));
    if (!iterator.is_valid()) throw nanobind::python_error();
    TextLine line(thread_count(threads), std::move(work));
    size_t read = 0;
    for (bool more = true; more || !line.chunks_.empty();) {
      while (more && line.chunks_.size() < line.limit_) {
        std::unique_ptr<Chunk> chunk = read_chunk(iterator, bytes, read);
        more = chunk != nullptr;
        if (more) line.add(std::move(chunk));
      }
      if (!line.chunks_.empty()) take(*line.next());
    }
  }

  TextLine(const TextLine&) = delete;
  TextLine& operator=(const TextLine&) = delete;
  // The threads never wait for the lock of the interpreter, so the caller may hold it.
  ~TextLine() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    added_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  // Small enough for the cache of a core, large enough that handing it over costs nothing.
  static constexpr size_t kChunkBytes = size_t{1} << 15;
  static constexpr std::chrono::milliseconds kSignalInterval{50};

  TextLine(uint32_t threads, Work work) : work_(std::move(work)), limit_(4 * size_t{threads}) {
    threads_.reserve(threads - 1);
    try {
      for (uint32_t i = 1; i < threads; ++i) threads_.emplace_back([this] { work_on_chunks(); });
    } catch (const std::system_error&) {
      // The machine gives no more threads: those that there are do the work.
    }
  }

  // The next texts of the iterator, or null at its end.
  static std::unique_ptr<Chunk> read_chunk(nanobind::handle iterator, PythonText::Bytes bytes, size_t& read) {
    auto chunk = std::make_unique<Chunk>();
    for (size_t size = 0; size < kChunkBytes;) {
      const nanobind::object text = nanobind::steal(PyIter_Next(iterator.ptr()));
      if (!text.is_valid()) {
        if (PyErr_Occurred() != nullptr) throw nanobind::python_error();
        break;
      }
      if (PyUnicode_Check(text.ptr()) != 0) {
        chunk->texts.emplace_back(text, bytes, std::string_view());
      } else {
        chunk->texts.emplace_back(text, bytes, "texts[" + std::to_string(read) + "]");
      }
      ++read;
      size += chunk->texts.back().view().size() + sizeof(PythonText);
    }
    if (chunk->texts.empty()) return nullptr;
    for (const PythonText& text : chunk->texts) chunk->views.push_back(text.view());
    return chunk;
  }

  void add(std::unique_ptr<Chunk> chunk) {
    {
      const std::lock_guard lock(mutex_);
      chunks_.push_back(std::move(chunk));
    }
    added_.notify_one();
  }
  // Works until the first chunk is done, or waits when every chunk is being worked on, and looks for signals meanwhile.
  std::unique_ptr<Chunk> next() {
    for (bool done = is_done(); !done;) {
      {
        const Unlocked unlocked;
        if (Chunk* const chunk = start_one()) {
          finish(*chunk);
          done = is_done();
        } else {
          std::unique_lock lock(mutex_);
          done = finished_.wait_for(lock, kSignalInterval, [&] { return chunks_.front()->done; });
        }
      }
      if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
    }
    std::unique_ptr<Chunk> chunk;
    {
      const std::lock_guard lock(mutex_);
      chunk = std::move(chunks_.front());
      chunks_.pop_front();
    }
    if (chunk->failure) std::rethrow_exception(chunk->failure);
    return chunk;
  }

  bool is_done() {
    const std::lock_guard lock(mutex_);
    return chunks_.front()->done;
  }

  // A chunk that nobody works on, or null. With `wait` it waits for one, until the line ends.
  Chunk* start_one(bool wait = false) {
    std::unique_lock lock(mutex_);
    const auto unstarted = [&] { return std::find_if(chunks_.begin(), chunks_.end(), [](const auto& each) { return !each->started; }); };
    if (wait) added_.wait(lock, [&] { return ended_ || unstarted() != chunks_.end(); });
    const auto found = unstarted();
    if (ended_ || found == chunks_.end()) return nullptr;
    (*found)->started = true;
    return found->get();
  }

  void finish(Chunk& chunk) {
    try {
      work_(chunk);
    } catch (...) {
      chunk.failure = std::current_exception();
    }
    {
      const std::lock_guard lock(mutex_);
      chunk.done = true;
    }
    finished_.notify_one();
  }

  void work_on_chunks() {
    while (Chunk* const chunk = start_one(true)) finish(*chunk);
  }

  const Work work_;
  const size_t limit_;  // of chunks_
  std::mutex mutex_;    // of all below; only the calling thread changes the list itself, and reads it without
  std::condition_variable added_;
  std::condition_variable finished_;
  std::deque<std::unique_ptr<Chunk>> chunks_;
  bool ended_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace neardup::python
