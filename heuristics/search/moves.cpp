// Lists, makes and names the moves of a local search.
#include "heuristics/search/moves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "heuristics/common/mapping_words.hpp"

namespace takt::heuristics {

namespace {

using Sequence = std::vector<std::size_t>;

std::uint32_t index(std::size_t value) { return static_cast<std::uint32_t>(value); }

std::ptrdiff_t offset(std::size_t value) { return static_cast<std::ptrdiff_t>(value); }

void insert(Sequence& sequence, std::size_t place, std::size_t processor) {
  sequence.insert(sequence.begin() + offset(place), processor);
}

bool contains(const Sequence& sequence, std::size_t processor) {
  return std::ranges::find(sequence, processor) != sequence.end();
}

// Sequences of this many entries or more repeat no further processor, nor do mappings of two entries per processor:
// ever longer sequences come ever nearer to ideal shares, and cost ever more.
constexpr std::size_t kLongestRepeating = 8;

class Lister {
 public:
  Lister(const tpn::Mapping& mapping, std::size_t processors, RepeatedProcessors repetition, std::vector<Move>& moves)
      : mapping_(mapping), processors_(processors), repetition_(repetition), moves_(moves) {
    moves_.clear();
    std::vector<bool> used(processors);
    for (const tpn::Part& part : mapping) {
      for (const std::size_t p : part.processors) used[p] = true;
      entries_ += part.processors.size();
    }
    for (std::size_t p = 0; p < processors; ++p)
      if (!used[p]) free_.push_back(index(p));
    for (std::size_t i = 0; i < mapping.size(); ++i) {
      stages_of(index(i));
      sequence_of(index(i));
      for (std::size_t j = 0; j < mapping.size(); ++j) between(index(i), index(j));
    }
  }

 private:
  void stages_of(std::uint32_t i) {
    const tpn::Part& part = mapping_[i];
    for (std::size_t last = part.first_stage; last < part.last_stage; ++last) {
      for (std::size_t entry = 1; entry < part.processors.size(); ++entry) {
        for (const MoveKind kind : {MoveKind::split, MoveKind::split_back})
          moves_.push_back({.kind = kind, .part = i, .entry = index(entry), .where = index(last)});
      }
      for (const std::uint32_t p : free_) {
        for (const MoveKind kind : {MoveKind::branch, MoveKind::branch_back})
          moves_.push_back({.kind = kind, .part = i, .where = index(last), .processor = p});
      }
    }
    if (i + 1 == mapping_.size()) return;
    const tpn::Part& next = mapping_[i + 1];
    for (std::size_t last = part.first_stage; last < next.last_stage; ++last) {
      if (last != part.last_stage) moves_.push_back({.kind = MoveKind::boundary, .part = i, .where = index(last)});
    }
    for (const Merge merge : {Merge::first, Merge::second, Merge::both}) {
      if (merge == Merge::both && !may_join(part.processors, next.processors)) continue;
      moves_.push_back({.kind = MoveKind::merge, .merge = merge, .part = i});
    }
  }

  void sequence_of(std::uint32_t i) {
    const Sequence& sequence = mapping_[i].processors;
    const std::size_t length = sequence.size();
    for (const std::uint32_t p : free_) {
      for (std::size_t k = 0; k < length; ++k)
        moves_.push_back({.kind = MoveKind::replace, .part = i, .entry = index(k), .processor = p});
      for (std::size_t k = 0; k <= length; ++k)
        moves_.push_back({.kind = MoveKind::add, .part = i, .where = index(k), .processor = p});
    }
    if (length == 1) return;
    for (std::size_t k = 0; k < length; ++k) {
      moves_.push_back({.kind = MoveKind::drop, .part = i, .entry = index(k)});
      if (k > 0) moves_.push_back({.kind = MoveKind::rotate, .part = i, .entry = index(k)});
      if (repetition_ == RepeatedProcessors::none || length >= kLongestRepeating ||
          entries_ >= std::min(2 * processors_, kMostPlaces))
        continue;
      for (std::size_t where = 0; where <= length; ++where)
        moves_.push_back({.kind = MoveKind::repeat, .part = i, .entry = index(k), .where = index(where)});
    }
  }

  void between(std::uint32_t i, std::uint32_t j) {
    if (i < j) moves_.push_back({.kind = MoveKind::exchange, .part = i, .other = j});
    for (std::size_t k = 0; k < mapping_[i].processors.size(); ++k) {
      swaps_of(i, j, k);
      shifts_of(i, j, k);
    }
  }

