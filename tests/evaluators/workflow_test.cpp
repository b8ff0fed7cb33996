// Nets that fork and join, built by hand: every method is right about them, or refuses them.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "evaluators/evaluate.hpp"
#include "evaluators/play/sampled.hpp"
#include "evaluators/proof/certify.hpp"
#include "evaluators/proof/check.hpp"
#include "evaluators/stretches/stretches.hpp"
#include "tests/evaluators/oracles.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_documents.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/chain.hpp"

namespace takt {
namespace {

using maxplus::Rational;
using tpn::ConstraintKind;
using tpn::FoldedNet;
using tpn::Model;

// Parts of so many processors each, and who sends to whom.
struct Workflow {
  std::vector<std::size_t> lengths;
  std::vector<std::pair<std::size_t, std::size_t>> edges;  // from a part to a later one, sorted, each once
};

const Workflow kTriangle{{3, 4, 5}, {{0, 1}, {0, 2}, {1, 2}}};

Workflow random_workflow(support::Draw& draw) {
  Workflow workflow;
  workflow.lengths.resize(draw.count(3, 5));
  for (std::size_t& length : workflow.lengths) length = draw.count(1, 5);
  for (std::size_t from = 0; from < workflow.lengths.size(); ++from) {
    for (std::size_t to = from + 1; to < workflow.lengths.size(); ++to) {
      if (to == from + 1 ? !draw.one_in(3) : draw.one_in(3)) workflow.edges.emplace_back(from, to);
    }
  }
  return workflow;
}

bool is_path(const Workflow& workflow) {
  if (workflow.edges.size() + 1 != workflow.lengths.size()) return false;
  return std::ranges::all_of(workflow.edges, [](const auto& edge) { return edge.second == edge.first + 1; });
}

// Builds the net column by column: a part's computation, then its sendings by receiver.
class WorkflowNet {
 public:
  WorkflowNet(const Workflow& workflow, Model model, support::Draw& draw) : workflow_(workflow), draw_(draw) {
    net_.model = model;
    operations_.resize(workflow.lengths.size());
    for (std::size_t part = 0; part < workflow.lengths.size(); ++part) add_part(part);
    for (std::size_t part = 0; part < workflow.lengths.size(); ++part) add_columns(part);
    for (std::size_t part = 0; part < workflow.lengths.size(); ++part) add_resources(part);
    std::ranges::sort(net_.dependences);
    const auto repeated = std::ranges::unique(net_.dependences);
    net_.dependences.erase(repeated.begin(), repeated.end());
  }

  FoldedNet take() {
    tpn::connect(net_.pipeline);
    return std::move(net_);
  }

 private:
  struct Operations {
    std::vector<std::size_t> receptions;
    std::size_t computation = 0;
    std::vector<std::size_t> sendings;
  };

  void add_part(std::size_t part) {
    tpn::NetPart added;
    added.first_stage = added.last_stage = added.mapping_part = part;
    for (std::size_t k = 0; k < workflow_.lengths[part]; ++k) {
      added.sequence.push_back(net_.pipeline.processors.size());
      net_.pipeline.processors.push_back("P" + std::to_string(net_.pipeline.processors.size()));
    }
    net_.pipeline.rows = lcm(net_.pipeline.rows, tpn::Integer(added.sequence.size()));
    net_.pipeline.parts.push_back(std::move(added));
  }

  std::vector<std::int64_t> times(std::size_t count) {
    std::vector<std::int64_t> result(count);
    for (std::int64_t& time : result) time = draw_.between(20, 80);
    return result;
  }

  void add_columns(std::size_t part) {
    const std::size_t length = workflow_.lengths[part];
    tpn::Column computation;
    computation.part = computation.receiver = tpn::PartIndex(part);
    computation.period = length;
    computation.sender_offset.resize(length);
    std::iota(computation.sender_offset.begin(), computation.sender_offset.end(), std::size_t{0});
    computation.receiver_offset = {0};
    computation.table = tpn::DurationTable(times(length));
    operations_[part].computation = net_.pipeline.columns.size();
    for (const std::size_t reception : operations_[part].receptions) add_file(reception, operations_[part].computation);
    net_.pipeline.columns.push_back(std::move(computation));
    for (const auto& [from, to] : workflow_.edges) {
      if (from == part) add_transfer(from, to);
    }
  }

