// ExplainSource: where `neardup explain` finds verdicts: the record of a finished run, or a verdict file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/run/finished_run.h"
#include "neardup/tools/source_texts.h"
#include "neardup/tools/verdict_file.h"

namespace neardup::cli {

/// A document with its verdict, and where its text and that of its keeper are.
struct Explained {
  VerdictLine line;
  TextPlace text;
  /// Of a removed document; nothing: its keeper is the entry of an index, which has no text.
  std::optional<TextPlace> keeper{};
  enum class KeeperKind : uint8_t { kInput, kReference, kIndex };
  KeeperKind keeper_kind = KeeperKind::kInput;
};

class ExplainSource {
 public:
  virtual ~ExplainSource() = default;

  /// The options of the run, and what follows from them.
  [[nodiscard]] virtual const Options& options() const noexcept = 0;
  [[nodiscard]] virtual const RunPlan& plan() const noexcept = 0;
  /// The checkpoint directory; empty: none.
  [[nodiscard]] virtual const std::string& directory() const noexcept = 0;
  [[nodiscard]] virtual const SourceTexts& texts() const noexcept = 0;

  /// At most `most` documents with this id, in input order.
  [[nodiscard]] virtual std::vector<Explained> find(const std::string& id, size_t most) const = 0;
  [[nodiscard]] virtual std::optional<Explained> find_place(const std::string& source, uint64_t row) const = 0;
  [[nodiscard]] virtual std::vector<std::string> nearest(const std::string& id, size_t most) const = 0;
  /// At most `most` documents that were removed because of this one's keeper, or because of this one if it is kept.
  [[nodiscard]] virtual std::vector<VerdictLine> members(const Explained& document, size_t most) const = 0;
};

std::unique_ptr<ExplainSource> explain_run(FinishedRun run);
/// `inputs`: databases among the sources, with their passwords. `reporter` outlives the result. Throws Error{kInput}.
std::unique_ptr<ExplainSource> explain_verdicts(const std::string& path, const Options& options, std::vector<std::string> inputs,
                                                Reporter& reporter);

}  // namespace neardup::cli
