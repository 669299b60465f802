#include "search/text_reference.h"

#include <cstdint>
#include <cstring>

namespace neardup {
namespace {

void append_number(uint64_t number, std::string& out) {
  for (; number >= 0x80; number >>= 7) out.push_back(static_cast<char>(number | 0x80));
  out.push_back(static_cast<char>(number));
}

// Takes a number off the front; false if it is cut off or has more than 64 bits.
bool take_number(std::string_view& bytes, uint64_t& number) noexcept {
  number = 0;
  for (uint32_t shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<uint8_t>(bytes.front());
    bytes.remove_prefix(1);
    const uint64_t bits = byte & 0x7Fu;
    if (bits << shift >> shift != bits) return false;
    number |= bits << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

}  // namespace

void append_reference(const TextReference& reference, std::string& out) {
  out.append(reinterpret_cast<const char*>(&reference.hash), sizeof reference.hash);
  append_number(reference.offset, out);
  append_number(reference.length, out);
  out += reference.source;
}

bool parse_reference(std::string_view record, TextReference& reference) noexcept {
  if (record.size() < sizeof reference.hash) return false;
  std::memcpy(&reference.hash, record.data(), sizeof reference.hash);
  record.remove_prefix(sizeof reference.hash);
  if (!take_number(record, reference.offset) || !take_number(record, reference.length)) return false;
  reference.source = record;
  return true;
}

}  // namespace neardup
