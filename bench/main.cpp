// The benchmark program: cases named CASE/WHO, each of which checks its answer before it is timed.
#include <benchmark/benchmark.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

#include "evaluators/bounds.hpp"
#include "evaluators/certify.hpp"
#include "evaluators/check.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_documents.hpp"

namespace takt {
namespace {

using evaluators::Evaluation;
using evaluators::Method;
using evaluators::Options;
using evaluators::Solver;

// The largest memory this process has had resident so far, in MiB.
double peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    long kilobytes = 0;
    if (word == "VmHWM:" && status >> kilobytes) return static_cast<double>(kilobytes) / 1024;
  }
  return 0;
}

// A wrong answer ends the program: its time means nothing.
void require(bool holds, const std::string& what) {
  if (holds) return;
  std::cerr << "takt_bench: " << what << '\n';
  std::exit(1);
}

// Exact, proved to the checker, and the same as what the other methods say.
void require_right(const std::string& name, const tpn::FoldedNet& net, const Options& options) {
  const Evaluation evaluation = evaluators::evaluate(net, options);
  require(evaluation.exact(), name + ": the answer is not exact");
  const auto certificate = evaluators::certify(net, evaluation);
  require(std::holds_alternative<evaluators::Certificate>(certificate), name + ": no certificate");
  const auto verdict = evaluators::check(net, std::get<evaluators::Certificate>(certificate));
  require(std::holds_alternative<evaluators::Proven>(verdict), name + ": the certificate is refused");
  require(support::period_of(net) == evaluation.upper, name + ": the methods disagree");
}

void add_case(const std::string& name, tpn::FoldedNet net, const Options& options) {
  const auto run = [name, net = std::move(net), options](benchmark::State& state) {
    require_right(name, net, options);
    for (auto _ : state) {
      Evaluation evaluation = evaluators::evaluate(net, options);
      benchmark::DoNotOptimize(evaluation);
    }
    state.counters["rows"] = net.pipeline.rows.get_d();
    state.counters["transitions"] = net.pipeline.rows.get_d() * static_cast<double>(net.pipeline.columns.size());
    state.counters["peak_MiB"] = peak_memory();
  };
  benchmark::RegisterBenchmark(name.c_str(), run)->Unit(benchmark::kMillisecond);
}

Options by(Method method, Solver solver = Solver::howard) {
  Options options;
  options.method = method;
  options.solver = solver;
  return options;
}

void add_cases() {
  // Smaller nets first: peak_MiB is the whole process's, and never falls.
  constexpr std::array<std::size_t, 7> kBalanced = {8, 9, 5, 7, 11, 13, 3};
  add_case("strict_balanced_360360/sweep",
           support::net_of(support::balanced_document(kBalanced, 1), tpn::Model::strict), by(Method::sweep));
  constexpr std::array<std::size_t, 4> kExampleC = {5, 21, 27, 11};
  add_case("strict_balanced_10395/sweep", support::net_of(support::balanced_document(kExampleC, 1), tpn::Model::strict),
           by(Method::sweep));
  add_case("strict_balanced_10395/unfold_howard",
           support::net_of(support::balanced_document(kExampleC, 1), tpn::Model::strict), by(Method::unfold));
  add_case("strict_balanced_10395/unfold_karp",
           support::net_of(support::balanced_document(kExampleC, 1), tpn::Model::strict),
           by(Method::unfold, Solver::karp));
  const tpn::Document example_c = support::document_of("examples/example-c.json");
  for (const tpn::Model model : {tpn::Model::strict, tpn::Model::overlap}) {
    const std::string name = model == tpn::Model::strict ? "example_c_strict/" : "example_c_overlap/";
    add_case(name + "unfold_howard", support::net_of(example_c, model), by(Method::unfold));
    add_case(name + "unfold_karp", support::net_of(example_c, model), by(Method::unfold, Solver::karp));
    add_case(name + "sweep", support::net_of(example_c, model), by(Method::sweep));
  }
}

}  // namespace
}  // namespace takt

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  takt::add_cases();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
