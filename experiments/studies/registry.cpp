// The table of studies: one row each.
#include <algorithm>
#include <vector>

#include "experiments/draws/study.hpp"

namespace takt::experiments {

// ROW(name) stands for the function `StudyKind name()` in a file of its own.
// clang-format off
#define TAKT_STUDIES(ROW) \
  ROW(evaluate_study) \
  ROW(orders_study) \
  ROW(heuristics_study) \
  ROW(searches_study) \
  ROW(adaptive_study)
// clang-format on

#define TAKT_DECLARE(name) StudyKind name();
TAKT_STUDIES(TAKT_DECLARE)
#undef TAKT_DECLARE

std::span<const StudyKind> study_kinds() {
#define TAKT_CALL(name) name(),
  static const std::vector<StudyKind> kKinds = {TAKT_STUDIES(TAKT_CALL)};
#undef TAKT_CALL
  return kKinds;
}

const StudyKind* find_study_kind(std::string_view name) {
  const auto kinds = study_kinds();
  const auto found = std::ranges::find(kinds, name, &StudyKind::name);
  return found == kinds.end() ? nullptr : &*found;
}

}  // namespace takt::experiments
