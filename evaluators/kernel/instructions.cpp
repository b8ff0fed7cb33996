// Asks the processor once.
#include "evaluators/kernel/instructions.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "maxplus/contract.hpp"

namespace takt::evaluators {

std::string_view name_of(Instructions instructions) {
  switch (instructions) {
    case Instructions::portable:
      return "portable";
    case Instructions::avx2:
      return "AVX2";
    case Instructions::avx512:
      return "AVX-512";
  }
  maxplus::expects(false, "every set of instructions has a name");
  return {};
}

std::span<const Instructions> available_instructions() {
  static constexpr std::array kAll = {Instructions::portable, Instructions::avx2, Instructions::avx512};
#if defined(__x86_64__)
  static const std::size_t kCount = [] {
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2")) return std::size_t{1};
    const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    return wide ? std::size_t{3} : std::size_t{2};
  }();
  return std::span(kAll).first(kCount);
#else
  return std::span(kAll).first(1);
#endif
}

bool supports(Instructions instructions) {
  const std::span<const Instructions> available = available_instructions();
  return std::ranges::find(available, instructions) != available.end();
}

Instructions best_instructions() { return available_instructions().back(); }

}  // namespace takt::evaluators
