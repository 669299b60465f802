// Witnesses in files of a run folder.
#pragma once

#include "base/byte_codec.h"
#include "dedup/reference_indexes.h"

namespace neardup {

inline void write_witness(const Witness& witness, ByteWriter& to) {
  to.value(witness.document);
  to.value(witness.index);
  to.value(witness.entry);
  to.text(witness.name);
  to.value(static_cast<uint8_t>(witness.named));
  to.value(witness.distance);
}

inline Witness read_witness(ByteReader& from) {
  Witness witness;
  witness.document = from.value<uint32_t>();
  witness.index = from.value<uint32_t>();
  witness.entry = from.value<uint64_t>();
  witness.name = from.text();
  witness.named = from.value<uint8_t>() != 0;
  witness.distance = from.value<uint32_t>();
  return witness;
}

}  // namespace neardup
