// Column orders that documents choose: all there are of small workflows, against nets laid out by hand.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "evaluators/evaluate.hpp"
#include "tests/evaluators/host_simulation.hpp"
#include "tests/evaluators/judged_nets.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/host_documents.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/errors.hpp"
#include "tpn/models.hpp"
#include "tpn/reader.hpp"
#include "tpn/validate.hpp"
#include "tpn/workflow.hpp"
#include "tpn/writer.hpp"

namespace takt {
namespace {

using maxplus::Rational;
using tpn::ColumnIndex;
using tpn::FoldedNet;
using tpn::Model;
using Order = std::vector<tpn::TransferEnds>;

constexpr std::size_t kFewTransfers = 6;

Order transfers_of(const tpn::Document& document) {
  Order all;
  for (const tpn::FileRoute& route :
       tpn::routes_of(document.application, *document.mapping, tpn::outer_ends(document.platform)))
    all.push_back({route.from, route.to});
  return all;
}

// Whether the sender has, by then, all that it receives.
bool can_be_next(const Order& left, const tpn::TransferEnds& next) {
  return std::ranges::none_of(left, [&](const tpn::TransferEnds& other) { return other.to && other.to == next.from; });
}

void add_orders(Order begun, const Order& left, std::vector<Order>& orders) {
  if (left.empty()) return orders.push_back(begun);
  for (std::size_t k = 0; k < left.size(); ++k) {
    if (!can_be_next(left, left[k])) continue;
    Order longer = begun;
    longer.push_back(left[k]);
    Order fewer = left;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
    add_orders(std::move(longer), fewer, orders);
  }
}

// The columns of a pipeline, each by its ends, a computation by its part twice.
std::map<std::pair<std::size_t, std::size_t>, ColumnIndex> columns_by_ends(const tpn::Pipeline& pipeline) {
  std::map<std::pair<std::size_t, std::size_t>, ColumnIndex> found;
  for (const ColumnIndex c : pipeline.all_columns())
    found[{pipeline.columns[c].part.value(), pipeline.columns[c].receiver.value()}] = c;
  return found;
}

// Transfer by transfer; before each all parts up to its sender that wait for nothing any more.
tpn::Pipeline laid_out_by_hand(const tpn::Document& document, const Order& order) {
  tpn::Document plain = document;
  plain.order.clear();
  tpn::Pipeline pipeline = std::get<tpn::Pipeline>(tpn::make_pipeline(plain));
  const auto by_ends = columns_by_ends(pipeline);
  const std::size_t first = document.platform.source ? 1 : 0;
  std::vector<tpn::Column> columns;
  std::set<std::size_t> computed;
  const auto part_of = [&](std::optional<std::size_t> number, std::size_t end) {
    return number ? *number + first : end;
  };
  const auto compute = [&](std::size_t last, std::size_t from) {
    for (std::size_t part = 0; part <= last; ++part) {
      bool waits = computed.contains(part);
      for (std::size_t k = from; k < order.size(); ++k)
        waits = waits || part_of(order[k].to, pipeline.parts.size() - 1) == part;
      if (waits) continue;
      columns.push_back(pipeline.columns[by_ends.at({part, part})]);
      computed.insert(part);
    }
  };
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t sender = part_of(order[k].from, 0);
    compute(sender, k);
    columns.push_back(pipeline.columns[by_ends.at({sender, part_of(order[k].to, pipeline.parts.size() - 1)})]);
  }
  compute(pipeline.parts.size() - 1, order.size());
  pipeline.columns = std::move(columns);
  return pipeline;
}

void require_same_columns(const tpn::Pipeline& a, const tpn::Pipeline& b) {
  REQUIRE(a.columns.size() == b.columns.size());
  for (const ColumnIndex c : a.all_columns()) {
    REQUIRE(a.columns[c].kind == b.columns[c].kind);
    REQUIRE(a.columns[c].part == b.columns[c].part);
    REQUIRE(a.columns[c].receiver == b.columns[c].receiver);
    for (std::uint64_t j = 0; j < a.rows.get_ui(); ++j) REQUIRE(a.duration({j, c}) == b.duration({j, c}));
  }
}

// Its period, which all methods find, as the simulation plays it.
Rational judged_period(const tpn::Document& document, const FoldedNet& net) {
  const std::uint64_t data_sets = 2 * net.pipeline.rows.get_ui() + 8;
  REQUIRE(support::played_starts(net, data_sets) == support::simulated_starts(document, net.model, data_sets));
  const Rational period = support::boosts_period(net);
  support::require_every_way(net, period);
  return period;
}

TEST_CASE("in every order of its transfers a workflow has the columns laid out by hand, and one period") {
  support::Draw draw(17);
  std::uint64_t left = support::draws(1000);
  std::size_t workflows = 0;
  std::size_t decided = 0;  // workflows whose period depends on the order
  while (left > 0) {
    tpn::Document document = support::small_workflow(draw);
    const Order transfers = transfers_of(document);
    if (transfers.size() < 3 || transfers.size() > kFewTransfers) continue;
    std::vector<Order> orders;
    add_orders({}, transfers, orders);
    ++workflows;
    for (const Model model : {Model(Model::kOverlap), Model(Model::kStrict)}) {
      std::set<Rational> periods;
      for (const Order& order : orders) {
        if (left == 0) break;
        --left;
        document.order = order;
        const std::string text = tpn::write_document(document);
        CAPTURE(workflows, tpn::name_of(model), text);
        const tpn::Document read = tpn::read_document(text, "order.json");
        REQUIRE(read == document);
        const FoldedNet net = support::net_of(read, model);
        const auto by_hand = std::get<FoldedNet>(tpn::fold(laid_out_by_hand(document, order), model));
        require_same_columns(net.pipeline, by_hand.pipeline);
        REQUIRE(net.dependences == by_hand.dependences);
        if (order == transfers) {
          document.order.clear();
          const FoldedNet plain = support::net_of(document, model);
          require_same_columns(net.pipeline, plain.pipeline);
          REQUIRE(net.dependences == plain.dependences);
        }
        periods.insert(judged_period(read, net));
      }
      decided += periods.size() > 1 ? 1 : 0;
    }
  }
  CHECK(workflows > 3);
  CHECK(decided > 1);
}

TEST_CASE("an order that is none is refused, and any other is taken") {
  support::Draw draw(19);
  int refused = 0;
  for (int n = 0; n < 200; ++n) {
    tpn::Document document = support::small_workflow(draw);
    document.order = transfers_of(document);
    if (document.order.empty()) continue;
    draw.shuffle(document.order);
    Order left = document.order;
    bool is_order = true;
    while (!left.empty()) {
      is_order = is_order && can_be_next(left, left.front());
      left.erase(left.begin());
    }
    CAPTURE(tpn::write_document(document));
    if (is_order) {
      CHECK_NOTHROW(tpn::validate(document));
    } else {
      CHECK_THROWS_WITH(tpn::validate(document), Catch::Contains("needs first"));
      ++refused;
    }
  }
  CHECK(refused > 20);
}

TEST_CASE("the least room that a refusal names will do, and one file less will not") {
  support::Draw draw(23);
  int refused = 0;
  for (int n = 0; n < 300; ++n) {
    tpn::Document document = support::small_workflow(draw);
    const Order transfers = transfers_of(document);
    if (transfers.empty()) continue;
    const tpn::TransferEnds one = transfers[draw.index(transfers.size())];
    if (!one.to) continue;
    document.transfers = {{one.from, one.to, draw.count(1, 6), 1}};
    for (;;) {
      CAPTURE(n, document.transfers[0].ahead, document.transfers[0].room);
      try {
        support::net_of(document, Model::kOverlap);
        break;
      } catch (const tpn::InvalidInstance& error) {
        ++refused;
        const std::string expected = "expected room for ";
        const std::uint64_t room = std::stoull(error.detail.substr(error.detail.find(expected) + expected.size()));
        REQUIRE(room > document.transfers[0].room);
        if (room > document.transfers[0].room + 1) {
          document.transfers[0].room = room - 1;
          REQUIRE_THROWS_AS(support::net_of(document, Model::kOverlap), tpn::InvalidInstance);
        }
        document.transfers[0].room = room;
      }
    }
    const FoldedNet net = support::net_of(document, Model::kOverlap);
    REQUIRE(evaluators::evaluate(net, {}).exact());
  }
  CHECK(refused > 50);
}

}  // namespace
}  // namespace takt
