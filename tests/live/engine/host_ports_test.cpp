// Tests of ports that processors share: who waits for them, and whose turn it is.
#include "live/engine/host_ports.hpp"

#include <catch2/catch.hpp>

#include <variant>
#include <vector>

#include "tests/support/host_documents.hpp"
#include "tests/support/random_documents.hpp"

namespace takt::live {

namespace {

using tpn::Operation;

tpn::Pipeline pipeline_of(const tpn::Document& document) {
  return std::get<tpn::Pipeline>(tpn::make_pipeline(document));
}

}  // namespace

TEST_CASE("a document whose processors have one port each has no shared ports") {
  const tpn::Pipeline pipeline = pipeline_of(support::random_document(support::Kind::intervals, 5));
  CHECK(!HostPorts::make(pipeline, tpn::Model::kStrict, 0).has_value());
}

TEST_CASE("the turns of ports are those of the net's circuit, from any data set on") {
  std::size_t seen = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const tpn::Pipeline pipeline = pipeline_of(support::host_document(seed));
    for (std::size_t p = 0; p < pipeline.processors.size(); ++p) {
      if (pipeline.is_host(p)) continue;
      const auto ports = HostPorts::make(pipeline, tpn::Model::kOverlap, p);
      if (!ports || ports->use() != PortUse::ports) continue;
      for (const bool sends : {false, true}) {
        const PortTurns* const turns = ports->turns(sends);
        if (turns == nullptr) continue;
        INFO("seed " << seed << ", " << pipeline.processors[p] << (sends ? " sends" : " receives"));
        const std::size_t owner = pipeline.port_owner(p);
        const std::uint64_t from = seed % 7;
        // All transfers of the host's card, listed plainly.
        std::vector<Operation> all;
        for (std::uint64_t j = from; j < from + 400; ++j) {
          for (const tpn::ColumnIndex c : pipeline.all_columns()) {
            if (!pipeline.is_transfer(c) || pipeline.is_within_host(c, j)) continue;
            const tpn::Column& column = pipeline.columns[c];
            const tpn::PartIndex part = sends ? column.part : column.receiver;
            if (pipeline.port_owner(pipeline.parts[part].processor_at(j)) == owner) all.push_back({j, c});
          }
        }
        const std::size_t count = pipeline.port_count(owner);
        REQUIRE(all.size() > 2 * count);
        CHECK(turns->first(from) == std::vector<Operation>(all.begin(), all.begin() + static_cast<long>(count)));
        for (std::size_t x = 0; x + count < all.size(); ++x)
          REQUIRE(turns->behind(all[x], ~std::uint64_t{0}) == all[x + count]);
        ++seen;
      }
    }
  }
  CHECK(seen > 50);
}

}  // namespace takt::live
