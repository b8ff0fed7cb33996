// The long branch has one part for each constraint; the other one leads from the fork to the join at once.
#include "tests/support/fork_join_family.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/support/timed_parts.hpp"

namespace takt::support {

ResidueSystem multiples_of_three(const ResidueSystem& system) {
  ResidueSystem all = {{true, false, false}};
  all.insert(all.end(), system.begin(), system.end());
  return all;
}

CountingInstance fork_join_instance(const ResidueSystem& system) {
  const ResidueSystem branch = multiples_of_three(system);
  const std::uint64_t candidate = 2 * branch.size() - 1;
  CountingInstance instance;
  instance.candidate = candidate;
  tpn::Document& document = instance.document;
  add_timed_part(document, {0});
  for (const std::vector<bool>& allowed : branch) {
    std::vector<std::uint64_t> times;
    times.reserve(allowed.size());
    for (const bool is_allowed : allowed) times.push_back(is_allowed ? 2 : 1);
    add_timed_part(document, times);
  }
  add_timed_part(document, {0});
  instance.data_sets = maxplus::integer_of(common_multiple(branch));
  for (tpn::Stage& stage : document.application.stages) stage.output = 0;
  const tpn::Mapping& mapping = *document.mapping;
  const std::size_t join = mapping.back().processors.front();
  document.application.stages.back().after = {0, mapping.size() - 2};
  add_link(document, mapping.front().processors.front(), join, 1);
  for (const std::size_t sender : mapping[mapping.size() - 2].processors) {
    add_link(document, sender, join, candidate - 1);
  }
  return instance;
}

}  // namespace takt::support
