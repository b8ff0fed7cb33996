// Nets that fork and join, built by hand: every method is right about them, or refuses them.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "evaluators/bounds.hpp"
#include "evaluators/evaluate.hpp"
#include "evaluators/play/sampled.hpp"
#include "evaluators/sub_pipelines/sub_pipelines.hpp"
#include "tests/evaluators/judged_nets.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_nets.hpp"
#include "tests/support/seeds.hpp"
#include "tests/support/workflow_nets.hpp"
#include "tpn/capacity.hpp"
#include "tpn/chain.hpp"
#include "tpn/reader.hpp"
#include "tpn/validate.hpp"
#include "tpn/writer.hpp"

namespace takt {
namespace {

using maxplus::Rational;
using support::is_path;
using support::kTriangle;
using support::random_workflow;
using support::with_shared_port;
using support::Workflow;
using tpn::ConstraintKind;
using tpn::FoldedNet;
using tpn::Model;

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
      const FoldedNet by_hand = support::workflow_net(workflow, model, draw);
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
      REQUIRE(support::boosts_period(folded) == support::boosts_period(by_hand));
    }
  }
}

TEST_CASE("a pipeline says where data sets arrive and are delivered") {
  support::Draw draw(5);
  const FoldedNet triangle = support::workflow_net(kTriangle, Model::kOverlap, draw);
  REQUIRE(triangle.pipeline.arrival() == triangle.pipeline.parts[0].computation);
  REQUIRE(triangle.pipeline.delivery() == triangle.pipeline.parts[2].computation);
  const FoldedNet fork = support::workflow_net({{1, 2, 3}, {{0, 1}, {0, 2}}}, Model::kOverlap, draw);
  REQUIRE(fork.pipeline.exits().size() == 2);
  REQUIRE_THROWS_AS(fork.pipeline.delivery(), maxplus::ContractViolation);
  const FoldedNet join = support::workflow_net({{1, 2, 3}, {{0, 2}, {1, 2}}}, Model::kOverlap, draw);
  REQUIRE(join.pipeline.entries().size() == 2);
  REQUIRE_THROWS_AS(join.pipeline.arrival(), maxplus::ContractViolation);
}

TEST_CASE("methods are right about nets that fork and join, or refuse them") {
  support::Draw draw(1);
  std::map<std::string_view, int> answered;
  for (std::uint64_t n = support::draws(200); n > 0; --n) {
    const Workflow workflow = draw.one_in(4) ? kTriangle : random_workflow(draw);
    for (const Model model : {Model(Model::kOverlap), Model(Model::kStrict)}) {
      CAPTURE(n, tpn::name_of(model), workflow.lengths, workflow.edges);
      const FoldedNet net = support::workflow_net(workflow, model, draw);
      REQUIRE(tpn::why_no_chain(net).has_value() != is_path(workflow));
      REQUIRE(net.pipeline.is_chain() == is_path(workflow));
      const Rational period = support::boosts_period(net);
      for (const evaluators::Evaluator& evaluator : evaluators::evaluators()) {
        const bool is_fit = !evaluators::why_unfit(evaluator.method, net);
        if (evaluator.method == evaluators::Method::potentials && !is_path(workflow)) REQUIRE_FALSE(is_fit);
        if (!is_fit) continue;
        judge(evaluator, net, period);
        ++answered[evaluator.name];
      }
      if (is_path(workflow)) continue;
      REQUIRE(evaluators::unfit_for_sample(net));
      REQUIRE_FALSE(evaluators::best_sub_pipeline(net, {}, 0));
    }
  }
  for (const char* method : {"auto", "unfold", "pattern", "sweep", "residue", "simulate"}) CHECK(answered[method] > 10);
}

