// Tables and JSON of cycle ratios.
#include "tools/cycle_ratio/ratio_output.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <optional>
#include <ostream>
#include <string>
#include <variant>
#include <vector>

#include "maxplus/none.hpp"
#include "tools/files/files.hpp"
#include "tools/words/csv.hpp"
#include "tools/words/json_results.hpp"
#include "tools/words/number_words.hpp"
#include "tools/words/table.hpp"

namespace takt::tools {

namespace {

using maxplus::Integer;
using maxplus::Rational;

// The arcs of the cycle that was found; null if there is none.
const std::vector<std::size_t>* cycle_of(const SolvedGraph& solved) {
  if (const auto* cycle = std::get_if<maxplus::RatioCycle>(&solved.answer)) return &cycle->arcs;
  if (const auto* cycle = std::get_if<maxplus::DeadlockCycle>(&solved.answer)) return &cycle->arcs;
  return nullptr;
}

struct CycleSum {
  Rational weight;
  Integer tokens;
};

CycleSum sum_of(const RatioGraph& graph, const std::vector<std::size_t>& cycle) {
  CycleSum sum;
  for (const std::size_t arc : cycle) {
    sum.weight += graph.arcs.weight(arc);
    sum.tokens += graph.arcs.tokens(arc);
  }
  return sum;
}

std::size_t shown_arcs(const std::vector<std::size_t>& cycle, CircuitLength length) {
  return std::min(cycle.size(), length == CircuitLength::full ? kFullSteps : kExcerptSteps);
}

std::string in_unit(const RatioGraph& graph, const Rational& number) {
  return graph.time_unit.empty() ? exact_and_decimal(number) : exact_and_decimal(number, printable(graph.time_unit));
}

std::string_view extreme_name(maxplus::RatioExtreme extreme) {
  return extreme == maxplus::RatioExtreme::largest ? "largest" : "smallest";
}

void write_ratio_summary(std::ostream& out, const SolvedGraph& solved, const Rational& ratio) {
  Table table{{{""}, {""}}, {}};
  table.rows.push_back(
      {fmt::format("{} ratio", extreme_name(solved.extreme)), in_unit(solved.graph, ratio) + " per token"});
  if (const auto& data_sets = solved.graph.data_sets) {
    table.rows.push_back(
        {"period", fmt::format("{} per data set, a token stands for {}",
                               in_unit(solved.graph, ratio / Rational(*data_sets)), plural(*data_sets, "data set"))});
  }
  table.rows.push_back({"solver", std::string(solved.solver->name)});
  table.write(out);
}

void write_ratio_cycle(std::ostream& out, const SolvedGraph& solved, std::string_view heading, CircuitLength length) {
  const RatioGraph& graph = solved.graph;
  const auto& cycle = *cycle_of(solved);
  const CycleSum sum = sum_of(graph, cycle);
  fmt::print(out, "\n{}: {}, weight {}, {}\n", heading, plural(cycle.size(), "arc"), exact_and_decimal(sum.weight),
             plural(sum.tokens, "token"));
  const std::size_t shown = shown_arcs(cycle, length);
  const std::vector<TableColumn> columns = {
      {"from"}, {"to"}, {"weight", Align::right}, {"exactly", Align::right}, {"tokens", Align::right}};
  write_table(out, columns, [&](const RowVisitor& visit) {
    for (std::size_t i = 0; i < shown; ++i) {
      const maxplus::RationalArc arc = graph.arcs[cycle[i]];
      const Cells weight = cells(arc.weight);
      visit({printable(graph.vertices[arc.from]), printable(graph.vertices[arc.to]), weight.readable, weight.exact,
             std::to_string(arc.tokens)});
    }
  });
  if (shown == cycle.size()) return;
  fmt::print(out, "  ... and {} more{}\n", cycle.size() - shown,
             length == CircuitLength::full ? "" : " (--circuit full shows all)");
}

void write_cycle_json(tpn::JsonWriter& json, const SolvedGraph& solved, CircuitLength length) {
  const auto* cycle = cycle_of(solved);
  if (cycle == nullptr) return json.value(nullptr);
  const RatioGraph& graph = solved.graph;
  const CycleSum sum = sum_of(graph, *cycle);
  json.begin_object();
  json.member("length", cycle->size());
  write_exact(json, "weight", sum.weight);
  write_count(json, "tokens", sum.tokens);
  json.key("arcs");
  json.begin_array();
  const std::size_t shown = shown_arcs(*cycle, length);
  for (std::size_t i = 0; i < shown; ++i) {
    const maxplus::RationalArc arc = graph.arcs[(*cycle)[i]];
    json.begin_object();
    json.member("arc", (*cycle)[i]);
    json.member("from", graph.vertices[arc.from]);
    json.member("to", graph.vertices[arc.to]);
    write_exact(json, "weight", arc.weight);
    write_count(json, "tokens", arc.tokens);
    json.end();
  }
  json.end();
  json.end();
}

void write_component_table(std::ostream& out, const SolvedGraph& solved) {
  const auto& components = solved.components->components;
  fmt::print(out, "\n{}\n", plural(components.size(), "strongly connected component"));
  const std::vector<TableColumn> columns = {
      {"of vertex"},           {"vertices", Align::right}, {"arcs", Align::right},
      {"ratio", Align::right}, {"exactly", Align::right},  {"cycle of", Align::right}};
  write_table(out, columns, [&](const RowVisitor& visit) {
    for (const maxplus::ComponentRatio& component : components) {
      const Cells ratio = cells(component.best.ratio);
      visit({printable(solved.graph.vertices[component.first_vertex]), std::to_string(component.vertices),
             std::to_string(component.arcs), ratio.readable, ratio.exact, plural(component.best.arcs.size(), "arc")});
    }
  });
}

void write_components_json(tpn::JsonWriter& json, const SolvedGraph& solved) {
  write_objects(json, "components", solved.components->components, [&](const maxplus::ComponentRatio& component) {
    json.member("first_vertex", solved.graph.vertices[component.first_vertex]);
    json.member("vertex_count", component.vertices);
    json.member("arc_count", component.arcs);
    write_exact(json, "ratio", component.best.ratio);
    json.member("length", component.best.arcs.size());
  });
}

const char* outcome_name(const SolvedGraph& solved) {
  if (std::holds_alternative<maxplus::RatioCycle>(solved.answer)) return "ratio";
  return std::holds_alternative<maxplus::DeadlockCycle>(solved.answer) ? "deadlock" : "no cycle";
}

}  // namespace

void write_ratio_table(std::ostream& out, const SolvedGraph& solved, CircuitLength length) {
  const RatioGraph& graph = solved.graph;
  fmt::print(out, "{}{}{}, {}, {}\n", display_name(graph.file), graph.name.empty() ? "" : ": ", printable(graph.name),
             graph.vertices.size() == 1 ? "1 vertex" : fmt::format("{} vertices", graph.vertices.size()),
             plural(graph.arcs.size(), "arc"));
  if (const auto* found = std::get_if<maxplus::RatioCycle>(&solved.answer)) {
    out << '\n';
    write_ratio_summary(out, solved, found->ratio);
    write_ratio_cycle(out, solved, "Critical cycle", length);
    if (solved.lists_components && solved.components) write_component_table(out, solved);
  } else if (cycle_of(solved) != nullptr) {
    out << "Deadlock: a cycle without tokens has no ratio, and nothing on it ever happens.\n";
    write_ratio_cycle(out, solved, "Cycle", length);
  } else {
    out << "No cycle, hence no ratio.\n";
  }
}

void write_ratio_json(tpn::JsonWriter& json, const SolvedGraph& solved, CircuitLength length) {
  const RatioGraph& graph = solved.graph;
  const auto* found = std::get_if<maxplus::RatioCycle>(&solved.answer);
  const auto ratio = found != nullptr ? std::optional(found->ratio) : std::nullopt;
  json.begin_object();
  json.member("file", graph.file);
  if (!graph.name.empty()) json.member("name", graph.name);
  if (!graph.time_unit.empty()) json.member("time_unit", graph.time_unit);
  json.member("vertex_count", graph.vertices.size());
  json.member("arc_count", graph.arcs.size());
  json.member("extreme", extreme_name(solved.extreme));
  json.member("outcome", outcome_name(solved));
  write_exact(json, "ratio", ratio);
  if (graph.data_sets) {
    const auto period = ratio ? std::optional(*ratio / Rational(*graph.data_sets)) : std::nullopt;
    write_count(json, "data_sets", *graph.data_sets);
    write_exact(json, "period", period);
  }
  json.member("solver", solved.solver->name);
  json.key("cycle");
  write_cycle_json(json, solved, length);
  if (solved.lists_components && solved.components) write_components_json(json, solved);
  json.end();
}

void write_potentials(std::ostream& out, const RatioGraph& graph, const maxplus::ComponentRatios& components) {
  out << "vertex,component,ratio,potential\n";
  for (std::size_t v = 0; v < graph.vertices.size(); ++v) {
    const std::uint32_t component = components.component_of[v];
    if (component == maxplus::kNone<std::uint32_t>) continue;
    fmt::print(out, "{},{},{},{}\n", csv_field(graph.vertices[v]), component,
               components.components[component].best.ratio.to_string(), components.potentials[v].to_string());
  }
}

}  // namespace takt::tools
