// Random numbers of a play: each a function of seed, copy, stream and data set, in whatever order they are drawn.
//
// Method. A block of Philox4x64-10 has the numbers of four data sets in a row. A stream is that of a stage, of a pair
// of stages whose file is carried, of a data set's factor or of arrivals: a mapping that changes keeps its luck.
//
// References. [salmon2011parallel].
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace takt::vary {

/// What numbers are for.
struct DrawStream {
  std::uint64_t number = 0;

  static DrawStream of_stage(std::size_t stage) { return {kStages | stage}; }
  /// Of the first stage whose file a transfer carries, and the first that needs it; `kOutside` for source and sink.
  static DrawStream of_transfer(std::size_t from, std::size_t to) { return {kTransfers | from << kStageBits | to}; }
  /// Of what a transfer takes whatever it carries, by the same two.
  static DrawStream of_latency(std::size_t from, std::size_t to) { return {kLatencies | from << kStageBits | to}; }
  static DrawStream of_data_sets() { return {kDataSets}; }
  static DrawStream of_arrivals() { return {kArrivals}; }

  static constexpr std::size_t kStageBits = 28;
  static constexpr std::size_t kOutside = (std::size_t{1} << kStageBits) - 1;

 private:
  static constexpr std::uint64_t kStages = std::uint64_t{1} << 60;
  static constexpr std::uint64_t kTransfers = std::uint64_t{2} << 60;
  static constexpr std::uint64_t kDataSets = std::uint64_t{3} << 60;
  static constexpr std::uint64_t kLatencies = std::uint64_t{5} << 60;
  static constexpr std::uint64_t kArrivals = std::uint64_t{4} << 60;
};

inline constexpr std::size_t kDrawsAtOnce = 4;

/// 64 random bits for the data sets 4 block to 4 block + 3 of as many copies as a quarter of `bits` has room for: those
/// of data set 4 block + i in the i-th quarter, by copy.
void draw_block(std::uint64_t seed, DrawStream stream, std::uint64_t first_copy, std::uint64_t block,
                std::span<std::uint64_t> bits);

}  // namespace takt::vary
