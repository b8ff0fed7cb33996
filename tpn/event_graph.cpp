// Unfolds the dependences over all rows, in the order in which the graph keeps its edges.
#include "tpn/event_graph.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace takt::tpn {

namespace {

// The dependences that leave a column and share a modulus: those of residue r are
// dependences[first[r]] .. dependences[first[r + 1] - 1], as indices into FoldedNet::dependences.
struct GuardGroup {
  std::uint64_t modulus = 1;
  std::vector<std::size_t> first;
  std::vector<std::size_t> dependences;

  std::span<const std::size_t> at(std::uint64_t row) const {
    const std::uint64_t r = row % modulus;
    return std::span(dependences).subspan(first[r], first[r + 1] - first[r]);
  }
};

// Groups by column, those of a column by modulus. Cost: linear in the dependences and the moduli.
std::vector<std::vector<GuardGroup>> guard_groups(const FoldedNet& net) {
  using ByResidue = std::map<std::uint64_t, std::vector<std::size_t>>;
  std::vector<std::map<std::uint64_t, ByResidue>> sorted(net.pipeline.columns.size());
  for (std::size_t k = 0; k < net.dependences.size(); ++k) {
    const Dependence& d = net.dependences[k];
    sorted[d.from][d.modulus][d.residue].push_back(k);
  }
  std::vector<std::vector<GuardGroup>> groups(sorted.size());
  for (std::size_t c = 0; c < sorted.size(); ++c) {
    for (const auto& [modulus, by_residue] : sorted[c]) {
      GuardGroup& group = groups[c].emplace_back();
      group.modulus = modulus;
      group.first.reserve(modulus + 1);
      for (const auto& [residue, dependences] : by_residue) {
        group.first.resize(residue + 1, group.dependences.size());
        group.dependences.insert(group.dependences.end(), dependences.begin(), dependences.end());
      }
      group.first.resize(modulus + 1, group.dependences.size());
    }
  }
  return groups;
}

// All places, one after the other: by input transition, then by dependence.
class PlaceWalk {
 public:
  PlaceWalk(const FoldedNet& net, std::uint64_t rows) : net_(net), rows_(rows), groups_(guard_groups(net)) { enter(); }

  bool is_over() const { return row_ == rows_; }
  const std::pair<std::size_t, std::size_t>& ends() const { return ends_; }
  const Place& place() const { return place_; }

  void advance() {
    ++next_;
    enter();
  }

 private:
  // To the place `next_` of this transition, or the first one of the next transition that has any.
  void enter() {
    const std::size_t columns = groups_.size();
    for (; next_ == here_.size(); next_ = 0) {
      if (column_ == columns) {
        column_ = 0;
        if (++row_ == rows_) return;
      }
      list_places(groups_[column_++]);
    }
    const Dependence& d = net_.dependences[here_[next_]];
    const std::uint64_t target = row_ + d.height;
    ends_ = {row_ * columns + d.from.value(), target % rows_ * columns + d.to.value()};
    place_ = {target / rows_, here_[next_]};
  }

  void list_places(const std::vector<GuardGroup>& groups) {
    here_.clear();
    for (const GuardGroup& group : groups) {
      const std::span<const std::size_t> dependences = group.at(row_);
      here_.insert(here_.end(), dependences.begin(), dependences.end());
    }
    if (groups.size() > 1) std::ranges::sort(here_);
  }

  const FoldedNet& net_;
  std::uint64_t rows_;
  std::vector<std::vector<GuardGroup>> groups_;
  std::uint64_t row_ = 0;
  std::size_t column_ = 0;         // the one after that of here_
  std::vector<std::size_t> here_;  // dependences of one transition
  std::size_t next_ = 0;           // in here_
  std::pair<std::size_t, std::size_t> ends_;
  Place place_;
};

// The graph reads edges and their contents side by side: both iterators stand where the walk does, and the edges'
// moves it.
class EndsIterator {
 public:
  // NOLINTBEGIN(readability-identifier-naming): names of the standard library
  using iterator_category = std::input_iterator_tag;
  using value_type = std::pair<std::size_t, std::size_t>;
  using difference_type = std::ptrdiff_t;
  using pointer = const value_type*;
  using reference = const value_type&;
  // NOLINTEND(readability-identifier-naming)

  explicit EndsIterator(PlaceWalk* walk) : walk_(walk) {}
  reference operator*() const { return walk_->ends(); }
  pointer operator->() const { return &walk_->ends(); }
  EndsIterator& operator++() {
    walk_->advance();
    return *this;
  }
  void operator++(int) { walk_->advance(); }
  // Iterators of one walk differ in whether they are the end.
  friend bool operator==(const EndsIterator& a, const EndsIterator& b) { return a.is_over() == b.is_over(); }

 private:
  bool is_over() const { return walk_ == nullptr || walk_->is_over(); }

  PlaceWalk* walk_;
};

class PlaceIterator {
 public:
  // NOLINTBEGIN(readability-identifier-naming): names of the standard library
  using iterator_category = std::input_iterator_tag;
  using value_type = Place;
  using difference_type = std::ptrdiff_t;
  using pointer = const Place*;
  using reference = const Place&;
  // NOLINTEND(readability-identifier-naming)

  explicit PlaceIterator(const PlaceWalk* walk) : walk_(walk) {}
  reference operator*() const { return walk_->place(); }
  PlaceIterator& operator++() { return *this; }

 private:
  const PlaceWalk* walk_;
};

}  // namespace

std::variant<EventGraph, TooLarge> unfold(const FoldedNet& net, std::uint64_t max_rows) {
  const Pipeline& pipeline = net.pipeline;
  if (pipeline.rows > max_rows) return TooLarge{LimitKind::rows, pipeline.rows, max_rows};
  // Numbers of vertices and edges stay far below 2^64, whatever rows are allowed.
  constexpr std::uint64_t kMostArcs = std::uint64_t{1} << 40;
  const Integer most_arcs = pipeline.rows * (pipeline.columns.size() + net.dependences.size());
  if (most_arcs > kMostArcs) return TooLarge{LimitKind::transitions_and_places, most_arcs, kMostArcs};
  const std::uint64_t rows = pipeline.rows.get_ui();
  const std::size_t columns = pipeline.columns.size();
  std::size_t places = 0;
  for (const Dependence& d : net.dependences) places += rows / d.modulus;

  PlaceWalk walk(net, rows);
  EventGraph graph(boost::edges_are_sorted, EndsIterator(&walk), EndsIterator(nullptr), PlaceIterator(&walk),
                   rows * columns, places);
  for (std::uint64_t row = 0; row < rows; ++row) {
    for (const ColumnIndex c : pipeline.all_columns()) {
      graph[row * columns + c.value()] = {c, row, pipeline.columns[c].duration(row)};
    }
  }
  return graph;
}

}  // namespace takt::tpn
