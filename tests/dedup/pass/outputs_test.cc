#include "dedup/pass/outputs.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace neardup {
namespace {

// Writes down what becomes of it.
class Output : public Committable {
 public:
  Output(char name, bool fails, std::string& log) : name_(name), fails_(fails), log_(log) {}
  void commit() override {
    if (fails_) throw std::runtime_error("full");
    log_ += {'+', name_};
  }
  void withdraw() noexcept override { log_ += {'-', name_}; }

 private:
  char name_;
  bool fails_;
  std::string& log_;
};

TEST(Outputs, CommitsAllInOrder) {
  std::string log;
  Output a('a', false, log);
  Output b('b', false, log);
  Outputs outputs;
  outputs.add(&a);
  outputs.add(static_cast<Output*>(nullptr));
  outputs.add(&b);
  outputs.commit();
  EXPECT_EQ(log, "+a+b");
}

TEST(Outputs, WithdrawsWhatWasCommittedBeforeAFailure) {
  std::string log;
  Output a('a', false, log);
  Output b('b', false, log);
  Output broken('c', true, log);
  Output last('d', false, log);
  Outputs outputs;
  for (Output* each : {&a, &b, &broken, &last}) outputs.add(each);
  EXPECT_THROW(outputs.commit(), std::runtime_error);
  EXPECT_EQ(log, "+a+b-b-a");
}

TEST(BorrowedRejectSink, HandsRecordsOnAndLeavesTheRestToTheOwner) {
  struct Rejects : RejectSink {
    void append(const Record& record) override { texts += record.text; }
    void commit() override { texts += "!"; }
    void withdraw() noexcept override { texts += "?"; }
    std::string texts;
  } rejects;
  BorrowedRejectSink borrowed(&rejects);
  Record record;
  record.text = "x";
  borrowed.append(record);
  borrowed.commit();
  borrowed.withdraw();
  EXPECT_EQ(rejects.texts, "x");
  BorrowedRejectSink(nullptr).append(record);
}

}  // namespace
}  // namespace neardup
