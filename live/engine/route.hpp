// A mapping as it is carried out: which processor does which operation, and for how many ticks of a clock.
//
// A clock counts whole ticks. A clock of its own, that nobody waits for, has ticks that are as fine as the durations,
// which are exact then; a real one has nanoseconds, and durations are rounded to the nearest.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "live/engine/stage_files.hpp"
#include "tpn/capabilities.hpp"
#include "tpn/folded_net.hpp"
#include "tpn/problem_view.hpp"
#include "tpn/timing.hpp"

namespace takt::live {

using maxplus::Rational;

/// A moment, or a length of time, in ticks of a run's clock.
using Ticks = std::int64_t;

/// The most that is counted.
inline constexpr Ticks kMostTicks = Ticks{1} << 53;

/// The duration of the operation of a column on a data set.
using DurationSource = std::function<Ticks(std::size_t column, std::uint64_t data_set)>;

/// What live runs and rehearsals take.
inline constexpr tpn::Capabilities kRunsTake{.workflows = true,
                                             .shared_resources = true,
                                             .ahead = true,
                                             .several_ends = true,
                                             .batches = true,
                                             .segments = true,
                                             .quotas = true,
                                             .partitions = true};
/// Those in which turns change: that adapt, or give data sets to free processors. Turns at shared ports, and those of
/// several sources, follow from the mapping that a run begins with.
inline constexpr tpn::Capabilities kChangingRunsTake{};

/// Throws tpn::InvalidInstance for what runs do not take.
inline void require_run(const tpn::Document& document) { tpn::require_taken(kRunsTake, document); }

/// Most columns of a pipeline that runs: each has its own tags of messages (live/engine/messages.hpp), which are few.
inline constexpr std::size_t kMostColumns = 16'000;

/// The operations of a pipeline as a run carries them out: processors and durations in ticks.
class Route {
 public:
  /// The flow is that of the pipeline's application: a chain's, unless it is another. `rooms` as of
  /// tpn::rooms_of_transfers, none if all have room without limit; `timing` is that of the document, which batches
  /// need. Nothing if a duration is beyond 2^53 ticks: there are `ticks_per_unit` > 0 of them in a time unit.
  static std::optional<Route> make(const tpn::Pipeline& pipeline, const Rational& ticks_per_unit,
                                   const StageFlow& flow = {}, std::span<const std::uint64_t> rooms = {},
                                   const tpn::Timing* timing = nullptr);

  std::size_t parts() const { return parts_.size(); }
  std::size_t columns() const { return columns_.size(); }
  const tpn::NetPart& part(std::size_t index) const { return parts_[index]; }
  std::size_t processor_at(std::size_t part, std::uint64_t data_set) const {
    return parts_[part].processor_at(data_set);
  }
  bool computes(std::size_t column) const { return columns_[column].kind == tpn::ColumnKind::compute; }
  /// The part that computes or sends in a column; the one that receives, or computes.
  std::size_t sender(std::size_t column) const { return columns_[column].sender; }
  std::size_t receiver(std::size_t column) const { return columns_[column].receiver; }

  /// Whether messages are lists of files: those of a workflow.
  bool has_file_lists() const { return has_file_lists_; }
  /// Of a transfer of a workflow: the stages whose files it takes; none of the application's input.
  const std::vector<std::size_t>& files(std::size_t column) const { return columns_[column].files; }
  /// Whether a part gets the application's input when a data set may begin.
  bool takes_input(std::size_t part) const { return takes_input_[part]; }
  /// What a computation waits for: messages, and the application's input.
  std::size_t inputs(std::size_t part) const { return parts_[part].receptions.size() + (takes_input_[part] ? 1 : 0); }
  /// Whether results come from a part; of a workflow those of these stages, all that it has if there are none.
  bool delivers(std::size_t part) const { return delivers_[part]; }
  const std::vector<std::size_t>& exits(std::size_t part) const { return exits_[part]; }

