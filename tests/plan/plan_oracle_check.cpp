// Long check: what is claimed of plans, on many small random problems under each model.
#include <fmt/core.h>

#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "tests/plan/answer_oracles.hpp"
#include "tests/plan/oracles.hpp"
#include "tests/support/evaluations.hpp"
#include "tpn/models.hpp"

// plan_oracle_check [FIRST SEEDS [WORD]]: seeds FIRST to FIRST + SEEDS - 1 of each claim that holds the word.
int main(int argc, char** argv) try {
  const std::uint64_t first = argc > 1 ? std::stoull(argv[1]) : 1;
  const std::uint64_t seeds = argc > 2 ? std::stoull(argv[2]) : 300;
  const std::string_view word = argc > 3 ? argv[3] : "";
  bool holds = true;
  std::vector<takt::plan::Oracle> all(takt::plan::oracles().begin(), takt::plan::oracles().end());
  all.insert(all.end(), takt::plan::answer_oracles().begin(), takt::plan::answer_oracles().end());
  for (const takt::plan::Oracle& oracle : all) {
    if (oracle.claim.find(word) == std::string_view::npos) continue;
    for (const takt::tpn::Model& model : takt::support::all_models()) {
      std::uint64_t telling = 0;
      std::uint64_t judged = 0;
      for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
        const takt::plan::OracleCase tried = oracle.try_case(model, seed);
        telling += tried.is_telling ? 1 : 0;
        judged += tried.judged;
        if (tried.trouble.empty()) continue;
        fmt::print("{}, {}, seed {}: {}\n", oracle.claim, takt::tpn::label_of(model), seed, tried.trouble);
        holds = false;
      }
      if (telling * oracle.telling < seeds) holds = false;
      fmt::print("{}, {}: {} cases, {} telling, {} mappings judged\n", oracle.claim, takt::tpn::label_of(model), seeds,
                 telling, judged);
    }
  }
  return holds ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return EXIT_FAILURE;
}