TEST_CASE("methods are right about nets whose processors share ports, or refuse them") {
  support::Draw draw(7);
  int slower = 0;
  std::map<std::string_view, int> answered;
  for (std::uint64_t n = support::draws(200); n > 0; --n) {
    Workflow chain;
    chain.lengths.resize(draw.count(3, 5));
    for (std::size_t& length : chain.lengths) length = draw.count(1, 5);
    for (std::size_t i = 0; i + 1 < chain.lengths.size(); ++i) chain.edges.emplace_back(i, i + 1);
    const std::size_t one = draw.count(1, chain.lengths.size() - 2);
    const std::size_t other = draw.count(one + 1, chain.lengths.size() - 1);
    for (const Model model : {Model(Model::kOverlap), Model(Model::kStrict)}) {
      CAPTURE(n, tpn::name_of(model), chain.lengths, one, other);
      const ConstraintKind kind = model == Model(Model::kStrict) ? ConstraintKind::processor : ConstraintKind::in_port;
      const FoldedNet own = support::workflow_net(chain, model, draw);
      REQUIRE_FALSE(tpn::why_shared(own));
      const FoldedNet net = with_shared_port(own, one, other, kind);
      REQUIRE(tpn::why_shared(net) ==
              "a " + std::string(tpn::name_of(kind)) + " handles operations of several processors");
      const Rational period = support::boosts_period(net);
      slower += support::boosts_period(own) < period ? 1 : 0;
      for (const evaluators::Evaluator& evaluator : evaluators::evaluators()) {
        const bool is_fit = !evaluators::why_unfit(evaluator.method, net);
        if (evaluator.method == evaluators::Method::potentials) REQUIRE_FALSE(is_fit);
        if (!is_fit) continue;
        judge(evaluator, net, period);
        ++answered[evaluator.name];
      }
      REQUIRE(evaluators::unfit_for_sample(net));
      REQUIRE_FALSE(evaluators::best_sub_pipeline(net, {}, 0));
    }
  }
  CHECK(slower > 5);
  for (const char* method : {"auto", "unfold", "sweep", "residue", "simulate"}) CHECK(answered[method] > 10);
}

// One more stage, of that work and with the files of these, on so many further processors of speed 1; their numbers.
std::vector<std::size_t> add_part(tpn::Document& document, const Rational& work, std::size_t processors,
                                  const std::vector<std::size_t>& after = {}) {
  const std::size_t k = document.application.stages.size();
  tpn::Stage& stage = document.application.stages.emplace_back();
  stage.name = "S" + std::to_string(k);
  stage.work = work;
  stage.after = after;
  if (!document.mapping) document.mapping.emplace();
  tpn::Part& part = document.mapping->emplace_back(tpn::Part{k, k, {}});
  for (std::size_t r = 0; r < processors; ++r) {
    part.processors.push_back(document.platform.processors.size());
    tpn::Processor& processor = document.platform.processors.emplace_back();
    processor.name = "P" + std::to_string(part.processors.back());
    processor.speed = 1;
  }
  return part.processors;
}

// Video analytics with so many detectors, frames and thumbnails ahead of what is detected, each with so much room, if
// any; as it is read from its text.
tpn::Document video(std::size_t detectors, std::uint64_t ahead, std::uint64_t room) {
  tpn::Document document = support::document_of("examples/video-analytics.json");
  std::vector<std::size_t>& detect = document.mapping->at(1).processors;
  while (detect.size() < detectors) {
    detect.push_back(document.platform.processors.size());
    document.platform.processors.push_back(document.platform.processors[1]);
    document.platform.processors.back().name = "G" + std::to_string(detect.size() - 1);
  }
  detect.resize(detectors);
  document.transfers = {{0, 3, ahead, room}, {2, 3, ahead, room}};
  return tpn::read_document(tpn::write_document(document), "video.json");
}

// The same by hand: room behind the net of what is ahead.
FoldedNet video_with_buffers(const Model& model, tpn::Document document, std::uint64_t room) {
  for (tpn::PartTransfer& transfer : document.transfers) transfer.room = 0;
  FoldedNet net = support::net_of(document, model);
  if (room == 0) return net;
  std::vector<tpn::Buffer> buffers;
  for (tpn::Buffer buffer : tpn::buffers_of(net.pipeline)) {
    const bool is_ahead = buffer.side == tpn::BufferSide::in && net.pipeline.parts[buffer.part].mapping_part == 3 &&
                          tpn::other_part_of(buffer, net.pipeline) != "1";
    buffer.room = room;
    if (is_ahead) buffers.push_back(buffer);
  }
  REQUIRE(buffers.size() == 2);
  return std::get<FoldedNet>(tpn::with_capacity(std::move(net), {.buffers = std::move(buffers)}));
}

