// The sums of a play's copy, in its order: the same bits.
#include "vary/drawn_copy.hpp"

#include <array>
#include <utility>

#include "maxplus/contract.hpp"
#include "vary/draws.hpp"

namespace takt::vary {

namespace {

std::uint64_t bits_of(std::uint64_t seed, DrawStream stream, std::uint64_t copy, std::uint64_t data_set) {
  std::array<std::uint64_t, kDrawsAtOnce> bits{};
  draw_block(seed, stream, copy, data_set / kDrawsAtOnce, bits);
  return bits[data_set % kDrawsAtOnce];
}

}  // namespace

DrawnDurations::DrawnDurations(const tpn::Pipeline& pipeline, NetTimes times, std::uint64_t seed, std::uint64_t copy)
    : times_(std::move(times)), samplers_(times_.laws.begin(), times_.laws.end()), seed_(seed), copy_(copy) {
  maxplus::expects(!pipeline.has_batches(), "durations of batches are not drawn one by one");
  for (const tpn::Column& column : pipeline.columns)
    shapes_.push_back({column.sender_offset, column.receiver_offset, column.shift});
}

double DrawnDurations::factor(std::size_t law, DrawStream stream, std::uint64_t data_set) const {
  const LawSampler& sampler = samplers_[law];
  return sampler.is_constant() ? 1 : sampler(bits_of(seed_, stream, copy_, data_set));
}

double DrawnDurations::of(std::size_t column, std::uint64_t data_set) const {
  const Shape& shape = shapes_[column];
  const ColumnTimes& times = times_.columns[column];
  const std::uint64_t round = data_set + shape.shift;
  const std::size_t entry = shape.sender_offset[round % shape.sender_offset.size()] +
                            shape.receiver_offset[round % shape.receiver_offset.size()];
  double once = 0;
  double sum = 0;
  for (std::size_t t = times.first_term[entry]; t < times.first_term[entry + 1]; ++t) {
    const TimeTerm& term = times.terms[t];
    const double time = term.mean * factor(term.law, times.streams[term.stream], data_set);
    (times_.data_set_law && !term.grows_with_data_set ? once : sum) += time;
  }
  if (!times_.data_set_law) return sum;
  return sum * factor(*times_.data_set_law, DrawStream::of_data_sets(), data_set) + once;
}

DrawnArrivals::DrawnArrivals(ArrivalKind kind, double gap, std::uint64_t seed, std::uint64_t copy)
    : kind_(kind), gap_(gap), exponential_({.kind = LawKind::exponential}), seed_(seed), copy_(copy) {}

double DrawnArrivals::of(std::uint64_t data_set) {
  if (kind_ == ArrivalKind::periodic) return gap_ * static_cast<double>(data_set);
  if (data_set + 1 < next_) next_ = 0;
  if (next_ == 0) last_ = 0;
  for (; next_ <= data_set; ++next_) last_ += exponential_(bits_of(seed_, DrawStream::of_arrivals(), copy_, next_));
  return gap_ * last_;
}

}  // namespace takt::vary
