// One row for each rule.
#include "live/adaptation/adaptation.hpp"

#include <utility>

#include "live/adaptation/paper_adaptation.hpp"
#include "live/adaptation/safe_adaptation.hpp"

namespace takt::live {

std::unique_ptr<Adaptation> make_adaptation(const tpn::Document& problem, const Rational& ticks_per_unit,
                                            AdaptationTerms terms, RunLog& log) {
  switch (terms.rule) {
    case AdaptationRule::paper:
      return std::make_unique<PaperAdaptation>(problem, ticks_per_unit, std::move(terms), log);
    case AdaptationRule::safe:
      break;
  }
  return std::make_unique<SafeAdaptation>(problem, ticks_per_unit, std::move(terms), log);
}

}  // namespace takt::live
