#include "neardup/tools/result_file.h"

#include "io/bytes/output_file.h"

namespace neardup {

ResultFile::ResultFile(const std::string& path) : file_(std::make_unique<OutputFile>(path)) {}
ResultFile::~ResultFile() = default;

void ResultFile::write(std::string_view bytes) {
  file_->append(bytes);
  file_->commit();
}

}  // namespace neardup