  /// Whether data sets begin at the processor.
  bool begins_at(std::size_t processor) const;
  /// Whether the processor has turns of any part.
  bool serves(std::size_t processor) const {
    return std::ranges::any_of(parts_, [&](const tpn::NetPart& part) { return takes_part(part, processor); });
  }
  Ticks duration(std::size_t column, std::uint64_t data_set) const {
    if (drawn_) return drawn_(column, data_set);
    const RouteColumn& at = columns_[column];
    const std::uint64_t round = data_set + at.shift;
    return at.ticks[at.sender_offset[round % at.sender_offset.size()] +
                    at.receiver_offset[round % at.receiver_offset.size()]];
  }
  /// Durations that are drawn, in place of the instance's; of a route without batches, where processors take turns.
  void draw(DurationSource durations) { drawn_ = std::move(durations); }
  /// A processor does in round r what it does in a column on data set r less the column's shift.
  std::uint64_t shift(std::size_t column) const { return columns_[column].shift; }
  /// That much later than its data set at most: with batches, the round in which the last of them would end.
  std::uint64_t largest_shift() const { return largest_shift_; }
  /// Files of a transfer that each of its receivers has room for, up to the end of the computations that use them; 0:
  /// any number.
  std::uint64_t room(std::size_t column) const { return columns_[column].room; }
  /// What the first `count` data sets of the batch that this one is of are computed in; where it is of none, the data
  /// set's computation.
  Ticks batch_time(std::size_t part, std::uint64_t data_set, std::uint64_t count) const {
    if (batch_ticks_[part].empty()) return duration(parts_[part].computation, data_set);
    return batch_ticks_[part][parts_[part].computed_with(data_set) % parts_[part].sequence.size()].at(count - 1);
  }
  /// What the processor, which has turns of the part, computes it in.
  Ticks computation(std::size_t part, std::size_t processor) const {
    const std::vector<std::size_t>& sequence = parts_[part].sequence;
    const auto turn = std::ranges::find(sequence, processor) - sequence.begin();
    return duration(parts_[part].computation, static_cast<std::uint64_t>(turn));
  }

 private:
  struct RouteColumn {
    tpn::ColumnKind kind = tpn::ColumnKind::compute;
    std::size_t sender = 0;  // parts
    std::size_t receiver = 0;
    std::vector<std::size_t> sender_offset;  // as of tpn::Column
    std::vector<std::size_t> receiver_offset;
    std::vector<std::size_t> files;
    std::uint64_t shift = 0;
    std::uint64_t room = 0;
    std::vector<Ticks> ticks;
  };

  static bool takes_part(const tpn::NetPart& part, std::size_t processor) {
    return std::ranges::find(part.sequence, processor) != part.sequence.end();
  }
  void set_ends(const StageFlow& flow);
  bool set_batches(const Rational& ticks_per_unit, const tpn::Timing& timing);

  std::vector<tpn::NetPart> parts_;
  std::vector<RouteColumn> columns_;
  DurationSource drawn_;  // none: the instance's
  // Of a part with batches, by the entry that ends one: the ticks of its first 1, 2, ... data sets together.
  std::vector<std::vector<std::vector<Ticks>>> batch_ticks_;
  std::uint64_t largest_shift_ = 0;
  bool has_file_lists_ = false;
  std::vector<bool> takes_input_;  // by part
  std::vector<bool> delivers_;
  std::vector<std::vector<std::size_t>> exits_;
};

/// The pipeline of a mapping of the problem, with the order of its transfers and what is ahead, as the problem says:
/// its own mapping, or one of as many parts.
std::variant<tpn::Pipeline, tpn::TooLarge> run_pipeline(const tpn::ProblemView& problem, const tpn::Mapping& mapping);

/// The ticks of a time unit for which every duration is a whole number of ticks.
Rational exact_ticks(const tpn::Pipeline& pipeline);

/// Where data sets begin, and how many parts deliver each.
struct RunEnds {
  std::vector<std::size_t> sources;      // in turn; none if data sets begin at parts of the mapping
  std::vector<std::size_t> entry_parts;  // these: indices into the mapping
  std::size_t deliverers = 1;            // parts whose results together are a data set's
};
RunEnds run_ends(const Route& route);

}  // namespace takt::live
