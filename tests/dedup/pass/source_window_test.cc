#include "dedup/pass/source_window.h"

#include <gtest/gtest.h>

#include "neardup/error.h"
#include "neardup/texts.h"
#include "support/corpus.h"

namespace neardup {
namespace {

using testing::make_corpus;
using testing::views;

TEST(SourceWindow, HasTheBatchesOfItsPart) {
  const auto texts = make_corpus(24, {.originals = 900, .words = 20, .max_copies = 6});
  const auto all = views(texts);
  const auto source = make_text_source(all);
  const auto first_texts = [](DocumentSource& of) {
    std::vector<std::string_view> firsts;
    of.rewind();
    while (const auto batch = of.next()) {
      batch->read(
          Batch::Need::kText, [](uint32_t i) { return i == 0; }, [&](uint32_t, const Record& record) { firsts.push_back(record.text); });
    }
    return firsts;
  };
  const auto whole = first_texts(*source);
  ASSERT_GT(whole.size(), 4u);
  SourceWindow open(*source, {.first = 2});
  EXPECT_EQ(first_texts(open), (std::vector<std::string_view>(whole.begin() + 2, whole.end())));
  EXPECT_EQ(first_texts(open).size(), whole.size() - 2) << "again";
  SourceWindow inner(*source, {.first = 1, .end = 3, .input_bytes = 77});
  EXPECT_EQ(first_texts(inner), (std::vector<std::string_view>(whole.begin() + 1, whole.begin() + 3)));
  EXPECT_EQ(inner.input_bytes(), 77u);
  EXPECT_EQ(inner.source_name(0), source->source_name(0));

  open.rewind();
  EXPECT_TRUE(open.next());
  open.close();
  EXPECT_FALSE(open.next());
  open.rewind();
  EXPECT_TRUE(open.next()) << "closed until it is rewound";
  SourceWindow after(*source, {.first = whole.size() + 1});
  EXPECT_THROW(after.rewind(), Error);
}

}  // namespace
}  // namespace neardup
