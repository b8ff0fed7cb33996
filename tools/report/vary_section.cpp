// Where the file's times vary: what stays proved, what is estimated, and the curve of latency over rates.
#include <fmt/format.h>

#include "tools/plot/plot.hpp"
#include "tools/report/sections.hpp"
#include "tools/vary/estimate_words.hpp"
#include "tools/vary/vary_output.hpp"
#include "tools/vary/vary_plot.hpp"

namespace takt::tools {

PageVary vary_of(const ReportFindings& findings) {
  PageVary section;
  if (!findings.varied) return section;
  const VariedInstance& varied = *findings.varied;
  const EstimateWords words(varied.times);
  section.is_shown = true;
  section.claim = vary_claims(varied);
  section.note = fmt::format(
      "Latency is from the arrival of a {} to its delivery, with {} evenly spaced. Up to some rate it is flat; near "
      "the "
      "limit it grows without bound. The curves are estimates; takt vary shows their intervals.",
      varied.times.item(), varied.times.item_plural());
  if (varied.rates.empty()) return section;
  const Plot plot = vary_plot(varied);
  section.plot = base64_of(plot_svg(plot));
  section.plot_description = plot.description;
  return section;
}

}  // namespace takt::tools
