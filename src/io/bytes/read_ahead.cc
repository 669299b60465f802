#include "io/bytes/read_ahead.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "io/bytes/buffer.h"
#include "io/bytes/rest_stream.h"
#include "io/bytes/stream_cutter.h"
#include "neardup/stop.h"

namespace neardup {
namespace {

constexpr uint32_t kMaxReadAheadThreads = 16;
constexpr size_t kMinHeldBytes = size_t{32} << 20;
constexpr size_t kHeldBytesPerThread = size_t{12} << 20;
// With fewer cores the threads of the run keep all of them busy, and passing bytes from thread to thread only costs.
constexpr uint32_t kThreadsForRest = 4;
constexpr uint64_t kNoPiece = ~uint64_t{0};

struct DecompressedBlock {
  std::unique_ptr<Buffer> bytes;
  uint64_t consumed = 0;  // bytes of the stream up to its end
};

// Everything from a piece on, decompressed serially.
struct Rest {
  Rest(Compression compression, std::deque<Buffer> read, ByteStream& stream, std::exception_ptr error, BytesBefore before)
      : stored(before.stored, std::move(read), stream, std::move(error)), decompressor(make_decompressor(compression, stored, before)) {}
  RestStream stored;
  const std::unique_ptr<Decompressor> decompressor;
  uint64_t again = 0;  // its first bytes, which were given already
};

// A piece that one thread decompresses, and what becomes of it.
struct Piece : StoredPiece {
  std::deque<DecompressedBlock> blocks;  // not given yet
  size_t queued_bytes = 0;               // in them
  uint64_t plain_bytes = 0;              // all that were decompressed
  bool finished = false;
  uint64_t consumed = 0;  // at its end
  std::string damage;
  std::exception_ptr error;
  std::unique_ptr<Rest> rest;  // for the reader to decompress after the blocks
};

class ReadAhead final : public Decompressor {
 public:
  // Throws std::system_error when the system gives no thread.
  ReadAhead(Compression compression, ByteStream& stream, const ReadAheadLimits& limits);
  ~ReadAhead() override;
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  size_t read(char* to, size_t bytes) override;
  [[nodiscard]] const std::string& damage() const noexcept override { return damage_; }
  [[nodiscard]] uint64_t consumed_bytes() const noexcept override { return consumed_; }

 private:
  // The reader:
  bool next_block();
  size_t read_rest(char* to, size_t bytes);
  void drop_first_piece();

  // The threads:
  void work();
  Piece* take_piece();
  void decompress(Piece& piece);
  bool decompress_alone(Piece& piece);
  void decompress_rest(Piece& piece);
  bool give_block(Piece& piece, std::unique_ptr<Buffer> bytes, uint64_t consumed);
  std::unique_ptr<Buffer> take_buffer();

  // Under mutex_:
  void start_thread();
  [[nodiscard]] bool is_first(const Piece& piece) const noexcept { return !pieces_.empty() && pieces_.front().get() == &piece; }
  [[nodiscard]] bool is_dropped(const Piece& piece) const noexcept { return closing_ || piece.ordinal > rest_from_; }

  const Compression compression_;
  ByteStream& stream_;
  const ReadAheadLimits limits_;
  Pool<Buffer> buffers_;

  // Of the reader:
  DecompressedBlock current_;
  size_t at_ = 0;       // in current_
  uint64_t given_ = 0;  // bytes
  uint64_t consumed_ = 0;
  std::string damage_;
  std::unique_ptr<Rest> rest_;  // it has taken over
  std::exception_ptr rest_error_;

