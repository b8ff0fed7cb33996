// takt_mapping_rate PROBLEM MAPPINGS MODEL: periods of mappings per second of CPU time, as C++ asks one by one. What
// bench/python_rates.py holds the Python module to. A mapping is a line of MAPPINGS: of each part the number of stages,
// the number of processors, and the processors.
#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "evaluators/mappings/evaluator.hpp"
#include "tpn/models.hpp"
#include "tpn/reader.hpp"

namespace takt::bench {

namespace {

std::vector<tpn::Mapping> read_mappings(const char* path) {
  std::ifstream file(path);
  std::vector<tpn::Mapping> mappings;
  for (std::string line; std::getline(file, line);) {
    std::istringstream numbers(line);
    tpn::Mapping mapping;
    std::size_t stage = 0;
    for (std::size_t stages = 0, width = 0; numbers >> stages >> width; stage += stages) {
      tpn::Part part{stage, stage + stages - 1, std::vector<std::size_t>(width)};
      for (std::size_t& processor : part.processors) numbers >> processor;
      mapping.push_back(std::move(part));
    }
    mappings.push_back(std::move(mapping));
  }
  return mappings;
}

// The best of many short ones: a shared machine is slow at times.
constexpr int kRepetitions = 60;
constexpr double kSeconds = 0.02;

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

int run(const char* problem, const char* mappings_path, const char* model_name) {
  std::ifstream file(problem);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  evaluators::MappingEvaluator evaluator(tpn::read_document(text, problem));
  const std::vector<tpn::Mapping> mappings = read_mappings(mappings_path);
  const auto model = tpn::find_model(model_name);
  if (!model || mappings.empty()) {
    std::cerr << "takt_mapping_rate: no such model, or no mapping\n";
    return 2;
  }
  double best = 0;
  for (int repetition = 0; repetition < kRepetitions; ++repetition) {
    const double start = cpu_seconds();
    double spent = 0;
    double evaluated = 0;
    while (spent < kSeconds) {
      for (const tpn::Mapping& mapping : mappings) evaluator.evaluate(mapping, *model);
      evaluated += static_cast<double>(mappings.size());
      spent = cpu_seconds() - start;
    }
    best = std::max(best, evaluated / spent);
  }
  std::cout << best << '\n';
  return 0;
}

}  // namespace
}  // namespace takt::bench

int main(int argc, char** argv) {
  if (argc == 4) return takt::bench::run(argv[1], argv[2], argv[3]);
  std::cerr << "Usage: takt_mapping_rate PROBLEM MAPPINGS MODEL\n";
  return 2;
}
