// planted-pdm: a pipeline of which a few stages can be divided, and of which the least period is known.
//
// What is drawn. Works and speeds, uniform (the paper has neither; ours, 1..100 and 1..20, give periods like its own),
// and which stages are replicable; links are free. The paper compares searches over the orders of processors with the
// optimum, which beyond 8 processors nobody can enumerate: it changed "a few stages from stateful to stateless, so that
// a perfectly divided mapping, which is guaranteed to be optimal, was known a priori to exist for some resource chain".
//
// Planting. Every processor shall have work in proportion to its speed: in the order drawn, the chain of works is cut
// at the total work's share of the first speed, of the first two, and so on; the stages that are cut within are made
// replicable, all others not; then the processors are shuffled. The least period is the total work over the total
// speed, which no mapping can beat and the planted one attains. The number of cut stages is what chance makes it, for p
// processors at most p - 1: works and speeds are drawn anew until it is `divisible`. Where 1000 attempts have not been
// enough, the attempt with most such stages below that number is taken, and others drawn uniformly are made replicable
// with them (the planted mapping stays); where all attempts have more, the one with the fewest is taken as it is.
// Not planted (the smallest case of the paper, whose optimum can be enumerated): no two neighbors are replicable, each
// such choice equally likely.
//
// The paper's cases: 20 stages, 8 processors, 7 divisible, not planted; 50, 16, 13; 100, 32, 28.
//
// References. [li2013data, section V].
#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "experiments/draws/chain_problem.hpp"
#include "experiments/draws/generator.hpp"

namespace takt::experiments {

namespace {

constexpr int kAttempts = 1000;

struct Attempt {
  std::vector<Rational> works;
  std::vector<Rational> speeds;
  std::vector<std::size_t> divisible;  // increasing
};

// The stages that the processors' shares end within.
std::vector<std::size_t> cut_stages(const std::vector<Rational>& works, const std::vector<Rational>& speeds) {
  const Rational period = std::accumulate(works.begin(), works.end(), Rational()) /
                          std::accumulate(speeds.begin(), speeds.end(), Rational());
  std::vector<std::size_t> cut;
  std::size_t stage = 0;
  Rational end = works.front();  // of that stage
  Rational share;
  for (std::size_t u = 0; u + 1 < speeds.size(); ++u) {
    share += period * speeds[u];
    while (end < share) end += works[++stage];
    if (share < end && (cut.empty() || cut.back() != stage)) cut.push_back(stage);
  }
  return cut;
}

// Fewer divisible stages than asked for are better than more; of either, what is nearest.
bool is_better(const Attempt& attempt, const Attempt& than, std::size_t asked) {
  const std::size_t now = attempt.divisible.size();
  const std::size_t before = than.divisible.size();
  return now <= asked ? before > asked || now > before : now < before;
}

// Up to `count` of them, each further one equally likely.
void add_divisible(std::vector<std::size_t>& divisible, std::size_t stages, std::size_t count, Stream& stream) {
  std::vector<std::size_t> others;
  for (std::size_t k = 0; k < stages; ++k) {
    if (!std::ranges::binary_search(divisible, k)) others.push_back(k);
  }
  shuffle(std::span(others), stream);
  while (divisible.size() < count) {
    divisible.push_back(others.back());
    others.pop_back();
  }
  std::ranges::sort(divisible);
}

Attempt plant(const Arguments& arguments, Stream& works, Stream& speeds, Stream& choice) {
  const std::size_t asked = arguments.count("divisible");
  const std::size_t stages = arguments.count("stages");
  std::optional<Attempt> best;
  for (int i = 0; i < kAttempts && !(best && best->divisible.size() == asked); ++i) {
    Attempt attempt{draw_all(arguments.range("works"), stages, works),
                    draw_all(arguments.range("speeds"), arguments.count("processors"), speeds),
                    {}};
    attempt.divisible = cut_stages(attempt.works, attempt.speeds);
    if (!best || is_better(attempt, *best, asked)) best = std::move(attempt);
  }
  add_divisible(best->divisible, stages, asked, choice);
  shuffle(std::span(best->speeds), choice);
  return *best;
}

// Positions among the stages that are left when one is taken out behind each chosen one but the last, spread again.
std::vector<std::size_t> apart(std::size_t stages, std::size_t count, Stream& stream) {
  std::vector<std::size_t> chosen;
  add_divisible(chosen, stages - (count - 1), count, stream);
  for (std::size_t i = 0; i < count; ++i) chosen[i] += i;
  return chosen;
}

tpn::Document draw_planted_pdm(const Arguments& arguments, const DrawKey& key) {
  Stream works(key, Purpose::works);
  Stream speeds(key, Purpose::speeds);
  Stream choice(key, Purpose::choice);
  const std::size_t stages = arguments.count("stages");
  const Attempt drawn = arguments.choice("planted") == "yes"
                            ? plant(arguments, works, speeds, choice)
                            : Attempt{draw_all(arguments.range("works"), stages, works),
                                      draw_all(arguments.range("speeds"), arguments.count("processors"), speeds),
                                      apart(stages, arguments.count("divisible"), choice)};
  tpn::Document problem = chain_problem(drawn.works, drawn.speeds);
  for (std::size_t k = 0; k < stages; ++k) {
    problem.application.stages[k].replicable = std::ranges::binary_search(drawn.divisible, k);
  }
  problem.platform.defaults.time = 0;
  return problem;
}

std::optional<std::string> objection_of_planted_pdm(const Arguments& arguments) {
  const std::uint64_t stages = arguments.count("stages");
  const std::uint64_t divisible = arguments.count("divisible");
  if (divisible > stages) return "no more stages than there are can be divisible: \"divisible\" is above \"stages\"";
  if (arguments.choice("planted") == "no" && 2 * divisible > stages + 1) {
    return "no two neighbors are divisible where no mapping is planted: \"divisible\" is above half of \"stages\"";
  }
  return std::nullopt;
}

}  // namespace

Generator planted_pdm() {
  return {.name = "planted-pdm",
          .summary = "a pipeline with divisible stages whose least period is total work over total speed",
          .source = "li2013data, section V",
          .kind = DrawnKind::problem,
          .parameters = {{.name = "stages", .help = "number of stages", .standard = "50", .most = 1000},
                         {.name = "processors", .help = "number of processors", .standard = "16", .most = 1000},
                         {.name = "divisible", .help = "number of replicable stages", .standard = "13", .most = 1000},
                         {.name = "works",
                          .help = "range of works",
                          .kind = ParameterKind::range,
                          .standard = "1..100",
                          .least = 0,
                          .most = 1'000'000'000,
                          .is_above_least = true},
                         {.name = "speeds",
                          .help = "range of speeds",
                          .kind = ParameterKind::range,
                          .standard = "1..20",
                          .least = 0,
                          .most = 1'000'000'000,
                          .is_above_least = true},
                         {.name = "planted",
                          .help = "is the least period known? If not, no two neighboring stages are divisible",
                          .kind = ParameterKind::choice,
                          .standard = "yes",
                          .choices = {"yes", "no"}}},
          .objection = objection_of_planted_pdm,
          .draw = draw_planted_pdm};
}

}  // namespace takt::experiments
