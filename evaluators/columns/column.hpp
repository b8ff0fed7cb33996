// One column of a net alone: what shape its dependences have, and its period by sweep or as a token graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "evaluators/evaluation.hpp"

namespace takt::evaluators {

/// How a column is solved.
enum class ColumnShape {
  circuits,  // one operation per resource and circuit: no search needed
  tori,      // a transfer between distinct entries
  general,
};

/// A column and the dependences that stay in it.
struct LoneColumn {
  tpn::ColumnIndex column;
  std::vector<tpn::Dependence> dependences;
  ColumnShape shape = ColumnShape::general;
  Integer rows = 1;        // data sets after which the same processors meet again, and its guards repeat
  Integer repetition = 1;  // data sets after which its durations and guards repeat; divides rows
};

/// All columns of a net, each with the dependences that stay in it. Cost: linear.
std::vector<LoneColumn> lone_columns(const tpn::FoldedNet& net);

/// Whether even the column's longest duration, in place of all others, would let no circuit exceed the ratio, in time
/// units per data set: then nothing of it need be searched.
bool is_slack(const tpn::FoldedNet& net, const LoneColumn& lone, const Rational& ratio);

/// What is known of a column's period, in time units per data set.
struct ColumnAnswer {
  Rational lower;                 // the ratio of `circuit`, if there is one
  std::optional<Rational> upper;  // what the clocks prove
  std::optional<CriticalCircuit> circuit;
  std::vector<std::pair<std::size_t, Rational>> clocks;  // by index into FoldedNet::resources; others at 0
  Limit limit;
};

/// The column swept over its own rows, in numbers of any size.
ColumnAnswer sweep_column(const tpn::FoldedNet& net, const LoneColumn& lone, const Options& options);

/// Several columns that wait for each other (tpn/clusters.hpp), and the dependences that stay among them.
struct ColumnCluster {
  std::vector<tpn::ColumnIndex> columns;  // in order
  std::vector<tpn::Dependence> dependences;
  Integer repetition = 1;  // data sets after which their durations and guards repeat
};

/// All of a net that have two columns or more. Cost: linear.
std::vector<ColumnCluster> clusters_of(const tpn::FoldedNet& net);

/// The cluster swept over its own rows, in numbers of any size.
ColumnAnswer sweep_cluster(const tpn::FoldedNet& net, const ColumnCluster& cluster, const Options& options);

/// Whether columns are to be solved as token graphs: a solver other than the default one was asked for.
bool solves_graphs(const Options& options);

/// The column's token graph, solved by Options::solver.
ColumnAnswer solve_column_graph(const tpn::FoldedNet& net, const LoneColumn& lone, const Options& options);

/// The index of a resource by kind and processor.
class ResourceIndex {
 public:
  explicit ResourceIndex(const tpn::FoldedNet& net);
  std::size_t at(tpn::ConstraintKind kind, std::size_t processor) const;

 private:
  std::size_t processors_;
  std::vector<std::size_t> index_;  // kind * processors + processor
};

}  // namespace takt::evaluators