// Nothing: the room is refused.
std::optional<Rational> video_period(const Model& model, std::size_t detectors, std::uint64_t ahead,
                                     std::uint64_t room = 0) {
  const tpn::Document document = video(detectors, ahead, room);
  return support::unless_refused([&] {
    const FoldedNet net = support::net_of(document, model);
    REQUIRE(net.dependences == video_with_buffers(model, document, room).dependences);
    const Rational period = support::boosts_period(net);
    support::require_every_way(net, period);
    return period;
  });
}

TEST_CASE("more detectors change nothing unless frames run ahead of them") {
  const Model strict = Model::kStrict;
  const Model overlap = Model::kOverlap;
  struct Row {
    std::size_t detectors;
    Rational plain;
    Rational ahead;
    Rational strict;
  };
  for (const Row& row :
       {Row{1, 90, 90, 97}, Row{2, 52, 45, Rational::fraction(137, 2)}, Row{3, 52, 30, Rational::fraction(137, 2)},
        Row{4, 52, 25, Rational::fraction(137, 2)}, Row{6, 52, 25, Rational::fraction(137, 2)}}) {
    CAPTURE(row.detectors);
    CHECK(video_period(overlap, row.detectors, 0) == row.plain);
    CHECK(video_period(overlap, row.detectors, 3) == row.ahead);
    CHECK(video_period(strict, row.detectors, 0) == row.strict);
  }
}

TEST_CASE("how far ahead frames run, and how much room they have, decide together") {
  using Periods = std::vector<std::optional<Rational>>;
  const auto none = std::nullopt;
  const auto part = [](int numerator, int denominator) { return Rational::fraction(numerator, denominator); };
  // By room from 1 to 5, then without limit.
  const std::vector<Periods> expected = {{part(119, 2), 52, 52, 52, 52, 52},
                                         {none, part(118, 3), part(104, 3), part(104, 3), part(104, 3), part(104, 3)},
                                         {none, none, part(59, 2), 26, 26, 26},
                                         {none, none, none, 25, 25, 25},
                                         {none, none, none, none, 25, 25}};
  for (std::uint64_t ahead = 0; ahead < expected.size(); ++ahead) {
    for (std::uint64_t k = 0; k < expected[ahead].size(); ++k) {
      CAPTURE(ahead, k);
      CHECK(video_period(Model::kOverlap, 4, ahead, k < 5 ? k + 1 : 0) == expected[ahead][k]);
    }
  }
  const Periods strict = {part(137, 2), part(137, 3), part(137, 4), 31, part(137, 2)};
  for (std::uint64_t ahead = 0; ahead < strict.size(); ++ahead)
    CHECK(video_period(Model::kStrict, 4, ahead) == strict[ahead]);
}

// Stages of one processor each, with these works, whose files take these times.
FoldedNet small_workflow(const Model& model, const std::vector<int>& works,
                         const std::vector<std::tuple<std::size_t, std::size_t, int>>& edges) {
  tpn::Document document;
  for (const int work : works) add_part(document, work, 1);
  for (const auto& [from, to, time] : edges) {
    document.application.stages[to].after->push_back(from);
    tpn::Link link{from, to, {}};
    link.timing.time = time;
    document.platform.links.push_back(link);
  }
  tpn::validate(document);
  return support::net_of(document, model);
}

TEST_CASE("without replication a workflow's period may be above every cycle time") {
  const FoldedNet triangle = small_workflow(Model::kOverlap, {0, 4, 0}, {{0, 1, 2}, {0, 2, 2}, {1, 2, 2}});
  CHECK(evaluators::largest_cycle_time(triangle) == Rational(4));
  CHECK(support::boosts_period(triangle) == Rational(5));
  const FoldedNet diamond = small_workflow(Model::kStrict, {6, 8, 0, 0}, {{0, 1, 1}, {0, 2, 3}, {1, 3, 1}, {2, 3, 3}});
  CHECK(evaluators::largest_cycle_time(diamond) == Rational(10));
  CHECK(support::boosts_period(diamond) == Rational(11));
}

