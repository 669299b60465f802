#include "io/sql/sql_batch.h"

#include <fmt/format.h>

#include <utility>

#include "base/hash.h"
#include "io/bytes/json_padding.h"
#include "io/json/field_text.h"

namespace neardup {
namespace {

constexpr uint64_t kMostAhead = 4;  // batches of usual size

SourceOptions line_options(const SourceOptions& options, const SqlSelection& selection) {
  SourceOptions changed = options;
  if (options.id_field == kAutoIdField) changed.id_field = selection.key();
  return changed;
}

}  // namespace

void SqlHeld::add(SqlConnection::Row row) {
  ++rows;
  keys = mix64(keys ^ hash64(row[0].bytes));
}

SqlContext::SqlContext(const SqlAddress& at, SqlPool& connections, SqlSelection selected, const SourceOptions& options)
    : address(at), pool(connections), selection(std::move(selected)), lines(line_options(options, selection)) {
  for (const SqlColumn& column : selection.columns()) {
    std::string member;
    append_json_string(column.name, member);
    members.push_back(member + ":");
  }
}

void SqlContext::append_line(const std::vector<size_t>& which, SqlConnection::Row row, std::string& out) const {
  out.push_back('{');
  for (size_t i = 0; i < which.size(); ++i) {
    if (i > 0) out.push_back(',');
    out += members[which[i]];
    append_json_value(row[i + 1], out);
  }
  out += "}\n";
}

SqlBatch::SqlBatch(SqlContext& context, size_t ordinal, SqlRange range, uint64_t input_bytes)
    : context_(context), ordinal_(ordinal), range_(std::move(range)), input_bytes_(input_bytes) {}

const std::vector<size_t>& SqlBatch::columns(Need need) const {
  return need == Need::kText ? context_.selection.needed() : context_.selection.all();
}

void SqlBatch::fetch(Need need) {
  if (need == Need::kPlace) return;
  Ahead ahead{.need = need, .lines = {}, .held = {}};
  const std::vector<size_t>& which = columns(need);
  const uint64_t most = kMostAhead * context_.lines.batch_bytes;
  context_.pool.with([&](SqlConnection& connection) {
    ahead.lines.clear();
    ahead.held = {};
    connection.query(context_.selection.rows(connection, which, range_), [&](SqlConnection::Row row) {
      if (ahead.lines.size() > most) return;  // rows much longer than the first ones
      context_.append_line(which, row, ahead.lines);
      ahead.held.add(row);
    });
  });
  if (ahead.lines.size() <= most) ahead_ = std::move(ahead);
}

uint32_t SqlBatch::read(Need need, const Filter& wanted, const Visitor& visit) {
  if (ahead_ && ahead_->need == need) return read_ahead(wanted, visit);
  if (need == Need::kPlace && know_rows()) return read_places(wanted, visit);
  return read_rows(need, wanted, visit);
}

bool SqlBatch::know_rows() {
  const std::lock_guard lock(context_.mutex);
  const auto found = context_.held.find(ordinal_);
  if (found == context_.held.end()) return false;
  rows_ = found->second.rows;
  return true;
}

uint32_t SqlBatch::read_places(const Filter& wanted, const Visitor& visit) const {
  for (uint32_t i = 0; i < rows_; ++i) {
    if (wanted && !wanted(i)) continue;
    Record record;
    record.where = {.source = 0, .row = uint64_t{i} + 1};
    visit(i, record);
  }
  return static_cast<uint32_t>(rows_);
}

uint32_t SqlBatch::read_ahead(const Filter& wanted, const Visitor& visit) {
  Ahead ahead = std::move(*ahead_);
  ahead_.reset();
  ahead.lines.reserve(ahead.lines.size() + kJsonPadding);
  visit_lines(context_.lines, 0, ahead.lines, {}, ahead.need, wanted, visit);
  return checked(ahead.held);
}

uint32_t SqlBatch::read_rows(Need need, const Filter& wanted, const Visitor& visit) {
  const std::vector<size_t>& which = columns(need);
  SqlRange range = range_;
  SqlHeld done;
  std::string lines;
  const auto flush = [&](const SqlHeld& upto, const SqlValue& last) {
    const auto base = static_cast<uint32_t>(done.rows);
    lines.reserve(lines.size() + kJsonPadding);
    const Filter shifted = wanted ? Filter([&](uint32_t record) { return wanted(record + base); }) : Filter();
    visit_lines(context_.lines, 0, lines, {}, need, shifted, [&](uint32_t record, const Record& found) {
      if (base == 0) return visit(record, found);
      Record moved = found;
      moved.where.row += base;
      visit(record + base, moved);
    });
    lines.clear();
    done = upto;
    range.after = last;
  };
  // An attempt continues after the last row that was visited.
  context_.pool.with([&](SqlConnection& connection) {
    lines.clear();
    SqlHeld reading = done;
    SqlValue last;
    connection.query(context_.selection.rows(connection, which, range), [&](SqlConnection::Row row) {
      context_.append_line(which, row, lines);
      reading.add(row);
      last.kind = row[0].kind;
      last.bytes = row[0].bytes;
      if (lines.size() >= 2 * context_.lines.batch_bytes) flush(reading, last);
    });
    if (!lines.empty()) flush(reading, last);
  });
  return checked(done);
}

uint32_t SqlBatch::checked(const SqlHeld& now) {
  const std::lock_guard lock(context_.mutex);
  const auto [before, first] = context_.held.try_emplace(ordinal_, now);
  if (!first && (before->second.rows != now.rows || before->second.keys != now.keys)) {
    std::string upto;
    append_json_value(range_.upto.cell(), upto);
    throw Error(ErrorCode::kInput,
                fmt::format("'{}': rows changed while they were read: up to the key {} there were {}, now {}{}", context_.address.shown,
                            upto, before->second.rows, now.rows, before->second.rows == now.rows ? " with other keys" : ""));
  }
  rows_ = now.rows;
  return static_cast<uint32_t>(now.rows);
}

}  // namespace neardup
