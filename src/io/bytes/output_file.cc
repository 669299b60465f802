#include "io/bytes/output_file.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/mapped_file.h"
#include "io/bytes/uri.h"
#include "neardup/error.h"
#include "neardup/io.h"
#include "neardup/tools/printable.h"
#include "neardup/tools/result_file.h"

namespace neardup {
namespace {

// Compressors get pieces of exactly this size, so that their output does not show how batches were cut.
constexpr size_t kStageBytes = 1u << 20;

}  // namespace

OutputFile::OutputFile(const std::string& path) : compressor_(make_compressor(compression_of_name(path))) {
  require_known_scheme(path);
  if (path != "-") file_.emplace(path);
  terminal_ = path == "-" && !compressor_ && ::isatty(STDOUT_FILENO) == 1;
}

void remove_partial_outputs(const std::string& path) {
  if (path != "-" && !is_uri(path)) AtomicFile::remove_leftovers({path});
}

void OutputFile::append(std::string_view bytes) {
  while (!bytes.empty()) {
    if (staged_.empty() && bytes.size() >= kStageBytes) {
      // No bytes are pending before it: no need to copy it.
      const size_t direct = compressor_ ? kStageBytes : bytes.size();
      pass_on(bytes.substr(0, direct), false);
      bytes.remove_prefix(direct);
      continue;
    }
    const size_t taken = std::min(bytes.size(), kStageBytes - staged_.size());
    staged_.append(bytes.substr(0, taken));
    bytes.remove_prefix(taken);
    if (staged_.size() < kStageBytes) return;
    pass_on(staged_, false);
    staged_.clear();
  }
}

void OutputFile::flush() {
  if (file_ || compressor_ || staged_.empty()) return;
  write(staged_);
  staged_.clear();
}

void OutputFile::finish() {
  if (finished_) return;
  finishing_ = true;
  pass_on(staged_, true);
  std::string().swap(staged_);
  std::string().swap(compressed_);
  compressor_.reset();
  if (file_) file_->finish();
  finished_ = true;
}

void OutputFile::commit() {
  finish();
  if (file_) file_->commit();
}

void OutputFile::withdraw() noexcept {
  if (file_) file_->withdraw();
}

void OutputFile::pass_on(std::string_view bytes, bool last) {
  if (!compressor_) return write(bytes);
  compressed_.clear();
  compressor_->compress(bytes, last, compressed_);
  write(compressed_);
}

void OutputFile::write(std::string_view bytes) {
  if (file_) return file_->append(bytes);
  if (!terminal_) return write_to_standard_output(bytes);
  // Escaped for a terminal. A character may be cut between two pieces.
  cut_ += bytes;
  const size_t whole = cut_.size() - (finishing_ ? 0 : unfinished_character(cut_));
  write_to_standard_output(printable(std::string_view(cut_).substr(0, whole), Escapes::kJson));
  cut_.erase(0, whole);
}

void OutputFile::write_to_standard_output(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, bytes.data(), std::min<size_t>(bytes.size(), 1u << 30));
    if (written < 0) {
      if (errno == EINTR || (errno == EFAULT && refill_lost_pages(bytes))) continue;
      throw Error(ErrorCode::kOutput, std::string("cannot write standard output: ") + std::strerror(errno) + " (" +
                                          std::to_string(written_) + " bytes written)");
    }
    bytes.remove_prefix(static_cast<size_t>(written));
    written_ += static_cast<uint64_t>(written);
  }
}

ResultFile::ResultFile(const std::string& path) : file_(std::make_unique<OutputFile>(path)) {}
ResultFile::~ResultFile() = default;

void ResultFile::write(std::string_view bytes) {
  file_->append(bytes);
  file_->commit();
}

}  // namespace neardup
