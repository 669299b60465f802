#include "online/prepared.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/hash.h"
#include "index/lsh/band_keys.h"
#include "neardup/error.h"
#include "sketch/sketcher_access.h"

namespace neardup {
namespace {

// Fills the row from the head and the signature, which a short document does not have.
void fill_row(const OnlineSettings& settings, const RowHead& head, std::span<const uint32_t> signature, std::vector<uint8_t>& space,
              std::vector<uint8_t>& row) {
  const RowLayout& layout = settings.layout();
  row.assign(layout.row_bytes(), 0);
  RowLayout::set_head(head, row.data());
  if (head.is_short != 0 || layout.bands() == 0) return;
  space.clear();
  settings.filter().append_row(signature, space);
  BandKeys::append_row(layout.plan(), signature, space);
  std::ranges::copy(space, row.begin() + sizeof(RowHead));
}

// Of a document whose features are stored.
void copy_features(const StoredDocument& document, std::vector<uint64_t>& features) {
  features.resize(document.bytes.size() / sizeof(uint64_t));
  if (!features.empty()) std::memcpy(features.data(), document.bytes.data(), features.size() * sizeof(uint64_t));
}

}  // namespace

void prepare(const OnlineSettings& settings, std::string_view id, std::string_view text, PrepareScratch& scratch, Prepared& out) {
  const Sketcher& sketcher = settings.sketcher();
  scratch.sketch.resize(sketcher.sketch_words());
  const Sketcher::Result result = sketcher.sketch(text, scratch.sketcher, scratch.sketch);
  RowHead head{.exact_high = result.exact.high, .exact_low = result.exact.low, .id_hash = hash64(id)};
  head.is_short = static_cast<uint32_t>(result.too_short || !SketcherAccess::has_length(scratch.sketcher, settings.spec().min_length));
  out.features.clear();
  out.code = {};
  out.packed.clear();
  if (head.is_short == 0 && settings.bits() != 0) out.code = Sketcher::fingerprint(scratch.sketch);
  if (head.is_short == 0 && settings.bits() == 0) {
    const std::span<const uint64_t> features = SketcherAccess::feature_set(sketcher, scratch.sketcher);
    out.features.assign(features.begin(), features.end());
  }
  head.features = static_cast<uint32_t>(out.features.size());
  fill_row(settings, head, scratch.sketch, scratch.bytes, out.row);
}

void prepare_stored(const OnlineSettings& settings, const StoredDocument& document, const std::string& name, PrepareScratch& scratch,
                    Prepared& out) {
  if (const auto text = text_of(document, scratch.text, name)) return prepare(settings, document.id, *text, scratch, out);
  RowHead head{.exact_high = document.exact.high,
               .exact_low = document.exact.low,
               .id_hash = hash64(document.id),
               .is_short = static_cast<uint32_t>(document.is_short)};
  out.features.clear();
  out.code = {};
  if (settings.bits() != 0) {
    if (document.bytes.size() != (document.is_short ? 0 : sizeof out.code))
      throw Error(ErrorCode::kInput, fmt::format("{}: a fingerprint of {} bytes", name, document.bytes.size()));
    if (!document.is_short) std::memcpy(&out.code, document.bytes.data(), sizeof out.code);
  } else {
    copy_features(document, out.features);
    scratch.sketch.resize(settings.sketcher().sketch_words());
    if (!document.is_short) settings.signature_hasher().sketch(out.features, scratch.sketch);
  }
  head.features = static_cast<uint32_t>(out.features.size());
  fill_row(settings, head, scratch.sketch, scratch.bytes, out.row);
}

void read_stored_features(const OnlineSettings& settings, const StoredDocument& document, const std::string& name, PrepareScratch& scratch,
                          std::vector<uint64_t>& features) {
  if (const auto text = text_of(document, scratch.text, name)) {
    const std::span<const uint64_t> of = settings.sketcher().features(*text, scratch.sketcher);
    features.assign(of.begin(), of.end());
  } else {
    copy_features(document, features);
  }
}

void set_contents(const OnlineSettings& settings, std::string_view text, const Prepared& prepared, StoredDocument& document) noexcept {
  using Contents = StoredDocument::Contents;
  if (settings.spec().texts) {
    document.contents = prepared.packed.empty() ? Contents::kText : Contents::kPackedText;
    document.bytes = prepared.packed.empty() ? text : std::string_view(prepared.packed);
    return;
  }
  document.contents = Contents::kFeatures;
  if (settings.bits() == 0) {
    document.bytes = {reinterpret_cast<const char*>(prepared.features.data()), prepared.features.size() * sizeof(uint64_t)};
  } else if (!prepared.is_short()) {
    document.bytes = {reinterpret_cast<const char*>(&prepared.code), sizeof prepared.code};
  }
}

}  // namespace neardup
