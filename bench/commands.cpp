// tools::run with its streams in memory; what a command writes goes to a folder of its own.
#include "bench/commands.hpp"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "bench/memory.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_documents.hpp"
#include "tools/command.hpp"
#include "tpn/writer.hpp"

namespace takt::bench {

namespace {

using Arguments = std::vector<std::string>;

// A command that fails ends the program: no time means anything then.
void run_command(benchmark::State& state, const Arguments& arguments, const std::string& input) {
  reset_peak_memory();
  for ([[maybe_unused]] const auto iteration : state) {
    std::istringstream in(input);
    std::ostringstream out;
    std::ostringstream err;
    if (tools::run(arguments, {in, out, err, false}) == tools::kAnswered) continue;
    std::cerr << "takt_bench: takt " << arguments.front() << ": " << err.str();
    std::exit(1);
  }
  state.counters["peak_MiB"] = peak_memory();
}

void add_command(const std::string& name, Arguments arguments, std::string input) {
  benchmark::RegisterBenchmark((name + "/takt").c_str(), [arguments = std::move(arguments),
                                                          input = std::move(input)](benchmark::State& state) {
    run_command(state, arguments, input);
  })->Unit(benchmark::kMillisecond);
}

}  // namespace

void add_commands() {
  const std::filesystem::path page = std::filesystem::temp_directory_path() / "takt-bench-report.html";
  const std::string example = tpn::write_document(support::document_of("examples/example-a.json"));
  add_command("report_example_a", {"report", "-", "--model", "strict", "-o", page.string()}, example);
  const std::string instance = tpn::write_document(support::dealt_document(10, 20, 5, 15, 1));
  std::string lines;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    lines += tpn::write_document_line(support::dealt_document(10, 20, 5, 15, seed));
  }
  add_command("lines_10x20_1000", {"evaluate", "-", "--lines"}, lines);
  add_command("lines_10x20_1000_json", {"evaluate", "-", "--lines", "--json"}, lines);
  add_command("plan_catalogue", {"plan", "-", "--rate", "200/s", "--losses", "--upgrade"},
              tpn::write_document(support::document_of("examples/catalogue.json")));
  add_command("sensitivity_10x20", {"sensitivity", "-", "--model", "strict", "--top", "1000"}, instance);
}

}  // namespace takt::bench
