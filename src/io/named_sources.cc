#include "io/named_sources.h"

#include <utility>

#include "neardup/io.h"

namespace neardup {
namespace {

class NamedSources final : public DocumentSource {
 public:
  explicit NamedSources(std::vector<std::string> names) : names_(std::move(names)) {}
  std::unique_ptr<Batch> next() override { return nullptr; }
  void rewind() override {}
  [[nodiscard]] uint32_t source_count() const noexcept override { return static_cast<uint32_t>(names_.size()); }
  [[nodiscard]] std::string_view source_name(uint32_t source) const override { return names_[source]; }
  [[nodiscard]] uint64_t input_bytes() const noexcept override { return 0; }

 private:
  const std::vector<std::string> names_;
};

}  // namespace

std::unique_ptr<DocumentSource> name_sources(std::vector<std::string> names) {
  return std::make_unique<NamedSources>(std::move(names));
}

bool is_only_names(const DocumentSource& source) noexcept {
  return dynamic_cast<const NamedSources*>(&source) != nullptr;
}

}  // namespace neardup
