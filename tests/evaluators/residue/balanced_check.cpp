// Long check: residue against sweep on balanced nets of 10^4 to 10^6 rows, each within a time limit.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <numeric>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "evaluators/proof/certify.hpp"
#include "evaluators/proof/check.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_documents.hpp"

namespace takt {
namespace {

using evaluators::Evaluation;
using evaluators::Method;

// 3 to 6 parts of up to 30 replicas, drawn until the net has 10^4 to 10^6 rows.
std::vector<std::size_t> draw_replication(support::Draw& random) {
  constexpr std::size_t kLeastRows = 10'000;
  constexpr std::size_t kMostRows = 1'000'000;
  for (;;) {
    std::vector<std::size_t> replication(random.count(3, 6));
    std::size_t rows = 1;  // at most 30^6, which fits 64 bits
    for (std::size_t& replicas : replication) {
      replicas = random.count(2, 30);
      rows = std::lcm(rows, replicas);
    }
    if (kLeastRows <= rows && rows <= kMostRows) return replication;
  }
}

struct Tally {
  int exact = 0;
  int intervals = 0;
  double widest = 0;  // of the intervals, relative
  int accepted = 0;   // certificates
  int too_large = 0;  // certificates, or schedules that were not kept
  double seconds = 0;
};

// Why the answer is wrong; empty if it is right.
std::string judge(const tpn::FoldedNet& net, const Evaluation& answer, Tally& tally) {
  const maxplus::Rational period = support::period_of(net);
  if (answer.lower > period || answer.upper < period) {
    return fmt::format("[{}, {}] does not hold the period {}", answer.lower.to_string(), answer.upper.to_string(),
                       period.to_string());
  }
  if (answer.exact()) {
    ++tally.exact;
  } else {
    ++tally.intervals;
    tally.widest = std::max(tally.widest, (answer.upper / answer.lower - 1).to_double().value_or(0));
    if (std::holds_alternative<std::monostate>(answer.limit)) return "an interval without a reason";
  }
  const auto certificate = evaluators::certify(net, answer);
  if (std::holds_alternative<tpn::TooLarge>(certificate)) {
    ++tally.too_large;
    return {};
  }
  const auto verdict = evaluators::check(net, std::get<evaluators::Certificate>(certificate));
  if (const auto* refused = std::get_if<evaluators::Refused>(&verdict))
    return "certificate refused: " + refused->reason;
  std::holds_alternative<evaluators::Proven>(verdict) ? ++tally.accepted : ++tally.too_large;
  return {};
}

int run(int instances, int milliseconds) {
  Tally tally;
  int wrong = 0;
  support::Draw random(1);
  for (int k = 0; k < instances; ++k) {
    const std::vector<std::size_t> replication = draw_replication(random);
    const tpn::Document document = support::balanced_document(replication, static_cast<std::uint64_t>(k));
    const tpn::FoldedNet net = support::net_of(document, tpn::Model::kStrict);
    evaluators::Options options = support::options_of(Method::residue);
    const auto start = std::chrono::steady_clock::now();
    options.deadline = start + std::chrono::milliseconds(milliseconds);
    const Evaluation answer = evaluators::evaluate(net, options);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    tally.seconds = std::max(tally.seconds, seconds);
    const std::string reason = judge(net, answer, tally);
    if (reason.empty()) continue;
    ++wrong;
    fmt::print("seed {}, replication", k);
    for (const std::size_t replicas : replication) fmt::print(" {}", replicas);
    fmt::print(": {}\n", reason);
  }
  fmt::print(
      "residue on {} balanced nets, {} ms each (at most {:.2f} s): {} exact, {} intervals (at most {:.2f} % wide), {} "
      "wrong; {} certificates accepted, {} too large\n",
      instances, milliseconds, tally.seconds, tally.exact, tally.intervals, 100 * tally.widest, wrong, tally.accepted,
      tally.too_large);
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace takt

// balanced_check [INSTANCES [MILLISECONDS]]
int main(int argc, char** argv) {
  try {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    const int instances = arguments.empty() ? 200 : std::stoi(arguments[0]);
    return takt::run(instances, arguments.size() < 2 ? 2000 : std::stoi(arguments[1]));
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return EXIT_FAILURE;
  }
}
