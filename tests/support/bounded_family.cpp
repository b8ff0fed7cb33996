// One part for each constraint, and pads that bring a walk that comes down to each of them at the residue it set out
// with.
#include "tests/support/bounded_family.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/support/timed_parts.hpp"

namespace takt::support {

namespace {

// The middle parts, each as its residues, a pad's all allowed: twice the processors behind a constraint's part are a
// multiple of its own.
std::vector<std::vector<bool>> padded(const ResidueSystem& system) {
  std::vector<std::vector<bool>> parts;  // the last one first
  std::uint64_t behind = 0;
  for (auto allowed = system.rbegin(); allowed != system.rend(); ++allowed) {
    const std::uint64_t modulus = allowed->size();
    if (!parts.empty()) {
      std::uint64_t pad = 1;
      while (2 * (behind + pad) % modulus != 0) ++pad;
      parts.emplace_back(pad, true);
      behind += pad;
    }
    parts.push_back(*allowed);
    behind += modulus;
  }
  std::reverse(parts.begin(), parts.end());
  return parts;
}

}  // namespace

CountingInstance bounded_instance(const ResidueSystem& system) {
  const std::vector<std::vector<bool>> parts = padded(system);
  const std::uint64_t reward = 2 * parts.size() + 1;
  const std::uint64_t penalty = reward + 1;
  const std::uint64_t candidate = penalty + 3;
  const std::uint64_t receivers = prime_from((reward + 1) * largest_modulus(parts) + 1);
  return {document_of({parts, candidate, 2, penalty, reward, receivers}), candidate,
          maxplus::integer_of(receivers) * maxplus::integer_of(common_multiple(system))};
}

}  // namespace takt::support
