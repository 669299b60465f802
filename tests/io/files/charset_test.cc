// Charsets of text files. Expected bytes are from the tables of the standards, and encodings by iconv.
#include "io/files/charset.h"

#include <gtest/gtest.h>
#include <iconv.h>
#include <rapidcheck/gtest.h>

#include "io/io_fixture.h"
#include "text/utf8/utf8.h"

namespace neardup::testing {
namespace {

using namespace std::string_view_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Decoded {
  std::string text;
  uint64_t malformed;
  std::string charset;
};

Decoded decode(std::string_view charset, std::string_view bytes) {
  TextDecoder decoder(Charset::parse(charset));
  const TextDecoder::Text text = decoder.decode(bytes);
  return {std::string(text.text), text.malformed, std::string(text.charset)};
}

// The C library's converter, which shares nothing with ICU.
std::string encode(const char* charset, std::string_view text) {
  const iconv_t converter = iconv_open(charset, "UTF-8");
  EXPECT_NE(converter, reinterpret_cast<iconv_t>(-1)) << charset;
  std::string out(text.size() * 4 + 16, '\0');
  char* from = const_cast<char*>(text.data());
  char* to = out.data();
  size_t from_left = text.size();
  size_t to_left = out.size();
  EXPECT_EQ(iconv(converter, &from, &from_left, &to, &to_left), 0u) << charset;
  iconv_close(converter);
  out.resize(out.size() - to_left);
  return out;
}

constexpr std::string_view kSimplified =
    "第一条 为了规范文书的编码，保证各部门之间交换的材料能够正确显示，制定本办法。\n"
    "第二条 本办法所称编码，是指把文字转换为字节的规则。文书应当注明所用的编码，没有注明的，由接收方按照内容判断。\n"
    "第三条 判断有误的，应当及时更正，并通知有关的单位和个人。\n";
constexpr std::string_view kTraditional =
    "第一條 為了規範文書的編碼，保證各部門之間交換的材料能夠正確顯示，制定本辦法。\n"
    "第二條 本辦法所稱編碼，是指把文字轉換為位元組的規則。文書應當註明所用的編碼，沒有註明的，由接收方按照內容判斷。\n";
constexpr std::string_view kJapanese =
    "これは文字コードの判定を確かめるための文章です。ひらがなとカタカナ、それに漢字が混ざっています。\n"
    "短い文章では正しく判定できないことがありますので、少し長めに書いておきます。\n";
constexpr std::string_view kKorean =
    "이 글은 문자 부호화를 알아내는 기능을 시험하기 위하여 쓴 것입니다. 짧은 글에서는 틀릴 수 있으므로 조금 길게 적어 둡니다.\n"
    "한글과 숫자 123, 그리고 영문 abc가 섞여 있습니다.\n";
constexpr std::string_view kFrench =
    "L'été dernier, nous avons été très étonnés par la qualité des données françaises : où êtes-vous allés après le déjeuner ? "
    "Le garçon préfère la forêt à la plage, même en août.\n";

TEST(CharsetDecoding, Declared) {
  EXPECT_EQ(decode("gb18030", "\xD6\xD0\xCE\xC4").text, "中文");
  EXPECT_EQ(decode("gb18030", "\x84\x31\xA4\x37").text, "\uFFFD");      // the four-byte form of U+FFFD itself
  EXPECT_EQ(decode("GBK", "\xD6\xD0 \x94\x39\xDA\x33").text, "中 💩");  // gb18030 contains GBK
  EXPECT_EQ(decode("big5", "\xA4\xA4\xA4\xE5").text, "中文");
  EXPECT_EQ(decode("utf-16le", "\x2D\x4E\x3D\xD8\xA9\xDC"sv).text, "中💩");
  EXPECT_EQ(decode("utf-16be", "\x4E\x2D\xD8\x3D\xDC\xA9"sv).text, "中💩");
  EXPECT_EQ(decode("shift_jis", "\x93\xFA\x96\x7B").text, "日本");
  EXPECT_EQ(decode("euc-kr", "\xC7\xD1").text, "한");
  EXPECT_EQ(decode("windows-1252", "\x80 \xE9").text, "€ é");
  EXPECT_EQ(decode("iso-8859-1", "\x80").text, "€");  // as browsers do
  EXPECT_EQ(decode("utf-8", "é\xFF").text, "é\uFFFD");
  EXPECT_EQ(decode("utf-8", "é\xFF").malformed, 1u);
  EXPECT_EQ(decode("gb18030", "").text, "");
}

TEST(CharsetDecoding, MalformedIsCounted) {
  EXPECT_EQ(decode("gb18030",
                   "a\xFF"
                   "b")
                .text,
            "a\uFFFD"
            "b");
  EXPECT_EQ(decode("gb18030",
                   "a\xFF"
                   "b")
                .malformed,
            1u);
  EXPECT_EQ(decode("gb18030", "ok\xD6").text, "ok\uFFFD");  // cut in the middle
  EXPECT_EQ(decode("utf-16le", "a\0b"sv).text, "a\uFFFD");
  EXPECT_EQ(decode("utf-16le",
                   "\x3D\xD8"
                   "a\0"sv)
                .text,
            "\uFFFD"
            "a");  // half of a pair
  EXPECT_EQ(decode("utf-16le",
                   "\x3D\xD8"
                   "a\0"sv)
                .malformed,
            1u);
  const Decoded wrong = decode("gb18030", encode("BIG5", kTraditional));  // a wrong declaration: some text, and a count
  EXPECT_TRUE(is_valid_utf8(wrong.text));
  EXPECT_NE(wrong.text, kTraditional);
}

TEST(CharsetDecoding, MarkDecides) {
  for (const std::string_view declared : {"auto", "utf-8", "gb18030"}) {
    EXPECT_EQ(decode(declared, "\xEF\xBB\xBF中").text, "中");
    EXPECT_EQ(decode(declared, "\xFF\xFE\x2D\x4E"sv).text, "中");
    EXPECT_EQ(decode(declared, "\xFE\xFF\x4E\x2D"sv).text, "中");
    EXPECT_EQ(decode(declared, "\xFF\xFE\0\0\x2D\x4E\0\0"sv).text, "中");
    EXPECT_EQ(decode(declared, "\0\0\xFE\xFF\0\0\x4E\x2D"sv).text, "中");
  }
  EXPECT_EQ(decode("auto", "\xEF\xBB\xBF\xFF").malformed, 1u);
}

TEST(CharsetDetection, ByContent) {
  struct Case {
    const char* encoded;
    std::string_view text;
    std::string_view found;
  };
  for (const Case& each :
       {Case{"UTF-8", kSimplified, "UTF-8"}, Case{"GB18030", kSimplified, "GB18030"}, Case{"BIG5", kTraditional, ""},
        Case{"SHIFT_JIS", kJapanese, ""}, Case{"EUC-JP", kJapanese, ""}, Case{"EUC-KR", kKorean, ""}, Case{"WINDOWS-1252", kFrench, ""},
        Case{"UTF-16LE", kFrench, "UTF-16LE"}, Case{"UTF-16BE", kSimplified, "UTF-16BE"}}) {
    const Decoded decoded = decode("auto", encode(each.encoded, each.text));
    EXPECT_EQ(decoded.text, each.text) << each.encoded << " read as " << decoded.charset;
    EXPECT_EQ(decoded.malformed, 0u);
    if (!each.found.empty()) {
      EXPECT_EQ(decoded.charset, each.found);
    }
  }
}

TEST(CharsetDetection, ByDeclarationInThePage) {
  const std::string page = "<html><head><META http-equiv='Content-Type' content='text/html; charset=GB2312'><title>\xD6\xD0</title>";
  EXPECT_EQ(decode("auto", page).charset, "GB18030");
  EXPECT_THAT(decode("auto", page).text, HasSubstr("<title>中</title>"));
  EXPECT_EQ(decode("auto", "<meta charset = \"big5\">\xA4\xA4").charset, decode("big5", "").charset);
  EXPECT_EQ(decode("auto", "<meta charset=gb2312>中").charset, "UTF-8");  // it is, whatever it says
  EXPECT_EQ(decode("auto", "<meta name=charset><meta charset=nonsense>\xFF").charset != "GB18030", true);
}

TEST(CharsetDetection, BrokenUtf8StaysUtf8) {
  std::string text(kSimplified);
  text += '\xFF';
  text += kSimplified;
  EXPECT_EQ(decode("auto", text).charset, "UTF-8");
  EXPECT_EQ(decode("auto", text).malformed, 1u);
}

TEST(CharsetNames, UnknownIsAnError) {
  for (const std::string_view name : {"", "nonsense", "gb18030,version=1", "AUTO "}) {
    try {
      static_cast<void>(Charset::parse(name));
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUsage);
      EXPECT_THAT(error.what(), HasSubstr("charset: '" + std::string(name) + "' is not known"));
    }
  }
  EXPECT_TRUE(Charset::parse("UTF8").is_utf8());
  EXPECT_TRUE(Charset::parse("auto").is_auto());
}

RC_GTEST_PROP(CharsetLaw, decoding_is_total, (const std::string& bytes)) {
  for (const std::string_view charset : {"auto", "utf-8", "gb18030", "big5", "utf-16", "utf-16le", "shift_jis", "euc-kr", "iso-2022-jp"}) {
    TextDecoder decoder(Charset::parse(charset));
    const std::string first(decoder.decode(bytes).text);
    RC_ASSERT(is_valid_utf8(first));
    RC_ASSERT(decoder.decode(bytes).text == first);  // no state is left behind
  }
}

// Longer than all buffers, with pairs of surrogates across them.
TEST(CharsetLaw, LongTexts) {
  std::string text;
  for (int i = 0; i < 30000; ++i) text += i % 7 == 0 ? "💩" : i % 2 == 0 ? "中" : "a";
  for (const char* charset : {"GB18030", "UTF-16LE", "UTF-16BE"}) EXPECT_EQ(decode(charset, encode(charset, text)).text, text) << charset;
}

class CharsetFiles : public IoTest {};

TEST_F(CharsetFiles, AreDecodedOneByOne) {
  write("a.txt", encode("GB18030", kSimplified));
  write("b.txt", kSimplified);
  write("c.txt.gz", gzip_bytes(encode("UTF-16", kSimplified)));
  SourceOptions options;
  options.charset = "auto";
  const auto seen = collect(*open_source({folder_}, options));
  EXPECT_THAT(texts_of(seen), ElementsAre(kSimplified, kSimplified, kSimplified));
  EXPECT_EQ(seen[0].raw, encode("GB18030", kSimplified));
  EXPECT_FALSE(seen[0].repaired);
  options.charset = "big5";
  EXPECT_TRUE(collect(*open_source({path("b.txt")}, options))[0].repaired);
}

TEST_F(CharsetFiles, AnEmptyFileIsAnEmptyText) {
  write("a.txt", "");
  SourceOptions options;
  for (const char* charset : {"utf-8", "auto", "gb18030", "utf-16le"}) {
    options.charset = charset;
    EXPECT_THAT(texts_of(collect(*open_source({folder_}, options))), ElementsAre("")) << charset;
  }
}

TEST_F(CharsetFiles, JsonLinesIsUtf8) {
  write("a.jsonl", "{\"text\":\"a\"}\n");
  SourceOptions options;
  options.charset = "gb18030";
  try {
    open_source({folder_}, options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    EXPECT_THAT(error.what(), HasSubstr("a.jsonl' is JSON Lines, which is UTF-8"));
  }
  options.charset = "auto";
  EXPECT_THAT(texts_of(collect(*open_source({folder_}, options))), ElementsAre("a"));
}

}  // namespace
}  // namespace neardup::testing
