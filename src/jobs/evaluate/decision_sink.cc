#include <cmath>
#include <cstring>
#include <string>

#include "base/format.h"
#include "neardup/tools/evaluate.h"

namespace neardup {
namespace {

// The fixed part of a decision as the bytes of the sink; the name follows.
struct PackedDecision {
  DocumentId where;
  DocumentId keeper;
  uint32_t similarity_millionths;
  uint32_t name_bytes;
  uint32_t flags;
};
constexpr uint32_t kRemovedFlag = 1;
constexpr uint32_t kNamedFlag = 2;

class DecisionSink final : public Sink {
 public:
  DecisionSink(const DocumentSource& source, DecisionTable& table) : source_(source), table_(table) {}

  [[nodiscard]] bool needs_raw() const noexcept override { return false; }
  void format(const Record& record, const Verdict& verdict, std::string& out) const override {
    const bool removed = verdict.decision == Decision::kRemove;
    PackedDecision packed{};
    packed.where = record.where;
    packed.keeper = removed ? verdict.keeper : record.where;
    packed.similarity_millionths = removed ? static_cast<uint32_t>(std::lround(verdict.similarity * 1e6)) : 0;
    packed.name_bytes = static_cast<uint32_t>(record.has_id ? record.id.size() : 0);
    packed.flags = (removed ? kRemovedFlag : 0) | (record.has_id ? kNamedFlag : 0);
    out.append(reinterpret_cast<const char*>(&packed), sizeof packed);
    if (record.has_id) out += record.id;
  }
  void append(uint32_t, std::string_view bytes) override {
    std::string place;
    for (size_t at = 0; at < bytes.size();) {
      PackedDecision packed;
      std::memcpy(&packed, bytes.data() + at, sizeof packed);
      at += sizeof packed;
      std::string_view name = bytes.substr(at, packed.name_bytes);
      at += packed.name_bytes;
      if ((packed.flags & kNamedFlag) == 0) {
        place.clear();
        append_format(place, "{}:{}", source_.source_name(packed.where.source), packed.where.row);
        name = place;
      }
      table_.add({.where = packed.where,
                  .name = name,
                  .removed = (packed.flags & kRemovedFlag) != 0,
                  .keeper = packed.keeper,
                  .similarity_millionths = packed.similarity_millionths});
    }
  }
  void commit() override {}
  void withdraw() noexcept override {}

 private:
  const DocumentSource& source_;
  DecisionTable& table_;
};

}  // namespace

std::unique_ptr<Sink> make_decision_sink(const DocumentSource& source, DecisionTable& table) {
  return std::make_unique<DecisionSink>(source, table);
}

}  // namespace neardup
