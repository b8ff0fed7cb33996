// Circuits of precedences to circuits of columns, starts of nodes to starts of columns.
#include "evaluators/residue/findings.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace takt::evaluators {

namespace {

// Bytes of start times that are kept whatever the memory.
constexpr std::uint64_t kKeptBytes = 32 << 20;

// Of a start as an integer of any size.
template <typename Number>
double bytes_of_start(const Classes<Number>& classes) {
  constexpr double kIntegerWithLimb = sizeof(Integer) + 4 * sizeof(std::size_t);
  return std::max(kIntegerWithLimb, classes.bytes_per_start());
}

}  // namespace

Findings::Findings(const tpn::FoldedNet& net, const ResidueSystem& system, Evaluation bounds)
    : net_(net), system_(system), evaluation_(std::move(bounds)) {
  lower_ = evaluation_.lower * Rational(net.pipeline.scale);
}

bool Findings::improve(const std::vector<ClassStep>& circuit, const Deadline& deadline) {
  const auto real = real_circuit(system_, circuit, deadline);
  if (!real || real->ratio <= lower_) return false;
  lower_ = real->ratio;
  CriticalCircuit& found = evaluation_.circuit;
  found = {};
  found.data_set = real->data_set;
  found.laps = real->laps;
  for (const ClassStep& step : circuit) {
    const auto& steps = system_.precedences[step.precedence].steps;
    found.steps.insert(found.steps.end(), steps.begin(), steps.end());
  }
  return true;
}

template <typename Number>
void Findings::prove(const Classes<Number>& classes, const Rational& candidate, std::uint64_t max_memory) {
  const Rational upper = candidate / Rational(net_.pipeline.scale);
  if (upper > evaluation_.upper) return;
  evaluation_.upper = upper;
  evaluation_.lower = lower_ / Rational(net_.pipeline.scale);
  const double total = classes_of_columns(classes);
  // Beside the classes: the starts as integers, then as a table.
  const double bytes = total * (bytes_of_start(classes) + classes.bytes_per_start());
  if (total > kCertificateNumbers || bytes > static_cast<double>(std::max(max_memory, kKeptBytes))) {
    evaluation_.witness = LargeSchedule{Integer(total)};
  } else {
    evaluation_.witness = schedule(classes, candidate);
  }
}

Evaluation Findings::answer() const {
  Evaluation answer = evaluation_;
  answer.lower = lower_ / Rational(net_.pipeline.scale);
  if (answer.exact()) answer.limit = {};
  return answer;
}

std::size_t Findings::node_of(std::size_t column) const {
  return static_cast<std::size_t>(std::ranges::lower_bound(system_.columns, column) - system_.columns.begin());
}

// Those of immediate columns too.
template <typename Number>
double Findings::classes_of_columns(const Classes<Number>& classes) const {
  double total = 0;
  for (const std::uint64_t modulus : classes.moduli()) total += static_cast<double>(modulus);
  for (const ImmediateColumn& immediate : system_.immediate) {
    total += static_cast<double>(classes.modulus(node_of(immediate.after)));
  }
  return total;
}

template <typename Number>
ClassSchedule Findings::schedule(const Classes<Number>& classes, const Rational& candidate) const {
  ClassSchedule result;
  result.unit = classes.factor() * net_.pipeline.scale;
  std::vector<std::vector<Integer>> starts(net_.pipeline.columns.size());
  for (std::size_t v = 0; v < system_.columns.size(); ++v) {
    for (const Number& start : classes.starts(v)) starts[system_.columns[v]].push_back(widen<Number>(start));
  }
  for (const ImmediateColumn& immediate : system_.immediate) {
    const std::vector<Integer>& before = starts[immediate.after];
    const Integer allowances = candidate.numerator() * immediate.height;
    for (std::uint64_t p = 0; p < before.size(); ++p) {
      const std::uint64_t source = (p + before.size() - immediate.height % before.size()) % before.size();
      starts[immediate.column].push_back(
          before[source] + net_.pipeline.columns[immediate.after].duration(source) * classes.factor() - allowances);
    }
  }
  for (std::vector<Integer>& column : starts) result.starts.emplace_back(std::move(column));
  return result;
}

template void Findings::prove(const Classes<std::int64_t>&, const Rational&, std::uint64_t);
template void Findings::prove(const Classes<Int128>&, const Rational&, std::uint64_t);
template void Findings::prove(const Classes<Integer>&, const Rational&, std::uint64_t);

}  // namespace takt::evaluators
