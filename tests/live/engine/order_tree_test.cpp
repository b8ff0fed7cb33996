// Routes and the end go from rank to rank; grants to where data sets begin.
#include <catch2/catch.hpp>
#include <numeric>
#include <set>
#include <vector>

#include "live/adaptation/coordinator.hpp"
#include "live/engine/messages.hpp"
#include "live/engine/participant.hpp"
#include "live/rehearsal/virtual_world.hpp"

using namespace takt::live;

namespace {

class NoResults : public ResultSink {
 public:
  void append(std::uint64_t, const std::string&) override {}
};

RunTerms terms_of(std::size_t processors) {
  RunTerms terms;
  terms.processors.resize(processors);
  std::iota(terms.processors.begin(), terms.processors.end(), std::size_t{0});
  terms.coordinator = processors;
  return terms;
}

}  // namespace

TEST_CASE("every rank is told once by the one that it listens to, and a thousand are four apart") {
  for (const std::size_t count : {1U, 7U, 8U, 9U, 72U, 73U, 1000U}) {
    const RunTerms terms = terms_of(count);
    std::vector<std::size_t> told = first_told(terms);
    for (const std::size_t processor : told) CHECK(order_tree(terms, processor).parent == terms.coordinator);
    std::set<std::size_t> reached;
    std::size_t steps = 0;
    for (; !told.empty(); ++steps) {
      std::vector<std::size_t> next;
      for (const std::size_t processor : told) {
        REQUIRE(reached.insert(processor).second);
        for (const std::size_t child : order_tree(terms, processor).children) {
          CHECK(order_tree(terms, child).parent == processor);
          next.push_back(child);
        }
      }
      told = std::move(next);
    }
    CHECK(reached.size() == count);
    CHECK(steps <= 4);
  }
}

TEST_CASE("in a run that adapts the coordinator tells all ranks itself") {
  RunTerms terms = terms_of(100);
  terms.tells_times = true;
  for (const std::size_t processor : {0U, 8U, 99U}) {
    CHECK(order_tree(terms, processor).parent == terms.coordinator);
    CHECK(order_tree(terms, processor).children.empty());
  }
}

TEST_CASE("of a hundred ranks the coordinator tells eight the route, and those whose data sets may begin a grant") {
  const RunTerms terms = terms_of(100);
  VirtualWorld world;
  VirtualTransport transport(world, terms.coordinator);
  NoResults sink;
  // 20 of the 100 begin data sets; two of those have turns of the second part, too.
  std::vector<std::size_t> first(20);
  std::iota(first.begin(), first.end(), std::size_t{0});
  std::vector<std::size_t> second(82);
  std::iota(second.begin(), second.end(), std::size_t{18});
  Coordinator coordinator(terms, {.first_data_set = 0, .data_sets = 1000, .window = 5}, {{0, 0, first}, {1, 1, second}},
                          transport, sink);
  coordinator.step();
  std::set<std::size_t> routed;
  std::set<std::size_t> granted;
  for (std::size_t processor = 0; processor < 100; ++processor) {
    VirtualTransport rank(world, processor);
    while (const auto bytes = rank.receive(terms.coordinator, kOrderTag)) {
      const auto order = decode_order(*bytes);
      REQUIRE(order);
      (order->order == Order::route ? routed : granted).insert(processor);
    }
  }
  CHECK(routed == std::set<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7});
  CHECK(granted == std::set<std::size_t>{0, 1, 2, 3, 4, 18, 19});
}
