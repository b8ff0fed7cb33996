// How often a stage is tried on a data set, on which bytes, and what stands in place of a result.
#include "live/process/retrying_kernel.hpp"

#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "live/files/journal.hpp"
#include "live/process/worker.hpp"

namespace takt::live {

namespace {

// Fails as often as the bytes say, having changed them; then adds the number of its stage.
class MoodyKernel final : public Kernel {
 public:
  explicit MoodyKernel(std::vector<std::string>& seen) : seen_(seen) {}

  void run(const StageCall& call, Packet& packet) override {
    seen_.push_back(packet.bytes);
    const bool fails = ++tries_ <= std::stoi(packet.bytes);
    const std::uint64_t data_set = packet.data_set;
    packet.bytes += fails ? " spoilt" : std::to_string(call.stage);
    if (!fails) return void(tries_ = 0);
    packet.data_set = 99;
    throw StageFailed("stage " + std::string(call.stage == 0 ? "a" : "b") + ", data set " + std::to_string(data_set) +
                      ": try " + std::to_string(tries_));
  }

 private:
  std::vector<std::string>& seen_;
  int tries_ = 0;
};

}  // namespace

TEST_CASE("a stage is tried on the same bytes as often as it may be") {
  std::vector<std::string> seen;
  std::vector<std::string> said;
  RetryTerms terms{.stages = {"a", "b"}, .retries = 2, .known = {}};
  terms.say = [&](std::size_t stage, const std::string& words) { said.push_back(std::to_string(stage) + " " + words); };
  RetryingKernel kernel(std::make_unique<MoodyKernel>(seen), terms);
  Packet packet{5, "2"};
  kernel.run({0, {}}, packet);
  CHECK(packet.bytes == "20");
  CHECK(packet.data_set == 5);
  CHECK_FALSE(packet.has_failed);
  CHECK(seen == std::vector<std::string>{"2", "2", "2"});
  CHECK(said == std::vector<std::string>{"0 stage a, data set 5: try 1; try 2 of 3 follows",
                                         "0 stage a, data set 5: try 2; try 3 of 3 follows"});
}

TEST_CASE("what was tried often enough has failed, and no further stage gets it") {
  std::vector<std::string> seen;
  RetryingKernel kernel(std::make_unique<MoodyKernel>(seen), {.stages = {"a", "b"}, .retries = 1, .known = {}});
  Worker worker(kernel, nullptr);
  worker.start({{0, {}}, {1, {}}}, {7, "2"});
  while (!worker.is_done()) {
  }
  const FinishedWork finished = worker.take();
  CHECK(finished.packet.data_set == 7);
  CHECK(finished.packet.has_failed);
  CHECK(decode_failure(finished.packet.bytes) == StageFailure{"a", "try 2", "2"});
  CHECK(seen == std::vector<std::string>{"2", "2"});
}

TEST_CASE("a failure that ends the run says whose it is, tried once") {
  std::vector<std::string> seen;
  RetryTerms terms{.stages = {"a", "b"}, .stops_as = "processor p", .known = {{{8, 1}, "it died"}}};
  RetryingKernel kernel(std::make_unique<MoodyKernel>(seen), terms);
  Packet packet{5, "2"};
  kernel.run({0, {}}, packet);
  CHECK(packet.has_failed);
  CHECK(decode_failure(packet.bytes) == StageFailure{"a", "processor p: stage a, data set 5: try 1", ""});
  Packet known{8, "0"};
  kernel.run({1, {}}, known);
  CHECK(decode_failure(known.bytes) == StageFailure{"b", "processor p: stage b, data set 8: it died", ""});
  CHECK(seen.size() == 1);
}

TEST_CASE("what is known to fail is not tried") {
  std::vector<std::string> seen;
  RetryTerms terms{.stages = {"a", "b"}, .retries = 9, .known = {{{7, 1}, "it crashed"}}};
  RetryingKernel kernel(std::make_unique<MoodyKernel>(seen), std::move(terms));
  Packet packet{7, "0"};
  kernel.run({0, {}}, packet);
  kernel.run({1, {}}, packet);
  CHECK(packet.has_failed);
  CHECK(decode_failure(packet.bytes) == StageFailure{"b", "it crashed", "00"});
  CHECK(seen == std::vector<std::string>{"0"});
  Packet other{8, "0"};
  kernel.run({1, {}}, other);
  CHECK(other.bytes == "01");
}

}  // namespace takt::live
