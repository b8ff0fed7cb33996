// Tarjan's strongly connected components and the token-free order, on flat arrays and without recursion.
#include "maxplus/component_graph.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "maxplus/none.hpp"

namespace takt::maxplus {

namespace {

constexpr std::uint32_t kNoVertex = kNone<std::uint32_t>;

/// Vertices in the order in which their components are complete, each component's together. [tarjan1972depth]
class StrongComponents {
 public:
  StrongComponents(const ArcColumns& arcs, const ArcsByTail& by_tail)
      : arcs_(arcs),
        by_tail_(by_tail),
        number_(by_tail.first.size() - 1, kNoVertex),
        low_(number_.size()),
        next_arc_(number_.size()),
        component_(number_.size(), kNoVertex) {
    emitted_.reserve(number_.size());
    for (std::uint32_t v = 0; v < number_.size(); ++v) {
      if (number_[v] == kNoVertex) search_from(v);
    }
  }

  const std::vector<std::uint32_t>& emitted() const { return emitted_; }
  const std::vector<std::uint32_t>& component() const { return component_; }
  std::uint32_t count() const { return count_; }

 private:
  void enter(std::uint32_t v) {
    number_[v] = low_[v] = visited_++;
    next_arc_[v] = by_tail_.first[v];
    open_.push_back(v);
    path_.push_back(v);
  }

  void search_from(std::uint32_t start) {
    enter(start);
    while (!path_.empty()) {
      const std::uint32_t v = path_.back();
      if (next_arc_[v] == by_tail_.first[v + 1]) {
        leave(v);
        continue;
      }
      const std::uint32_t head = arcs_.to(by_tail_.arcs[next_arc_[v]++]);
      if (number_[head] == kNoVertex) {
        enter(head);
      } else if (component_[head] == kNoVertex) {
        low_[v] = std::min(low_[v], number_[head]);
      }
    }
  }

  void leave(std::uint32_t v) {
    path_.pop_back();
    if (!path_.empty()) low_[path_.back()] = std::min(low_[path_.back()], low_[v]);
    if (low_[v] != number_[v]) return;
    std::uint32_t member = kNoVertex;
    do {
      member = open_.back();
      open_.pop_back();
      component_[member] = count_;
      emitted_.push_back(member);
    } while (member != v);
    ++count_;
  }

  const ArcColumns& arcs_;
  const ArcsByTail& by_tail_;
  std::uint32_t visited_ = 0;
  std::uint32_t count_ = 0;
  std::vector<std::uint32_t> number_;
  std::vector<std::uint32_t> low_;
  std::vector<std::uint32_t> next_arc_;
  std::vector<std::uint32_t> component_;
  std::vector<std::uint32_t> open_;
  std::vector<std::uint32_t> path_;
  std::vector<std::uint32_t> emitted_;
};

/// The depth-first search of the arcs without tokens.
class TokenFreeSearch {
 public:
  TokenFreeSearch(const ArcColumns& arcs, const ArcsByTail& by_tail)
      : arcs_(arcs), by_tail_(by_tail), next_arc_(by_tail.first.begin(), by_tail.first.end() - 1) {
    const std::size_t vertices = next_arc_.size();
    state_.resize(vertices);
    finished_.reserve(vertices);
    for (std::uint32_t v = 0; v < vertices && deadlock_.empty(); ++v) {
      if (state_[v] == State::unseen) search_from(v);
    }
  }

  std::vector<std::uint32_t> finished() { return std::move(finished_); }
  std::vector<std::size_t> deadlock() { return std::move(deadlock_); }

 private:
  enum class State : std::uint8_t { unseen, on_path, finished };

  void search_from(std::uint32_t start) {
    state_[start] = State::on_path;
    path_.assign(1, start);
    entered_by_.clear();
    while (!path_.empty()) {
      const std::uint32_t v = path_.back();
      if (next_arc_[v] == by_tail_.first[v + 1]) {
        state_[v] = State::finished;
        finished_.push_back(v);
        path_.pop_back();
        if (!entered_by_.empty()) entered_by_.pop_back();
        continue;
      }
      const std::uint32_t arc = by_tail_.arcs[next_arc_[v]++];
      if (arcs_.tokens(arc) != 0) continue;
      const std::uint32_t head = arcs_.to(arc);
      if (state_[head] == State::on_path) return close(arc);
      if (state_[head] == State::finished) continue;
      state_[head] = State::on_path;
      path_.push_back(head);
      entered_by_.push_back(arc);
    }
  }