  // Each two entries once.
  void swaps_of(std::uint32_t i, std::uint32_t j, std::size_t k) {
    if (i > j) return;
    const Sequence& here = mapping_[i].processors;
    const Sequence& there = mapping_[j].processors;
    for (std::size_t l = i == j ? k + 1 : 0; l < there.size(); ++l) {
      if (here[k] != there[l] && may_swap(here, there, k, l))
        moves_.push_back({.kind = MoveKind::swap, .part = i, .entry = index(k), .other = j, .where = index(l)});
    }
  }

  void shifts_of(std::uint32_t i, std::uint32_t j, std::size_t k) {
    const Sequence& here = mapping_[i].processors;
    const Sequence& there = mapping_[j].processors;
    if (here.size() == 1) return;
    if (i != j && repetition_ == RepeatedProcessors::none && contains(there, here[k])) return;
    for (std::size_t l = 0; l <= there.size(); ++l) {
      if (i == j && (l == k || l == k + 1)) continue;  // where it is
      moves_.push_back({.kind = MoveKind::shift, .part = i, .entry = index(k), .other = j, .where = index(l)});
    }
  }

  bool may_join(const Sequence& a, const Sequence& b) const {
    return repetition_ == RepeatedProcessors::allowed ||
           std::ranges::none_of(a, [&](std::size_t processor) { return contains(b, processor); });
  }

  bool may_swap(const Sequence& here, const Sequence& there, std::size_t k, std::size_t l) const {
    return repetition_ == RepeatedProcessors::allowed || &here == &there ||
           !(contains(there, here[k]) || contains(here, there[l]));
  }

  const tpn::Mapping& mapping_;
  std::size_t processors_;
  RepeatedProcessors repetition_;
  std::vector<Move>& moves_;
  std::size_t entries_ = 0;  // of all sequences
  std::vector<std::uint32_t> free_;
};

// Cuts a part in two behind a stage: a new part behind it, with a sequence to be set.
tpn::Part& cut(tpn::Mapping& mapping, std::size_t i, std::size_t last_stage) {
  const tpn::Part behind{last_stage + 1, mapping[i].last_stage, {}};
  mapping[i].last_stage = last_stage;
  return *mapping.insert(mapping.begin() + offset(i) + 1, behind);
}

void split(const Move& move, tpn::Mapping& mapping) {
  tpn::Part& behind = cut(mapping, move.part, move.where);
  Sequence& front = mapping[move.part].processors;
  behind.processors.assign(front.begin() + offset(move.entry), front.end());
  front.resize(move.entry);
  if (move.kind == MoveKind::split_back) front.swap(behind.processors);
}

void branch(const Move& move, tpn::Mapping& mapping) {
  tpn::Part& behind = cut(mapping, move.part, move.where);
  behind.processors = {move.processor};
  if (move.kind == MoveKind::branch_back) mapping[move.part].processors.swap(behind.processors);
}

void merge(const Move& move, tpn::Mapping& mapping) {
  tpn::Part& first = mapping[move.part];
  tpn::Part& second = mapping[move.part + 1];
  first.last_stage = second.last_stage;
  if (move.merge == Merge::second) {
    first.processors.swap(second.processors);
  } else if (move.merge == Merge::both) {
    first.processors.insert(first.processors.end(), second.processors.begin(), second.processors.end());
  }
  mapping.erase(mapping.begin() + offset(move.part) + 1);
}

void shift(const Move& move, tpn::Mapping& mapping) {
  Sequence& from = mapping[move.part].processors;
  const std::size_t processor = from[move.entry];
  from.erase(from.begin() + offset(move.entry));
  const bool behind = move.part == move.other && move.where > move.entry;
  insert(mapping[move.other].processors, move.where - (behind ? 1 : 0), processor);
}

void move_boundary(const Move& move, tpn::Mapping& mapping) {
  mapping[move.part].last_stage = move.where;
  mapping[move.part + 1].first_stage = move.where + 1;
}

void drop(const Move& move, Sequence& sequence) { sequence.erase(sequence.begin() + offset(move.entry)); }

void rotate(const Move& move, Sequence& sequence) {
  std::rotate(sequence.begin(), sequence.begin() + offset(move.entry), sequence.end());
}

// What a move does to a mapping, as a phrase.
class MoveWords {
 public:
  MoveWords(const Move& move, const tpn::Mapping& mapping, const tpn::Document& problem)
      : move_(move), mapping_(mapping), problem_(problem), here_(part(move.part)) {}

