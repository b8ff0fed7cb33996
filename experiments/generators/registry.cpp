// The table of generators: one row each.
#include <algorithm>

#include "experiments/draws/generator.hpp"

namespace takt::experiments {

// In the order in which they are listed. ROW(name) stands for the function `Generator name()` in a file of its own.
// clang-format off
#define TAKT_GENERATORS(ROW) \
  ROW(replicated_mapping) \
  ROW(skeleton_pair)      \
  ROW(hedpm_sample)       \
  ROW(ferret_like)        \
  ROW(planted_pdm)        \
  ROW(loaded_cluster)     \
  ROW(workflow)           \
  ROW(stream_program)
// clang-format on

#define TAKT_DECLARE(name) Generator name();
TAKT_GENERATORS(TAKT_DECLARE)
#undef TAKT_DECLARE

const std::vector<Generator>& generators() {
#define TAKT_CALL(name) name(),
  static const std::vector<Generator> kGenerators = {TAKT_GENERATORS(TAKT_CALL)};
#undef TAKT_CALL
  return kGenerators;
}

const Generator* find_generator(std::string_view name) {
  const auto found = std::ranges::find(generators(), name, &Generator::name);
  return found == generators().end() ? nullptr : &*found;
}

}  // namespace takt::experiments
