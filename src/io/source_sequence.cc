#include "io/source_sequence.h"

#include <algorithm>
#include <string>
#include <utility>

#include "io/port/source_traits.h"
#include "neardup/io.h"

namespace neardup {
namespace {

// Sources with names only.
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

bool is_only_names(const DocumentSource& source) noexcept {
  return dynamic_cast<const NamedSources*>(&source) != nullptr;
}

// A batch of a later part, whose ordinals follow on those of the parts before.
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
  void fetch(Need need) override { batch_->fetch(need); }
  void expect_known_records() override { batch_->expect_known_records(); }
  [[nodiscard]] uint32_t source() const noexcept override { return batch_->source() + shift_; }
  [[nodiscard]] uint64_t rows() const noexcept override { return batch_->rows(); }
  [[nodiscard]] uint64_t input_bytes() const noexcept override { return batch_->input_bytes(); }

 private:
  const std::unique_ptr<Batch> batch_;
  const uint32_t shift_;
};

class SourceSequence final : public DocumentSource, public SourceTraits {
 public:
  SourceSequence(std::vector<std::unique_ptr<DocumentSource>> parts, size_t reference) {
    for (auto& part : parts) {
      if (parts_.size() < reference) reference_sources_ = source_count_ + part->source_count();
      const uint32_t shift = source_count_;
      source_count_ += part->source_count();
      parts_.push_back({.source = std::move(part), .shift = shift});
    }
  }

  std::unique_ptr<Batch> next() override {
    for (; at_ < parts_.size(); ++at_) {
      auto batch = parts_[at_].source->next();
      if (!batch) continue;
      if (parts_[at_].shift == 0) return batch;
      return std::make_unique<ShiftedBatch>(std::move(batch), parts_[at_].shift);
    }
    return nullptr;
  }
  void rewind() override {
    for (const Part& part : parts_) part.source->rewind();
    at_ = 0;
  }

  [[nodiscard]] uint32_t source_count() const noexcept override { return source_count_; }
  [[nodiscard]] std::string_view source_name(uint32_t source) const override {
    const Part& part = part_of(source);
    return part.source->source_name(source - part.shift);
  }
  [[nodiscard]] bool waits() const noexcept override {
    return std::ranges::any_of(parts_, [](const Part& part) { return part.source->waits(); });
  }
  [[nodiscard]] std::string state_of(uint32_t source) const override {
    const Part& part = part_of(source);
    return part.source->state_of(source - part.shift);
  }
  [[nodiscard]] std::string reference_to(uint32_t source) const override {
    const Part& part = part_of(source);
    return part.source->reference_to(source - part.shift);
  }
  [[nodiscard]] bool holds_html(uint32_t source) const noexcept override {
    const Part& part = part_of(source);
    return part.source->holds_html(source - part.shift);
  }
  [[nodiscard]] uint64_t input_bytes() const noexcept override {
    uint64_t total = 0;
    for (const Part& part : parts_) {
      if (is_only_names(*part.source)) continue;
      const uint64_t bytes = part.source->input_bytes();
      if (bytes == 0) return 0;  // one unknown makes the total unknown
      total += bytes;
    }
    return total;
  }

  [[nodiscard]] bool is_text(uint32_t source) const noexcept override {
    const Part& part = part_of(source);
    return TraitsOf(*part.source).is_text(source - part.shift);
  }
  [[nodiscard]] bool is_archive(uint32_t source) const noexcept override {
    const Part& part = part_of(source);
    return TraitsOf(*part.source).is_archive(source - part.shift);
  }
  [[nodiscard]] const TableFile* table_of(uint32_t source) const noexcept override {
    const Part& part = part_of(source);
    return TraitsOf(*part.source).table_of(source - part.shift);
  }
  [[nodiscard]] bool any_text() const noexcept override {
    return std::ranges::any_of(parts_, [](const Part& part) { return TraitsOf(*part.source).any_text(); });
  }
  [[nodiscard]] uint32_t reference_sources() const noexcept override { return reference_sources_; }
  [[nodiscard]] const DocumentSource* part(uint32_t source) const noexcept override {
    const Part& part = part_of(source);
    return &TraitsOf(*part.source).part(source - part.shift);
  }

 private:
  struct Part {
    std::unique_ptr<DocumentSource> source;
    uint32_t shift;  // the ordinal of its first source
  };
  [[nodiscard]] const Part& part_of(uint32_t source) const noexcept {
    // Parts without sources do not exist, so the shifts ascend.
    return *std::prev(std::ranges::upper_bound(parts_, source, {}, &Part::shift));
  }

  std::vector<Part> parts_;
  uint32_t source_count_ = 0;
  uint32_t reference_sources_ = 0;
  size_t at_ = 0;  // the part that is read
};

std::unique_ptr<DocumentSource> join(std::unique_ptr<DocumentSource> first, std::unique_ptr<DocumentSource> second, size_t reference) {
  std::vector<std::unique_ptr<DocumentSource>> parts;
  parts.push_back(std::move(first));
  parts.push_back(std::move(second));
  return make_source_sequence(std::move(parts), reference);
}

}  // namespace

std::unique_ptr<DocumentSource> make_source_sequence(std::vector<std::unique_ptr<DocumentSource>> parts, size_t reference) {
  return std::make_unique<SourceSequence>(std::move(parts), reference);
}

std::unique_ptr<DocumentSource> concatenate(std::unique_ptr<DocumentSource> reference, std::unique_ptr<DocumentSource> inputs) {
  return join(std::move(reference), std::move(inputs), 1);
}

std::unique_ptr<DocumentSource> append_source(std::unique_ptr<DocumentSource> first, std::unique_ptr<DocumentSource> more) {
  return join(std::move(first), std::move(more), 0);
}

std::unique_ptr<DocumentSource> name_sources(std::vector<std::string> names) {
  return std::make_unique<NamedSources>(std::move(names));
}

}  // namespace neardup
