// takt cycle-ratio: the largest cycle ratio of a graph that is no pipeline.
#include <fmt/format.h>

#include <array>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <variant>

#include "maxplus/component_ratios.hpp"
#include "maxplus/rational_graph.hpp"
#include "maxplus/solvers.hpp"
#include "tools/answers/evaluate_options.hpp"
#include "tools/answers/evaluation_output.hpp"
#include "tools/answers/limit_words.hpp"
#include "tools/cycle_ratio/ratio_certificate.hpp"
#include "tools/cycle_ratio/ratio_graph.hpp"
#include "tools/cycle_ratio/ratio_output.hpp"
#include "tools/files/files.hpp"
#include "tools/files/several_files.hpp"
#include "tools/frame/command_line.hpp"
#include "tools/frame/limited_search.hpp"
#include "tools/frame/options.hpp"
#include "tools/words/json_results.hpp"
#include "tpn/json.hpp"

namespace takt::tools {

namespace {

struct CycleRatioOptions {
  std::string file;
  std::string solver{maxplus::default_solver().name};
  std::string certificate;
  std::string potentials;
  std::string circuit;
  std::optional<double> time_limit;
  bool smallest = false;
  bool components = false;
  bool json = false;
};

std::string time_is_over() { return limit_text(evaluators::OutOfTime{}); }

// Why there is no answer, if there is none.
std::optional<std::string> why_unanswered(const maxplus::RationalCycleRatio& answer) {
  if (const auto* limit = std::get_if<maxplus::SolverLimit>(&answer)) {
    return too_large_text({tpn::LimitKind::karp_entries, maxplus::Integer(limit->needed), limit->limit}) +
           " (--solver howard has none)";
  }
  if (std::holds_alternative<maxplus::SolverTimeout>(answer)) return time_is_over() + " before the ratio was known";
  const auto* limit = std::get_if<maxplus::WeightLimit>(&answer);
  if (limit == nullptr) return std::nullopt;
  return fmt::format(
      "{} words of 64 bits or more for the weights over one denominator would be needed, the limit is {}",
      limit->needed, limit->limit);
}

// False if there was no time for it, or its numbers would be too long to be read again.
bool save_ratio_proof(const SolvedGraph& solved, const std::string& path, const maxplus::Deadline& deadline,
                      Streams& streams) {
  const RatioGraph& graph = solved.graph;
  const auto proof = prove_cycle_ratio(graph.vertices.size(), graph.arcs, solved.answer, solved.extreme, deadline);
  if (!proof) {
    tell(streams, "no certificate was written: " + time_is_over());
    return false;
  }
  if (!fits_ratio_certificate(*proof)) {
    tell(streams, fmt::format("no certificate was written: its numbers would have more than {} digits", kRatioDigits));
    return false;
  }
  write_file(path, [&](std::ostream& out) { write_ratio_certificate(out, graph, *proof); });
  return true;
}

// Per component where that is asked for, which one solver does.
void solve_graph(SolvedGraph& solved, const CycleRatioOptions& options, const maxplus::Deadline& deadline) {
  const RatioGraph& graph = solved.graph;
  const bool is_parted = options.components || !options.potentials.empty();
  if (!is_parted) {
    solved.answer = cycle_ratio(graph.vertices.size(), graph.arcs, *solved.solver, solved.extreme,
                                maxplus::kMostWeightWords, deadline);
    return;
  }
  if (const auto limit = maxplus::weight_limit(graph.arcs)) {
    solved.answer = *limit;
    return;
  }
  auto parts = component_ratios(
      graph.vertices.size(), graph.arcs,
      {.extreme = solved.extreme, .with_potentials = !options.potentials.empty(), .deadline = deadline});
  solved.answer = best_of(parts, solved.extreme);
  if (auto* found = std::get_if<maxplus::ComponentRatios>(&parts)) solved.components = std::move(*found);
}

void require_howard(const CycleRatioOptions& options) {
  if (options.solver == maxplus::default_solver().name) return;
  for (const auto& [name, is_asked] :
       {std::pair("--components", options.components), std::pair("--potentials", !options.potentials.empty())}) {
    if (!is_asked) continue;
    throw UsageError(fmt::format("{}: found --solver {}, expected {}, the only solver that answers by component", name,
                                 options.solver, maxplus::default_solver().name));
  }
}

int answer_cycle_ratio(const CycleRatioOptions& options, Streams& streams) {
  require_howard(options);
  require_beside_result("--certificate", options.certificate, {options.file});
  require_beside_result("--potentials", options.potentials, {options.file, options.certificate});
  const LimitedSearch search(options.time_limit);
  auto graph =
      read_ratio_graph(read_text(options.file, streams), options.file, [&] { return search.deadline().has_passed(); });
  if (!graph) {
    tell(streams, fmt::format("{}: {} while the graph was read", display_name(options.file), time_is_over()));
    return kLimit;
  }
  SolvedGraph solved{.graph = *std::move(graph),
                     .extreme = options.smallest ? maxplus::RatioExtreme::smallest : maxplus::RatioExtreme::largest,
                     .solver = maxplus::find_solver(options.solver),
                     .answer = {},
                     .components = {},
                     .lists_components = options.components};
  solve_graph(solved, options, search.deadline());
  if (const auto limit = why_unanswered(solved.answer)) {
    tell(streams, fmt::format("{}: {}", display_name(options.file), *limit));
    return kLimit;
  }
  const bool is_whole =
      options.certificate.empty() || save_ratio_proof(solved, options.certificate, search.deadline(), streams);
  if (solved.components && !options.potentials.empty()) {
    write_file(options.potentials, [&](std::ostream& out) { write_potentials(out, solved.graph, *solved.components); });
  }
  const CircuitLength length = options.circuit == "full" ? CircuitLength::full : CircuitLength::excerpt;
  if (options.json) {
    print_object(streams.out, [&](tpn::JsonWriter& json) { write_ratio_json(json, solved, length); });
  } else {
    write_ratio_table(streams.out, solved, length);
  }
  if (!is_whole) return kLimit;
  return std::holds_alternative<maxplus::RatioCycle>(solved.answer) ? kAnswered : kNo;
}

}  // namespace

Action define_cycle_ratio(CommandLine& line) {
  const auto options = std::make_shared<CycleRatioOptions>();
  line.positional("FILE", options->file,
                  "a graph: lines FROM TO WEIGHT [TOKENS], CSV, JSON, DIMACS, Matrix Market, LEMON's LGF, or SDF3's "
                  "XML (sdf or csdf); - is standard input");
  line.option("--solver", options->solver, "algorithm: " + tpn::json::alternatives(solver_names()) + ", see below")
      .check(one_of(solver_names()))
      .shows_default()
      .type_name("SOLVER");
  add_time_limit(line, options->time_limit, "", "there is no answer");
  line.flag("--min", options->smallest, "find the smallest ratio, not the largest");
  line.flag("--json", options->json, "print JSON");
  line.option("--certificate", options->certificate, "write a proof of the answer, for takt check")
      .check(output_name())
      .type_name("OUT");
  line.flag("--components", options->components, "also list the ratio of each strongly connected component");
  line.option("--potentials", options->potentials,
              "write the potential of each vertex within its component (an eigenvector) as CSV to OUT")
      .check(output_name())
      .type_name("OUT");
  line.option("--circuit", options->circuit, fmt::format("print all arcs of the cycle; default: {}", kExcerptSteps))
      .check(one_of({"full"}))
      .type_name("full");
  line.footer(
      "The ratio of a cycle is the sum of its weights divided by the sum of its tokens: in a timed event graph, the\n"
      "time per turn. Weights are decimals or fractions of any sign; tokens are 1 by default. Formats of graphs:\n"
      "docs/formats.md.\n"
      "\n" +
      solver_list() +
      "\n"
      "Exit status: 0 a ratio, 1 no cycle or a cycle without tokens, 3 bad input, 4 a limit was reached.\n"
      "\n"
      "Examples:\n"
      "  takt cycle-ratio examples/ring.graph\n"
      "  takt cycle-ratio examples/ring.graph --min --json\n"
      "  takt cycle-ratio examples/ring.graph --components --potentials ring.csv\n"
      "  takt cycle-ratio examples/ring.graph --certificate ring.certificate.json\n"
      "  takt check examples/ring.graph ring.certificate.json");
  return [options](Streams& streams) { return answer_cycle_ratio(*options, streams); };
}

}  // namespace takt::tools
