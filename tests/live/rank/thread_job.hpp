// A job whose ranks are threads of this process: what ranks do with one another, without MPI.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "live/rank/job.hpp"

namespace takt::live {

/// What the ranks share.
struct ThreadWorld {
  std::vector<int> machines;  // by rank, the first rank of its machine
  std::mutex mutex{};
  std::condition_variable changed{};
  std::map<std::pair<int, int>, std::deque<std::string>> messages{};  // by sender and receiver
  int met = 0;                                                        // calls of meet
};

/// Bells and transports it has none.
class ThreadJob : public Job {
 public:
  ThreadJob(ThreadWorld& world, int rank) : world_(world), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(world_.machines.size()); }

  void send(int to, std::span<const char> bytes) override {
    const std::lock_guard lock(world_.mutex);
    world_.messages[{rank_, to}].emplace_back(bytes.begin(), bytes.end());
    world_.changed.notify_all();
  }
  void send_until_received(int to, std::span<const char> bytes) override {
    send(to, bytes);
    std::unique_lock lock(world_.mutex);
    world_.changed.wait(lock, [&] { return world_.messages[{rank_, to}].empty(); });
  }
  void receive(int from, std::span<char> bytes) override {
    std::unique_lock lock(world_.mutex);
    auto& messages = world_.messages[{from, rank_}];
    world_.changed.wait(lock, [&] { return !messages.empty(); });
    if (messages.front().size() != bytes.size()) std::abort();
    std::ranges::copy(messages.front(), bytes.begin());
    messages.pop_front();
    world_.changed.notify_all();
  }

  void meet() override {
    std::unique_lock lock(world_.mutex);
    const int all = (world_.met++ / size() + 1) * size();
    world_.changed.notify_all();
    world_.changed.wait(lock, [&] { return world_.met >= all; });
  }
  void meet_at_rest() override { meet(); }
  void broadcast(int from, std::span<char> bytes) override {
    if (rank_ != from) return receive(from, bytes);
    for (int other = 0; other < size(); ++other)
      if (other != rank_) send(other, bytes);
  }
  void reduce(std::span<std::int64_t> numbers, Reduction how) override {
    if (how != Reduction::greatest) std::abort();
    for (std::int64_t& number : numbers) {
      if (rank_ != 0) send(0, bytes_of(number));
      for (int other = 1; rank_ == 0 && other < size(); ++other) {
        std::int64_t theirs = 0;
        receive(other, bytes_of(theirs));
        number = std::max(number, theirs);
      }
    }
  }

  std::vector<int> machines() override { return world_.machines; }
  std::unique_ptr<Bells> make_bells() override { return nullptr; }
  std::unique_ptr<JobTransport> make_transport(TransportTerms /*terms*/) override { return nullptr; }
  void abort(int /*status*/) override { std::abort(); }

 private:
  ThreadWorld& world_;
  int rank_;
};

/// Calls `rank` for each rank in a thread of its own, which must not throw; returns when all are done.
template <typename Rank>
void run_ranks(std::vector<int> machines, const Rank& rank) {
  ThreadWorld world{std::move(machines)};
  std::vector<std::thread> threads;
  for (int k = 0; k < static_cast<int>(world.machines.size()); ++k) {
    threads.emplace_back([&world, &rank, k] {
      ThreadJob job(world, k);
      rank(job);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace takt::live