  std::string text() const {
    switch (move_.kind) {
      case MoveKind::boundary:
        return fmt::format("{} | {} cut behind {}", here_, part(move_.part + 1), stage());
      case MoveKind::merge:
        return fmt::format("{} | {} merged on {}", here_, part(move_.part + 1), merged_on());
      case MoveKind::split:
      case MoveKind::split_back:
        return split();
      case MoveKind::branch:
        return fmt::format("{} split behind {}, the last stages on {}", here_, stage(), name());
      case MoveKind::branch_back:
        return fmt::format("{} split behind {}, the first stages on {}", here_, stage(), name());
      case MoveKind::swap:
        return fmt::format("{} of {} and {} of {} swapped", entry(), here_, other_entry(), part(move_.other));
      case MoveKind::shift:
        return fmt::format("{} moved from {} to place {} of {}", entry(), here_, place(), part(move_.other));
      case MoveKind::replace:
        return fmt::format("{} of {} replaced by {}", entry(), here_, name());
      case MoveKind::add:
        return fmt::format("{} added to {} at place {}", name(), here_, place());
      case MoveKind::drop:
        return fmt::format("{} dropped from {}", entry(), here_);
      case MoveKind::repeat:
        return fmt::format("{} repeated in {} at place {}", entry(), here_, place());
      case MoveKind::rotate:
        return fmt::format("sequence of {} begun with {}", here_, entry());
      case MoveKind::exchange:
        break;
    }
    return fmt::format("sequences of {} and {} exchanged", here_, part(move_.other));
  }

 private:
  std::string part(std::size_t i) const { return stages_in_words(problem_, mapping_[i]); }
  const std::string& stage() const { return problem_.application.stages[move_.where].name; }
  const std::string& name() const { return processor_name(problem_, move_.processor); }
  const std::string& entry() const { return processor_name(problem_, mapping_[move_.part].processors[move_.entry]); }
  const std::string& other_entry() const {
    return processor_name(problem_, mapping_[move_.other].processors[move_.where]);
  }
  std::size_t place() const { return move_.where + 1; }

  std::string_view merged_on() const {
    switch (move_.merge) {
      case Merge::first:
        return "the processors of the former";
      case Merge::second:
        return "the processors of the latter";
      case Merge::both:
        break;
    }
    return "the processors of both";
  }

  std::string split() const {
    const bool back = move_.kind == MoveKind::split_back;
    return fmt::format("{} split behind {}, the {} stages on its first {}", here_, stage(), back ? "last" : "first",
                       move_.entry == 1 ? "processor" : fmt::format("{} processors", move_.entry));
  }

  const Move& move_;
  const tpn::Mapping& mapping_;
  const tpn::Document& problem_;
  std::string here_;
};

}  // namespace

void list_moves(const tpn::Mapping& mapping, std::size_t processors, RepeatedProcessors repetition,
                std::vector<Move>& moves) {
  Lister(mapping, processors, repetition, moves);
}

void apply(const Move& move, const tpn::Mapping& mapping, tpn::Mapping& result) {
  result = mapping;
  Sequence& sequence = result[move.part].processors;
  switch (move.kind) {
    case MoveKind::boundary:
      return move_boundary(move, result);
    case MoveKind::merge:
      return merge(move, result);
    case MoveKind::split:
    case MoveKind::split_back:
      return split(move, result);
    case MoveKind::branch:
    case MoveKind::branch_back:
      return branch(move, result);
    case MoveKind::swap:
      return std::swap(sequence[move.entry], result[move.other].processors[move.where]);
    case MoveKind::shift:
      return shift(move, result);
    case MoveKind::replace:
      sequence[move.entry] = move.processor;
      return;
    case MoveKind::add:
      return insert(sequence, move.where, move.processor);
    case MoveKind::drop:
      return drop(move, sequence);
    case MoveKind::repeat:
      return insert(sequence, move.where, sequence[move.entry]);
    case MoveKind::rotate:
      return rotate(move, sequence);
    case MoveKind::exchange:
      return sequence.swap(result[move.other].processors);
  }
}

std::string in_words(const Move& move, const tpn::Mapping& mapping, const tpn::Document& problem) {
  return MoveWords(move, mapping, problem).text();
}

}  // namespace takt::heuristics
