// Dependences to precedences, columns that wait for a single one passed over.
#include "evaluators/residue/system.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "maxplus/none.hpp"

namespace takt::evaluators {

namespace {

using tpn::Dependence;
using tpn::FoldedNet;

// A dependence, or several in a row through immediate columns.
struct Path {
  std::size_t from = 0;  // columns
  std::size_t to = 0;
  std::uint64_t height = 0;
  std::uint64_t modulus = 1;
  std::uint64_t residue = 0;
  Integer period = 1;  // of the sum of the durations
  std::vector<CircuitStep> steps;
};

Path path_of(const FoldedNet& net, const Dependence& d) {
  return {
      d.from, d.to, d.height, d.modulus, d.residue, Integer(net.pipeline.columns[d.from].period), {{d.from, d.height}}};
}

// The second path starts where the first ends; the first has no guard.
Path joined(const Path& first, const Path& second) {
  Path path = second;
  path.from = first.from;
  path.height += first.height;
  const std::uint64_t back = first.height % second.modulus;
  path.residue = (second.residue + second.modulus - back) % second.modulus;
  path.period = lcm(first.period, second.period);
  path.steps = first.steps;
  path.steps.insert(path.steps.end(), second.steps.begin(), second.steps.end());
  return path;
}

// The paths between columns that are not immediate. A column is passed over where that costs no larger period.
struct Contracted {
  std::vector<Path> paths;
  std::vector<ImmediateColumn> immediate;
  std::vector<bool> is_node;
};

Contracted contract_columns(const FoldedNet& net) {
  const std::size_t columns = net.pipeline.columns.size();
  Contracted result;
  result.is_node.assign(columns, true);
  for (const Dependence& d : net.dependences) result.paths.push_back(path_of(net, d));
  std::vector<std::size_t> arrivals(columns, 0);
  for (const Dependence& d : net.dependences) ++arrivals[d.to];
  std::vector<bool> stays(columns, false);  // an immediate column starts after it
  for (std::size_t c = 0; c < columns; ++c) {
    if (arrivals[c] != 1 || stays[c]) continue;
    std::vector<Path> arriving;
    std::vector<Path> leaving;
    for (const Path& path : result.paths) {
      if (path.to == c) arriving.push_back(path);
      if (path.from == c) leaving.push_back(path);
    }
    if (arriving[0].modulus != 1 || arriving[0].from == c || arriving[0].steps.size() > 1) continue;
    const bool fits = std::ranges::all_of(leaving, [&](const Path& path) {
      return lcm(arriving[0].period, path.period) <= std::max(arriving[0].period, path.period);
    });
    if (!fits) continue;
    std::erase_if(result.paths, [&](const Path& path) { return path.to == c || path.from == c; });
    for (const Path& path : leaving) result.paths.push_back(joined(arriving[0], path));
    stays[arriving[0].from] = true;
    result.is_node[c] = false;
    result.immediate.push_back({c, arriving[0].from, arriving[0].height});
  }
  return result;
}

std::vector<Integer> weights_of(const FoldedNet& net, const Path& path) {
  std::vector<Integer> weights(path.period.get_ui());
  for (std::uint64_t j = 0; j < weights.size(); ++j) {
    std::uint64_t data_set = j;
    for (const CircuitStep& step : path.steps) {
      weights[j] += net.pipeline.columns[step.column].duration(data_set);
      data_set += step.height;
    }
  }
  return weights;
}

}  // namespace

std::variant<ResidueSystem, tpn::TooLarge> make_residue_system(const FoldedNet& net) {
  const Contracted contracted = contract_columns(net);
  ResidueSystem system;
  std::vector<std::size_t> node(net.pipeline.columns.size(), maxplus::kNone<std::size_t>);
  for (std::size_t c = 0; c < node.size(); ++c) {
    if (!contracted.is_node[c]) continue;
    node[c] = system.columns.size();
    system.columns.push_back(c);
  }
  std::vector<Integer> moduli(system.columns.size(), 1);
  Integer numbers = 0;
  for (const Path& path : contracted.paths) {
    Integer& modulus = moduli[node[path.from]];
    modulus = lcm(lcm(modulus, path.period), Integer(path.modulus));
    numbers += path.period;
  }
  for (const Integer& modulus : moduli) numbers += modulus;
  if (numbers > kResidueLeastClasses)
    return tpn::TooLarge{tpn::LimitKind::least_residue_classes, numbers, kResidueLeastClasses};

  system.incoming.resize(system.columns.size());
  system.outgoing.resize(system.columns.size());
  std::set<std::uint64_t> primes;
  for (const Integer& modulus : moduli) {
    system.least_moduli.push_back(modulus.get_ui());
    for (const std::uint64_t prime : maxplus::prime_factors(modulus.get_ui())) primes.insert(prime);
  }
  system.primes.assign(primes.begin(), primes.end());
  for (const Path& path : contracted.paths) {
    const std::size_t precedence = system.precedences.size();
    system.precedences.push_back(
        {node[path.from], node[path.to], path.height, path.modulus, path.residue, weights_of(net, path), path.steps});
    system.incoming[node[path.to]].push_back(precedence);
    system.outgoing[node[path.from]].push_back(precedence);
  }
  system.immediate = contracted.immediate;
  return system;
}

}  // namespace takt::evaluators
