// Columns are those of a mapping: each has a net, and the firings from its first data set to that of the next.
#include "tools/live/run_trace.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <deque>
#include <ostream>
#include <span>
#include <utility>
#include <variant>

#include "tools/answers/result.hpp"
#include "tools/files/files.hpp"
#include "tools/live/trace_writer.hpp"
#include "tpn/visible.hpp"

namespace takt::tools {

using evaluators::Firing;

namespace {

std::size_t first_of(const std::vector<Firing>& trace, std::uint64_t data_set) {
  const auto found =
      std::ranges::lower_bound(trace, data_set, {}, [](const Firing& firing) { return firing.operation.data_set; });
  return static_cast<std::size_t>(found - trace.begin());
}

EvaluatedInstance instance_with(const PreparedRun& run, const tpn::Mapping& mapping, const std::string& path) {
  tpn::Document document = run.document;
  document.mapping = mapping;
  auto folded = fold_instance(run.instance.file, document, run.plan.model);
  if (auto* instance = std::get_if<EvaluatedInstance>(&folded)) return std::move(*instance);
  throw FileError(fmt::format("{}: a mapping of the run is too large for a trace", tpn::visible(path)));
}

// Of a run with several mappings.
void write_changed(std::ostream& out, const std::string& path, const PreparedRun& run, const live::RunResult& result,
                   const std::vector<Firing>& trace) {
  std::deque<EvaluatedInstance> instances;
  std::vector<ModelTrace> traces;
  for (std::size_t i = 0; i < result.mappings.size(); ++i) {
    const std::size_t begin = first_of(trace, result.mappings[i].data_set);
    const std::size_t end =
        i + 1 < result.mappings.size() ? first_of(trace, result.mappings[i + 1].data_set) : trace.size();
    instances.push_back(instance_with(run, result.mappings[i].mapping, path));
    traces.push_back({instances.back().net, [some = std::span(trace).subspan(begin, end - begin)](const auto& visit) {
                        std::ranges::all_of(some, visit);
                      }});
  }
  const TraceSubject subject{run.instance.file, run.instance.stages, run.instance.times, result.delivered};
  if (trace_form(path) == TraceForm::json) {
    write_trace_json(out, subject, traces);
  } else {
    write_trace_csv(out, subject, traces);
  }
}

}  // namespace

void write_run_trace(const std::string& path, const PreparedRun& run, const live::RunResult& result,
                     const std::vector<Firing>& trace, Streams& streams) {
  const bool is_changed = result.mappings.size() > 1;
  if (is_changed && trace_form(path) != TraceForm::perfetto) {
    return write_file(path, [&](std::ostream& out) { write_changed(out, path, run, result, trace); });
  }
  const auto end =
      static_cast<std::ptrdiff_t>(is_changed ? first_of(trace, result.mappings[1].data_set) : trace.size());
  std::vector<Firing> shown(trace.begin(), trace.begin() + end);
  const tpn::Pipeline& pipeline = run.instance.net.pipeline;
  if (trace_form(path) != TraceForm::perfetto) {
    // Operations of nets, which these tell, count rounds.
    for (Firing& firing : shown) firing.operation.data_set += pipeline.columns[firing.operation.column].shift;
  }
  write_trace_file(path, {run.instance.file, run.instance.stages, run.instance.times, result.delivered},
                   run.instance.net, shown, pipeline.is_shifted() ? nullptr : &run.instance.evaluation.circuit,
                   run.plan.unit_seconds);
  if (!is_changed) return;
  fmt::print(streams.err, "{}: data sets from {} on have other mappings and are not shown; .csv and .json have all\n",
             tpn::visible(path), result.mappings[1].data_set);
}

}  // namespace takt::tools
