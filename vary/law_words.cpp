// Laws in words, for those who draw nothing.
#include <fmt/format.h>

#include "vary/law.hpp"

namespace takt::vary {

std::string words_of(const Law& law) {
  const double parameter = law.parameter.to_double().value_or(0);
  switch (law.kind) {
    case LawKind::constant:
      return "constant";
    case LawKind::exponential:
      return "exponential";
    case LawKind::uniform:
      return fmt::format("uniform, up to {:.4g} % off the mean", 100 * parameter);
    case LawKind::erlang:
      return fmt::format("Erlang, {:.0f} phase{}", parameter, parameter == 1 ? "" : "s");
    case LawKind::gamma:
      return fmt::format("gamma, coefficient of variation {:.4g}", parameter);
    case LawKind::lognormal:
      return fmt::format("lognormal, coefficient of variation {:.4g}", parameter);
    case LawKind::normal:
      return fmt::format("normal, positive values only, coefficient of variation {:.4g}", parameter);
    case LawKind::pareto:
      return fmt::format("Pareto, exponent {:.4g}", parameter);
    case LawKind::samples:
      return fmt::format("{} sample{}", law.samples.size(), law.samples.size() == 1 ? "" : "s");
  }
  return {};
}

}  // namespace takt::vary
