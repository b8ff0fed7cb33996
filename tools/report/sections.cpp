// A page from its sections, cut until it fits.
#include "tools/report/sections.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tools/report/page_writer.hpp"
#include "tools/words/number_words.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

namespace {

std::string footer_of(const ReportFindings& findings) {
  const tpn::Pipeline& pipeline = findings.net.pipeline;
  return fmt::format(
      "takt {} · method {}, {} rows × {} columns · all numbers are exact; hover over a shortened one, or see --json",
      TAKT_VERSION, evaluators::name_of(findings.evaluation.method), grouped(pipeline.rows), pipeline.columns.size());
}

// Bytes of the files that a page would carry, had it room for all.
std::size_t downloads_of(const ReportFindings& findings) {
  std::size_t bytes = 0;
  for (const PageDownload& download : sources_of(findings, ReportWords(findings), PageLimits()).downloads) {
    bytes += download.base64.size();
  }
  return bytes;
}

}  // namespace

PageLimits PageLimits::divided_by(std::size_t divisor) const {
  const auto part = [divisor](std::size_t most) { return std::max<std::size_t>(most / divisor, 4); };
  PageLimits result = *this;
  result.boxes = part(boxes);
  result.curves = part(curves);
  result.loads = part(loads);
  result.shares = part(shares);
  result.steps = part(steps);
  result.helps = part(helps);
  result.folded_helps = part(folded_helps);
  result.bars = part(bars);
  result.lines = part(lines);
  result.stays = part(stays);
  result.operations = part(operations);
  return result;
}

ReportPage page_of(const ReportFindings& findings, const PageLimits& limits) {
  const ReportWords words(findings);
  ReportPage page;
  page.file = words.file();
  page.model = tpn::title_of(findings.net.model);
  page.item = words.times().item();
  page.items = words.times().item_plural();
  page.headline = headline_of(findings, words);
  page.shares = shares_of(findings, words, limits);
  page.pipeline =
      findings.net.pipeline.is_chain() ? pipeline_of(findings, words, limits) : workflow_of(findings, words, limits);
  page.lap = lap_of(findings, words, limits);
  page.steps = steps_of(findings, words, limits);
  page.helps = helps_of(findings, words, limits);
  page.headline.advice = advice_of(findings, words);
  page.plan = plan_of(findings, words, limits);
  page.loads = busy_of(findings, words, limits);
  page.rooms = rooms_section(findings, words);
  page.vary = vary_of(findings);
  page.start_up = start_up_of(findings, words, limits);
  page.schedule = schedule_of(findings, words, limits);
  page.sources = sources_of(findings, words, limits);
  page.footer = footer_of(findings);
  return page;
}

std::string write_report(const ReportFindings& findings) {
  constexpr std::size_t kLeast = 64;
  constexpr std::size_t kBesideDownloads = 500;  // what may come to stand around them
  const std::size_t wanted = downloads_of(findings);
  // Charts are the largest: they give way first, to the files as well.
  std::vector<PageLimits> attempts(4);
  attempts[1].bars = 240;
  attempts[2].bars = attempts[3].bars = 120;
  attempts[2].operations = attempts[3].operations = 30;
  for (std::size_t divisor = 2; divisor <= kLeast; divisor *= 2) attempts.push_back(attempts[3].divided_by(divisor));
  for (std::size_t k = 0;; ++k) {
    PageLimits limits = attempts[k];
    limits.downloads = 0;
    ReportPage page = page_of(findings, limits);
    const std::size_t bare = write_page(page).size() + kBesideDownloads;
    const bool is_last = k + 1 == attempts.size();
    if (!is_last && bare + (k < 3 ? wanted : 0) > kPageBytes) continue;
    limits.downloads = kPageBytes - std::min(bare, kPageBytes);
    page.sources = sources_of(findings, ReportWords(findings), limits);
    return write_page(page);
  }
}

}  // namespace takt::tools
