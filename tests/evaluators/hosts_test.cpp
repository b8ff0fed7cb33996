// Hosts whose processors share ports: nets against a simulation of their documents, methods against each other.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "evaluators/bounds.hpp"
#include "evaluators/evaluate.hpp"
#include "tests/evaluators/host_simulation.hpp"
#include "tests/evaluators/judged_nets.hpp"
#include "tests/evaluators/oracles.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/host_documents.hpp"
#include "tests/support/random_nets.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/errors.hpp"
#include "tpn/hosts.hpp"
#include "tpn/models.hpp"
#include "tpn/reader.hpp"
#include "tpn/writer.hpp"

namespace takt {
namespace {

using maxplus::Rational;
using tpn::FoldedNet;
using tpn::Model;

// When each operation starts at the earliest, by the net's dependences.
std::vector<std::vector<Rational>> earliest_starts(const FoldedNet& net, std::uint64_t data_sets) {
  std::map<std::size_t, std::vector<const tpn::Dependence*>> before;
  for (const tpn::Dependence& d : net.dependences) before[d.to].push_back(&d);
  std::vector<std::vector<Rational>> starts(data_sets, std::vector<Rational>(net.pipeline.columns.size()));
  for (std::uint64_t j = 0; j < data_sets; ++j) {
    for (const tpn::ColumnIndex c : net.pipeline.all_columns()) {
      for (const tpn::Dependence* d : before[c]) {
        if (d->height > j || (j - d->height) % d->modulus != d->residue) continue;
        const std::uint64_t earlier = j - d->height;
        starts[j][c] = std::max(starts[j][c], starts[earlier][d->from] + net.pipeline.duration({earlier, d->from}));
      }
    }
  }
  return starts;
}

// Cycle times by plain sums, periods by other solvers, certificates by the checker.
void require_judged(const FoldedNet& net) {
  Rational largest;
  for (const tpn::Resource& resource : net.resources) {
    CAPTURE(name_of(resource, net.pipeline));
    REQUIRE(resource.cycle_time == support::plain_cycle_time(net, resource));
    auto own = evaluators::own_circuit(net, static_cast<std::size_t>(&resource - net.resources.data()));
    REQUIRE(evaluators::ratio_of(net, own, {}) == resource.cycle_time);
    largest = std::max(largest, resource.cycle_time);
  }
  const Rational period = support::boosts_period(net);
  REQUIRE(largest <= period);
  support::require_every_way(net, period);
}

TEST_CASE("nets of hosts start every operation when a simulation of their documents does") {
  std::size_t nets = 0;
  std::size_t shared = 0;
  const auto hold = [&](const FoldedNet& net, const tpn::Document& document, std::uint64_t) {
    const std::string text = tpn::write_document(document);
    CAPTURE(text);
    REQUIRE(tpn::read_document(text, "hosts.json") == document);
    shared += tpn::HostIndex(document.platform).are_shared() ? 1 : 0;
    const std::uint64_t data_sets = 2 * net.pipeline.rows.get_ui() + 12;
    REQUIRE(earliest_starts(net, data_sets) == support::simulated_starts(document, net.model, data_sets));
    require_judged(net);
    ++nets;
  };
  support::for_each_net_of(support::host_document, support::draws(150), support::all_models(), hold);
  CHECK(nets == 4 * support::draws(150));
  CHECK(shared > support::draws(200));
}

// But for the computations that only fill a batch: when they start is nobody's business.
std::vector<std::vector<Rational>> without_fillers(const FoldedNet& net, std::vector<std::vector<Rational>> starts) {
  for (const tpn::NetPart& part : net.pipeline.parts)
    for (std::size_t j = 0; j < starts.size(); ++j)
      if (part.computed_at(j) == 0) starts[j][part.computation] = 0;
  return starts;
}

// What the nets of one of a document's models had.
struct JudgedNets {
  std::size_t shifted = 0;
  std::size_t refused = 0;
  std::size_t with_rooms = 0;
  std::size_t with_segments = 0;
  std::size_t with_batches = 0;
  std::size_t forked = 0;              // that are no chains
  std::size_t beyond_cycle_times = 0;  // of these, whose period is above every cycle time
  std::size_t bound_by_segments = 0;   // whose busiest resource is a segment, busy all the time
};

// Played against the simulation, cycle times, periods and certificates judged.
void judge_all_models(const tpn::Document& document, JudgedNets& judged) {
  const std::string text = tpn::write_document(document);
  CAPTURE(text);
  REQUIRE(tpn::read_document(text, "drawn.json") == document);
  for (const Model& model : support::all_models()) {
    CAPTURE(tpn::label_of(model));
    std::optional<FoldedNet> made;
    try {
      made = support::net_of(document, model);
    } catch (const tpn::InvalidInstance& error) {
      const auto has_room = [](const tpn::PartTransfer& transfer) { return transfer.room > 0; };
      REQUIRE((model->has_rooms || std::ranges::any_of(document.transfers, has_room)));
      REQUIRE((error.pointer == "/transfers" || error.pointer.ends_with("/processors")));
      ++judged.refused;
      continue;
    }
    const FoldedNet& net = *made;
    judged.shifted += net.pipeline.is_shifted() ? 1 : 0;
    judged.with_rooms += net.capacity.buffers.empty() ? 0 : 1;
    judged.with_batches += net.pipeline.has_batches() ? 1 : 0;
    const std::uint64_t data_sets = 2 * net.pipeline.rows.get_ui() + (net.pipeline.has_batches() ? 0 : 12);
    const auto played = without_fillers(net, support::played_starts(net, data_sets));
    const auto simulated = without_fillers(net, support::simulated_starts(document, model, data_sets));
    for (std::size_t j = 0; j < data_sets; ++j) {
      for (std::size_t c = 0; c < played[j].size(); ++c) {
        CAPTURE(j, c, played[j][c].to_string(), simulated[j][c].to_string());
        REQUIRE(played[j][c] == simulated[j][c]);
      }
    }
    require_judged(net);
    const auto is_segment = [](const tpn::Resource& one) { return one.kind == tpn::ConstraintKind::segment; };
    judged.forked += net.pipeline.is_chain() ? 0 : 1;
    judged.with_segments += std::ranges::any_of(net.resources, is_segment) ? 1 : 0;
    const auto found = evaluators::evaluate(net, {});
    const tpn::Resource& busiest = net.resources[found.busiest];
    judged.beyond_cycle_times += !net.pipeline.is_chain() && busiest.cycle_time < found.upper ? 1 : 0;
    judged.bound_by_segments += busiest.cycle_time == found.upper && is_segment(busiest) ? 1 : 0;
  }
}

// All models of drawn documents.
JudgedNets judge_documents(tpn::Document (*draw)(std::uint64_t seed)) {
  JudgedNets judged;
  for (std::uint64_t seed = 1; seed <= support::draws(150); ++seed) {
    CAPTURE(seed);
    judge_all_models(draw(seed), judged);
  }
  return judged;
}

TEST_CASE("transfers that are ahead: every operation starts when a simulation of the document says") {
  const JudgedNets judged = judge_documents(support::ahead_document);
  CHECK(judged.shifted > support::draws(200));
  CHECK(judged.refused > support::draws(10));
}

TEST_CASE("segments: every operation starts when a simulation of the document says") {
  const JudgedNets judged = judge_documents(support::segment_document);
  CHECK(judged.with_segments > support::draws(200));
  CHECK(judged.bound_by_segments > 0);
}

TEST_CASE("workflows: every operation starts when a simulation of the document says") {
  const JudgedNets judged = judge_documents(support::workflow_document);
  CHECK(judged.forked > support::draws(200));
  CHECK(judged.beyond_cycle_times > support::draws(50));
}

TEST_CASE("orders and rooms of transfers: every operation starts when a simulation of the document says") {
  const JudgedNets judged = judge_documents(support::ordered_document);
  CHECK(judged.forked > support::draws(200));
  CHECK(judged.with_rooms > support::draws(200));
  CHECK(judged.refused > support::draws(10));
}

TEST_CASE("batches: every operation starts when a simulation of the document says") {
  const JudgedNets judged = judge_documents(support::batch_document);
  CHECK(judged.with_batches > support::draws(200));
  CHECK(judged.refused > support::draws(10));
}

}  // namespace
}  // namespace takt
