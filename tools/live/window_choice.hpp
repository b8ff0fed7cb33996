// How many data sets a run has under way by default.
//
// Problem. A window costs memory, and at its end or at a change of the mapping the time to drain it. The least window
// that keeps the period does so where times do not vary: then two more are enough for messages and processes that are
// late. Real stages vary, and then a small window costs much: data sets that are let in one by one behind a slow one
// leave processors idle that could have gone on.
//
// Method. A round is a data set for each processor of the mapping. Real stages, and what varies otherwise, have eight
// rounds under way: with exponential times that loses 4 to 12 % against no window at all, where the least plus two
// loses 20 to 100 % (docs/live.md). The files of a window, by the instance, take no more than a gigabyte, unless the
// least window needs them to.
#pragma once

#include <cstdint>
#include <string>

#include "maxplus/rational.hpp"
#include "tools/answers/result.hpp"
#include "tpn/document.hpp"

namespace takt::tools {

/// Why a window is what it is.
enum class WindowReason {
  asked,   // by the user
  least,   // the least that keeps the period, plus two
  rounds,  // eight for each processor
  memory,  // as many as a gigabyte holds
  all      // all data sets
};

struct WindowChoice {
  std::uint64_t window = 0;
  WindowReason reason = WindowReason::asked;
  std::uint64_t processors = 0;    // of the mapping
  maxplus::Rational file_bytes{};  // the largest of a data set, where the reason is memory
};

/// Rounds of real stages, and the bytes that their files may take.
inline constexpr std::uint64_t kWindowRounds = 8;
inline constexpr std::uint64_t kWindowBytes = 1'000'000'000;

/// For an evaluated instance without a window, of this document; `vary`: times or arrivals do.
WindowChoice choose_window(const EvaluatedInstance& instance, const tpn::Document& document, std::uint64_t data_sets,
                           bool vary);

/// " (8 for each of 4 processors)"; "" where it was asked for.
std::string reason_words(const WindowChoice& choice);

/// "rounds".
const char* name_of(WindowReason reason);

}  // namespace takt::tools
