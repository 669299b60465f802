// Columns that the stages take: bytes, and texts of which some are null. What they view stays as long as they do.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/owned.h"
#include "neardup/tools/stages.h"
#include "unlocked.h"

namespace neardup::python {

using Ranks = nanobind::ndarray<nanobind::numpy, const int64_t, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

inline std::span<const int64_t> span_of(const Ranks& ranks) noexcept {
  return {ranks.data(), ranks.shape(0)};
}

/// A column of Arrow (binary, large_binary, binary_view), or an iterable of bytes. Created and destroyed with the lock of the interpreter.
class BytesColumn {
 public:
  /// Throws TypeError that names `argument` for anything else, nulls included.
  BytesColumn(nanobind::handle container, const std::string& argument);

  [[nodiscard]] const std::vector<std::string_view>& views() const noexcept { return views_; }

 private:
  void read_arrow(nanobind::handle container, const std::string& argument);
  void read_items(nanobind::handle container, const std::string& argument);

  std::vector<std::string_view> views_;
  std::vector<Owned<ArrowArray>> arrays_;
  nanobind::object items_;
};

/// A column of strings of Arrow. Created and destroyed with the lock of the interpreter.
class NullableTexts {
 public:
  /// Throws TypeError that names `argument`.
  NullableTexts(nanobind::handle container, const std::string& argument);

  [[nodiscard]] const std::vector<std::optional<std::string_view>>& views() const noexcept { return views_; }

 private:
  std::vector<std::optional<std::string_view>> views_;
  std::vector<Owned<ArrowArray>> arrays_;
};

/// use(views) of a column of blobs, without the lock of the interpreter.
template <typename Use>
auto with_blobs(nanobind::handle container, const Use& use) {
  const BytesColumn blobs(container, "blobs");
  const Unlocked unlocked;
  return use(Stages::Blobs(blobs.views()));
}

/// Throws UsageError unless two columns have one length.
void check_lengths(size_t ranks, size_t others, std::string_view name);

/// (part, kind, bytes)
nanobind::tuple blob_tuple(const Blob& blob);
nanobind::list blob_list(const std::vector<Blob>& blobs);
nanobind::bytes bytes_of(std::string_view bytes);

}  // namespace neardup::python
