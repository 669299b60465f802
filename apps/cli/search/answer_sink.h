// AnswerSink: the answers of a clue index, in the order of the questions, to a file or standard output.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli/search/answer_format.h"
#include "neardup/io.h"

namespace neardup::cli {

class AnswerSink final : public PieceSink {
 public:
  /// `source` names questions without an id by their place, SOURCE:ROW; null if all have one. "-" is standard output, where every batch is
  /// written immediately. A question without a name has an empty one. Throws Error{kOutput}.
  AnswerSink(const std::string& path, AnswerForm form, const ClueSearch& search, const ClueIndex& index, const DocumentSource* source);

  /// A piece is begin(), then one of the others. Thread-safe.
  static void begin(std::optional<std::string_view> name, std::string& piece);
  void answer(const ClueAnswer& answer, std::string& piece) const;
  void refuse(std::string_view problem, std::string& piece) const;

  void append(const DocumentId& where, std::string_view piece) override;
  void flush() override;
  void commit() override;
  void withdraw() noexcept override;

 private:
  void write(std::string_view text);
  [[nodiscard]] std::string name_of(const DocumentId& where, std::string_view piece, std::string_view& rest) const;

  const AnswerForm form_;
  const ClueSearch& search_;
  const ClueIndex& index_;
  const DocumentSource* const source_;
  const bool colored_;
  std::unique_ptr<PieceSink> file_;  // null: standard output
  std::string line_;
};

}  // namespace neardup::cli
