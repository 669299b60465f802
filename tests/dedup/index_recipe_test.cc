// By which recipe an index is asked, and which are refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/hash.h"
#include "neardup/error.h"
#include "neardup/recipe.h"
#include "neardup/tools/index_documents.h"
#include "sketch/canonical_recipe.h"
#include "text/utf8/code_points.h"

namespace neardup {
namespace {

using ::testing::HasSubstr;

HammingStoreSpec spec_under(const std::string& unicode) {
  HammingStoreSpec spec;
  spec.recipe = canonical_json_under(Recipe::load("simhash-chars-3"), unicode);
  spec.recipe_id = hash64(spec.recipe);
  return spec;
}

template <typename Work>
std::string refusal(const Work& work) {
  try {
    work();
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    return error.what();
  }
}

TEST(IndexRecipe, AnotherVersionOfUnicodeIsRefusedByName) {
  const Recipe recipe = Recipe::load("simhash-chars-3");
  EXPECT_EQ(refusal([&] { check_index_recipe("seen", spec_under(unicode_version()), recipe); }), "");
  EXPECT_EQ(index_recipe("seen", spec_under(unicode_version()), ""), "simhash-chars-3");
  const std::string said = "index 'seen' was built under Unicode 99.0 and this build has Unicode " + unicode_version();
  EXPECT_THAT(refusal([&] { check_index_recipe("seen", spec_under("99.0"), recipe); }), HasSubstr(said));
  EXPECT_THAT(refusal([&] { index_recipe("seen", spec_under("99.0"), ""); }), HasSubstr(said));
}

TEST(IndexRecipe, ACustomRecipeHasToBeGiven) {
  HammingStoreSpec spec = spec_under(unicode_version());
  spec.recipe_id = 0x1234;
  EXPECT_THAT(refusal([&] { index_recipe("seen", spec, ""); }),
              HasSubstr("index 'seen' was built with a custom recipe (id 0000000000001234); pass that recipe file with --recipe"));
}

}  // namespace
}  // namespace neardup
