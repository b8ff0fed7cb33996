// Diagrams of mean ranks, as Demšar draws them. [demsar2006]
//
// Problem. Mean ranks, and which of them differ: a table of pairs is hard to read.
//
// Method. An axis of ranks; each series hangs from its place on it, those of the better half with names to the left,
// the others to the right. Bars below the axis join neighbors of which no two differ, above it stands the critical
// difference where the test has one. The test stands in words below. All of it is placed in pixels, panels below each
// other.
#pragma once

#include <string>

#include "experiments/reports/report.hpp"

namespace takt::tools {

/// The script of gnuplot of a figure of kind rank.
std::string rank_script(const experiments::ReportedFigure& figure);

/// "Mean ranks of 300 draws. Friedman's test: ..."; whole sentences on a panel's ranking, which stand below it.
std::string ranking_text(const experiments::ReportedFigure& figure, const experiments::Ranking& ranking);

/// The same without the picture: the panel, the ranks and which of them do not differ.
std::string whole_ranking_text(const experiments::ReportedFigure& figure, const experiments::Ranking& ranking);

}  // namespace takt::tools
