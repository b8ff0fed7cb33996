// Which operations those of a net in rounds wait for, if it handles some data sets only.
//
// Problem. Where transfers are ahead or data sets are computed in batches, a column handles data set j in round j plus
// its shift. It has no operations in rounds before its first, nor behind its last data set. What does an operation wait
// for that would wait for one of these?
//
// Method. At a resource it waits for what the missing one would have waited for, at the same resource. Operations are
// visited by round, then column, and missing ones pass on what they would have waited for. [docs/model.md, "Ends"]
//
// Cost. A search in a map for each dependence, so use it in the rounds in which operations are missing if speed counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tpn/folded_net.hpp"

namespace takt::evaluators {

/// Operations are named by their round, in place of the data set.
class RoundWaits {
 public:
  /// Keeps a reference to the net.
  RoundWaits(const tpn::FoldedNet& net, std::uint64_t data_sets);

  /// Whether the operation's column handles a data set in this round.
  bool exists(const tpn::Operation& operation) const {
    const std::uint64_t shift = net_.pipeline.columns[operation.column].shift;
    return operation.data_set >= shift && operation.data_set - shift < data_sets_;
  }

  /// How many rounds back an operation waits at most: a chain of missing ones spans fewer than the longest shift.
  std::uint64_t longest() const { return longest_height_ + longest_shift_; }

  /// Calls visit(operation) for the operations that it waits for, all of them existing. Those missing in earlier
  /// rounds, and in earlier columns of this round, have been passed on.
  template <typename Visit>
  void for_each(const tpn::Operation& operation, Visit visit) const {
    for_each_wait(operation, [&](const tpn::Dependence&, const tpn::Operation& from) { visit(from); });
  }

  /// Notes what an operation that does not exist would have waited for.
  void pass_on(const tpn::Operation& operation);
  /// The same for all that do not exist.
  void pass_on_missing();

 private:
  // A resource, by its kind and owner, and an operation that does not exist.
  using Passed = std::tuple<std::uint64_t, std::size_t, tpn::ConstraintKind, std::size_t>;

  Passed passed_by(const tpn::Operation& from, const tpn::Dependence& d) const {
    return {from.data_set, from.column.value(), d.kind, net_.pipeline.owner(d, from.data_set)};
  }

  // By the dependence that it waits by, of the first if others have passed it on.
  template <typename Visit>
  void for_each_wait(const tpn::Operation& operation, Visit visit) const {
    for (auto group = waits_.lower_bound({operation.column.value(), 0});
         group != waits_.end() && group->first.first == operation.column.value(); ++group) {
      const auto found = group->second.find(operation.data_set % group->first.second);
      if (found == group->second.end()) continue;
      for (const tpn::Dependence* d : found->second) {
        if (d->height > operation.data_set) continue;
        const tpn::Operation from{operation.data_set - d->height, d->from};
        if (exists(from)) {
          visit(*d, from);
        } else if (const auto passed = passed_.find(passed_by(from, *d)); passed != passed_.end()) {
          for (const tpn::Operation& earlier : passed->second) visit(*d, earlier);
        }
      }
    }
  }

  const tpn::FoldedNet& net_;
  std::uint64_t data_sets_;
  // By column and modulus, then by the waiting round modulo that.
  std::map<std::pair<std::size_t, std::uint64_t>,
           std::unordered_map<std::uint64_t, std::vector<const tpn::Dependence*>>>
      waits_;
  std::map<Passed, std::vector<tpn::Operation>> passed_;
  std::uint64_t longest_shift_ = 0;
  std::uint64_t longest_height_ = 0;
};

}  // namespace takt::evaluators
