#include "server/keys/keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "neardup/error.h"

namespace neardup::server {
namespace {

namespace fs = std::filesystem;

class KeysTest : public testing::Test {
 protected:
  KeysTest() : path_(fs::path(testing::TempDir()) / ("keys-" + std::to_string(::getpid()))) { fs::remove(path_); }
  ~KeysTest() override { fs::remove(path_); }
  void write(const std::string& text) const { std::ofstream(path_) << text; }
  [[nodiscard]] std::string problem() const {
    try {
      Keys::load(path_);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInput);
      return error.what();
    }
    return "none";
  }
  const std::string path_;
};

TEST_F(KeysTest, AKeyThatWasMadeHasItsRole) {
  const std::string reader = make_key(path_, Role::kRead, "dashboard");
  const std::string writer = make_key(path_, Role::kWrite, "crawler-1");
  const std::string admin = make_key(path_, Role::kAdmin, "operator");
  EXPECT_NE(reader, writer);
  EXPECT_EQ(reader.size(), 67u);
  const Keys keys = Keys::load(path_);
  EXPECT_EQ(keys.size(), 3u);
  EXPECT_EQ(keys.role_of("Bearer " + reader), Role::kRead);
  EXPECT_EQ(keys.role_of("bearer  " + writer), Role::kWrite);
  EXPECT_EQ(keys.role_of("BEARER " + admin), Role::kAdmin);
  for (const std::string& wrong : {std::string(), std::string("Bearer"), std::string("Bearer "), std::string("Bearer    "),
                                   "Basic " + admin, "Bearer " + admin + "x", "Bearer " + admin.substr(1), admin}) {
    EXPECT_EQ(keys.role_of(wrong), Role::kNone) << wrong;
  }
}

TEST_F(KeysTest, AKeyIsALineOfItsOwnAfterOneWithoutAnEnd) {
  const std::string first = make_key(path_, Role::kRead, "a");
  fs::resize_file(path_, fs::file_size(path_) - 1);
  const std::string second = make_key(path_, Role::kAdmin, "b");
  const Keys keys = Keys::load(path_);
  EXPECT_EQ(keys.role_of("Bearer " + first), Role::kRead);
  EXPECT_EQ(keys.role_of("Bearer " + second), Role::kAdmin);
}

TEST_F(KeysTest, TheFileHasNoKeyAndIsForItsOwnerOnly) {
  const std::string key = make_key(path_, Role::kRead, "a");
  std::stringstream text;
  text << std::ifstream(path_).rdbuf();
  EXPECT_EQ(text.str().find(key.substr(3)), std::string::npos);
  struct stat status {};
  ASSERT_EQ(::stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

// The digest is that of `printf abc | sha256sum`, FIPS 180-2, appendix B.1.
TEST_F(KeysTest, AKeyOfOnesOwn) {
  write("# comment\n\n  read\tby-hand  BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD \n");
  EXPECT_EQ(Keys::load(path_).role_of("Bearer abc"), Role::kRead);
}

TEST_F(KeysTest, NamesTheLineThatIsWrong) {
  const std::string digest(64, 'a');
  for (const std::string& line :
       {"owner a " + digest, "none a " + digest, "read " + digest, "read a " + digest.substr(1), "read a " + digest + "0",
        "read a " + digest + " more", "read a/b " + digest, "read a " + std::string(64, 'g')}) {
    write("# keys\nread good " + digest + "\n" + line + "\n");
    EXPECT_THAT(problem(), testing::HasSubstr("line 3")) << line;
    EXPECT_THAT(problem(), testing::Not(testing::HasSubstr(digest.substr(2)))) << line;
  }
  write("# none\n");
  EXPECT_THAT(problem(), testing::HasSubstr("has no key"));
  fs::remove(path_);
  EXPECT_THAT(problem(), testing::HasSubstr("cannot read"));
}

TEST_F(KeysTest, RefusesNamesAndRoles) {
  for (const std::string& name : {std::string(), std::string("a b"), std::string("a\nadmin x"), std::string(65, 'n')})
    EXPECT_THROW(make_key(path_, Role::kRead, name), Error);
  EXPECT_FALSE(fs::exists(path_));
  EXPECT_THROW(parse_role("none"), Error);
  EXPECT_THROW(parse_role("root"), Error);
  EXPECT_EQ(parse_role("write"), Role::kWrite);
  EXPECT_THROW(make_key("/nonexistent/keys", Role::kRead, "a"), Error);
}

}  // namespace
}  // namespace neardup::server
