// Parts are placed one behind the other; sets of processors are bits.
#include "heuristics/hedpm/model_optimum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "heuristics/hedpm/model.hpp"

namespace takt::heuristics {

namespace {

using dynamic_mapping::CostModel;
using dynamic_mapping::LinkSums;

using ProcessorSet = std::uint64_t;
constexpr std::size_t kMostSetMembers = 63;

std::vector<std::size_t> members_of(ProcessorSet set) {
  std::vector<std::size_t> members;
  for (; set != 0; set &= set - 1) members.push_back(static_cast<std::size_t>(std::countr_zero(set)));
  return members;
}

// A part whose sending waits for the next part's processors.
struct OpenPart {
  std::vector<std::size_t> processors;
  std::vector<Rational> begun;  // by processor: what it receives and computes
};

class ModelSearch {
 public:
  ModelSearch(const tpn::ProblemView& problem, const evaluators::Deadline& deadline, std::uint64_t most_parts)
      : model_(problem, dynamic_mapping::View::real), deadline_(deadline), most_parts_(most_parts) {}

  ModelOptimumAnswer run() {
    const std::size_t processors = model_.processors().size();
    if (processors > kMostSetMembers) {
      return LimitMet{
          fmt::format("there are {} processors, and the sets of at most {} are tried", processors, kMostSetMembers)};
    }
    place(0, (ProcessorSet{1} << processors) - 1, {}, {});
    if (deadline_passed_) return out_of_time();
    if (placed_ > most_parts_) {
      return LimitMet{fmt::format("{} stages on {} processors have too many mappings: {} parts were tried",
                                  model_.stages(), processors, most_parts_)};
    }
    if (!best_) return Infeasible{"every mapping needs a link that the platform lacks"};
    return std::move(*best_);
  }

 private:
  // Parts from a stage on, on free processors; those before take `so_far`, but for the last one.
  void place(std::size_t first, ProcessorSet free, const OpenPart& before, const Rational& so_far) {
    for (std::size_t last = first; last < model_.stages(); ++last) {
      const bool may_replicate = last == first && model_.is_replicable(first);
      for (ProcessorSet set = lowest(free); set != 0; set = next(set, free, may_replicate)) {
        if (has_to_stop()) return;
        place_on(first, last, set, free, before, so_far);
      }
    }
  }

  static ProcessorSet lowest(ProcessorSet set) { return set & (~set + 1); }
  // The next subset in ascending order, or the next one of one processor; 0 behind the last.
  static ProcessorSet next(ProcessorSet set, ProcessorSet free, bool may_replicate) {
    return may_replicate ? (set - free) & free : lowest(free & ~(set | (set - 1)));
  }

  bool has_to_stop() {
    constexpr std::uint64_t kPartsPerLook = 256;
    if (deadline_passed_ || placed_ > most_parts_) return true;
    if (placed_++ % kPartsPerLook == 0) deadline_passed_ = evaluators::has_passed(deadline_);
    return deadline_passed_ || placed_ > most_parts_;
  }

  void place_on(std::size_t first, std::size_t last, ProcessorSet set, ProcessorSet free, const OpenPart& before,
                Rational so_far) {
    const auto part = open(first, last, set, before);
    if (!part) return;
    if (first > 0) {
      const auto time = closed(before, first, part->processors);
      if (!time) return;
      so_far = std::max(so_far, *time);
    }
    const Rational least = *std::ranges::max_element(part->begun) / Rational(part->processors.size());
    if (best_ && std::max(so_far, least) >= best_->production_time) return;
    parts_.push_back({first, last, part->processors});
    if (last + 1 < model_.stages()) {
      place(last + 1, free & ~set, *part, so_far);
    } else if (const auto time = closed(*part, last + 1, {})) {
      so_far = std::max(so_far, *time);
      if (!best_ || so_far < best_->production_time) best_ = ModelOptimum{parts_, so_far};
    }
    parts_.pop_back();
  }

  std::optional<OpenPart> open(std::size_t first, std::size_t last, ProcessorSet set, const OpenPart& before) const {
    OpenPart part{members_of(set), {}};
    for (const std::size_t p : part.processors) {
      std::optional<Rational> reception = Rational();
      if (first > 0) {
        reception = transfer(first, before.processors, [&](std::size_t q) { return model_.link(q, p); });
      } else if (model_.has_source()) {
        reception = transfer(0, {p}, [&](std::size_t q) { return model_.source_link(q); });
      }
      if (!reception) return std::nullopt;
      part.begun.push_back(*reception + model_.computation(first, last, p));
    }
    return part;
  }

  // The time of a part that sends the file before stage `behind`.
  std::optional<Rational> closed(const OpenPart& part, std::size_t behind, const std::vector<std::size_t>& to) const {
    Rational largest;
    for (std::size_t k = 0; k < part.processors.size(); ++k) {
      const std::size_t p = part.processors[k];
      std::optional<Rational> sending = Rational();
      if (behind < model_.stages()) {
        sending = transfer(behind, to, [&](std::size_t q) { return model_.link(p, q); });
      } else if (model_.has_sink()) {
        sending = transfer(behind, {p}, [&](std::size_t q) { return model_.sink_link(q); });
      }
      if (!sending) return std::nullopt;
      largest = std::max(largest, part.begun[k] + *sending);
    }
    return largest / Rational(part.processors.size());
  }

  // Over the mean of some links; nothing if one is missing.
  template <typename LinkOf>
  std::optional<Rational> transfer(std::size_t file, const std::vector<std::size_t>& others, LinkOf link_of) const {
    LinkSums sums;
    for (const std::size_t q : others) {
      const auto link = link_of(q);
      if (!link) return std::nullopt;
      sums.add(*link);
    }
    return sums.mean()->of(model_.file(file));
  }

  CostModel model_;
  const evaluators::Deadline& deadline_;
  std::uint64_t most_parts_;
  tpn::Mapping parts_;
  std::optional<ModelOptimum> best_;
  std::uint64_t placed_ = 0;
  bool deadline_passed_ = false;
};

}  // namespace

ModelOptimumAnswer model_optimum(const tpn::ProblemView& problem, const evaluators::Deadline& deadline,
                                 std::uint64_t most_parts) {
  return ModelSearch(problem, deadline, most_parts).run();
}

std::optional<Rational> model_production_time(const tpn::ProblemView& problem, const tpn::Mapping& mapping) {
  return CostModel(problem, dynamic_mapping::View::real).production_time(mapping);
}

}  // namespace takt::heuristics
