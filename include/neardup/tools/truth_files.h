// Files and fields that evaluate() compares with: lists of pairs and of labels, a field of the documents, and files of verdicts.
//
// Tables with tabs, with or without a header, or JSON Lines, told apart by their first bytes; plain or compressed; "-" is standard input.
// Documents are named by their ids, those without one as SOURCE:ROW. A row that names no document of the table is counted
// (Truth::unknown_rows()); a row that cannot be read is an error with its line, because a truth with holes judges wrongly.
//
// Implemented in src/jobs/files/truth_files.cc.
#pragma once

#include <cstdint>
#include <string>

#include "neardup/tools/evaluate.h"
#include "neardup/tools/run_hooks.h"

namespace neardup {

/// Columns id_a, id_b and, optional, similarity, as `neardup pairs` writes them. Throws Error{kInput}, also when no row names two documents
/// of the table.
void read_truth_pairs(const std::string& path, const DecisionTable& table, Truth& truth);

/// Columns id and label: documents with the same label are duplicates of each other. Throws Error{kInput}, also when no row names a
/// document of the table.
void read_truth_clusters(const std::string& path, const DecisionTable& table, Truth& truth);

/// The labels in a field of the documents: one pass over a source that was opened with that SourceOptions::block_field. A document without
/// a string or number there has no label. Throws Error{kInput} when none has one, naming `field`.
void read_truth_field(const RunHooks& run, uint32_t threads, const std::string& field, const DecisionTable& table, Truth& truth);

/// True if the file begins like what make_verdict_sink() writes.
bool is_verdict_file(const std::string& path);

/// Reads a whole verdict file into a table, which it finishes. Throws Error{kInput} that names the line.
void read_verdicts(const std::string& path, DecisionTable& table);

}  // namespace neardup