// Parts and transfers that are a forest, whatever the directions; between two parts all transfers take the same time.
tpn::Document forest(support::Draw& draw) {
  tpn::Document document;
  const std::size_t parts = draw.count(2, 6);
  document.platform.defaults.bandwidth = draw.whole(1, 3);
  std::uint64_t rows = 1;
  for (std::size_t k = 0; k < parts; ++k) {
    const std::size_t replicas = draw.count(1, 3);
    rows = std::lcm(rows, add_part(document, draw.whole(0, 20), rows * replicas <= 60 ? replicas : 1).size());
    document.application.stages.back().output = draw.whole(0, 20);
  }
  for (tpn::Processor& processor : document.platform.processors) processor.speed = draw.whole(1, 4);
  // Each part takes files of one part of some of the trees that are there, and makes one tree of them.
  std::vector<std::size_t> tree(parts);
  std::iota(tree.begin(), tree.end(), std::size_t{0});
  for (std::size_t k = 1; k < parts; ++k) {
    const std::set<std::size_t> trees(tree.begin(), tree.begin() + static_cast<std::ptrdiff_t>(k));
    for (const std::size_t other : trees) {
      if (draw.one_in(3)) continue;
      std::size_t sender = draw.index(k);
      while (tree[sender] != other) sender = (sender + 1) % k;
      document.application.stages[k].after->push_back(sender);
      std::ranges::replace(tree, other, k);
    }
  }
  tpn::validate(document);
  return document;
}

TEST_CASE("forests whose transfers between two parts are equal have their largest cycle time") {
  support::Draw draw(11);
  for (std::uint64_t n = support::draws(1500); n > 0; --n) {
    const tpn::Document document = forest(draw);
    CAPTURE(n, tpn::write_document(document));
    for (const Model model : {Model(Model::kOverlap), Model(Model::kStrict)}) {
      const FoldedNet net = support::net_of(document, model);
      REQUIRE(support::boosts_period(net) == evaluators::largest_cycle_time(net));
    }
  }
}

// A clause: of each variable (by number) that it has, whether it is to be true.
using Clause = std::vector<std::pair<std::size_t, bool>>;

// One part that sends to many, whose period counts the assignments that satisfy a formula.
struct HardFork {
  tpn::Document document;
  Rational period;  // known beforehand
};

HardFork hard_fork(const std::vector<Clause>& clauses, std::size_t variables) {
  constexpr std::array<std::uint64_t, 3> kPrimes = {2, 3, 5};
  constexpr std::uint64_t kSenders = 7;
  const std::uint64_t count = clauses.size();
  const std::uint64_t longest = std::max<std::uint64_t>(3, (8 * count - 1 + kSenders - 2) / (kSenders - 1));
  const Rational large = Rational::fraction(longest * (kSenders - 1) + 1, count);
  const auto fails = [&](const Clause& clause, std::uint64_t data_set) {
    bool is_true = false;
    for (const auto& [variable, value] : clause) {
      const std::uint64_t residue = data_set % kPrimes[variable];
      if (residue > 1) return true;  // no value
      is_true = is_true || (residue == 1) == value;
    }
    return !is_true;
  };
  HardFork made;
  tpn::Platform& platform = made.document.platform;
  platform.defaults.time = 0;
  const auto send = [&](std::size_t from, std::size_t to, const Rational& time) {
    tpn::Link link{from, to, {}, true};
    link.timing.time = time;
    platform.links.push_back(link);
  };
  const std::vector<std::size_t> senders = add_part(made.document, 0, kSenders);
  const std::size_t first = add_part(made.document, 0, 1, {0}).front();
  for (const std::size_t sender : senders) send(sender, first, Rational(longest));
  std::set<std::size_t> occurring;
  for (const Clause& clause : clauses) {
    std::uint64_t length = 1;
    for (const auto& [variable, value] : clause) {
      length *= kPrimes[variable];
      occurring.insert(variable);
    }
    const std::vector<std::size_t> receivers = add_part(made.document, 0, length, {0});
    for (std::uint64_t r = 0; r < length; ++r)
      send(senders.front(), receivers[r], fails(clause, r) ? large - Rational(8) : large);
  }
  std::uint64_t satisfying = 0;
  for (std::uint64_t values = 0; values < (std::uint64_t{1} << variables); ++values) {
    satisfying += std::ranges::all_of(clauses, [&](const Clause& clause) {
      return std::ranges::any_of(
          clause, [&](const auto& literal) { return ((values >> literal.first) & 1) == (literal.second ? 1U : 0U); });
    });
  }
  std::uint64_t all = kSenders;
  for (const std::size_t variable : occurring) all *= kPrimes[variable];
  made.period = Rational(longest) + Rational::fraction(satisfying, all);
  return made;
}

