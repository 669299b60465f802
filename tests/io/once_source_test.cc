// SourceOptions::once: a stream is read as it comes, and only once.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>

#include "io/io_fixture.h"

namespace neardup::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class OnceSource : public IoTest {
 protected:
  void SetUp() override { ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0); }

  static std::unique_ptr<DocumentSource> open(const std::string& name) {
    SourceOptions options;
    options.once = true;
    return open_source({name}, options);
  }
  // Where the writer's end is; opening it waits for the reader.
  void write_to(int pipe, std::string_view bytes) const {
    ASSERT_EQ(::write(pipe, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  static std::vector<std::string> texts(Batch& batch) {
    std::vector<std::string> all;
    batch.read(Batch::Need::kParsed, {},
               [&](uint32_t, const Record& record) { all.push_back(record.problem.empty() ? std::string(record.text) : "rejected"); });
    return all;
  }
};

TEST_F(OnceSource, AvailableBytesAreABatch) {
  const auto source = open(path("pipe"));
  source->rewind();
  std::unique_ptr<Batch> first, second, third;
  // Nothing more is written until the batch before was given: a source that waits for more waits for ever.
  int pipe = -1;
  std::thread opener([&] { pipe = ::open(path("pipe").c_str(), O_WRONLY | O_CLOEXEC); });
  std::thread reader([&] { first = source->next(); });
  opener.join();
  write_to(pipe, "{\"text\": \"a\"}\n");
  reader.join();
  EXPECT_THAT(texts(*first), ElementsAre("a"));
  write_to(pipe, "{\"text\": \"b\"}\n{nonsense\n{\"text\": \"c\"}\n{\"te");
  second = source->next();
  EXPECT_THAT(texts(*second), ElementsAre("b", "rejected", "c"));
  EXPECT_THAT(texts(*second), ElementsAre("b", "rejected", "c")) << "a batch may be read again";
  write_to(pipe, "xt\": \"d\"}");
  ::close(pipe);
  third = source->next();
  EXPECT_THAT(texts(*third), ElementsAre("d"));
  EXPECT_EQ(source->next(), nullptr);
  source->rewind();
  try {
    while (source->next()) {
    }
    FAIL() << "what is gone was read again";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInput);
    EXPECT_THAT(error.what(), HasSubstr("only once"));
  }
}

TEST_F(OnceSource, FilesAreReadAsEver) {
  const std::string name = write("a.jsonl", "{\"text\": \"a\"}\n");
  const auto source = open(name);
  for (int pass = 0; pass < 2; ++pass) EXPECT_EQ(collect(*source).size(), 1);
}

}  // namespace
}  // namespace neardup::testing