  void close(std::uint32_t arc) {
    deadlock_.assign(1, arc);
    for (std::size_t at = path_.size(); path_[at - 1] != arcs_.to(arc); --at) deadlock_.push_back(entered_by_[at - 2]);
    std::ranges::reverse(deadlock_);
  }

  const ArcColumns& arcs_;
  const ArcsByTail& by_tail_;
  std::vector<std::uint32_t> next_arc_;
  std::vector<State> state_;
  std::vector<std::uint32_t> path_;
  std::vector<std::uint32_t> entered_by_;  // by what each vertex of the path but the first was entered
  std::vector<std::uint32_t> finished_;
  std::vector<std::size_t> deadlock_;
};

bool has_token_free_arc(const ArcColumns& arcs) {
  for (std::size_t arc = 0; arc < arcs.size(); ++arc) {
    if (arcs.tokens(arc) == 0) return true;
  }
  return false;
}

}  // namespace

ArcsByTail arcs_by_tail(std::size_t vertices, const ArcColumns& arcs) {
  ArcsByTail result;
  result.first.assign(vertices + 1, 0);
  for (std::size_t arc = 0; arc < arcs.size(); ++arc) ++result.first[arcs.from(arc) + 1];
  std::partial_sum(result.first.begin(), result.first.end(), result.first.begin());
  result.arcs.resize(arcs.size());
  std::vector<std::uint32_t> next(result.first.begin(), result.first.end() - 1);
  for (std::size_t arc = 0; arc < arcs.size(); ++arc) {
    result.arcs[next[arcs.from(arc)]++] = static_cast<std::uint32_t>(arc);
  }
  return result;
}

std::vector<std::uint32_t> token_free_finish(const ArcColumns& arcs, const ArcsByTail& by_tail,
                                             std::vector<std::size_t>& deadlock) {
  TokenFreeSearch search(arcs, by_tail);
  deadlock = search.deadlock();
  return search.finished();
}

std::optional<ComponentPositions> component_positions(std::size_t vertices, const ArcColumns& arcs,
                                                      const ArcsByTail& by_tail, std::vector<std::size_t>& deadlock) {
  std::vector<std::uint32_t> token_free;
  if (has_token_free_arc(arcs)) {
    token_free = token_free_finish(arcs, by_tail, deadlock);
    if (!deadlock.empty()) return std::nullopt;
  }
  const StrongComponents strong(arcs, by_tail);
  const bool is_one = strong.count() == 1 && arcs.size() > 0;
  std::vector<bool> holds_arc(strong.count(), is_one);
  for (std::size_t arc = 0; arc < arcs.size() && !is_one; ++arc) {
    const std::uint32_t of_tail = strong.component()[arcs.from(arc)];
    if (of_tail == strong.component()[arcs.to(arc)]) holds_arc[of_tail] = true;
  }
  ComponentPositions result;
  result.component_of.assign(vertices, kNoVertex);
  result.first.assign(1, 0);
  result.follows_tokens = !token_free.empty();
  std::vector<std::uint32_t> renamed(strong.count(), kNoVertex);
  for (std::size_t v = 0; v < vertices; ++v) {
    const std::uint32_t component = strong.component()[v];
    if (!holds_arc[component]) continue;
    if (renamed[component] == kNoVertex) {
      renamed[component] = static_cast<std::uint32_t>(result.first.size() - 1);
      result.first.push_back(0);
    }
    result.component_of[v] = renamed[component];
    ++result.first[renamed[component] + 1];
  }
  std::partial_sum(result.first.begin(), result.first.end(), result.first.begin());
  result.vertices.resize(result.first.back());
  std::vector<std::uint32_t> next(result.first.begin(), result.first.end() - 1);
  for (const std::uint32_t v : token_free.empty() ? strong.emitted() : token_free) {
    if (result.component_of[v] != kNoVertex) result.vertices[next[result.component_of[v]]++] = v;
  }
  return result;
}

}  // namespace takt::maxplus
