// How busy every processor is, and with what.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "tools/report/sections.hpp"
#include "tools/words/number_words.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

namespace {

using tpn::ConstraintKind;
using tpn::Resource;

std::string_view activity(ConstraintKind kind) {
  switch (kind) {
    case ConstraintKind::in_port:
      return "receiving";
    case ConstraintKind::out_port:
      return "sending";
    case ConstraintKind::port:
    case ConstraintKind::segment:
      return "transferring";
    case ConstraintKind::compute:
      return "computing";
    case ConstraintKind::processor:
    case ConstraintKind::flow:
    case ConstraintKind::room:
    case ConstraintKind::window:
      break;
  }
  return "";
}

// Of each processor the resource that is busy longest, the busiest processor first.
std::vector<const Resource*> fullest(const tpn::FoldedNet& net) {
  std::vector<const Resource*> by_processor(net.pipeline.processors.size(), nullptr);
  for (const Resource& resource : net.resources) {
    const Resource*& most = by_processor[resource.processor];
    if (most == nullptr || most->cycle_time < resource.cycle_time) most = &resource;
  }
  std::erase(by_processor, nullptr);
  std::ranges::stable_sort(by_processor, std::greater{}, &Resource::cycle_time);
  return by_processor;
}

double as_share(const ReportFindings& findings, const Rational& time, const Rational& whole) {
  if (findings.exact() && findings.period().sign() == 0) return 0;
  return whole.sign() == 0 ? 0 : (time / whole).to_double().value_or(0);
}

std::string in_words(const PageLoad& load, const ProcessorLoad& times, const Rational& whole) {
  const auto says = [&whole](const char* what, const Rational& time) {
    return time.sign() == 0 || whole.sign() == 0 ? std::string() : fmt::format(" {} {},", what, percent(time / whole));
  };
  std::string text =
      load.name + says("receives", times.receives) + says("computes", times.computes) + says("sends", times.sends);
  if (text.ends_with(',')) text.pop_back();
  return text;
}

PageLoad load_of(const ReportFindings& findings, const ReportWords& words, const Resource& resource,
                 const Rational& whole) {
  PageLoad load;
  load.name = words.processor(resource.processor);
  const auto share = findings.share(resource.cycle_time);
  if (share) load.utilization = percent(share);
  const std::string_view what = activity(resource.kind);
  const std::string cycle_time = words.time(resource.cycle_time).readable + words.times().per_item();
  load.note = what.empty() || !findings.exact() ? cycle_time : std::string(what);
  load.description = load.name;
  if (!findings.loads) return load;
  const ProcessorLoad& times = findings.loads->processors[resource.processor];
  load.receives = as_share(findings, times.receives, whole);
  load.computes = as_share(findings, times.computes, whole);
  load.sends = as_share(findings, times.sends, whole);
  if (resource.kind == ConstraintKind::segment) {
    load.description = fmt::format("{} carries files {}", load.name, percent(share));
  } else {
    load.description = in_words(load, times, whole);
  }
  return load;
}

}  // namespace

PageLoads busy_of(const ReportFindings& findings, const ReportWords& words, const PageLimits& limits) {
  PageLoads section;
  section.is_stacked = tpn::shares_processors(findings.net.model);
  const auto resources = fullest(findings.net);
  const Rational whole = findings.exact() ? findings.period() : resources.front()->cycle_time;
  if (!findings.exact()) {
    section.introduction = "As the period is not known exactly, the bars are shares of the largest cycle time.";
  } else if (section.is_stacked) {
    section.introduction = "Share of every period, the busiest first; a processor does one thing at a time.";
  } else {
    section.introduction =
        "Share of every period, the busiest first; receiving, computing and sending overlap, and the busiest of the "
        "three counts.";
  }
  if (!findings.loads) section.introduction = "Of every period, the busiest first.";
  for (const Resource* resource : resources) {
    if (section.processors.size() == limits.loads) break;
    section.processors.push_back(load_of(findings, words, *resource, whole));
  }
  if (resources.size() > section.processors.size()) {
    const Resource& next = *resources[section.processors.size()];
    section.left_out = fmt::format("{} more, none busier than {} ({}{}); takt evaluate {} {} --json has all.",
                                   grouped(resources.size() - section.processors.size()),
                                   percent(findings.share(next.cycle_time)), words.time(next.cycle_time).readable,
                                   words.times().per_item(), words.command_file(), words.model_options());
  }
  return section;
}

}  // namespace takt::tools
