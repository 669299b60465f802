#include "io/files/charset.h"
#include "neardup/io.h"

namespace neardup {

std::string to_utf8(std::string_view bytes, const std::string& charset) {
  TextDecoder decoder(Charset::parse(charset));
  return std::string(decoder.decode(bytes).text);
}

}  // namespace neardup