  // Of the thread whose turn it is:
  std::mutex turn_;
  StreamCutter cutter_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::unique_ptr<Piece>> pieces_;  // the reader is at the first
  size_t held_bytes_ = 0;
  uint64_t first_plain_ = 0;  // decompressed bytes before the first piece
  size_t working_ = 0;        // threads between take_piece() and the end of decompress()
  bool all_taken_ = false;
  std::exception_ptr failure_;     // of a thread without a piece: no memory
  uint64_t rest_from_ = kNoPiece;  // the piece that takes over all later ones
  std::atomic<bool> closing_ = false;
  const StopFunction closing_stop_ = [this] { return closing_.load(); };  // ends waiting for a pipe
  std::vector<std::thread> threads_;
};

ReadAhead::ReadAhead(Compression compression, ByteStream& stream, const ReadAheadLimits& limits)
    : compression_(compression),
      stream_(stream),
      limits_(limits),
      cutter_(compression, stream, limits.min_piece_bytes, limits.max_piece_bytes) {
  const std::lock_guard lock(mutex_);
  threads_.reserve(limits_.threads);
  threads_.emplace_back([this] { work(); });
}

ReadAhead::~ReadAhead() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

size_t ReadAhead::read(char* to, size_t bytes) {
  size_t done = 0;
  while (done < bytes) {
    if (rest_) return done + read_rest(to + done, bytes - done);
    if (!current_.bytes || at_ == current_.bytes->size()) {
      if (!next_block()) break;
      continue;
    }
    const size_t got = current_.bytes->view().copy(to + done, bytes - done, at_);
    at_ += got;
    done += got;
    given_ += got;
  }
  return done;
}

size_t ReadAhead::read_rest(char* to, size_t bytes) {
  if (rest_error_) std::rethrow_exception(rest_error_);
  Decompressor& decompressor = *rest_->decompressor;
  try {
    for (size_t got = 1; rest_->again > 0 && got > 0; rest_->again -= got) {
      got = decompressor.read(to, static_cast<size_t>(std::min<uint64_t>(bytes, rest_->again)));
    }
    const size_t got = decompressor.read(to, bytes);
    consumed_ = decompressor.consumed_bytes();
    damage_ = decompressor.damage();
    return got;
  } catch (...) {
    rest_error_ = std::current_exception();
    throw;
  }
}

// False at the end.
bool ReadAhead::next_block() {
  constexpr auto kAskEvery = std::chrono::milliseconds(50);
  if (current_.bytes) buffers_.give(std::move(current_.bytes));
  at_ = 0;
  std::unique_lock lock(mutex_);
  for (;;) {
    if (failure_) std::rethrow_exception(failure_);
    while (!pieces_.empty() && pieces_.front()->blocks.empty() && pieces_.front()->finished) {
      if (pieces_.front()->error) std::rethrow_exception(pieces_.front()->error);
      rest_ = std::move(pieces_.front()->rest);
      drop_first_piece();
      if (rest_) return true;
    }
    if (pieces_.empty() && all_taken_) return false;
    if (!pieces_.empty() && !pieces_.front()->blocks.empty()) break;
    check_stop();
    changed_.wait_for(lock, kAskEvery);
  }
  Piece& piece = *pieces_.front();
  current_ = std::move(piece.blocks.front());
  piece.blocks.pop_front();
  piece.queued_bytes -= current_.bytes->size();
  held_bytes_ -= current_.bytes->size();
  consumed_ = current_.consumed;
  changed_.notify_all();
  return true;
}

void ReadAhead::drop_first_piece() {
  const std::unique_ptr<Piece> piece = std::move(pieces_.front());
  pieces_.pop_front();
  held_bytes_ -= piece->stored.size();
  consumed_ = std::max(consumed_, piece->consumed);
  damage_ = piece->damage;
  first_plain_ = given_;
  changed_.notify_all();
}

void ReadAhead::work() {
  const StopScope scope(&closing_stop_);
  try {
    while (Piece* const piece = take_piece()) decompress(*piece);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    failure_ = std::current_exception();
    all_taken_ = true;
    changed_.notify_all();
  }
}

// Null: there is nothing more to do.
Piece* ReadAhead::take_piece() {
  const std::lock_guard turn(turn_);
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return closing_ || all_taken_ || pieces_.empty() || held_bytes_ < limits_.max_held_bytes; });
    if (closing_ || all_taken_) return nullptr;
    ++working_;
  }
  auto taken = std::make_unique<Piece>();
  Piece& piece = *taken;
  try {
    cutter_.cut(piece);
  } catch (...) {
    piece.error = std::current_exception();
    piece.finished = true;
  }
  const std::lock_guard lock(mutex_);
  held_bytes_ += piece.stored.size();
  pieces_.push_back(std::move(taken));
  if (piece.error || piece.end != Piece::End::kCut) {
    all_taken_ = true;
  } else {
    start_thread();
  }
  if (piece.error) --working_;
  changed_.notify_all();
  return piece.error ? nullptr : &piece;
}

