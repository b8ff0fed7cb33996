// Text-based exposition format, version 0.0.4: a metric's lines stand together behind its HELP and TYPE.
#include "tools/status/status_prometheus.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "tpn/json_writer.hpp"
#include "tpn/visible.hpp"

namespace takt::tools {

namespace {

// In a label: \ " and line feeds escaped. Names of users are visible() beforehand, so UTF-8.
std::string label_value(std::string_view text) {
  std::string value;
  for (const char c : text) {
    if (c == '\\' || c == '"') value += '\\';
    if (c == '\n') {
      value += "\\n";
    } else {
      value += c;
    }
  }
  return value;
}

using MetricLabels = std::vector<std::pair<std::string_view, std::string>>;

class MetricWriter {
 public:
  void metric(std::string_view name, std::string_view type, std::string_view help) {
    name_ = name;
    text_ += fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n", name, help, type);
  }
  void sample(double value, const MetricLabels& labels = {}) {
    text_ += name_;
    for (std::size_t k = 0; k < labels.size(); ++k) {
      text_ += fmt::format("{}{}=\"{}\"", k == 0 ? "{" : ",", labels[k].first, label_value(labels[k].second));
    }
    text_ += fmt::format("{} {}\n", labels.empty() ? "" : "}", tpn::json_number(value));
  }
  void one(std::string_view name, std::string_view type, std::string_view help, std::optional<double> value) {
    if (!value) return;
    metric(name, type, help);
    sample(*value);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  std::string name_;
};

double number(std::uint64_t count) { return static_cast<double>(count); }

void write_run(MetricWriter& out, const LiveStatus& status) {
  out.metric("takt_run_info", "gauge", "The run: its instance and its communication model.");
  out.sample(1, {{"file", tpn::visible(status.file)}, {"model", status.model}});
  out.metric("takt_run_phase", "gauge", "1 for the present state of the run, 0 for all others.");
  for (std::size_t k = 0; k < kRunPhases; ++k) {
    const auto phase = static_cast<RunPhase>(k);
    out.sample(phase == status.phase ? 1 : 0, {{"phase", std::string(name_of(phase))}});
  }
  if (status.written > 0) {
    out.one("takt_run_start_time_seconds", "gauge", "When the run began, in seconds since 1970.", status.begun);
    out.one("takt_run_written_time_seconds", "gauge", "When this was written, in seconds since 1970.", status.written);
  }
  out.one("takt_run_data_sets", "gauge", "Data sets in all; absent where the input has no known end.",
          status.data_sets ? std::optional(number(*status.data_sets)) : std::nullopt);
  out.one("takt_run_delivered_total", "counter", "Data sets delivered, with those that the journal held.",
          number(status.delivered));
  out.one("takt_run_failed_total", "counter", "Data sets of this run that failed and have no result.",
          number(status.failed));
  out.one("takt_run_under_way", "gauge", "Data sets that have begun and are not delivered.", number(status.under_way));
  out.one("takt_run_window", "gauge", "Largest number of data sets that may be under way; absent without a limit.",
          status.window > 0 ? std::optional(number(status.window)) : std::nullopt);
  out.one("takt_run_rate", "gauge", "Data sets per second, delivered in the last minute.", status.rate);
  out.one("takt_run_predicted_rate", "gauge", "Data sets per second, predicted of the present mapping.",
          predicted_rate(status));
  out.one("takt_run_since_delivery_seconds", "gauge", "Seconds since a data set was delivered last.",
          status.seconds_since_delivery);
  out.one("takt_run_restarts_total", "counter", "Jobs that followed one that had failed.",
          number(status.restarts.size()));
  out.one("takt_run_decisions_total", "counter", "Times that the run looked for another mapping.",
          number(status.decisions));
  out.one("takt_run_mappings_total", "counter", "Mappings that the run has had, the first included.",
          number(status.mappings));
}

void write_shares(MetricWriter& out, const LiveStatus& status) {
  static constexpr std::array<std::pair<std::string_view, double ActivityShares::*>, 4> kActivities = {
      {{"computing", &ActivityShares::computing},
       {"transferring", &ActivityShares::transferring},
       {"blocked", &ActivityShares::blocked},
       {"starved", &ActivityShares::starved}}};
  out.metric("takt_processor_time_ratio", "gauge", "Share of the last minute that a processor spent in each state.");
  for (const StatusProcessor& processor : status.processors) {
    for (const auto& [name, share] : kActivities) {
      if (!processor.shares) continue;
      out.sample(*processor.shares.*share, {{"processor", processor.name}, {"activity", std::string(name)}});
    }
  }
}

void write_processors(MetricWriter& out, const LiveStatus& status) {
  write_shares(out, status);
  const auto each = [&](std::string_view name, std::string_view help, const auto& value_of) {
    out.metric(name, "gauge", help);
    for (const StatusProcessor& processor : status.processors) {
      const std::optional<double> value = value_of(processor);
      if (value) out.sample(*value, {{"processor", processor.name}});
    }
  };
  each("takt_processor_queue", "Data sets that wait for a processor.",
       [](const StatusProcessor& processor) -> std::optional<double> { return number(processor.queue); });
  each("takt_processor_slowdown_ratio", "Time of the computations of the last 10 s, divided by that in the instance.",
       [](const StatusProcessor& processor) { return processor.slowdown; });
  each("takt_processor_believed_slowdown_ratio", "The same, as an adapting run estimates it.",
       [](const StatusProcessor& processor) { return processor.believed; });
  each("takt_processor_left_out", "1 where the process has died or does not answer.",
       [](const StatusProcessor& processor) -> std::optional<double> { return processor.is_left_out ? 1 : 0; });
}

}  // namespace

std::string status_prometheus(const LiveStatus& status) {
  MetricWriter out;
  write_run(out, status);
  write_processors(out, status);
  return out.take();
}

}  // namespace takt::tools
