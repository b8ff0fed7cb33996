// Dependences to precedences, columns that wait for a single one passed over.
#include "evaluators/residue/system.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
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

// Passes over a column that waits for `arriving` only; false if it must stay.
bool pass_over(std::size_t c, const Path& arriving, std::vector<Path>& paths) {
  if (arriving.modulus != 1 || arriving.from == c || arriving.steps.size() > 1) return false;
  const auto leaves = [c](const Path& path) { return path.from == c; };
  const bool fits = std::ranges::all_of(paths, [&](const Path& path) {
    return !leaves(path) || lcm(arriving.period, path.period) <= std::max(arriving.period, path.period);
  });
  if (!fits) return false;
  std::vector<Path> further;
  for (const Path& path : paths) {
    if (leaves(path)) further.push_back(joined(arriving, path));
  }
  std::erase_if(paths, [&](const Path& path) { return leaves(path) || path.to == c; });
  paths.insert(paths.end(), further.begin(), further.end());
  return true;
}

// Nothing if the deadline passed.
std::optional<Contracted> contract_columns(const FoldedNet& net, const Deadline& deadline) {
  const std::size_t columns = net.pipeline.columns.size();
  Contracted result;
  result.is_node.assign(columns, true);
  for (const Dependence& d : net.dependences) result.paths.push_back(path_of(net, d));
  std::vector<std::size_t> arrivals(columns, 0);
  for (const Dependence& d : net.dependences) ++arrivals[d.to];
  std::vector<bool> stays(columns, false);  // an immediate column starts after it
  for (std::size_t c = 0; c < columns; ++c) {
    if (arrivals[c] != 1 || stays[c]) continue;
    if (has_passed(deadline)) return std::nullopt;
    const auto only = std::ranges::find(result.paths, c, &Path::to);
    const Path arriving = *only;
    if (!pass_over(c, arriving, result.paths)) continue;
    stays[arriving.from] = true;
    result.is_node[c] = false;
    result.immediate.push_back({c, arriving.from, arriving.height});
  }
  return result;
}

// What the weights of a path depend on: its columns, and the data sets between them.
using WeightKey = std::tuple<std::size_t, std::uint64_t, std::size_t>;

WeightKey key_of(const Path& path) {
  const bool is_long = path.steps.size() > 1;
  return {path.steps.front().column, is_long ? path.steps.front().height : 0,
          is_long ? path.steps.back().column : path.steps.front().column};
}

// The durations along a path, by data set; null if the deadline passed.
std::shared_ptr<const tpn::DurationTable> weights_of(const FoldedNet& net, const Path& path,
                                                     maxplus::DeadlineWatch& watch) {
  std::vector<Integer> weights(path.period.get_ui());
  for (std::uint64_t j = 0; j < weights.size(); ++j) {
    if (watch.has_passed()) return nullptr;
    std::uint64_t data_set = j;
    for (const CircuitStep& step : path.steps) {
      weights[j] += net.pipeline.columns[step.column].duration(data_set);
      data_set += step.height;
    }
  }
  return std::make_shared<const tpn::DurationTable>(std::move(weights));
}

// Bytes that an integer below this takes on its own.
double bytes_of(const Integer& longest) {
  constexpr double kOverhead = 2 * sizeof(std::size_t);  // of an allocation
  return static_cast<double>(sizeof(Integer) + sizeof(mp_limb_t) * mpz_size(longest.get_mpz_t())) + kOverhead;
}

// The same estimates before anything is made: numbers of all tables and of the least classes.
struct SystemSize {
  Integer numbers = 0;
  double bytes = 0;
};

// Of paths and precedences, with what they refer to.
constexpr double kBytesPerPath = 400;

SystemSize size_of(const FoldedNet& net, const Contracted& contracted, const std::vector<Integer>& moduli) {
  SystemSize size;
  std::set<WeightKey> keys;
  for (const Path& path : contracted.paths) {
    if (keys.insert(key_of(path)).second) size.numbers += path.period;
  }
  for (const Integer& modulus : moduli) size.numbers += modulus;
  Integer longest = 0;
  for (const tpn::Column& column : net.pipeline.columns) longest += column.table.longest();
  // A weight is kept as it is, and scaled; a class has a start, and its copy while it grows.
  const double each = longest.fits_slong_p() ? sizeof(std::int64_t) : bytes_of(longest);
  size.bytes = 2 * each * size.numbers.get_d() + kBytesPerPath * static_cast<double>(contracted.paths.size());
  return size;
}

