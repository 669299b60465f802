#include "io/json/field_projection.h"

#include <gmock/gmock.h>

#include "neardup/error.h"
#include "neardup/texts.h"

namespace neardup {
namespace {

constexpr const char* kRecipe =
    R"({"normalizer":"nfkc_casefold_v1","tokenizer":"chars_v1","shingle":{"size":2,"short_text":"none"},"min_features":1,)"
    R"("clean":[{"cut_after":"#"}],"feature_hash":"xxh3_64_v1","sketch":{"kind":"simhash_v1","bits":64}})";

std::string projected(const std::string& fields, std::string_view line, const Record& record, const std::string& key = "") {
  const Recipe recipe = Recipe::parse(kRecipe, "test");
  const FieldProjection projection(fields, recipe, key);
  const auto source = make_text_source({});
  std::string out;
  projection.write(record, line, *source, out);
  return out;
}

TEST(FieldProjection, CopiesBytesOfFields) {
  const std::string line = R"({"_id":{"$oid":"x"}, "a":{"b":[1, 2.50],"c.d":"e"}, "s":"\u00e9"})";
  EXPECT_EQ(projected("x=a.b,y=a.c.d,z=s,w=a,no=a.x", line, {}),
            R"({"x":[1, 2.50],"y":"e","z":"\u00e9","w":{"b":[1, 2.50],"c.d":"e"},"no":null})");
}

TEST(FieldProjection, Computes) {
  Record record;
  record.where = {0, 12};
  record.text = "abc#def";
  EXPECT_EQ(projected("t=$text,r=$raw_text,i=$id,n=$row,s=$source", "{}", record),
            R"({"t":"abc","r":"abc#def","i":null,"n":12,"s":"memory"})");
  record.id = "5";
  record.has_id = true;
  EXPECT_EQ(projected("i=$id", "{}", record), R"({"i":"5"})");
}

TEST(FieldProjection, FingerprintsAreThoseOfTheRecipe) {
  Record record;
  record.text = "some text # and what is cut";
  const Sketcher sketcher(Recipe::parse(kRecipe, "test"));
  Sketcher::Scratch scratch;
  std::vector<uint32_t> words(2);
  ASSERT_FALSE(sketcher.sketch(record.text, scratch, words).too_short);
  const uint64_t bits = uint64_t{words[1]} << 32 | words[0];
  char hex[17];
  std::snprintf(hex, sizeof hex, "%016llx", static_cast<unsigned long long>(bits));
  const std::string number = std::to_string(static_cast<int64_t>(bits));
  EXPECT_EQ(projected("f=$fingerprint,n=$fingerprint_long", "{}", record), std::string(R"({"f":")") + hex + R"(","n":)" + number + "}");
  EXPECT_EQ(projected("_id=$fingerprint_long", "{}", record, "_id"), R"({"_id":{"$numberLong":")" + number + R"("}})");
  record.text = "#";
  EXPECT_EQ(projected("f=$fingerprint,n=$fingerprint_long", "{}", record), R"({"f":null,"n":null})");
}

TEST(FieldProjection, Keys) {
  Record record;
  record.where = {0, 3};
  EXPECT_EQ(projected("a=b", R"({"_id":7,"b":1})", record, "_id"), R"({"_id":7,"a":1})");
  EXPECT_EQ(projected("a=b", R"({"b":1})", record, "_id"), R"({"_id":"memory:3","a":1})");
  EXPECT_EQ(projected("a=b,_id=b", R"({"_id":7,"b":1})", record, "_id"), R"({"a":1,"_id":1})");
}

TEST(FieldProjection, Refuses) {
  const auto refusal = [](const std::string& fields, const std::string& recipe) -> std::string {
    try {
      const FieldProjection projection(fields, Recipe::load(recipe), "");
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal("a", kRecipe), testing::HasSubstr("expected NAME=VALUE, not 'a'"));
  EXPECT_THAT(refusal("a=b,", kRecipe), testing::HasSubstr("expected NAME=VALUE, not ''"));
  EXPECT_THAT(refusal("a=b,a=c", kRecipe), testing::HasSubstr("'a' is named twice"));
  EXPECT_THAT(refusal("a=$texts", kRecipe), testing::HasSubstr("'$texts' is not a computed value"));
  EXPECT_THAT(refusal("a=$fingerprint", "words-5"), testing::HasSubstr("MinHash"));
  std::string wide(kRecipe);
  wide.replace(wide.find("\"bits\":64"), 9, "\"bits\":128");
  EXPECT_THAT(refusal("a=$fingerprint_long", wide), testing::HasSubstr("64 bits"));
}

}  // namespace
}  // namespace neardup