TEST_CASE("the period of a fork counts the assignments that satisfy a formula") {
  const std::vector<std::vector<Clause>> formulas = {
      {{{0, true}, {1, true}, {2, true}}},
      {{{0, true}, {1, false}}, {{1, true}, {2, false}}, {{0, false}, {2, true}}},
      {{{0, true}}, {{0, false}}},
      {{{0, true}, {1, true}}, {{0, true}, {1, false}}, {{0, false}, {2, true}}, {{0, false}, {2, false}}}};
  for (const std::vector<Clause>& clauses : formulas) {
    std::set<std::size_t> variables;
    for (const Clause& clause : clauses)
      for (const auto& literal : clause) variables.insert(literal.first);
    CAPTURE(clauses.size(), variables.size());
    const HardFork fork = hard_fork(clauses, variables.size());
    const FoldedNet net = support::net_of(fork.document, Model::kOverlap);
    support::require_every_way(net, fork.period);
  }
}

TEST_CASE("an in-tree of astronomically many rows has the largest period of its joins") {
  support::Draw draw(13);
  const std::vector<std::size_t> replicas = {17, 19, 23, 29, 31, 37, 41};
  tpn::Document document;
  document.platform.defaults.bandwidth = 1;
  const std::vector<std::vector<std::size_t>> after = {{}, {}, {}, {}, {0, 1}, {2, 3}, {4, 5}};
  for (std::size_t k = 0; k < replicas.size(); ++k) {
    add_part(document, 1, replicas[k], after[k]);
    document.application.stages.back().output = 60;
  }
  for (tpn::Processor& processor : document.platform.processors) processor.bandwidth = draw.whole(1, 6);
  const FoldedNet net = support::net_of(document, Model::kOverlap);
  REQUIRE_FALSE(evaluators::why_unfit(evaluators::Method::pattern, net));
  const evaluators::Evaluation found = evaluators::evaluate(net, support::options_of(evaluators::Method::pattern));
  REQUIRE(found.exact());
  REQUIRE(found.lower >= evaluators::largest_cycle_time(net));
  REQUIRE(support::proved(net, found));
  REQUIRE(evaluators::evaluate(net, {}).upper == found.upper);
}

TEST_CASE("a STRICT triangle is refused by potentials, with the reason") {
  support::Draw draw(2);
  const FoldedNet net = support::workflow_net(kTriangle, Model::kStrict, draw);
  const auto reason = evaluators::why_unfit(evaluators::Method::potentials, net);
  REQUIRE(reason);
  CHECK(*reason == "it takes only chains: 3 parts have 6 operations per data set, a chain of them has 5");
}

TEST_CASE("nets of mappings are those of chains, and no others are") {
  support::for_each_net({5, 1}, support::all_models(), [](FoldedNet net) {
    CHECK(tpn::why_no_chain(net) == std::nullopt);
    if (net.pipeline.parts.size() < 2) return;
    std::erase_if(net.dependences,
                  [](const tpn::Dependence& d) { return d.kind == ConstraintKind::flow && d.to == 1; });
    CHECK(tpn::why_no_chain(net));
  });
}

}  // namespace
}  // namespace takt
