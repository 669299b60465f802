// Compressed bytes for tests, made in memory.
#pragma once

#include <zlib.h>
#include <zstd.h>

#include <cstdlib>
#include <string>
#include <string_view>

namespace neardup::testing {

inline std::string gzip_member(std::string_view text) {
  z_stream stream = {};
  if (deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK) std::abort();
  std::string out(deflateBound(&stream, text.size()) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END) std::abort();
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

/// With a checksum, and in the way of a compressor that does not know the size before: 2^window_log bytes are announced as the window.
inline std::string zstd_frame(std::string_view text, int window_log = 20) {
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, window_log);
  ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
  std::string out(ZSTD_compressBound(text.size()) + 32, '\0');
  ZSTD_inBuffer input = {text.data(), text.size(), 0};
  ZSTD_outBuffer output = {out.data(), out.size(), 0};
  // The first call gives no end yet, or the compressor would know the size.
  ZSTD_compressStream2(context, &output, &input, ZSTD_e_continue);
  if (ZSTD_compressStream2(context, &output, &input, ZSTD_e_end) != 0) std::abort();
  out.resize(output.pos);
  ZSTD_freeCCtx(context);
  return out;
}

}  // namespace neardup::testing
