// Tests of measured latencies: each data set's own, from its arrival on.
#include "live/measurement/latencies.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <variant>
#include <vector>

#include "tests/support/random_documents.hpp"
#include "tpn/models.hpp"

namespace takt::live {

namespace {

// One part, on two processors in turn: a column.
tpn::FoldedNet one_column() {
  const tpn::Document document = support::uniform_document(std::vector<std::size_t>{2}, 5, 5, 1, Rational(1));
  return std::get<tpn::FoldedNet>(tpn::fold(document, tpn::Model::kOverlap));
}

Trace ending_at(const std::vector<Rational>& ends) {
  Trace trace;
  for (std::uint64_t j = 0; j < ends.size(); ++j) trace.push_back({{j, tpn::ColumnIndex(0)}, Rational(0), ends[j]});
  return trace;
}

}  // namespace

TEST_CASE("a latency is from the arrival to the data set's own delivery, also where it overtakes") {
  const tpn::FoldedNet net = one_column();
  REQUIRE(net.pipeline.columns.size() == 1);
  const Trace trace = ending_at({5, 14, 9, 16, Rational::fraction(41, 2)});
  const auto arrives = [](std::uint64_t j) { return 3.0 * static_cast<double>(j); };
  CHECK(latencies_of(net, trace, 0, arrives) == std::vector<double>{5, 11, 3, 7, 8.5});
  CHECK(latencies_of(net, trace, 3, arrives) == std::vector<double>{7, 8.5});
  CHECK(growth_from(net, trace, 0) == Approx(20.5 / 5));
  CHECK(growth_from(net, trace, 3) == Approx((20.5 - 14) / 2));
}

TEST_CASE("a percentile is the least number that its share does not exceed") {
  std::vector<double> numbers;
  for (int i = 100; i > 0; --i) numbers.push_back(i);
  CHECK(percentile_of(numbers, 0.5) == 50);
  CHECK(percentile_of(numbers, 0.95) == 95);
  CHECK(percentile_of(numbers, 0.951) == 96);
  CHECK(percentile_of(numbers, 1) == 100);
  CHECK(percentile_of({7}, 0.01) == 7);
  CHECK(mean_of(numbers) == Approx(50.5));
}

}  // namespace takt::live
