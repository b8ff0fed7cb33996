// The inner loops of residue, in every width of numbers, against a plain one.
#include "evaluators/residue/kernels.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "evaluators/kernel/instructions.hpp"
#include "evaluators/kernel/numbers.hpp"
#include "tests/support/draw.hpp"

namespace takt {
namespace {

using maxplus::Integer;
using support::Draw;

// starts[i] = max(starts[i], ends[i]), one at a time; the first that rose, or the count.
template <typename Number>
std::uint64_t raise_plainly(std::vector<Number>& starts, const std::vector<Number>& ends) {
  std::uint64_t first = starts.size();
  for (std::uint64_t i = 0; i < starts.size(); ++i) {
    if (!(ends[i] > starts[i])) continue;
    first = std::min(first, i);
    starts[i] = ends[i];
  }
  return first;
}

struct Arrays {
  std::vector<std::int64_t> starts;
  std::vector<std::int64_t> sources;
  std::vector<std::int64_t> weights;
  std::vector<std::int64_t> ends;  // their sums
};

// Few rise, in some lots none.
Arrays draw_arrays(std::size_t count, Draw& draw) {
  constexpr std::int64_t kFar = std::int64_t{1} << 61;
  const std::int64_t rare = draw.between(0, 40);
  Arrays arrays;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t source = draw.index(10) == 0 ? -kFar : draw.between(-kFar, kFar);
    const std::int64_t weight = draw.between(-1000, 1000);
    const bool rises = rare > 0 && draw.between(0, rare) == 0;
    arrays.sources.push_back(source);
    arrays.weights.push_back(weight);
    arrays.ends.push_back(source + weight);
    arrays.starts.push_back(source + weight - (rises ? draw.between(1, 3) : -draw.between(0, 3)));
  }
  return arrays;
}

void require_plain_raise_by(const evaluators::ResidueKernels& kernels) {
  Draw draw(7);
  std::size_t rose = 0;
  for (int lot = 0; lot < 20'000; ++lot) {
    const std::size_t count = draw.index(130);
    const Arrays arrays = draw_arrays(count, draw);
    CAPTURE(lot, count);
    std::vector<std::int64_t> expected = arrays.starts;
    const std::uint64_t first = raise_plainly(expected, arrays.ends);
    if (first < count) ++rose;

    std::vector<std::int64_t> starts = arrays.starts;
    REQUIRE(kernels.raise_to(starts.data(), arrays.ends.data(), count) == first);
    REQUIRE(starts == expected);
    starts = arrays.starts;
    REQUIRE(kernels.raise_by(starts.data(), arrays.sources.data(), arrays.weights.data(), count) == first);
    REQUIRE(starts == expected);
    REQUIRE(kernels.raise_to(starts.data(), starts.data(), count) == count);
    REQUIRE(starts == expected);
  }
  REQUIRE(rose > 5000);
  REQUIRE(rose < 19'000);
}

TEST_CASE("residue's kernels of all instructions raise what a plain loop raises, and say where it began") {
  for (const evaluators::Instructions instructions : evaluators::available_instructions()) {
    INFO("instructions " << static_cast<int>(instructions));
    require_plain_raise_by(evaluators::residue_kernels(instructions));
  }
}

// The same loop for wider numbers, which no kernel has; times 2^40, so that 64 bits would not do.
template <typename Number>
void require_plain_raise() {
  Draw draw(8);
  for (int lot = 0; lot < 2'000; ++lot) {
    const std::size_t count = draw.index(70);
    const Arrays arrays = draw_arrays(count, draw);
    CAPTURE(lot, count);
    const auto widened = [](const std::vector<std::int64_t>& numbers) {
      std::vector<Number> wide;
      wide.reserve(numbers.size());
      for (const std::int64_t number : numbers) {
        wide.push_back(evaluators::narrow<Number>(Integer(static_cast<long>(number)) << 40));
      }
      return wide;
    };
    std::vector<Number> expected = widened(arrays.starts);
    const std::vector<Number> ends = widened(arrays.ends);
    std::vector<Number> starts = expected;
    const std::uint64_t first = raise_plainly(expected, ends);
    REQUIRE(evaluators::raise(starts.data(), count, [&](std::uint64_t i) -> Number { return ends[i]; }) == first);
    REQUIRE((starts == expected));
  }
}

TEST_CASE("residue's loop raises wider numbers likewise") {
  require_plain_raise<evaluators::Int128>();
  require_plain_raise<Integer>();
}

}  // namespace
}  // namespace takt
