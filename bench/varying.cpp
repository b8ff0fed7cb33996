// One group of copies on one thread, the net saturated.
#include "bench/varying.hpp"

#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "bench/memory.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_documents.hpp"
#include "tpn/models.hpp"
#include "vary/vary.hpp"

namespace takt::bench {

namespace {

// A net and the law of its times.
struct VaryingCase {
  tpn::Document document;
  tpn::FoldedNet net;
  vary::PlayedNet played;

  VaryingCase(tpn::Document of, const std::string& law)
      : document(std::move(of)),
        net(support::net_of(document, tpn::Model::kOverlap)),
        played(net, vary::times_of(document, net, std::get<tpn::Law>(tpn::parse_law(law)))) {}
};

// 50 parts on 1000 processors, 1 to 39 each.
tpn::Document wide_document() {
  std::vector<std::size_t> replication;
  for (std::size_t part = 0; part < 50; ++part) replication.push_back(part % 2 == 0 ? 1 + part % 39 : 39 - part % 39);
  std::size_t sum = 0;
  for (const std::size_t count : replication) sum += count;
  while (sum < 1000) {
    ++replication[sum % replication.size()];
    ++sum;
  }
  return support::uniform_document(replication, 5, 15, 1, 1);
}

void add(const std::string& name, tpn::Document (*make)(), const std::string& law) {
  benchmark::RegisterBenchmark(("vary_" + name + "/" + law).c_str(), [make, law](benchmark::State& state) {
    const VaryingCase varying(make(), law);
    vary::PlaySettings settings;
    settings.data_sets = 1000;
    settings.instructions = evaluators::best_instructions();
    const vary::Scenario at_rate{1e6};
    reset_peak_memory();
    for ([[maybe_unused]] const auto iteration : state) {
      benchmark::DoNotOptimize(vary::play_copies(varying.played, std::span(&at_rate, 1), settings, 0, {}));
    }
    state.counters["peak_MiB"] = peak_memory();
    const std::size_t operations = varying.net.pipeline.columns.size() * vary::kLanes * settings.data_sets;
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(operations));
  })->Unit(benchmark::kMillisecond);
}

tpn::Document example_a() { return support::document_of("examples/example-a.json"); }

}  // namespace

void add_varying() {
  for (const std::string law : {"constant", "exponential", "lognormal:0.5"}) {
    add("example_a", example_a, law);
    add("50x1000", wide_document, law);
  }
}

}  // namespace takt::bench
