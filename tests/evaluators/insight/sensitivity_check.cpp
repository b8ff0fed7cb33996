// Rows, groups and smallest sets of random documents, each claim evaluated anew.
// Usage: sensitivity_check [SEED [DOCUMENTS]]   documents of every kind, with types, alike, and with hosts
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>

#include "tests/evaluators/insight/judge_sensitivity.hpp"
#include "tests/support/host_documents.hpp"
#include "tests/support/random_documents.hpp"
#include "tests/support/typed_documents.hpp"
#include "tpn/models.hpp"
#include "tpn/writer.hpp"

namespace {

takt::tpn::Document drawn(std::uint64_t number, std::uint64_t seed) {
  using namespace takt::support;
  if (number % 4 == 3) return host_document(seed);
  if (number % 3 == 0) return alike_document(seed, number % 2 == 0);
  const auto kinds = std::size(kKinds);
  const takt::tpn::Document document = random_document(kKinds[number / 3 % kinds], seed);
  return number % 3 == 1 ? document : with_random_types(document, seed);
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t first = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
  const std::uint64_t documents = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 500;
  takt::support::SensitivityTally tally;
  for (std::uint64_t number = 0; number < documents; ++number) {
    const takt::tpn::Document document = drawn(number, first + number);
    for (const takt::tpn::Model& model : {takt::tpn::Model::kOverlap, takt::tpn::Model::kStrict}) {
      const auto failure = takt::support::judge_sensitivity(document, model, tally);
      if (!failure) continue;
      fmt::print("{}{}, number {}, seed {}: {}\n", takt::tpn::write_document(document), takt::tpn::label_of(model),
                 number, first + number, *failure);
      return 1;
    }
  }
  fmt::print("{} nets, {} rows ({} groups, {} that bend), {} sets of two or more, {} smaller ones tried\n",
             tally.documents, tally.rows, tally.groups, tally.bends, tally.together, tally.trials);
}
