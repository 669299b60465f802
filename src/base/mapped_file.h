// MappedFile: a file as a span of memory that the system fills when it is read. Immutable; threads share it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace neardup {

class MappedFile {
 public:
  /// Throws Error{kInput} naming the path and the reason; only regular files can be mapped. Who shortens the file while it is mapped ends
  /// the program: files that neardup writes appear by rename and are never changed.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  /// Begins at a page.
  [[nodiscard]] std::string_view bytes() const noexcept { return {static_cast<const char*>(begin_), size_}; }

  /// Hints for the system. kRandom: no more is read than what is looked at; else it may be megabytes around each page.
  enum class Reading { kRandom, kInOrder };
  void expect(Reading reading) const noexcept;
  /// The pages are not needed for now: they stop counting as memory of the program.
  void release() const noexcept;
  /// Begins to read these bytes, which are some of bytes().
  static void fetch(std::string_view bytes) noexcept;

 private:
  void* begin_ = nullptr;
  size_t size_ = 0;
};

}  // namespace neardup
