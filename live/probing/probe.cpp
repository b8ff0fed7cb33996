// Every key is written and must be there, as in plans.
#include "live/probing/probe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <cstdlib>

#include "maxplus/contract.hpp"
#include "tpn/absent_times.hpp"
#include "tpn/ends.hpp"
#include "tpn/errors.hpp"
#include "tpn/timing.hpp"

namespace takt::live {

namespace json = tpn::json;

namespace {

template <std::integral Number>
Number number_of(const json::Tree& tree, const json::Value& value) {
  const maxplus::Rational number = json::as_number(tree, value, json::Bound::whole);
  if (!number.numerator().fits_slong_p()) json::fail(tree, value, json::describe(value), "a smaller number");
  return static_cast<Number>(number.numerator().get_si());
}

// Lists of lists are as deep as what they are read into.
template <std::integral Number>
void read_numbers(const json::Tree& tree, const json::Value& value, Number& number) {
  number = number_of<Number>(tree, value);
}
template <typename Item>
void read_numbers(const json::Tree& tree, const json::Value& value, std::vector<Item>& list) {
  for (const json::Value& item : json::as_array(tree, value, "a list")) {
    read_numbers(tree, item, list.emplace_back());
  }
}

template <std::integral Number>
void write_numbers(tpn::JsonWriter& json, Number number) {
  json.value(static_cast<std::uint64_t>(number));
}
template <typename Item>
void write_numbers(tpn::JsonWriter& json, const std::vector<Item>& list) {
  json.begin_array();
  for (const Item& item : list) write_numbers(json, item);
  json.end();
}

}  // namespace

std::vector<std::vector<bool>> probed_stages(const tpn::Document& document) {
  const std::vector<tpn::Processor>& processors = document.platform.processors;
  const tpn::Timing timing(document);
  std::vector<std::vector<bool>> runs;
  for (std::size_t k = 0; k < document.application.stages.size(); ++k) {
    const tpn::Stage& stage = document.application.stages[k];
    const bool is_unknown = !stage.work && stage.times.empty();
    std::vector<bool>& row = runs.emplace_back();
    for (std::size_t p = 0; p < processors.size(); ++p) {
      const bool has_time = processors[p].time || timing.stage_time(k, p);
      row.push_back((is_unknown || has_time) && tpn::is_let_run(stage, document.platform, p));
    }
    if (std::ranges::find(row, true) != row.end()) continue;
    throw tpn::InvalidInstance(fmt::format("/application/stages/{}", k),
                               fmt::format("stage {}, which runs on no processor", json::quote(stage.name)),
                               "a processor that it has a time on, and that its \"runs on\" names");
  }
  return runs;
}

std::vector<ProbedPair> probed_pairs(const tpn::Platform& platform) {
  const std::size_t count = platform.processors.size();
  std::vector<ProbedPair> pairs;
  for (std::size_t p = 0; p < count; ++p) {
    for (std::size_t q = p + 1; q < count; ++q) pairs.push_back({p, q});
  }
  const tpn::EndNumbers ends(platform);
  for (std::size_t end = count; end < ends.end(); ++end) {
    for (std::size_t p = 0; p < count; ++p)
      pairs.push_back(ends.is_source(end) ? ProbedPair{end, p} : ProbedPair{p, end});
  }
  return pairs;
}

std::int64_t median_of(std::vector<std::int64_t> numbers) {
  maxplus::expects(!numbers.empty(), "there is a number to take the median of");
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>((numbers.size() - 1) / 2);
  std::ranges::nth_element(numbers, middle);
  return *middle;
}

std::vector<std::int64_t> distances_from_median(const std::vector<std::int64_t>& numbers) {
  const std::int64_t median = median_of(numbers);
  std::vector<std::int64_t> distances;
  distances.reserve(numbers.size());
  for (const std::int64_t number : numbers) distances.push_back(std::abs(number - median));
  std::ranges::sort(distances);
  if (distances.size() > 1) distances.erase(distances.begin());
  return distances;
}

std::int64_t middle_distance(const std::vector<std::int64_t>& numbers) {
  return median_of(distances_from_median(numbers));
}

void write_probe_terms(tpn::JsonWriter& json, const std::optional<ProbeTerms>& terms) {
  if (!terms) return json.member("probe", nullptr);
  json.key("probe");
  json.begin_object();
  json.member("repeats", terms->repeats);
  json.member("in_turn", terms->in_turn);
  json.member("one_stage", terms->one_stage);
  json.member("sizes", terms->sizes);
  json.member("exchanges", terms->exchanges);
  json.member("inputs", terms->inputs);
  json.end();
}

std::optional<ProbeTerms> read_probe_terms(const json::Tree& tree, const json::Value& plan) {
  const json::Value& value = json::required(tree, plan, "a plan", "probe");
  if (value.kind == json::Kind::null) return std::nullopt;
  const json::Value& probe = json::as_object(tree, value, "a probe");
  const auto item = [&](std::string_view key) -> const json::Value& {
    return json::required(tree, probe, "a probe", key);
  };
  ProbeTerms terms;
  read_numbers(tree, item("repeats"), terms.repeats);
  terms.in_turn = json::as_boolean(tree, item("in_turn"));
  if (item("one_stage").kind != json::Kind::null) terms.one_stage = number_of<std::size_t>(tree, item("one_stage"));
  read_numbers(tree, item("sizes"), terms.sizes);
  read_numbers(tree, item("exchanges"), terms.exchanges);
  read_numbers(tree, item("inputs"), terms.inputs);
  return terms;
}

std::string write_probe_result(const ProbeResult& result) {
  std::string text;
  tpn::JsonWriter json(text, tpn::IllFormed::replaced);
  json.begin_object(tpn::JsonLayout::line);
  json.key("times");
  write_numbers(json, result.times);
  json.key("sizes");
  write_numbers(json, result.sizes);
  json.key("round_trips");
  write_numbers(json, result.round_trips);
  json.key("round_trip_spreads");
  write_numbers(json, result.round_trip_spreads);
  json.end();
  return text += '\n';
}

ProbeResult read_probe_result(std::string_view text, const std::string& file) {
  const json::Tree tree = json::parse(text, file);
  const json::Value& root = json::as_object(tree, tree.root, "a result");
  ProbeResult result;
  read_numbers(tree, json::required(tree, root, "a result", "times"), result.times);
  read_numbers(tree, json::required(tree, root, "a result", "sizes"), result.sizes);
  read_numbers(tree, json::required(tree, root, "a result", "round_trips"), result.round_trips);
  read_numbers(tree, json::required(tree, root, "a result", "round_trip_spreads"), result.round_trip_spreads);
  return result;
}

}  // namespace takt::live
