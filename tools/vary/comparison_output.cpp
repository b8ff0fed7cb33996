// A table of throughputs, one of latencies for each rate; below each row how it differs from the one above.
#include "tools/vary/comparison_output.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "tools/files/files.hpp"
#include "tools/vary/estimate_words.hpp"
#include "tools/vary/vary_words.hpp"
#include "tools/words/json_results.hpp"
#include "tools/words/number_words.hpp"
#include "tools/words/table.hpp"
#include "tpn/writer.hpp"

namespace takt::tools {

using vary::CopiesFigure;
using vary::Figure;

namespace {

constexpr const char* kDifference = "  difference";

// The figures of a row of latencies: the mean, if there is one, and the percentiles.
std::vector<const CopiesFigure*> latencies_of(const vary::ScenarioFigures& figures) {
  std::vector<const CopiesFigure*> latencies = {figures.mean ? &*figures.mean : nullptr};
  for (const CopiesFigure& within : figures.within) latencies.push_back(&within);
  return latencies;
}

// A net's estimated throughput as a share of the exact bound; nothing if either is unknown or without limit.
std::optional<Figure> share_of_bound(const ComparedNet& net) {
  if (!net.exact_period || net.exact_period->sign() <= 0 || net.period.value <= 0) return std::nullopt;
  const double share = double_of(*net.exact_period) / net.period.value;
  return Figure{share, share * net.period.margin / net.period.value};
}

std::string percent_of(const Figure& share) {
  constexpr double kPercent = 100;
  return with_margin({kPercent * share.value, kPercent * share.margin}) + " %";
}

// How much more the second sustains; nothing if one takes no time.
std::optional<Figure> throughput_change(const ComparedNet& before, const ComparedNet& net, double confidence) {
  if (before.period.value <= 0 || net.period.value <= 0) return std::nullopt;
  return difference(rate_of(before.period, confidence), rate_of(net.period, confidence), confidence);
}

// Writes the tables, and remembers whether a difference is not told.
class ComparisonTables {
 public:
  explicit ComparisonTables(const VaryComparison& result)
      : result_(result), words_(result.times), confidence_(result.question.settings.confidence) {}

  void write_throughputs(std::ostream& out) {
    Table table{{{"throughput"},
                 {"at most (exact)", Align::right},
                 {"with these times", Align::right},
                 {"of that", Align::right}},
                {}};
    for (std::size_t n = 0; n < result_.nets.size(); ++n) {
      const ComparedNet& net = result_.nets[n];
      const auto share = share_of_bound(net);
      const bool is_known = net.exact_period && net.exact_period->sign() > 0;
      table.rows.push_back({net.choice.label, is_known ? words_.rate_of({double_of(*net.exact_period), 0}) : "-",
                            net.period.value > 0 ? words_.rate_of(net.period) : "any",
                            share ? percent_of(*share) : "-"});
      if (n == 0) continue;
      const auto change = throughput_change(result_.nets[n - 1], net, confidence_);
      const Figure before = {1 / result_.nets[n - 1].period.value, 0};
      table.rows.push_back({kDifference, "", change ? words_.higher_by(told(*change), before) : "", ""});
    }
    out << '\n';
    table.write(out);
  }

  void write_latencies(std::ostream& out, std::size_t rate) {
    Table table{{{fmt::format("latency at {}", words_.rate_at(result_.gaps[rate]))},
                 {"of its most", Align::right},
                 {"mean", Align::right}},
                {}};
    for (const double share : result_.question.shares) table.columns.push_back({heading_of(share), Align::right});
    for (std::size_t n = 0; n < result_.nets.size(); ++n) {
      const auto& here = result_.nets[n].at_rates[rate];
      std::vector<std::string> row = {result_.nets[n].choice.label,
                                      percent_words(result_.nets[n].period.value / result_.gaps[rate])};
      if (here) {
        for (const CopiesFigure* latency : latencies_of(*here)) {
          row.push_back(latency == nullptr ? "-" : words_.time(*latency));
        }
      } else {
        row.emplace_back("grows without bound");
      }
      row.resize(table.columns.size());
      table.rows.push_back(std::move(row));
      if (n > 0 && here && result_.nets[n - 1].at_rates[rate]) {
        table.rows.push_back(differences(*result_.nets[n - 1].at_rates[rate], *here));
      }
    }
    out << '\n';
    table.write(out);
  }

  bool has_untold() const { return has_untold_; }

 private:
  std::vector<std::string> differences(const vary::ScenarioFigures& before, const vary::ScenarioFigures& here) {
    std::vector<std::string> row = {kDifference, ""};
    const auto first = latencies_of(before);
    const auto second = latencies_of(here);
    for (std::size_t i = 0; i < second.size(); ++i) {
      if (first[i] == nullptr || second[i] == nullptr) {
        row.emplace_back("");
      } else {
        row.push_back(words_.longer_by(told(difference(*first[i], *second[i], confidence_)), *first[i]));
      }
    }
    return row;
  }

  const Figure& told(const Figure& difference) {
    has_untold_ = has_untold_ || (difference.margin > 0 && !is_told(difference));
    return difference;
  }

