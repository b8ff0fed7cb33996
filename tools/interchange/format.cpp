// The table of formats.
#include "tools/interchange/format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

// The formats in the order of --help: a row for each, of its name, its summary and the ending of its files. A file of
// this folder defines what is written, as `Exported write_NAME(const ExportedNet&, std::uint64_t max_transitions)`.
#define TAKT_FORMATS(ROW)                                                                            \
  ROW(pnml, "PNML, a place/transition net of ISO 15909-2; durations as takt's own elements", "pnml") \
  ROW(tina, "TINA's .net, a time Petri net", "net")                                                  \
  ROW(sdf3, "SDF3's XML, homogeneous synchronous dataflow, also for Kiter", "sdf3")                  \
  ROW(csdf, "SDF3's XML, cyclo-static dataflow, not unfolded, for Kiter", "csdf")                    \
  ROW(graph, "JSON of arcs with weights and tokens", "json")

namespace takt::tools {

#define TAKT_DECLARE_FORMAT(name, summary, ending) \
  Exported write_##name(const ExportedNet& exported, std::uint64_t max_transitions);
TAKT_FORMATS(TAKT_DECLARE_FORMAT)
#undef TAKT_DECLARE_FORMAT

namespace {

#define TAKT_FORMAT_ROW(name, summary, ending) InterchangeFormat{#name, summary, "." ending, write_##name},
constexpr auto kFormats = std::to_array<InterchangeFormat>({TAKT_FORMATS(TAKT_FORMAT_ROW)});
#undef TAKT_FORMAT_ROW

const InterchangeFormat* pointer_to(const InterchangeFormat* found) {
  return found == kFormats.end() ? nullptr : found;
}

}  // namespace

std::span<const InterchangeFormat> interchange_formats() { return kFormats; }

const InterchangeFormat* find_format(std::string_view name) {
  return pointer_to(std::ranges::find(kFormats, name, &InterchangeFormat::name));
}

const InterchangeFormat* format_of_ending(std::string_view path) {
  return pointer_to(
      std::ranges::find_if(kFormats, [&](const InterchangeFormat& format) { return path.ends_with(format.ending); }));
}

Exported export_net(const InterchangeFormat& format, const ExportedNet& exported, std::uint64_t max_transitions) {
  if (auto reason = tpn::why_refused(format.takes, exported.net)) return NotExported{*std::move(reason)};
  return format.write(exported, max_transitions);
}

std::optional<NotExported> unfit_time(const tpn::Pipeline& pipeline) {
  for (const tpn::Column& column : pipeline.columns) {
    for (std::size_t k = 0; k < column.table.size(); ++k) {
      const maxplus::Integer time = column.table[k];
      if (time <= kLongestTime) continue;
      return NotExported{fmt::format(
          "durations are whole numbers there, of units of 1/{} here, and one would be {}, more than {}: export pnml "
          "or graph, which hold fractions",
          pipeline.scale.get_str(), time.get_str(), kLongestTime)};
    }
  }
  return std::nullopt;
}

std::string period_rule(const maxplus::Integer& scale, const maxplus::Integer& data_sets) {
  const std::string unit = scale == 1 ? "" : fmt::format(", in units of 1/{}", scale.get_str());
  const maxplus::Integer divisor = scale * data_sets;
  return fmt::format("its period is of {} data set{}{}: divided by {} it is the period per data set",
                     data_sets.get_str(), data_sets == 1 ? "" : "s", unit, divisor.get_str());
}

}  // namespace takt::tools
