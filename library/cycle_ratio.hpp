// Cycle ratios of graphs as a library: the largest or smallest, its proof, and the checker of the proof.
//
// Apart from takt.hpp, for it includes Boost.Graph, which takes compilers some seconds.
#pragma once

#include "maxplus/arc_columns.hpp"
#include "maxplus/component_ratios.hpp"
#include "maxplus/deadline.hpp"
#include "maxplus/ratio_check.hpp"
#include "maxplus/rational.hpp"
#include "maxplus/rational_arcs.hpp"
#include "maxplus/rational_graph.hpp"
#include "maxplus/solvers.hpp"
