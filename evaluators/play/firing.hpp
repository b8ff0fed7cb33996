// Which recent operations the next one waits for and how long it takes, data set after data set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "evaluators/kernel/numbers.hpp"
#include "tpn/folded_net.hpp"

namespace takt::evaluators {

/// The predecessors of every column's operations, and a ring of slots for the recent ends of each column.
struct FiringPlan {
  struct Predecessor {
    std::uint64_t residue = 0;  // of the waiting data set, modulo the group's modulus
    std::size_t from = 0;
    std::uint64_t height = 0;
  };
  struct PredecessorGroup {
    std::size_t to = 0;
    std::uint64_t modulus = 1;
    std::vector<Predecessor> predecessors;  // by residue
  };
  struct RecentEnds {
    std::size_t first = 0;   // slot
    std::uint64_t mask = 0;  // size - 1, a power of two less one; the size exceeds every height
  };
  std::vector<PredecessorGroup> groups;  // by column they lead to
  std::vector<std::size_t> first_group;  // by column, and one more

  /// The groups of a column: from one up to the other.
  std::size_t first_group_of(std::size_t column) const { return first_group[column]; }
  std::size_t end_group_of(std::size_t column) const { return first_group[column + 1]; }
  std::vector<RecentEnds> rings;  // by column
  std::size_t slots = 0;
  std::uint64_t longest_height = 0;

  std::size_t columns() const { return rings.size(); }
};

/// Rings hold ends for `beyond` data sets more than the longest height. Cost: a sort of the dependences; rings as long
/// as their heights.
FiringPlan make_firing_plan(const tpn::FoldedNet& net, std::uint64_t beyond = 0);

/// A token: the operation of `column`, `back` data sets before a hyper-period begins, that an operation of
/// this or a later hyper-period waits for.
struct FiringToken {
  std::size_t column = 0;
  std::uint64_t back = 0;
};

/// All tokens, by column, then by `back`.
std::vector<FiringToken> firing_tokens(const tpn::FoldedNet& net);

/// Stands at a data set, first at 0, and knows the slots of what its operations wait for. Data sets before 0
/// have slots too.
class FiringOrder {
 public:
  /// Keeps a reference to the plan.
  explicit FiringOrder(const FiringPlan& plan) : plan_(plan), guards_(plan.groups.size()) { align(); }

  std::uint64_t data_set() const { return data_set_; }
  std::size_t slot(std::size_t column) const { return slot_before(column, 0); }
  std::size_t slot_before(std::size_t column, std::uint64_t back) const {
    const FiringPlan::RecentEnds& ring = plan_.rings[column];
    return ring.first + ((data_set_ - back) & ring.mask);  // 2^64 is a multiple of the ring's size
  }

  template <typename Visit>
  void for_each_predecessor(std::size_t column, Visit visit) const {
    for (std::size_t g = plan_.first_group_of(column); g < plan_.end_group_of(column); ++g) {
      const std::vector<FiringPlan::Predecessor>& predecessors = plan_.groups[g].predecessors;
      const Guard& guard = guards_[g];
      for (std::size_t k = guard.next; k < predecessors.size() && predecessors[k].residue == guard.phase; ++k) {
        visit(slot_before(predecessors[k].from, predecessors[k].height));
      }
    }
  }

  void advance() {
    ++data_set_;
    for (std::size_t g = 0; g < guards_.size(); ++g) {
      if (++guards_[g].phase == plan_.groups[g].modulus) guards_[g] = {};
    }
    align();
  }

 private:
  // The data set modulo the group's modulus, and the first arc with at least this residue.
  struct Guard {
    std::uint64_t phase = 0;
    std::size_t next = 0;
  };

  void align() {
    for (std::size_t g = 0; g < guards_.size(); ++g) {
      const std::vector<FiringPlan::Predecessor>& predecessors = plan_.groups[g].predecessors;
      Guard& guard = guards_[g];
      while (guard.next < predecessors.size() && predecessors[guard.next].residue < guard.phase) ++guard.next;
    }
  }

  const FiringPlan& plan_;
  std::uint64_t data_set_ = 0;
  std::vector<Guard> guards_;  // as FiringPlan::groups
};

/// The durations of one data set after the other, from 0 on. Number is std::int64_t, where all durations fit,
/// or Integer.
template <typename Number>
class FiringDurations {
 public:
  /// Keeps references to the columns.
  explicit FiringDurations(const tpn::Pipeline& pipeline) {
    for (const tpn::Column& column : pipeline.columns) {
      cursors_.push_back({&column, {}, 0, 0});
      if constexpr (std::is_same_v<Number, std::int64_t>) {
        maxplus::expects(column.table.narrow().has_value(), "all durations fit 64 bits");
        cursors_.back().narrow = *column.table.narrow();
      }
    }
  }

  Number of(std::size_t column) const {
    const Cursor& at = cursors_[column];
    const std::size_t index = at.column->sender_offset[at.sender] + at.column->receiver_offset[at.receiver];
    if constexpr (std::is_same_v<Number, std::int64_t>) {
      return at.narrow[index];
    } else {
      return at.column->table[index];
    }
  }

  void advance() {
    for (Cursor& at : cursors_) {
      if (++at.sender == at.column->sender_offset.size()) at.sender = 0;
      if (++at.receiver == at.column->receiver_offset.size()) at.receiver = 0;
    }
  }

 private:
  struct Cursor {
    const tpn::Column* column;
    std::span<const std::int64_t> narrow;
    std::size_t sender = 0;    // the data set modulo the length of the sender's sequence
    std::size_t receiver = 0;  // and of the receiver's
  };

  std::vector<Cursor> cursors_;
};

/// Earliest firing from given ends of the data sets before 0.
template <typename Number>
class EarliestFiring {
 public:
  /// Keeps references to the plan and the net. Ends of data sets before 0 are 0: nothing before holds anything back.
  EarliestFiring(const FiringPlan& plan, const tpn::FoldedNet& net)
      : order_(plan), durations_(net.pipeline), ends_(plan.slots), columns_(plan.columns()) {}

  std::uint64_t data_set() const { return order_.data_set(); }
  const Number& end_before(const FiringToken& token) const {
    return ends_[order_.slot_before(token.column, token.back)];
  }

  /// Fires the operations of the next data set and calls visit(column, start, end) for each.
  template <typename Visit>
  void fire_data_set(Visit visit) {
    for (std::size_t c = 0; c < columns_; ++c) {
      Number start = 0;
      order_.for_each_predecessor(c, [&](std::size_t slot) {
        if (ends_[slot] > start) start = ends_[slot];
      });
      Number& end = ends_[order_.slot(c)];
      end = start + durations_.of(c);
      visit(c, start, end);
    }
    order_.advance();
    durations_.advance();
  }

 private:
  FiringOrder order_;
  FiringDurations<Number> durations_;
  std::vector<Number> ends_;
  std::size_t columns_;
};

/// True if every duration, and every end of the first `data_sets` data sets, fits 64 bits: none is later than the
/// sum of all durations up to then, one after the other.
bool ends_fit_64_bits(const tpn::FoldedNet& net, const Integer& data_sets);

}  // namespace takt::evaluators