  const VaryComparison& result_;
  EstimateWords words_;
  double confidence_;
  bool has_untold_ = false;
};

void write_notes(std::ostream& out, const VaryComparison& result) {
  const EstimateWords words(result.times);
  for (std::size_t r = 0; r < result.gaps.size(); ++r) {
    std::vector<std::string> labels;
    for (const ComparedNet& net : result.nets) {
      if (net.at_rates[r] && !net.at_rates[r]->is_settled) labels.push_back(net.choice.label);
    }
    if (labels.empty() || result.question.table) continue;
    fmt::print(out,
               "At {} latencies had not settled ({}): in the second half of each copy they differ from the first half. "
               "Use more --data-sets.\n",
               words.rate_at(result.gaps[r]), fmt::join(labels, ", "));
  }
}

// A figure's change from the net before; nothing of the first.
void write_change(tpn::JsonWriter& json, std::string_view name, const std::optional<Figure>& change) {
  json.key(name);
  if (!change) {
    json.value(nullptr);
    return;
  }
  json.begin_object(tpn::JsonLayout::line);
  json.member("estimated", change->value);
  json.member("margin", change->margin);
  json.member("told", is_told(*change));
  json.end();
}

class ComparisonJson {
 public:
  ComparisonJson(tpn::JsonWriter& json, const VaryComparison& result)
      : json_(json), result_(result), confidence_(result.question.settings.confidence) {}

  void write_net(std::size_t n) {
    const ComparedNet& net = result_.nets[n];
    json_.begin_object();
    json_.member("file", net.choice.file);
    tpn::write_model(json_, net.choice.model);
    if (net.choice.window > 0) write_count(json_, "window", net.choice.window);
    write_exact(json_, "period", net.exact_period);
    write_figure(json_, "expected_period", net.period);
    const auto share = share_of_bound(net);
    json_.member("bound_share", share ? std::optional(share->value) : std::nullopt);
    write_change(json_, "throughput_change",
                 n == 0 ? std::nullopt : throughput_change(result_.nets[n - 1], net, confidence_));
    json_.key("at_rates");
    json_.begin_array();
    for (std::size_t r = 0; r < result_.gaps.size(); ++r) write_rate(n, r);
    json_.end();
    json_.end();
  }

 private:
  void write_rate(std::size_t n, std::size_t r) {
    const auto& figures = result_.nets[n].at_rates[r];
    const double load = result_.nets[n].period.value / result_.gaps[r];
    json_.begin_object();
    json_.member("arrival_gap", result_.gaps[r]);
    json_.member("rate_share", load);
    json_.member("grows", !figures);
    json_.member("settled", figures && figures->is_settled);
    write_played(json_, figures);
    if (figures && figures->mean) {
      write_figure(json_, "latency_mean", *figures->mean);
    } else {
      json_.member("latency_mean", nullptr);
    }
    write_change(json_, "latency_change", change(n, r, 0));
    json_.key("percentiles");
    json_.begin_array();
    for (std::size_t i = 0; figures && i < figures->within.size(); ++i) {
      json_.begin_object();
      json_.member("fraction", result_.question.shares[i]);
      json_.member("estimated", figures->within[i].value);
      json_.member("margin", figures->within[i].margin);
      write_change(json_, "latency_change", change(n, r, i + 1));
      json_.end();
    }
    json_.end();
    json_.end();
  }

  // Of the mean, 0, or a percentile, from 1.
  std::optional<Figure> change(std::size_t n, std::size_t r, std::size_t i) const {
    if (n == 0 || !result_.nets[n].at_rates[r] || !result_.nets[n - 1].at_rates[r]) return std::nullopt;
    const CopiesFigure* const before = latencies_of(*result_.nets[n - 1].at_rates[r])[i];
    const CopiesFigure* const here = latencies_of(*result_.nets[n].at_rates[r])[i];
    if (before == nullptr || here == nullptr) return std::nullopt;
    return difference(*before, *here, confidence_);
  }

  tpn::JsonWriter& json_;
  const VaryComparison& result_;
  double confidence_;
};

}  // namespace

void write_comparison_table(std::ostream& out, const VaryComparison& result) {
  fmt::print(out, "{}, times vary{}\n", result.title, law_words(result.question.law));
  fmt::print(out, "The same random times for all ({}).\n", sample_words(result.question, result.amount));
  ComparisonTables tables(result);
  tables.write_throughputs(out);
  for (std::size_t r = 0; r < result.gaps.size(); ++r) tables.write_latencies(out, r);
  if (!result.gaps.empty()) {
    out << '\n' << arrival_sentence(result.question) << mean_sentence(result.has_mean_latency);
  }
  out << "Differences are to the row above, on the same random times.\n";
  if (tables.has_untold()) out << "?: no significant difference with these copies.\n";
  write_notes(out, result);
}

void write_comparison_json(tpn::JsonWriter& json, const VaryComparison& result) {
  json.begin_object();
  json.member("file", result.file);
  write_time_unit(json, result.times);
  write_amount(json, result.question, result.amount);
  ComparisonJson nets(json, result);
  json.key("compared");
  json.begin_array();
  for (std::size_t n = 0; n < result.nets.size(); ++n) nets.write_net(n);
  json.end();
  json.end();
}

}  // namespace takt::tools
