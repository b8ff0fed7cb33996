// Whether everything that takt says of one net agrees: all methods, plays, certificates, evaluators of mappings.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "evaluators/evaluation.hpp"
#include "tests/evaluators/fuzz/fuzz_net.hpp"

namespace takt::support {

/// Two answers that differ, or one that is refused: which comparison found it, and what it found.
struct FuzzFailure {
  std::string comparison;
  std::string found;
};

/// Comparisons made, by name.
using FuzzTally = std::map<std::string, std::uint64_t>;

/// One more way to find an exact period, held to the others.
struct FuzzWay {
  std::string name;
  std::function<evaluators::Evaluation(const tpn::FoldedNet&)> evaluate;
};

/// The first comparison that fails; nothing if all hold, or where the net is too large. What a method throws is a
/// failure. Compared are: every method with every solver, exact and proved; `simulate`, methods under limits and bounds
/// before any search, whose intervals hold the period and are proved; evaluators of mappings and of tables, also with
/// cutoffs; plays of the net with plays by the rules; Boost's Bellman-Ford on the unfolded net; the same net stretched,
/// with a sequence said twice, with types written out, and written and read; with single numbers changed in the
/// document and in its text.
std::optional<FuzzFailure> judge_fuzz_net(const FuzzNet& net, FuzzTally& tally, std::span<const FuzzWay> others = {});

}  // namespace takt::support
