// The sections of a report, each from what was found out to what the page says of it.
#pragma once

#include <cstddef>

#include "tools/report/findings.hpp"
#include "tools/report/page.hpp"
#include "tools/report/report_words.hpp"

namespace takt::tools {

/// How much of everything a page shows; what is left out is said, with the command that has it all.
struct PageLimits {
  std::size_t boxes = 60;
  std::size_t curves = 150;
  std::size_t loads = 40;
  std::size_t shares = 14;
  std::size_t steps = 24;
  std::size_t helps = 20;
  std::size_t folded_helps = 60;
  std::size_t bars = 400;  // of a chart
  std::size_t lines = 48;  // likewise
  std::size_t stays = 12;
  std::size_t operations = 200;
  std::size_t download = 64'000;    // bytes of a file
  std::size_t downloads = 200'000;  // bytes that all of them take in the page

  /// A part of each, at least a little.
  PageLimits divided_by(std::size_t divisor) const;
};

PageHeadline headline_of(const ReportFindings& findings, const ReportWords& words);
PageShares shares_of(const ReportFindings& findings, const ReportWords& words, const PageLimits& limits);
PagePipeline pipeline_of(const ReportFindings& findings, const ReportWords& words, const PageLimits& limits);
/// Of what is no chain: a box for each part, by Graphviz.
PagePipeline workflow_of(const ReportFindings& findings, const ReportWords& words, const PageLimits& limits);
PageLap lap_of(const ReportFindings& findings, const ReportWords& words, const PageLimits& limits);
/// From an empty pipeline until the first data sets are done.
PageChart start_up_chart(const ReportFindings& findings, const ReportWords& words, const PageLimits& limits);
PageSteps steps_of(const ReportFindings& findings, const ReportWords& words, const PageLimits& limits);
PageHelps helps_of(const ReportFindings& findings, const ReportWords& words, const PageLimits& limits);
/// What helps most, free changes first.
PageAdvice advice_of(const ReportFindings& findings, const ReportWords& words);
PagePlan plan_of(const ReportFindings& findings, const ReportWords& words, const PageLimits& limits);
PageVary vary_of(const ReportFindings& findings);
PageLoads busy_of(const ReportFindings& findings, const ReportWords& words, const PageLimits& limits);
PageStartUp start_up_of(const ReportFindings& findings, const ReportWords& words, const PageLimits& limits);
PageRooms rooms_section(const ReportFindings& findings, const ReportWords& words);
PageSchedule schedule_of(const ReportFindings& findings, const ReportWords& words, const PageLimits& limits);
PageSources sources_of(const ReportFindings& findings, const ReportWords& words, const PageLimits& limits);

/// The whole page.
ReportPage page_of(const ReportFindings& findings, const PageLimits& limits);

/// Bytes that a page has at most.
inline constexpr std::size_t kPageBytes = 200'000;

/// The page as HTML: with as much of everything as fits, files last.
std::string write_report(const ReportFindings& findings);

}  // namespace takt::tools
