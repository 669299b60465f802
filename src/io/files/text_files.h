// Batches of text files: every file is one document, its id is its path.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "io/files/charset.h"
#include "io/files/files_ahead.h"
#include "io/files/input_list.h"
#include "io/files/line_batch.h"
#include "neardup/source.h"

namespace neardup {

/// The state of a file when it was first read. Later passes must find the same.
enum class TextState : uint8_t { kUnread, kRead, kUnreadable };

/// The number of leading entries in one batch: text files up to batch_bytes together, at most 1024.
size_t text_batch_size(std::span<const InputEntry> entries, uint64_t batch_bytes) noexcept;

/// The entries and states, the context, and `ahead`, which is for the files of this batch, must outlive the batch. `source` is the ordinal
/// of the first entry. A file that cannot be read, is damaged inside its compression, or is too long is a rejected record (a too long one
/// that is compressed has no raw bytes). The text is decoded by `charset`, unless a page names another; a byte order mark belongs to raw,
/// not to text. Throws Error{kInput} when a file changed since it was listed or read before.
std::unique_ptr<Batch> make_text_batch(std::span<const InputEntry> entries, std::span<std::atomic<TextState>> states, uint32_t source,
                                       const Charset& charset, LineContext& context, FilesAhead& ahead);

}  // namespace neardup
