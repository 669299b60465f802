#include "dedup/report/summary_parts.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "base/format.h"
#include "neardup/tools/readable.h"
#include "text/utf8/utf8.h"

namespace neardup::summary_parts {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

// Below a millisecond a rate says more about the clock than about the work.
std::string rate(uint64_t bytes, double seconds) {
  return seconds < 1e-3 || bytes == 0 ? "" : fmt::format(" {:>8.1f} MiB/s", static_cast<double>(bytes) / kMiB / seconds);
}

}  // namespace

std::string json_string(std::string_view text) {
  std::string repaired;
  repair_utf8(text, repaired);
  return boost::json::serialize(boost::json::string(repaired));
}

void write_rejects(const RejectCounts& rejects, std::string& text, std::string_view field) {
  if (rejects.total() == 0) return;
  append_format(text, "rejected: {}: {}\n", counted(rejects.total(), "record", "records"), rejects.to_text(field));
}

void write_invalid_ids(uint64_t ids, std::string& text) {
  if (ids > 0) append_format(text, "ids that are not a string or number: {}\n", grouped(ids));
}

void write_passes(std::span<const PassReport> passes, uint64_t text_bytes, std::string& text) {
  double total = 0;
  for (const PassReport& pass : passes) {
    total += pass.seconds;
    append_format(text, "pass {:<9} {:>8.2f} s {:>12}{}\n", pass.name, pass.seconds, data_size(pass.bytes), rate(pass.bytes, pass.seconds));
  }
  if (passes.empty()) return;
  const std::string speed = rate(text_bytes, total);
  append_format(text, "total {:>17.2f} s {:>12}{}\n", total, data_size(text_bytes), speed.empty() ? "" : speed + " of text");
}

void write_machine(uint64_t peak_memory_bytes, uint64_t spilled_bytes, uint32_t threads, std::string_view kernels, std::string& text) {
  if (peak_memory_bytes == 0) return;
  append_format(text, "peak memory {}", data_size(peak_memory_bytes));
  if (spilled_bytes > 0) append_format(text, ", spilled to disk {}", data_size(spilled_bytes));
  append_format(text, "; {}, kernels {}\n", counted(threads, "thread", "threads"), kernels);
}

void write_lists(std::span<const PassReport> passes, std::span<const std::string> warnings, std::string& text) {
  text += "\"passes\":[";
  for (const PassReport& pass : passes) {
    append_format(text, R"({}{{"name":{},"seconds":{:.6f},"bytes":{}}})", &pass == passes.data() ? "" : ",", json_string(pass.name),
                  pass.seconds, pass.bytes);
  }
  text += "],\"warnings\":[";
  for (const std::string& warning : warnings) {
    if (&warning != warnings.data()) text += ",";
    text += json_string(warning);
  }
  text += "]";
}

}  // namespace neardup::summary_parts
