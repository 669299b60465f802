// The parts of the summaries of all kinds of runs.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "neardup/tools/summary.h"

namespace neardup::summary_parts {

/// Paths may hold any bytes; JSON may not.
std::string json_string(std::string_view text);

/// One line that says why; nothing when none was rejected.
void write_rejects(const RejectCounts& rejects, std::string& out, std::string_view field = kTextField);
/// One line; nothing when all ids are strings or numbers.
void write_invalid_ids(uint64_t ids, std::string& out);
/// A line each, and their total.
void write_passes(std::span<const PassReport> passes, uint64_t text_bytes, std::string& out);
/// One line; nothing when the peak is not known.
void write_machine(uint64_t peak_memory_bytes, uint64_t spilled_bytes, uint32_t threads, std::string_view kernels, std::string& out);
/// The members "passes" and "warnings" of JSON.
void write_lists(std::span<const PassReport> passes, std::span<const std::string> warnings, std::string& out);

}  // namespace neardup::summary_parts