  // A time for each pair of entries, whether they meet or not.
  void add_transfer(std::size_t from, std::size_t to) {
    const std::size_t senders = workflow_.lengths[from];
    const std::size_t receivers = workflow_.lengths[to];
    tpn::Column transfer;
    transfer.kind = tpn::ColumnKind::transfer;
    transfer.part = tpn::PartIndex(from);
    transfer.receiver = tpn::PartIndex(to);
    transfer.period = std::lcm(senders, receivers);
    for (std::size_t k = 0; k < senders; ++k) transfer.sender_offset.push_back(k * receivers);
    for (std::size_t k = 0; k < receivers; ++k) transfer.receiver_offset.push_back(k);
    transfer.table = tpn::DurationTable(times(senders * receivers));
    const std::size_t column = net_.pipeline.columns.size();
    operations_[from].sendings.push_back(column);
    operations_[to].receptions.push_back(column);
    add_file(operations_[from].computation, column);
    net_.pipeline.columns.push_back(std::move(transfer));
  }

  void add_file(std::size_t from, std::size_t to) {
    net_.dependences.push_back(
        {.from = tpn::ColumnIndex(from), .to = tpn::ColumnIndex(to), .kind = ConstraintKind::flow});
  }

  // One after the other on a data set, and the first of the next turn behind the last.
  void add_circuit(ConstraintKind kind, std::size_t of, const std::vector<std::size_t>& numbers) {
    if (numbers.empty()) return;
    const tpn::PartIndex part(of);
    std::vector<tpn::ColumnIndex> columns;
    for (const std::size_t number : numbers) columns.emplace_back(number);
    for (std::size_t k = 0; k + 1 < columns.size(); ++k)
      net_.dependences.push_back({.from = columns[k], .to = columns[k + 1], .kind = kind, .part = part});
    const std::uint64_t length = workflow_.lengths[part];
    net_.dependences.push_back(
        {.from = columns.back(), .to = columns.front(), .height = length, .kind = kind, .part = part});
    const std::uint64_t rows = net_.pipeline.rows.get_ui();
    for (std::uint64_t k = 0; k < length; ++k) {
      tpn::Integer sum = 0;
      for (std::uint64_t row = k; row < rows; row += length)
        for (const tpn::ColumnIndex column : columns) sum += net_.pipeline.columns[column].duration(row);
      net_.resources.push_back({.kind = kind,
                                .processor = net_.pipeline.parts[part].sequence[k],
                                .first_column = columns.front(),
                                .cycle_time = Rational::fraction(sum, tpn::Integer(rows))});
    }
  }

  void add_resources(std::size_t part) {
    const auto& [receptions, computation, sendings] = operations_[part];
    if (net_.model != Model::kStrict) {
      add_circuit(ConstraintKind::in_port, part, receptions);
      add_circuit(ConstraintKind::compute, part, {computation});
      add_circuit(ConstraintKind::out_port, part, sendings);
      return;
    }
    std::vector<std::size_t> all = receptions;
    all.push_back(computation);
    all.insert(all.end(), sendings.begin(), sendings.end());
    add_circuit(ConstraintKind::processor, part, all);
  }

