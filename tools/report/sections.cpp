// A page from its sections, cut until it fits.
#include "tools/report/sections.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tools/number_words.hpp"
#include "tools/report/page_writer.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

namespace {

std::string footer_of(const ReportFindings& findings) {
  const tpn::Pipeline& pipeline = findings.net.pipeline;
  return fmt::format(
      "takt {} · method {}, {} rows × {} columns · all numbers are exact unless shortened: hover over "
      "them, or see --json",
      TAKT_VERSION, evaluators::name_of(findings.evaluation.method), grouped(pipeline.rows), pipeline.columns.size());
}

}  // namespace

PageLimits PageLimits::divided_by(std::size_t divisor) const {
  const auto part = [divisor](std::size_t most) { return std::max<std::size_t>(most / divisor, 4); };
  PageLimits result;
  result.boxes = part(boxes);
  result.curves = part(curves);
  result.loads = part(loads);
  result.shares = part(shares);
  result.steps = part(steps);
  result.download = download / divisor;
  return result;
}

ReportPage page_of(const ReportFindings& findings, const PageLimits& limits) {
  const ReportWords words(findings);
  ReportPage page;
  page.file = words.file();
  page.model = tpn::title_of(findings.net.model);
  page.headline = headline_of(findings, words);
  page.shares = shares_of(findings, words, limits);
  page.pipeline = pipeline_of(findings, words, limits);
  page.steps = steps_of(findings, words, limits);
  page.loads = busy_of(findings, words, limits);
  page.sources = sources_of(findings, words, limits);
  page.footer = footer_of(findings);
  return page;
}

std::string write_report(const ReportFindings& findings) {
  constexpr std::size_t kLeast = 64;
  PageLimits limits;
  std::string page = write_page(page_of(findings, limits));
  for (std::size_t divisor = 2; page.size() > kPageBytes && divisor <= kLeast; divisor *= 2) {
    page = write_page(page_of(findings, limits.divided_by(divisor)));
  }
  return page;
}

}  // namespace takt::tools
