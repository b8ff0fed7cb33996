// What a run leaves, and what its ranks say of their stages, survive as text and bytes.
#include "live/files/run_result.hpp"

#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <vector>

namespace takt::live {
namespace {

const std::vector<StageWork> kWork = {{0, 30, 5'000'000'000, 17, 12}, {2, 1, 8, 0, std::nullopt}, {3, 0, 0, 0, 0}};

TEST_CASE("a result survives as text") {
  RunResult result;
  result.first_data_set = 3;
  result.delivered = 400;
  result.begin = 17;
  result.end = 5'000'000'000;
  result.has_bells = true;
  result.cpu_nanoseconds = 99;
  result.cores = 2;
  result.work = {{1, kWork}, {4, {{1, 2, 3, 4, 5}}}};
  result.mappings = {{0, {}}};
  const RunResult read = read_run_result(write_run_result(result), "result");
  CHECK(read.first_data_set == 3);
  CHECK(read.delivered == 400);
  CHECK(read.begin == 17);
  CHECK(read.end == 5'000'000'000);
  CHECK(read.has_bells);
  CHECK(read.cores == 2);
  CHECK(read.work == result.work);
  CHECK(read.mappings.size() == 1);
}

TEST_CASE("what stages took survives as bytes, and what is cut off is refused") {
  const std::string bytes = encode_work(kWork);
  CHECK(decode_work(bytes) == kWork);
  CHECK(decode_work("")->empty());
  for (std::size_t length = 1; length < bytes.size(); ++length) {
    const auto read = decode_work(std::string_view(bytes).substr(0, length));
    CHECK(read.has_value() == (length % (bytes.size() / kWork.size()) == 0));
  }
}

}  // namespace
}  // namespace takt::live
