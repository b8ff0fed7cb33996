// How much may be under way: the room of single buffers, and the window. Both are dependences beyond those of a model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "maxplus/deadline.hpp"
#include "tpn/indices.hpp"
#include "tpn/limits.hpp"

namespace takt::tpn {

struct FoldedNet;
struct Pipeline;

/// Where a processor keeps files: before its computations those that it has received (`in`), behind them those that it
/// has yet to send (`out`).
enum class BufferSide { in, out };

/// "in", "out".
std::string_view name_of(BufferSide side);

/// A processor's place for the files of a part that it serves. It receives its (n + room)-th file no sooner than it has
/// computed with the n-th (`in`), or computes its (n + room)-th no sooner than it has sent the n-th (`out`).
struct Buffer {
  std::size_t processor = 0;  // index into Pipeline::processors
  PartIndex part;             // index into Pipeline::parts; neither source nor sink
  BufferSide side = BufferSide::in;
  std::uint64_t room = 1;  // files; a file takes its place from the start of what brings it to the end of what uses it
  ColumnIndex transfer{};  // whose files: a part that takes those of several others has a buffer for each

  bool is_place_of(const Buffer& other) const {
    return processor == other.processor && part == other.part && side == other.side && transfer == other.transfer;
  }
};

/// Limits to what is under way, beyond those of a model.
struct Capacity {
  std::vector<Buffer> buffers;  // what is not among them has no limit
  /// The most data sets between their first and their last operation, delivered in order: data set j starts
  /// no sooner than all up to j - window have ended. 0: no limit.
  std::uint64_t window = 0;

  bool is_unlimited() const { return buffers.empty() && window == 0; }
};

/// The most data sets of a window: each is a token of the net.
inline constexpr std::uint64_t kMostWindow = 100'000;

/// Every buffer that a file ever waits in, its room 1: by part, then by processor as the part's sequence names them, in
/// before out, then by column. Source, sink and transfers within a processor have none. Cost: the pairs of entries of
/// neighboring parts that meet, at most; mostly the entries.
std::vector<Buffer> buffers_of(const Pipeline& pipeline);

/// Those before computations that have room for so many files of a transfer, by column; 0: no limit, so none of them.
std::vector<Buffer> buffers_with(const Pipeline& pipeline, std::span<const std::uint64_t> rooms);

/// The part at the other end of a buffer's transfer, by its number in the mapping, "source" or "sink", where the
/// buffer's part has several transfers on that side; else nothing.
std::optional<std::string> other_part_of(const Buffer& buffer, const Pipeline& pipeline);

/// The net with that capacity beside its own, room at least 1 each, no buffer and no window twice. Further dependences
/// come with it, of kinds `room` and `window`. Throws InvalidInstance if either is too small for what is ahead.
/// Cost: linear in the dependences; TooLarge beyond kDefaultCircuitSteps of the buffers.
std::variant<FoldedNet, TooLarge> with_capacity(FoldedNet net, Capacity capacity,
                                                const maxplus::Deadline& deadline = {});

/// "", ", WINDOW OF 3 DATA SETS", ", ROOM LIMITED IN 2 PLACES": what stands behind the title of a model.
std::string capacity_title(std::size_t buffers, std::uint64_t window);

}  // namespace takt::tpn
