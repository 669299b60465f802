#include "io/bytes/output_file.h"
#include "neardup/io.h"

namespace neardup {
namespace {

class FilePieceSink final : public PieceSink {
 public:
  explicit FilePieceSink(const std::string& path) : file_(path) {}
  void append(const DocumentId&, std::string_view piece) override { file_.append(piece); }
  void commit() override { file_.commit(); }
  void withdraw() noexcept override { file_.withdraw(); }

 private:
  OutputFile file_;
};

}  // namespace

std::unique_ptr<PieceSink> make_piece_sink(const std::string& path) {
  return std::make_unique<FilePieceSink>(path);
}

}  // namespace neardup
