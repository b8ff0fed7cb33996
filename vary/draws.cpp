// Philox from Random123.
#include "vary/draws.hpp"

#include <Random123/philox.h>

namespace takt::vary {

void draw_block(std::uint64_t seed, DrawStream stream, std::uint64_t first_copy, std::uint64_t block,
                std::span<std::uint64_t> bits) {
  const std::size_t copies = bits.size() / kDrawsAtOnce;
  const r123::Philox4x64::key_type key = {{seed, stream.number}};
  r123::Philox4x64 generator;
  for (std::size_t copy = 0; copy < copies; ++copy) {
    const r123::Philox4x64::ctr_type counter = {{block, first_copy + copy, 0, 0}};
    const r123::Philox4x64::ctr_type numbers = generator(counter, key);
    for (std::size_t i = 0; i < kDrawsAtOnce; ++i) bits[i * copies + copy] = numbers[i];
  }
}

}  // namespace takt::vary