void ReadAhead::start_thread() {
  if (closing_ || threads_.size() >= limits_.threads) return;
  try {
    threads_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {
    // The existing threads do all the work.
  }
}

void ReadAhead::decompress(Piece& piece) {
  std::exception_ptr error;
  try {
    if (piece.end == Piece::End::kUnknown || !decompress_alone(piece)) decompress_rest(piece);
  } catch (...) {
    error = std::current_exception();
  }
  const std::lock_guard lock(mutex_);
  // A dropped piece may be freed as soon as its thread does not work any more.
  piece.error = error;
  piece.finished = true;
  --working_;
  changed_.notify_all();
}

// False: the piece does not end as it seemed, or is damaged. The bytes given so far are correct, if the pieces before are as they seem.
bool ReadAhead::decompress_alone(Piece& piece) {
  MemoryStream stored(piece.stored.view());
  const auto decompressor = make_decompressor(compression_, stored);
  for (bool more = true; more;) {
    auto bytes = take_buffer();
    bytes->set_size(decompressor->read(bytes->data(), limits_.block_bytes));
    more = bytes->size() == limits_.block_bytes;
    // Not more than a decompressor of the whole stream took for these bytes, which may have to count them again.
    const uint64_t taken = decompressor->consumed_bytes();
    if (!give_block(piece, std::move(bytes), piece.offset + taken - std::min<uint64_t>(taken, kStoredPieceBytes))) return true;
  }
  piece.consumed = piece.offset + piece.stored.size();
  return decompressor->damage().empty() && (piece.end == Piece::End::kStream || !decompressor->padded());
}

// Decompresses from the beginning of the piece to the end of the stream, without assuming anything. Bytes that were given are dropped: they
// are the same again.
void ReadAhead::decompress_rest(Piece& piece) {
  std::deque<Buffer> read;
  std::exception_ptr error;  // of the stream, which a dropped piece met
  uint64_t plain_before = 0;
  {
    std::unique_lock lock(mutex_);
    all_taken_ = true;
    rest_from_ = std::min(rest_from_, piece.ordinal);
    changed_.notify_all();
    // When it is the first, all pieces before it ended as they seemed to.
    changed_.wait(lock, [&] { return is_dropped(piece) || (is_first(piece) && working_ == 1); });
    if (is_dropped(piece)) return;
    for (auto& each : pieces_) {
      held_bytes_ -= each->stored.size() + (each.get() == &piece ? 0 : each->queued_bytes);
      read.push_back(std::exchange(each->stored, Buffer()));
      if (each.get() != &piece && each->error && !error) error = each->error;
    }
    pieces_.erase(pieces_.begin() + 1, pieces_.end());
    plain_before = first_plain_;
  }
  const std::lock_guard turn(turn_);  // nobody else reads the stream any more; this makes it plain
  read.push_back(cutter_.take_pending());
  auto rest = std::make_unique<Rest>(compression_, std::move(read), stream_, std::move(error),
                                     BytesBefore{.stored = piece.offset, .plain = plain_before});
  rest->again = piece.plain_bytes;
  if (limits_.threads < kThreadsForRest) {
    const std::lock_guard lock(mutex_);
    piece.rest = std::move(rest);
    return;
  }
  Decompressor* const decompressor = rest->decompressor.get();
  uint64_t& again = rest->again;
  for (bool more = true; more;) {
    auto bytes = take_buffer();
    const auto wanted = static_cast<size_t>(again > 0 ? std::min<uint64_t>(again, limits_.block_bytes) : limits_.block_bytes);
    bytes->set_size(decompressor->read(bytes->data(), wanted));
    more = bytes->size() == wanted;
    if (again > 0) {
      again -= bytes->size();
      buffers_.give(std::move(bytes));
    } else if (!give_block(piece, std::move(bytes), decompressor->consumed_bytes())) {
      return;
    }
  }
  piece.consumed = decompressor->consumed_bytes();
  piece.damage = decompressor->damage();
}

// Waits until there is room. False if the block is not needed any more.
bool ReadAhead::give_block(Piece& piece, std::unique_ptr<Buffer> bytes, uint64_t consumed) {
  const size_t size = bytes->size();
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] {
    return is_dropped(piece) || (is_first(piece) ? piece.queued_bytes < limits_.max_queue_bytes : held_bytes_ < limits_.max_held_bytes);
  });
  if (is_dropped(piece)) return false;
  if (size > 0) {
    piece.blocks.push_back({.bytes = std::move(bytes), .consumed = consumed});
    piece.queued_bytes += size;
    piece.plain_bytes += size;
    held_bytes_ += size;
    if (is_first(piece)) changed_.notify_all();
  }
  return true;
}

std::unique_ptr<Buffer> ReadAhead::take_buffer() {
  auto buffer = buffers_.take();
  if (!buffer) buffer = std::make_unique<Buffer>();
  buffer->reserve(limits_.block_bytes);
  return buffer;
}

}  // namespace

std::unique_ptr<Decompressor> make_read_ahead(Compression compression, ByteStream& stream, const ReadAheadLimits& limits) {
  if (compression == Compression::kNone) return make_decompressor(compression, stream);
  ReadAheadLimits resolved = limits;
  if (resolved.threads == 0) {
    resolved.threads = std::clamp(std::thread::hardware_concurrency(), 1u, kMaxReadAheadThreads);
    if (limits.max_held_bytes != 0) {
      const size_t room = std::max<size_t>(limits.max_held_bytes / kHeldBytesPerThread, 1);
      resolved.threads = static_cast<uint32_t>(std::min<size_t>(resolved.threads, room));
    }
  }
  const size_t most = std::max(kMinHeldBytes, resolved.threads * kHeldBytesPerThread);
  resolved.max_held_bytes = limits.max_held_bytes == 0 ? most : std::min(limits.max_held_bytes, most);
  try {
    return std::make_unique<ReadAhead>(compression, stream, resolved);
  } catch (const std::system_error&) {
    return make_decompressor(compression, stream);
  }
}

}  // namespace neardup
