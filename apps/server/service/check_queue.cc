#include "server/service/check_queue.h"

#include <exception>
#include <new>
#include <utility>

namespace neardup::server {
namespace {

// One to decide, one to wait for the disk, and one to take up what arrives in the meantime.
constexpr int kDispatchers = 3;
constexpr size_t kTakenTogether = 256;  // requests, as many as the store decides together

}  // namespace

CheckQueue::CheckQueue(OnlineStore& store) : store_(store) {
  for (int i = 0; i < kDispatchers; ++i) threads_.emplace_back([this] { run(); });
}

CheckQueue::~CheckQueue() {
  stop();
}

bool CheckQueue::post(std::unique_ptr<CheckJob>&& job) {
  {
    const std::lock_guard lock(mutex_);
    if (ended_) return false;
    waiting_requests_ += job->requests().size();
    waiting_.push_back(std::move(job));
  }
  changed_.notify_one();
  return true;
}

void CheckQueue::finish() {
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [this] { return waiting_.empty() && deciding_ == 0; });
}

void CheckQueue::stop() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

uint64_t CheckQueue::waiting() const {
  const std::lock_guard lock(mutex_);
  return waiting_requests_;
}

// Those at the front, at least one.
void CheckQueue::take(Jobs& jobs) {
  size_t requests = 0;
  do {
    requests += waiting_.front()->requests().size();
    waiting_requests_ -= waiting_.front()->requests().size();
    jobs.push_back(std::move(waiting_.front()));
    waiting_.pop_front();
  } while (!waiting_.empty() && requests + waiting_.front()->requests().size() <= kTakenTogether);
}

void CheckQueue::run() {
  Jobs jobs;
  std::vector<OnlineRequest> requests;
  std::vector<OnlineAnswer> answers;
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return ended_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    take(jobs);
    ++deciding_;
    lock.unlock();
    decide(jobs, requests, answers);
    jobs.clear();
    lock.lock();
    if (--deciding_ == 0 && waiting_.empty()) idle_.notify_all();
  }
}

void CheckQueue::decide(const Jobs& jobs, std::vector<OnlineRequest>& requests, std::vector<OnlineAnswer>& answers) {
  const auto fail = [&](const Error& error) {
    for (const auto& job : jobs) job->failed(error);
  };
  try {
    if (jobs.size() == 1) {
      store_.apply(jobs.front()->requests(), answers);
    } else {
      requests.clear();
      for (const auto& job : jobs) requests.insert(requests.end(), job->requests().begin(), job->requests().end());
      store_.apply(requests, answers);
    }
  } catch (const Error& error) {
    fail(error);
    return;
  } catch (const std::bad_alloc&) {
    fail(Error(ErrorCode::kResource, "out of memory"));
    return;
  } catch (const std::exception& error) {
    fail(Error(ErrorCode::kInput, error.what()));
    return;
  }
  size_t begin = 0;
  for (const auto& job : jobs) {
    job->decided(std::span(answers).subspan(begin, job->requests().size()));
    begin += job->requests().size();
  }
}

}  // namespace neardup::server
