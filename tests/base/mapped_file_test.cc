#include "base/mapped_file.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "base/atomic_file.h"
#include "base/open_file.h"
#include "base/temp_file.h"
#include "io/io_fixture.h"
#include "neardup/tools/mapped_files.h"

namespace neardup::testing {
namespace {

using ::testing::HasSubstr;

constexpr size_t kPage = 4096;

class MappedFiles : public IoTest {
 protected:
  MappedFiles() { guard_mapped_files(); }
  [[nodiscard]] std::string lost(const std::string& name) const {
    return "input: cannot read '" + path(name) + "': it shrank while it was read, or its disk failed";
  }
  void shrink(const std::string& name, off_t bytes) const { ASSERT_EQ(::truncate(path(name).c_str(), bytes), 0); }
  // Every byte, so that missing pages are met.
  static uint64_t sum(std::string_view bytes) {
    uint64_t sum = 0;
    for (const char byte : bytes) sum += static_cast<unsigned char>(byte);
    return sum;
  }
};

TEST_F(MappedFiles, WholeFilesAndParts) {
  std::string bytes(3 * kPage + 17, 'x');
  bytes[kPage + 5] = 'y';
  write("a", bytes);
  const MappedFile whole(path("a"));
  EXPECT_EQ(whole.bytes(), bytes);
  whole.check();
  const FileDescriptor file = open_file(path("a"));
  const MappedFile part(file.get(), kPage + 3, 10, "'" + path("a") + "'");
  EXPECT_EQ(part.bytes(), bytes.substr(kPage + 3, 10));
  part.check();
  write("empty", "");
  const MappedFile empty(path("empty"));
  EXPECT_TRUE(empty.bytes().empty());
  empty.check();
  EXPECT_EQ(error_of([&] { const MappedFile folder(folder_); }), "input: cannot read '" + folder_ + "': it is a folder");
}

TEST_F(MappedFiles, AnErrorNamesAPartAsTheCallerDoes) {
  const FileDescriptor none;
  EXPECT_EQ(error_of([&] { const MappedFile part(none.get(), 0, 10, "temporary data"); }),
            "input: cannot read temporary data: Bad file descriptor");
}

TEST_F(MappedFiles, AFileThatShrinksReadsAsZerosAndIsAnError) {
  for (const off_t left : {0, 1, 4095, 4096, 4097, 9000, 12287, 12288, 12299}) {
    write("a", std::string(3 * kPage + 12, 'x'));
    const MappedFile file(path("a"));
    file.check();
    shrink("a", left);
    EXPECT_EQ(sum(file.bytes()), static_cast<uint64_t>(left) * 'x') << left;
    EXPECT_EQ(error_of([&] { file.check(); }), lost("a")) << left;
    EXPECT_EQ(error_of([&] { file.check(); }), lost("a")) << "for ever";
  }
}

TEST_F(MappedFiles, TheEndIsCheckedEvenIfUnread) {
  for (const off_t left : {0, 5000, 12299}) {
    write("a", std::string(3 * kPage + 12, 'x'));
    const MappedFile file(path("a"));
    EXPECT_EQ(sum(file.bytes().substr(0, 10)), 10 * 'x');
    shrink("a", left);
    EXPECT_EQ(error_of([&] { file.check(); }), lost("a")) << left;
  }
}

// Zeros at the end that are lost are zeros still; a page of them that is lost is noticed.
TEST_F(MappedFiles, ZerosAtTheEnd) {
  write("a", std::string(kPage, 'x') + std::string(kPage, '\0'));
  const MappedFile file(path("a"));
  shrink("a", kPage + 9);
  EXPECT_EQ(sum(file.bytes()), kPage * 'x');
  file.check();
  shrink("a", kPage);
  EXPECT_EQ(error_of([&] { file.check(); }), lost("a"));
}

TEST_F(MappedFiles, OthersAreLeftAlone) {
  write("a", std::string(5 * kPage, 'a'));
  write("b", std::string(5 * kPage, 'b'));
  const MappedFile a(path("a"));
  const auto gone = std::make_unique<MappedFile>(path("b"));
  const MappedFile b(path("b"));
  shrink("b", kPage);
  EXPECT_EQ(sum(b.bytes()), kPage * 'b');
  EXPECT_EQ(error_of([&] { b.check(); }), lost("b"));
  a.check();
  EXPECT_EQ(sum(a.bytes()), 5 * kPage * 'a');
}

TEST_F(MappedFiles, ManyThreadsMeetTheHoleAtOnce) {
  std::vector<std::unique_ptr<const MappedFile>> files;
  for (int i = 0; i < 16; ++i) {
    write("f" + std::to_string(i), std::string(64 * kPage, 'x'));
    files.push_back(std::make_unique<const MappedFile>(path("f" + std::to_string(i))));
    if (i % 2 == 0) shrink("f" + std::to_string(i), 3 * kPage);
  }
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (size_t i = 0; i < files.size(); ++i) EXPECT_EQ(sum(files[i]->bytes()), (i % 2 == 0 ? 3 : 64) * kPage * 'x');
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t i = 0; i < files.size(); ++i) EXPECT_EQ(error_of([&] { files[i]->check(); }).empty(), i % 2 == 1);
}

// The system refuses to write missing bytes, and does not name the responsible file.
TEST_F(MappedFiles, WritingWhatIsLostBlamesTheInput) {
  write("a", std::string(8 * kPage, 'x'));
  const MappedFile file(path("a"));
  shrink("a", kPage);
  AtomicFile out(path("out"));
  out.append(file.bytes());
  EXPECT_EQ(out.size(), 8 * kPage);
  TempFile temporary(folder_);
  temporary.append(file.bytes().data(), file.bytes().size());
  EXPECT_EQ(error_of([&] { file.check(); }), lost("a"));
}

// These install the guard themselves, in a separate process, over existing handlers: by default those of sanitizers.
class MappedFilesDeath : public IoTest {
 protected:
  MappedFilesDeath() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
  // Ends the process with 0 if a file that shrinks is noticed.
  void end_guarded() const {
    write("guarded", std::string(2 * kPage, 'x'));
    const MappedFile file(path("guarded"));
    if (::truncate(path("guarded").c_str(), 0) != 0) ::_exit(1);
    ::_exit(file.bytes()[kPage] == 0 && !error_of([&] { file.check(); }).empty() ? 0 : 1);
  }
};

std::atomic<int> handled{0};

TEST_F(MappedFilesDeath, AnIgnoredSignalAndTheGuardRemain) {
  EXPECT_EXIT(
      {
        ::signal(SIGBUS, SIG_IGN);
        guard_mapped_files();
        ::kill(::getpid(), SIGBUS);
        ::raise(SIGBUS);
        end_guarded();
      },
      ::testing::ExitedWithCode(0), "");
}

TEST_F(MappedFilesDeath, ASignalThatIsSentGoesToTheHandlerBefore) {
  EXPECT_EXIT(
      {
        ::signal(SIGBUS, [](int) { ++handled; });
        guard_mapped_files();
        ::kill(::getpid(), SIGBUS);
        ::raise(SIGBUS);
        if (handled != 2) ::_exit(2);
        end_guarded();
      },
      ::testing::ExitedWithCode(0), "");
}

TEST_F(MappedFilesDeath, AChildIsGuarded) {
  EXPECT_EXIT(
      {
        ::signal(SIGBUS, SIG_DFL);
        guard_mapped_files();
        write("a", std::string(2 * kPage, 'x'));
        const MappedFile file(path("a"));
        const pid_t child = ::fork();
        if (child == 0) {
          if (::truncate(path("a").c_str(), 0) != 0) ::_exit(1);
          ::_exit(file.bytes()[kPage] == 0 && !error_of([&] { file.check(); }).empty() ? 0 : 1);
        }
        int status = -1;
        ::waitpid(child, &status, 0);
        ::_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 3);
      },
      ::testing::ExitedWithCode(0), "");
}

// The effect that they have by default.
TEST_F(MappedFilesDeath, OtherFaultsAndSignalsKeepTheirEffect) {
  EXPECT_EXIT(
      {
        ::signal(SIGBUS, SIG_DFL);
        guard_mapped_files();
        ::raise(SIGBUS);
      },
      ::testing::KilledBySignal(SIGBUS), "");
  write("a", std::string(2 * kPage, 'x'));
  EXPECT_EXIT(
      {
        ::signal(SIGBUS, SIG_DFL);
        guard_mapped_files();
        const FileDescriptor file = open_file(path("a"));
        const auto* own = static_cast<const volatile char*>(::mmap(nullptr, 2 * kPage, PROT_READ, MAP_PRIVATE, file.get(), 0));
        if (::truncate(path("a").c_str(), 0) != 0) ::_exit(0);
        ::_exit(own[kPage]);
      },
      ::testing::KilledBySignal(SIGBUS), "");
}

}  // namespace
}  // namespace neardup::testing