// By node, the least modulus that holds the durations and guards of the paths that leave it.
std::vector<Integer> moduli_of(const Contracted& contracted, const std::vector<std::size_t>& node, std::size_t nodes) {
  std::vector<Integer> moduli(nodes, 1);
  for (const Path& path : contracted.paths) {
    Integer& modulus = moduli[node[path.from]];
    modulus = lcm(lcm(modulus, path.period), Integer(path.modulus));
  }
  return moduli;
}

// False if the deadline passed.
bool add_precedences(const FoldedNet& net, const Contracted& contracted, const std::vector<std::size_t>& node,
                     const Deadline& deadline, ResidueSystem& system) {
  maxplus::DeadlineWatch watch(deadline, 1024);
  std::map<WeightKey, std::shared_ptr<const tpn::DurationTable>> tables;
  for (const Path& path : contracted.paths) {
    if (watch.has_passed()) return false;
    auto& weights = tables[key_of(path)];
    if (!weights) weights = weights_of(net, path, watch);
    if (!weights) return false;
    const std::size_t precedence = system.precedences.size();
    system.precedences.push_back(
        {node[path.from], node[path.to], path.height, path.modulus, path.residue, weights, path.steps});
    system.incoming[node[path.to]].push_back(precedence);
    system.outgoing[node[path.from]].push_back(precedence);
  }
  return true;
}

}  // namespace

double bytes_of_precedences(const ResidueSystem& system) {
  return kBytesPerPath * static_cast<double>(system.precedences.size());
}

double bytes_per_weight(const tpn::DurationTable& weights) {
  return weights.narrow() ? sizeof(std::int64_t) : bytes_of(weights.longest());
}

std::variant<ResidueSystem, tpn::TooLarge, OutOfTime> make_residue_system(const FoldedNet& net,
                                                                          const SystemLimits& limits) {
  const auto beyond = [&](double bytes) {
    return tpn::TooLarge{tpn::LimitKind::residue_bytes, Integer(bytes), limits.max_memory};
  };
  const auto most_bytes = static_cast<double>(limits.max_memory);
  if (const double bytes = kBytesPerPath * static_cast<double>(net.dependences.size()); bytes > most_bytes)
    return beyond(bytes);
  // A path costs as much as some numbers.
  constexpr std::uint64_t kNumbersPerPath = 8;
  if (const Integer numbers = Integer(net.dependences.size()) * kNumbersPerPath; numbers > limits.max_numbers) {
    return tpn::TooLarge{tpn::LimitKind::least_residue_classes, numbers,
                         static_cast<std::uint64_t>(limits.max_numbers)};
  }
  const auto contracted = contract_columns(net, limits.deadline);
  if (!contracted) return OutOfTime{};
  ResidueSystem system;
  std::vector<std::size_t> node(net.pipeline.columns.size(), maxplus::kNone<std::size_t>);
  for (std::size_t c = 0; c < node.size(); ++c) {
    if (!contracted->is_node[c]) continue;
    node[c] = system.columns.size();
    system.columns.push_back(c);
  }
  const std::vector<Integer> moduli = moduli_of(*contracted, node, system.columns.size());
  const SystemSize size = size_of(net, *contracted, moduli);
  if (const double most = std::min<double>(kResidueLeastClasses, limits.max_numbers); size.numbers > most)
    return tpn::TooLarge{tpn::LimitKind::least_residue_classes, size.numbers, static_cast<std::uint64_t>(most)};
  if (size.bytes > most_bytes) return beyond(size.bytes);

  system.incoming.resize(system.columns.size());
  system.outgoing.resize(system.columns.size());
  std::set<std::uint64_t> primes;
  for (const Integer& modulus : moduli) {
    system.least_moduli.push_back(modulus.get_ui());
    for (const std::uint64_t prime : maxplus::prime_factors(modulus.get_ui())) primes.insert(prime);
  }
  system.primes.assign(primes.begin(), primes.end());
  if (!add_precedences(net, *contracted, node, limits.deadline, system)) return OutOfTime{};
  system.immediate = contracted->immediate;
  return system;
}

}  // namespace takt::evaluators
