// Prepared: a text as the store compares it: its row for the tables, and its features or fingerprint. prepare() makes it, in any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/fingerprint.h"
#include "neardup/sketcher.h"
#include "online/log/stored_document.h"
#include "online/online_settings.h"

namespace neardup {

struct Prepared {
  std::vector<uint8_t> row;        ///< sequence and expiry are not set yet
  std::vector<uint64_t> features;  ///< of a MinHash: sorted; empty if it is short
  Fingerprint128 code;             ///< of a fingerprint
  std::string packed;              ///< the text as the log keeps it, if it was packed (pack_text())

  [[nodiscard]] RowHead head() const noexcept { return RowLayout::head(row.data()); }
  [[nodiscard]] bool is_short() const noexcept { return head().is_short != 0; }
};

/// Buffers of one thread.
struct PrepareScratch {
  Sketcher::Scratch sketcher;
  std::vector<uint32_t> sketch;
  std::vector<uint8_t> bytes;
  std::string text;
};

/// Any bytes in, at most limits::kMaxTextBytes of text.
void prepare(const OnlineSettings& settings, std::string_view id, std::string_view text, PrepareScratch& scratch, Prepared& out);
/// The same of a document of the store, by its text or by what was stored instead. `name` is that of its record. Throws Error{kInput} when
/// it is damaged.
void prepare_stored(const OnlineSettings& settings, const StoredDocument& document, const std::string& name, PrepareScratch& scratch,
                    Prepared& out);
/// Replaces `features` by those of a document of the store that is not short: Prepared::features without the rest of prepare_stored(),
/// which takes longer. Throws as it does. Requires a MinHash.
void read_stored_features(const OnlineSettings& settings, const StoredDocument& document, const std::string& name, PrepareScratch& scratch,
                          std::vector<uint64_t>& features);
/// Sets what the store keeps: the text, packed if it was, or the features of a MinHash, or the fingerprint.
void set_contents(const OnlineSettings& settings, std::string_view text, const Prepared& prepared, StoredDocument& document) noexcept;

}  // namespace neardup
