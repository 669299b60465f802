// ResultFile: a small result (a summary, a report) that gets its name only when it is complete. Implemented in
// src/io/bytes/output_file.cc.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace neardup {

class OutputFile;

class ResultFile {
 public:
  /// "-" is standard output. Throws Error{kOutput} at once for a path that cannot be written, before the long work begins.
  explicit ResultFile(const std::string& path);
  ~ResultFile();
  ResultFile(const ResultFile&) = delete;
  ResultFile& operator=(const ResultFile&) = delete;

  /// Writes everything and makes it visible. Called once. Throws Error{kOutput}.
  void write(std::string_view bytes);

 private:
  std::unique_ptr<OutputFile> file_;
};

}  // namespace neardup
