#include "cli/search/answer_sink.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "cli/terminal/say.h"
#include "cli/terminal/terminal.h"
#include "cli/terminal/text_format.h"
#include "neardup/error.h"

namespace neardup::cli {
namespace {

constexpr uint64_t kUnnamed = UINT64_MAX;

std::string table_cell(std::string_view value) {
  std::string cell(value);
  for (char& c : cell) {
    if (c == '\t' || c == '\n' || c == '\r') c = ' ';
  }
  return cell;
}

}  // namespace

AnswerSink::AnswerSink(const std::string& path, AnswerForm form, const ClueSearch& search, const ClueIndex& index,
                       const DocumentSource* source)
    : form_(form), search_(search), index_(index), source_(source), colored_(path == "-" && can_color(STDOUT_FILENO)) {
  if (path != "-") file_ = make_piece_sink(path);
  if (form_ == AnswerForm::kTable) write(table_header(search.count_only));
}

// A piece is the length of the name, the name, and the answer.
void AnswerSink::begin(std::optional<std::string_view> name, std::string& piece) {
  const uint64_t bytes = name ? name->size() : kUnnamed;
  piece.append(reinterpret_cast<const char*>(&bytes), sizeof bytes);
  if (name) piece += *name;
}

void AnswerSink::answer(const ClueAnswer& answer, std::string& piece) const {
  switch (form_) {
    case AnswerForm::kTable:
      return append_table(answer, search_, piece);
    case AnswerForm::kJson:
      return append_json(answer, search_, piece);
    case AnswerForm::kPage:
      return append_page(answer, search_, index_, colored_, piece);
  }
}

void AnswerSink::refuse(std::string_view problem, std::string& piece) const {
  if (form_ == AnswerForm::kJson) append_problem_json(problem, piece);
  if (form_ == AnswerForm::kTable && search_.count_only) piece += "\t\t\t\n";
  if (form_ == AnswerForm::kPage) piece += printable(problem) + "\n";
}

std::string AnswerSink::name_of(const DocumentId& where, std::string_view piece, std::string_view& rest) const {
  uint64_t bytes = 0;
  std::memcpy(&bytes, piece.data(), sizeof bytes);
  rest = piece.substr(sizeof bytes);
  if (bytes == kUnnamed) return fmt::format("{}:{}", source_->source_name(where.source), where.row);
  std::string name(rest.substr(0, bytes));
  rest.remove_prefix(bytes);
  return name;
}

void AnswerSink::append(const DocumentId& where, std::string_view piece) {
  std::string_view rest;
  const std::string name = name_of(where, piece, rest);
  line_.clear();
  if (form_ == AnswerForm::kJson) {
    line_ += R"({"query":)" + json_quote(name);
    line_ += rest;
  } else if (form_ == AnswerForm::kPage) {
    if (!name.empty()) line_ += fmt::format("== {}\n", printable(name));
    line_ += rest;
    if (!name.empty()) line_ += '\n';
  } else {
    const std::string cell = table_cell(name);
    for (size_t at = 0; at < rest.size();) {
      const size_t end = rest.find('\n', at) + 1;
      line_ += cell;
      line_ += rest.substr(at, end - at);
      at = end;
    }
  }
  write(line_);
}

void AnswerSink::write(std::string_view text) {
  if (file_) return file_->append({}, text);
  // A page is printable already, and has colors.
  if (form_ == AnswerForm::kPage) {
    say_styled(text);
  } else if (form_ == AnswerForm::kJson && isatty(STDOUT_FILENO) == 1) {
    say_json(text);
  } else {
    say_data("{}", text);
  }
}

void AnswerSink::flush() {
  if (file_) return file_->flush();
  if (std::fflush(stdout) != 0) throw Error(ErrorCode::kOutput, "cannot write standard output");
}

void AnswerSink::commit() {
  if (file_) return file_->commit();
  flush();
}

void AnswerSink::withdraw() noexcept {
  if (file_) file_->withdraw();
}

}  // namespace neardup::cli
