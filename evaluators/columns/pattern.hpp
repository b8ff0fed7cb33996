// pattern: the period of a net whose circuits stay in their columns, column by column, in polynomial time; of workflows
// whose circuits stay among few columns, cluster by cluster.
//
// Problem. Under OVERLAP, where no processor serves two parts, every circuit of the unfolded net stays in one column.
// So the period is the largest over the columns, and each column repeats after the least common multiple of its own
// two sequences, whatever the number of rows of the whole net is.
//
// Method. A computation with distinct processors is a circuit a processor: cycle times say it all. A transfer between
// sequences of a and b distinct entries falls apart into gcd(a, b) tori, each solved by evaluators/columns/torus.hpp. A
// column in which a processor repeats is swept alone (evaluators/sweep/sweep.hpp), over its own rows. Everything starts
// from M_ct: a column is searched no further than to show that its circuits are no longer. With another
// than the default solver each column's token graph is built and solved by it: by Karp's algorithm, the way the theorem
// is proved.
//
// Workflows. Where a part sends to several others, or receives from several, its port ties the columns of these
// transfers together: they, and what lies between them, are a cluster (tpn/clusters.hpp), which is swept alone over its
// own rows, whatever the solver. A fork of many parts is one cluster, whose rows are those of all of them: no
// polynomial method is known there, nor is one to be expected.
//
// Which nets: decided by the dependences, whatever the model's name. Every dependence leads to a later column or
// stays in its own; one that stays belongs to a resource.
//
// Cost. Linear in the rows of the columns' patterns, sum of lcm(m_i, m_i+1), times a few passes; with Karp the square
// of it. Columns and tori are solved by Options::threads threads.
//
// References. [benoit2009throughput] Theorem 1, [karp1978].
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "evaluators/evaluation.hpp"

namespace takt::evaluators {

/// Rows that a column's pattern may have unless Options::max_rows says otherwise; swept columns keep to the limits of
/// sweep, and graphs for a solver to those of unfold.
inline constexpr std::uint64_t kPatternRows = 400'000'000;

/// Exact unless a column's rows exceed the limit or the deadline passes: then a certified interval.
Evaluation pattern(const tpn::FoldedNet& net, const Options& options);

/// Whether clusters of several columns are few operations, or have far fewer rows than the net: true of chains. Where
/// they are not, other methods may know a shorter way than to sweep them.
bool is_split_by_clusters(const tpn::FoldedNet& net);

/// Why a circuit of the net may leave its column, in words for a user; nothing if none does.
std::optional<std::string> unfit_for_pattern(const tpn::FoldedNet& net);

}  // namespace takt::evaluators
