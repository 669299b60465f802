#include <string>
#include <utility>
#include <vector>

#include "io/source_traits.h"
#include "neardup/io.h"

namespace neardup {
namespace {

// A batch of the second source, whose ordinals follow on those of the first.
class ShiftedBatch final : public Batch {
 public:
  ShiftedBatch(std::unique_ptr<Batch> batch, uint32_t shift) : batch_(std::move(batch)), shift_(shift) {}

  uint32_t read(Need need, const Filter& wanted, const Visitor& visit) override {
    return batch_->read(need, wanted, [&](uint32_t ordinal, const Record& record) {
      Record shifted = record;
      shifted.where.source += shift_;
      visit(ordinal, shifted);
    });
  }
  [[nodiscard]] uint32_t source() const noexcept override { return batch_->source() + shift_; }
  [[nodiscard]] uint64_t rows() const noexcept override { return batch_->rows(); }
  [[nodiscard]] uint64_t input_bytes() const noexcept override { return batch_->input_bytes(); }

 private:
  const std::unique_ptr<Batch> batch_;
  const uint32_t shift_;
};

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

class Concatenation final : public DocumentSource, public SourceTraits {
 public:
  Concatenation(std::unique_ptr<DocumentSource> first, std::unique_ptr<DocumentSource> second)
      : first_(std::move(first)),
        second_(std::move(second)),
        first_traits_(*first_),
        second_traits_(*second_),
        shift_(first_->source_count()),
        only_named_(dynamic_cast<const NamedSources*>(first_.get()) != nullptr) {}

  std::unique_ptr<Batch> next() override {
    if (!first_ended_) {
      auto batch = first_->next();
      if (batch) return batch;
      first_ended_ = true;
    }
    auto batch = second_->next();
    return batch ? std::make_unique<ShiftedBatch>(std::move(batch), shift_) : nullptr;
  }
  void rewind() override {
    first_->rewind();
    second_->rewind();
    first_ended_ = false;
  }
  [[nodiscard]] uint32_t source_count() const noexcept override { return shift_ + second_->source_count(); }
  [[nodiscard]] std::string_view source_name(uint32_t source) const override {
    return source < shift_ ? first_->source_name(source) : second_->source_name(source - shift_);
  }
  [[nodiscard]] uint64_t input_bytes() const noexcept override {
    const uint64_t first = first_->input_bytes();
    const uint64_t second = second_->input_bytes();
    if (only_named_) return second;
    return first == 0 || second == 0 ? 0 : first + second;  // one unknown makes the total unknown
  }

  [[nodiscard]] bool is_text(uint32_t source) const noexcept override {
    return source < shift_ ? first_traits_.is_text(source) : second_traits_.is_text(source - shift_);
  }
  [[nodiscard]] bool any_text() const noexcept override { return first_traits_.any_text() || second_traits_.any_text(); }
  [[nodiscard]] uint32_t reference_sources() const noexcept override { return shift_; }

 private:
  const std::unique_ptr<DocumentSource> first_;
  const std::unique_ptr<DocumentSource> second_;
  const TraitsOf first_traits_;
  const TraitsOf second_traits_;
  const uint32_t shift_;
  const bool only_named_;  // the first has no bytes, which is not to say that they are unknown
  bool first_ended_ = false;
};

}  // namespace

std::unique_ptr<DocumentSource> concatenate(std::unique_ptr<DocumentSource> first, std::unique_ptr<DocumentSource> second) {
  return std::make_unique<Concatenation>(std::move(first), std::move(second));
}

std::unique_ptr<DocumentSource> name_sources(std::vector<std::string> names) {
  return std::make_unique<NamedSources>(std::move(names));
}

}  // namespace neardup
