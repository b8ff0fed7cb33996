// Builds the unfolded net as a compressed graph and gives it to boost::maximum_cycle_ratio.
#include "bench/boost_peer.hpp"

#include <algorithm>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/howard_cycle_ratio.hpp>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "bench/contraction.hpp"

namespace takt::bench {

namespace {

using maxplus::Integer;
using maxplus::Rational;
using tpn::FoldedNet;

// Boost takes the tolerance from a type.
double tolerance = 0;

struct Doubles {
  using value_type = double;  // NOLINT(readability-identifier-naming): Boost's name
  static double infinity() { return std::numeric_limits<double>::max(); }
  static double epsilon() { return tolerance; }
};

using Graph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                                 boost::no_property, std::uint32_t, std::uint32_t>;

// The columns [first, last] of a net over the rows residue, residue + step, ...
struct Slice {
  std::size_t first = 0;
  std::size_t last = 0;
  std::uint64_t residue = 0;
  std::uint64_t step = 1;
  std::uint64_t rows = 1;
};

// The vertices of a slice.
class Numbers {
 public:
  Numbers(const Slice& slice, Numbering numbering)
      : slice_(slice), columns_(slice.last - slice.first + 1), numbering_(numbering) {
    maxplus::expects(columns_ <= std::numeric_limits<std::uint32_t>::max() / 4 / slice.rows, "32 bits number all arcs");
  }

  std::uint32_t count() const { return static_cast<std::uint32_t>(slice_.rows * columns_); }
  std::uint32_t vertex(std::uint64_t row, std::size_t column) const {
    const std::size_t c = column - slice_.first;
    return static_cast<std::uint32_t>(numbering_ == Numbering::by_row ? row * columns_ + c : c * slice_.rows + row);
  }
  std::pair<std::uint64_t, std::size_t> operation(std::uint32_t vertex) const {
    if (numbering_ == Numbering::by_row) return {vertex / columns_, slice_.first + vertex % columns_};
    return {vertex % slice_.rows, slice_.first + vertex / slice_.rows};
  }

 private:
  const Slice& slice_;
  std::size_t columns_;
  Numbering numbering_;
};

using Leaving = std::vector<std::vector<const tpn::Dependence*>>;  // by column

Leaving leaving_of(const FoldedNet& net, const Slice& slice) {
  Leaving leaving(net.pipeline.columns.size());
  for (const tpn::Dependence& d : net.dependences) {
    if (d.from < slice.first || d.to > slice.last) continue;
    maxplus::expects(d.modulus == 1 && d.height % slice.step == 0, "a plain net's dependences hold for every row");
    leaving[d.from].push_back(&d);
  }
  // Boost starts from the first arc of every vertex: those without tokens make for the fewest cycles, and for a start
  // several times faster.
  for (auto& list : leaving) std::ranges::stable_sort(list, {}, &tpn::Dependence::height);
  return leaving;
}

// In the order of the vertices they leave.
struct SliceArcs {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
  std::vector<double> times;
  std::vector<double> tokens;
};

SliceArcs arcs_of(const FoldedNet& net, const Slice& slice, const Numbers& numbers) {
  const Leaving leaving = leaving_of(net, slice);
  std::size_t count = 0;
  for (const auto& list : leaving) count += list.size() * slice.rows;
  SliceArcs arcs;
  arcs.ends.reserve(count);
  arcs.times.reserve(count);
  arcs.tokens.reserve(count);
  for (std::uint32_t v = 0; v < numbers.count(); ++v) {
    const auto [row, c] = numbers.operation(v);
    const tpn::Column& column = net.pipeline.columns[c];
    const std::uint64_t data_set = slice.residue + row * slice.step;
    const std::int64_t duration = (*column.table.narrow())[column.entry(data_set)];
    maxplus::expects(duration < std::int64_t{1} << 53, "a duration is exact as a double");
    for (const tpn::Dependence* d : leaving[c]) {
      const std::uint64_t later = row + d->height / slice.step;
      arcs.ends.emplace_back(v, numbers.vertex(later % slice.rows, d->to));
      arcs.times.push_back(static_cast<double>(duration));
      const std::uint64_t held = later / slice.rows;
      arcs.tokens.push_back(static_cast<double>(held));
    }
  }
  return arcs;
}

// The largest ratio of durations (scaled) to tokens that Boost finds in a slice.
Rational ratio_of(const FoldedNet& net, const Slice& slice, Numbering numbering) {
  const Numbers numbers(slice, numbering);
  SliceArcs arcs = arcs_of(net, slice, numbers);
  const Graph graph(boost::edges_are_sorted, arcs.ends.begin(), arcs.ends.end(), numbers.count());
  arcs.ends = {};

  const auto index = get(boost::edge_index, graph);
  std::vector<Graph::edge_descriptor> circuit;
  boost::maximum_cycle_ratio(graph, get(boost::vertex_index, graph),
                             boost::make_iterator_property_map(arcs.times.begin(), index),
                             boost::make_iterator_property_map(arcs.tokens.begin(), index), &circuit, Doubles());
  Integer time = 0;
  Integer held = 0;
  for (const auto& arc : circuit) {
    time += static_cast<long>(arcs.times[get(index, arc)]);
    held += static_cast<long>(arcs.tokens[get(index, arc)]);
  }
  return held == 0 ? Rational() : Rational::fraction(time, held);  // no circuit: all weights are 0
}

// The largest period of the slices of these columns, one for each residue modulo `step`; they repeat after `period`
// data sets.
Rational period_of(const FoldedNet& net, std::size_t first, std::size_t last, std::uint64_t period, std::uint64_t step,
                   Numbering numbering) {
  Rational largest;
  for (std::uint64_t residue = 0; residue < step; ++residue) {
    const Slice slice{first, last, residue, step, period / step};
    largest = std::max(largest, ratio_of(net, slice, numbering));
  }
  return largest / (Rational(net.pipeline.scale) * Rational(period));
}

}  // namespace

Rational boost_period(const FoldedNet& net, const BoostTry& how) {
  const tpn::Pipeline& pipeline = net.pipeline;
  maxplus::expects(is_plain(pipeline), "a plain net");
  tolerance = how.epsilon;
  if (net.model == tpn::Model::kStrict) {
    std::uint64_t step = 0;
    for (const tpn::NetPart& part : pipeline.parts) step = std::gcd(step, part.sequence.size());
    return period_of(net, 0, pipeline.columns.size() - 1, pipeline.rows.get_ui(), step, how.numbering);
  }
  Rational largest = computation_period(pipeline);
  for (std::size_t c = 1; c < pipeline.columns.size(); c += 2) {
    const tpn::Column& column = pipeline.columns[c];
    const std::uint64_t step = std::gcd(column.sender_offset.size(), column.receiver_offset.size());
    largest = std::max(largest, period_of(net, c, c, turns_of(column), step, how.numbering));
  }
  return largest;
}

}  // namespace takt::bench