  const Workflow& workflow_;
  support::Draw& draw_;
  FoldedNet net_;
  std::vector<Operations> operations_;  // by part
};

// By Boost's solver on the unfolded net; of its answer that nothing is longer.
Rational boosts_period(const FoldedNet& net) {
  Rational period = support::boost_period(net);
  REQUIRE(support::boost_finds_no_longer_circuit(net, period));
  return period;
}

void judge(const evaluators::Evaluator& evaluator, const FoldedNet& net, const Rational& period) {
  CAPTURE(evaluator.name);
  const evaluators::Evaluation found = evaluators::evaluate(net, support::options_of(evaluator.method));
  REQUIRE(found.lower <= period);
  REQUIRE(found.upper >= period);
  if (!evaluator.is_interval) REQUIRE(found.exact());
}

TEST_CASE("fold makes of a pipeline that forks and joins the net that was made by hand") {
  support::Draw draw(3);
  for (int n = 0; n < 100; ++n) {
    const Workflow workflow = n == 0 ? kTriangle : random_workflow(draw);
    for (const Model model : {Model(Model::kOverlap), Model(Model::kStrict)}) {
      CAPTURE(n, tpn::name_of(model), workflow.lengths, workflow.edges);
      const FoldedNet by_hand = WorkflowNet(workflow, model, draw).take();
      const auto folded = std::get<FoldedNet>(tpn::fold(by_hand.pipeline, model));
      // What a file says already is no dependence of a resource's.
      for (const tpn::Dependence& d : by_hand.dependences) {
        const bool is_said = d.height == 0 && folded.pipeline.flows(d.from, d.to);
        REQUIRE(std::ranges::binary_search(folded.dependences, d) == (!is_said || d.kind == ConstraintKind::flow));
      }
      REQUIRE(std::ranges::includes(by_hand.dependences, folded.dependences));
      std::map<std::pair<ConstraintKind, std::size_t>, Rational> cycle_times;
      for (const tpn::Resource& r : by_hand.resources) cycle_times[{r.kind, r.processor}] = r.cycle_time;
      REQUIRE(folded.resources.size() == cycle_times.size());
      for (const tpn::Resource& r : folded.resources) REQUIRE(cycle_times.at({r.kind, r.processor}) == r.cycle_time);
      REQUIRE(boosts_period(folded) == boosts_period(by_hand));
    }
  }
}

TEST_CASE("a pipeline says where data sets arrive and are delivered, and whether that is one place") {
  support::Draw draw(5);
  const FoldedNet triangle = WorkflowNet(kTriangle, Model::kOverlap, draw).take();
  REQUIRE(triangle.pipeline.arrival() == triangle.pipeline.parts[0].computation);
  REQUIRE(triangle.pipeline.delivery() == triangle.pipeline.parts[2].computation);
  REQUIRE_FALSE(tpn::why_no_passage(triangle.pipeline));
  const FoldedNet fork = WorkflowNet({{1, 2, 3}, {{0, 1}, {0, 2}}}, Model::kOverlap, draw).take();
  REQUIRE(fork.pipeline.exits().size() == 2);
  REQUIRE(tpn::why_no_passage(fork.pipeline) == "data sets are delivered by 2 parts, which must be one");
  REQUIRE_THROWS_AS(fork.pipeline.delivery(), maxplus::ContractViolation);
  const FoldedNet join = WorkflowNet({{1, 2, 3}, {{0, 2}, {1, 2}}}, Model::kOverlap, draw).take();
  REQUIRE(tpn::why_no_passage(join.pipeline) == "data sets arrive at 2 parts, which must be one");
}

TEST_CASE("methods are right about nets that fork and join, or refuse them") {
  support::Draw draw(1);
  std::map<std::string_view, int> answered;
  for (std::uint64_t n = support::seeds_or("TAKT_WORKFLOWS", 200); n > 0; --n) {
    const Workflow workflow = draw.one_in(4) ? kTriangle : random_workflow(draw);
    for (const Model model : {Model(Model::kOverlap), Model(Model::kStrict)}) {
      CAPTURE(n, tpn::name_of(model), workflow.lengths, workflow.edges);
      const FoldedNet net = WorkflowNet(workflow, model, draw).take();
      REQUIRE(tpn::why_no_chain(net).has_value() != is_path(workflow));
      const Rational period = boosts_period(net);
      for (const evaluators::Evaluator& evaluator : evaluators::evaluators()) {
        const bool is_fit = evaluator.unfit == nullptr || !evaluator.unfit(net);
        if (evaluator.method == evaluators::Method::floors && !is_path(workflow)) REQUIRE_FALSE(is_fit);
        if (!is_fit) continue;
        judge(evaluator, net, period);
        ++answered[evaluator.name];
      }
      if (is_path(workflow)) continue;
      REQUIRE(evaluators::unfit_for_sample(net));
      REQUIRE_FALSE(evaluators::best_stretch(net, {}, 0));
    }
  }
  for (const char* method : {"auto", "unfold", "sweep", "residue", "simulate"}) CHECK(answered[method] > 100);
}

// The first processors of two parts behind one port: their receptions, one after the other by data set and column. Of a
// chain of at least three parts.
FoldedNet with_shared_port(FoldedNet net, std::size_t one, std::size_t other, ConstraintKind kind) {
  const tpn::Pipeline& pipeline = net.pipeline;
  std::vector<tpn::Operation> operations;
  const std::uint64_t turn = std::lcm(pipeline.parts[one].sequence.size(), pipeline.parts[other].sequence.size());
  for (std::uint64_t j = 0; j < turn; ++j) {
    for (const std::size_t part : {one, other}) {
      if (j % pipeline.parts[part].sequence.size() == 0)
        operations.push_back({j, pipeline.parts[part].receptions.front()});
    }
  }
  std::ranges::sort(operations);
  for (std::size_t k = 0; k < operations.size(); ++k) {
    const tpn::Operation& here = operations[k];
    const bool wraps = k + 1 == operations.size();
    const tpn::Operation& next = operations[wraps ? 0 : k + 1];
    net.dependences.push_back({.from = here.column,
                               .to = next.column,
                               .height = next.data_set + (wraps ? turn : 0) - here.data_set,
                               .modulus = turn,
                               .residue = here.data_set,
                               .kind = kind,
                               .part = pipeline.columns[here.column].receiver});
  }
  std::ranges::sort(net.dependences);
  const auto repeated = std::ranges::unique(net.dependences);
  net.dependences.erase(repeated.begin(), repeated.end());
  return net;
}

TEST_CASE("methods are right about nets whose processors share ports, or refuse them") {
  support::Draw draw(7);
  int slower = 0;
  std::map<std::string_view, int> answered;
  for (std::uint64_t n = support::seeds_or("TAKT_WORKFLOWS", 200); n > 0; --n) {
    Workflow chain;
    chain.lengths.resize(draw.count(3, 5));
    for (std::size_t& length : chain.lengths) length = draw.count(1, 5);
    for (std::size_t i = 0; i + 1 < chain.lengths.size(); ++i) chain.edges.emplace_back(i, i + 1);
    const std::size_t one = draw.count(1, chain.lengths.size() - 2);
    const std::size_t other = draw.count(one + 1, chain.lengths.size() - 1);
    for (const Model model : {Model(Model::kOverlap), Model(Model::kStrict)}) {
      CAPTURE(n, tpn::name_of(model), chain.lengths, one, other);
      const ConstraintKind kind = model == Model(Model::kStrict) ? ConstraintKind::processor : ConstraintKind::in_port;
      const FoldedNet own = WorkflowNet(chain, model, draw).take();
      REQUIRE_FALSE(tpn::why_shared(own));
      const FoldedNet net = with_shared_port(own, one, other, kind);
      REQUIRE(tpn::why_shared(net) ==
              "a " + std::string(tpn::name_of(kind)) + " handles operations of several processors");
      const Rational period = boosts_period(net);
      slower += boosts_period(own) < period ? 1 : 0;
      for (const evaluators::Evaluator& evaluator : evaluators::evaluators()) {
        const bool is_fit = evaluator.unfit == nullptr || !evaluator.unfit(net);
        if (evaluator.method == evaluators::Method::floors) REQUIRE_FALSE(is_fit);
        if (!is_fit) continue;
        judge(evaluator, net, period);
        ++answered[evaluator.name];
      }
      REQUIRE(evaluators::unfit_for_sample(net));
      REQUIRE_FALSE(evaluators::best_stretch(net, {}, 0));
    }
  }
  CHECK(slower > 50);
  for (const char* method : {"auto", "unfold", "sweep", "residue", "simulate"}) CHECK(answered[method] > 100);
}

TEST_CASE("a STRICT triangle is refused by floors, with the reason") {
  support::Draw draw(2);
  const FoldedNet net = WorkflowNet(kTriangle, Model::kStrict, draw).take();
  const auto reason = evaluators::evaluator_of(evaluators::Method::floors).unfit(net);
  REQUIRE(reason);
  CHECK(*reason == "floors are for chains: 3 parts have 6 operations per data set, a chain of them has 5; use residue");
}

TEST_CASE("nets of mappings are those of chains, and no others are") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const tpn::Document document = support::random_document(support::kKinds[seed % std::size(support::kKinds)], seed);
    for (const Model model : support::all_models()) {
      FoldedNet net = support::net_of(document, model);
      CHECK(tpn::why_no_chain(net) == std::nullopt);
      if (net.pipeline.parts.size() < 2) continue;
      std::erase_if(net.dependences,
                    [](const tpn::Dependence& d) { return d.kind == ConstraintKind::flow && d.to == 1; });
      CHECK(tpn::why_no_chain(net));
    }
  }
}

}  // namespace
}  // namespace takt
