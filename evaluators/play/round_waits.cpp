// Missing operations hand on the existing ones that they would have waited for, resource by resource.
#include "evaluators/play/round_waits.hpp"

#include <algorithm>

namespace takt::evaluators {

RoundWaits::RoundWaits(const tpn::FoldedNet& net, std::uint64_t data_sets) : net_(net), data_sets_(data_sets) {
  for (const tpn::Column& column : net.pipeline.columns) longest_shift_ = std::max(longest_shift_, column.shift);
  for (const tpn::Dependence& d : net.dependences) {
    waits_[{d.to, d.modulus}][(d.residue + d.height) % d.modulus].push_back(&d);
    longest_height_ = std::max(longest_height_, d.height);
  }
}

void RoundWaits::pass_on(const tpn::Operation& operation) {
  const auto pass = [&](tpn::ConstraintKind kind, std::size_t owner, const tpn::Operation& earlier) {
    std::vector<tpn::Operation>& passed = passed_[{operation.data_set, operation.column, kind, owner}];
    if (std::ranges::find(passed, earlier) == passed.end()) passed.push_back(earlier);
  };
  for_each_wait(operation, [&](const tpn::Dependence& d, const tpn::Operation& from) {
    if (tpn::is_resource(d.kind)) pass(d.kind, net_.pipeline.owner(d, operation.data_set - d.height), from);
  });
  // A processor's circuit has no dependence of its own where a file leads to the next operation.
  for (const tpn::ColumnIndex c : net_.pipeline.all_columns()) {
    const std::uint64_t height = net_.pipeline.columns[operation.column].shift - net_.pipeline.columns[c].shift;
    if (!net_.pipeline.flows(c, operation.column) || height > operation.data_set) continue;
    const std::uint64_t round = operation.data_set - height;
    for (auto at = passed_.lower_bound({round, c, tpn::ConstraintKind{}, 0});
         at != passed_.end() && std::get<0>(at->first) == round && std::get<1>(at->first) == c.value(); ++at) {
      const auto& [of_round, of_column, kind, owner] = at->first;
      const bool has_owner =
          tpn::handles_computations(kind) && (net_.pipeline.owner(kind, net_.pipeline.sender_of(operation)) == owner ||
                                              net_.pipeline.owner(kind, net_.pipeline.receiver_of(operation)) == owner);
      if (!has_owner) continue;
      const std::vector<tpn::Operation> of_earlier = at->second;
      for (const tpn::Operation& earlier : of_earlier) pass(kind, owner, earlier);
    }
  }
}

void RoundWaits::pass_on_missing() {
  for (std::uint64_t round = 0; round < data_sets_ + longest_shift_; ++round) {
    if (round >= longest_shift_ && round < data_sets_) continue;
    for (const tpn::ColumnIndex c : net_.pipeline.all_columns()) {
      if (!exists({round, c})) pass_on({round, c});
    }
  }
}

}  // namespace takt::evaluators
