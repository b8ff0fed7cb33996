// Tests of what is carried out: processors and durations are those of the pipeline.
#include "live/engine/route.hpp"

#include <catch2/catch.hpp>

#include "tests/support/random_documents.hpp"

namespace takt::live {

TEST_CASE("a route in exact ticks has the durations of its pipeline") {
  for (const support::Kind kind : support::kKinds) {
    const tpn::Document document = support::random_document(kind, 1);
    const auto made = tpn::make_pipeline(document);
    const auto* pipeline = std::get_if<tpn::Pipeline>(&made);
    REQUIRE(pipeline != nullptr);
    const auto route = Route::make(*pipeline, exact_ticks(*pipeline));
    REQUIRE(route.has_value());
    for (std::uint64_t j = 0; j < 30; ++j) {
      for (const tpn::ColumnIndex c : pipeline->all_columns()) {
        CHECK(Rational(route->duration(c, j)) == pipeline->duration({j, c}) * exact_ticks(*pipeline));
      }
    }
  }
}

TEST_CASE("a route in coarse ticks rounds to the nearest, half up") {
  tpn::Pipeline pipeline;
  pipeline.parts = {{.sequence = {0, 1, 2}}};
  pipeline.columns.push_back({.sender_offset = {0, 1, 2},
                              .receiver_offset = {0},
                              .table = tpn::DurationTable(std::vector<std::int64_t>{14, 15, 16})});
  pipeline.scale = 10;
  const auto route = Route::make(pipeline, 1);
  REQUIRE(route.has_value());
  CHECK(route->duration(0, 0) == 1);
  CHECK(route->duration(0, 1) == 2);
  CHECK(route->duration(0, 2) == 2);
  CHECK(!Route::make(pipeline, Rational(maxplus::Integer(1) << 53)).has_value());
}

}  // namespace takt::live
