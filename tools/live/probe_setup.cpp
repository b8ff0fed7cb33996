// What is wrong is said before a process is started.
#include "tools/live/probe_setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/files/files.hpp"
#include "tpn/capabilities.hpp"
#include "tpn/ends.hpp"
#include "tpn/json.hpp"
#include "tpn/reader.hpp"
#include "tpn/timing.hpp"
#include "tpn/units.hpp"
#include "tpn/visible.hpp"

namespace takt::tools {

namespace {

using maxplus::Rational;

constexpr std::size_t kMostSizes = 64;

std::uint64_t read_size(const std::string& text) {
  const auto size = read_quantity(text, tpn::Quantity::size);
  if (!size || size->sign() < 0 || !size->is_integer() || *size > Rational(live::kMostMessage)) {
    throw UsageError(fmt::format("--sizes: found {}, expected whole numbers of bytes up to 1 GiB, as in 0,1KiB,4MiB",
                                 tpn::json::quote(text)));
  }
  return size->numerator().get_ui();
}

std::vector<std::uint64_t> read_sizes(const std::string& list) {
  std::vector<std::uint64_t> sizes;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    sizes.push_back(read_size(list.substr(begin, end - begin)));
    begin = end + 1;
  }
  std::ranges::sort(sizes);
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  if (sizes.size() < 2 || sizes.size() > kMostSizes) {
    throw UsageError(fmt::format("--sizes: found {}, expected 2 to {}: a latency and a bandwidth are looked for",
                                 sizes.size() == 1 ? "one size" : fmt::format("{} sizes", sizes.size()), kMostSizes));
  }
  return sizes;
}

// One stage tells all speeds where all run it, and the first all others; a file of times has them of all.
void require_everywhere(const char* option, const tpn::Document& document) {
  const auto runs = live::probed_stages(document);
  for (std::size_t k = 0; k < runs.size(); ++k) {
    const auto absent = std::ranges::find(runs[k], false);
    if (absent == runs[k].end()) continue;
    throw UsageError(fmt::format(
        "{}: stage {} does not run on {}: expected stages that run on every processor", option,
        tpn::json::quote(document.application.stages[k].name),
        tpn::json::quote(document.platform.processors[static_cast<std::size_t>(absent - runs[k].begin())].name)));
  }
}

live::ProbeTerms terms_of(const ProbeChoices& choices, const tpn::Document& document, Streams& streams) {
  live::ProbeTerms terms;
  terms.repeats = choices.repeats;
  terms.exchanges = choices.exchanges;
  for (const auto& [option, count] :
       {std::pair("--repeat", terms.repeats), std::pair("--round-trips", terms.exchanges)}) {
    if (count <= live::kMostRepeats) continue;
    throw UsageError(fmt::format("{}: found {}, expected at most {}", option, count, live::kMostRepeats));
  }
  terms.in_turn = choices.in_turn;
  terms.sizes = read_sizes(choices.sizes);
  terms.inputs = input_lines(choices.run, streams).value_or(0);
  if (choices.one_stage.empty()) return terms;
  const auto& stages = document.application.stages;
  const auto found = std::ranges::find(stages, choices.one_stage, &tpn::Stage::name);
  if (found == stages.end()) {
    throw UsageError(
        fmt::format("--one-stage: found {}, expected the name of a stage", tpn::json::quote(choices.one_stage)));
  }
  terms.one_stage = static_cast<std::size_t>(found - stages.begin());
  require_everywhere("--one-stage", document);
  return terms;
}

// Stages that are made up take what the document says.
void require_times(const live::RunPlan& plan) {
  if (plan.kernel != live::KernelKind::emulate && plan.kernel != live::KernelKind::spin) return;
  const tpn::Document& document = plan.instance;
  const tpn::Timing timing(document);
  const auto runs = live::probed_stages(document);
  for (std::size_t k = 0; k < document.application.stages.size(); ++k) {
    for (std::size_t p = 0; p < document.platform.processors.size(); ++p) {
      if (!runs[k][p]) continue;
      const auto time = timing.stage_time(k, p);
      if (time && *time * plan.unit_seconds < Rational(LONG_MAX / 1'000'000'000)) continue;
      throw UsageError(
          fmt::format("--kernel {}: stage {} has no time on processor {} that can be counted: expected a "
                      "work and a speed, or a time of the stage for it",
                      live::name_of(plan.kernel), tpn::visible(document.application.stages[k].name),
                      tpn::visible(document.platform.processors[p].name)));
    }
  }
}

void require_stages(const RunChoices& choices) {
  if (!choices.kernel.empty() || !choices.programs.empty() || !choices.executable.empty()) return;
  throw UsageError(
      "a probe times stages: give each a program by --program STAGE=COMMAND, or all by --executable PROGRAM; --kernel "
      "spin makes them up by the times of the document, for tests");
}

void require_countable(const tpn::Document& document, const live::ProbeTerms& terms) {
  const Rational times = Rational(document.application.stages.size()) * Rational(document.platform.processors.size()) *
                         Rational(terms.repeats);
  const Rational pairs = Rational(live::probed_pairs(document.platform).size()) * Rational(terms.sizes.size());
  if (times <= Rational(INT_MAX) && pairs <= Rational(INT_MAX)) return;
  throw UsageError("found more than 2^31 times to measure, expected fewer stages, processors, repeats or sizes");
}

live::ProbeFit fit_of(const ProbeChoices& choices) {
  if (choices.alike && choices.apart) throw UsageError("--alike and --apart exclude each other");
  if (!choices.alike) {
    const bool is_apart = choices.apart || choices.misfit || !choices.one_stage.empty();
    return {parse_share(choices.misfit.value_or("5%")), is_apart ? std::optional(false) : std::nullopt};
  }
  for (const auto& [option, is_given] :
       {std::pair("--misfit", choices.misfit.has_value()), std::pair("--one-stage", !choices.one_stage.empty())}) {
    if (is_given) throw UsageError(fmt::format("--alike and {} exclude each other: all have one speed", option));
  }
  return {Rational(), true};
}

}  // namespace

PreparedProbe prepare_probe(const ProbeChoices& choices, Streams& streams) {
  require_stages(choices.run);
  PreparedProbe probe;
  probe.fit = fit_of(choices);
  probe.document = tpn::read_document(read_document_text(choices.run.file, streams), display_name(choices.run.file));
  live::RunPlan& plan = probe.plan;
  // Each stage's file is the input of the next.
  tpn::require_taken({.shared_resources = true,
                      .ahead = true,
                      .several_ends = true,
                      .segments = true,
                      .quotas = true,
                      .partitions = true},
                     probe.document);
  plan.instance = probe.document;
  set_stages(plan, choices.run, probe.document);
  if (!choices.run.unit.empty()) plan.unit_seconds = *read_quantity(choices.run.unit, tpn::Quantity::time);
  plan.probe = terms_of(choices, probe.document, streams);
  if (choices.times_file) require_everywhere("--times-file", probe.document);
  require_times(plan);
  require_countable(probe.document, *plan.probe);
  const tpn::Platform& platform = probe.document.platform;
  for (std::size_t p = 0; p < tpn::EndNumbers(platform).end(); ++p) plan.processors.push_back(p);
  return probe;
}

}  // namespace takt::tools
