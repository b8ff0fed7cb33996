// Durations of a column over the common denominator, scaled to ticks and rounded half up.
#include "live/engine/route.hpp"

#include <algorithm>

#include "maxplus/contract.hpp"

namespace takt::live {

namespace {

// The nearest whole number; nothing beyond the most.
std::optional<Ticks> whole_ticks(const Rational& ticks) {
  const maxplus::Integer nearest = ticks.nearest();
  if (nearest > kMostTicks) return std::nullopt;
  return Ticks{nearest.get_si()};
}

}  // namespace

Rational exact_ticks(const tpn::Pipeline& pipeline) { return Rational(pipeline.scale); }

std::variant<tpn::Pipeline, tpn::TooLarge> run_pipeline(const tpn::ProblemView& problem, const tpn::Mapping& mapping) {
  const tpn::Document& document = problem.document();
  if (document.transfers.empty() && document.order.empty()) return tpn::make_pipeline(problem, mapping);
  tpn::Document mapped = document;
  mapped.mapping = mapping;
  return tpn::make_pipeline(mapped);
}

std::optional<Route> Route::make(const tpn::Pipeline& pipeline, const Rational& ticks_per_unit, const StageFlow& flow,
                                 std::span<const std::uint64_t> rooms, const tpn::Timing* timing) {
  maxplus::expects(pipeline.is_chain() || !flow.is_chain(), "the flow is that of the pipeline's application");
  maxplus::expects(timing != nullptr || !pipeline.has_batches(), "batches need the times of their data sets");
  Route route;
  route.parts_ = pipeline.parts;
  for (const tpn::Column& column : pipeline.columns) {
    RouteColumn made{column.kind,
                     column.part.value(),
                     column.receiver.value(),
                     column.sender_offset,
                     column.receiver_offset,
                     column.files,
                     column.shift,
                     rooms.empty() ? 0 : rooms[route.columns_.size()],
                     {}};
    route.largest_shift_ = std::max(route.largest_shift_, column.shift);
    made.ticks.reserve(column.table.size());
    for (std::size_t i = 0; i < column.table.size(); ++i) {
      const auto ticks = whole_ticks(Rational::fraction(column.table[i], pipeline.scale) * ticks_per_unit);
      if (!ticks) return std::nullopt;
      made.ticks.push_back(*ticks);
    }
    route.columns_.push_back(std::move(made));
  }
  route.set_ends(flow);
  route.batch_ticks_.resize(route.parts_.size());
  if (pipeline.has_batches() && !route.set_batches(ticks_per_unit, *timing)) return std::nullopt;
  return route;
}

// False if a duration is too long.
bool Route::set_batches(const Rational& ticks_per_unit, const tpn::Timing& timing) {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const tpn::NetPart& part = parts_[i];
    if (part.to_batch_end.empty()) continue;
    largest_shift_ = std::max(largest_shift_, columns_[part.computation].shift + part.largest_batch() - 1);
    batch_ticks_[i].resize(part.sequence.size());
    for (std::size_t entry = 0; entry < part.sequence.size(); ++entry) {
      for (std::uint64_t count = 1; count <= part.computed_at(entry); ++count) {
        const auto ticks = whole_ticks(
            timing.computation(part.first_stage, part.last_stage, part.sequence[entry], count) * ticks_per_unit);
        if (!ticks) return false;
        batch_ticks_[i][entry].push_back(*ticks);
      }
    }
  }
  return true;
}

void Route::set_ends(const StageFlow& flow) {
  has_file_lists_ = !flow.is_chain();
  takes_input_.assign(parts_.size(), false);
  delivers_.assign(parts_.size(), false);
  exits_.resize(parts_.size());
  if (!has_file_lists_) {
    takes_input_.front() = true;
    delivers_.back() = true;
    return;
  }
  const bool has_source = parts_.front().role == tpn::PartRole::source;
  const bool has_sink = parts_.back().role == tpn::PartRole::sink;
  if (has_source) takes_input_.front() = true;
  if (has_sink) delivers_.back() = true;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (parts_[i].role != tpn::PartRole::mapped) continue;
    for (std::size_t stage = parts_[i].first_stage; stage <= parts_[i].last_stage; ++stage) {
      if (!has_source && flow.takes_input(stage)) takes_input_[i] = true;
      if (!has_sink && flow.is_exit(stage)) exits_[i].push_back(stage);
    }
    if (!exits_[i].empty()) delivers_[i] = true;
  }
}

bool Route::begins_at(std::size_t processor) const {
  for (std::size_t i = 0; i < parts_.size(); ++i)
    if (takes_input_[i] && takes_part(parts_[i], processor)) return true;
  return false;
}

RunEnds run_ends(const Route& route) {
  RunEnds ends;
  ends.deliverers = 0;
  for (std::size_t i = 0; i < route.parts(); ++i) {
    if (route.delivers(i)) ++ends.deliverers;
    if (!route.takes_input(i)) continue;
    const tpn::NetPart& part = route.part(i);
    if (part.role == tpn::PartRole::source) {
      ends.sources = part.sequence;
    } else {
      ends.entry_parts.push_back(part.mapping_part);
    }
  }
  return ends;
}

}  // namespace takt::live
