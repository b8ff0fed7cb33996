// Trials of rooms: for all, for each alone, for all together.
#include "evaluators/insight/rooms.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <utility>
#include <variant>

#include "evaluators/evaluate.hpp"
#include "tpn/errors.hpp"
#include "tpn/models.hpp"

namespace takt::evaluators {

namespace {

using tpn::Buffer;
using tpn::FoldedNet;

// A limit was reached within a search that its caller ends.
struct SearchEnded {
  Limit limit;
};

// More than is looked at.
constexpr std::uint64_t kTooMuchRoom = tpn::kMostRooms + 1;

// One net whose rooms change from trial to trial.
class RoomTrials {
 public:
  RoomTrials(FoldedNet net, const Options& options)
      : net_(std::move(net)), own_(net_.dependences), options_(options), least_(tpn::buffers_of(net_.pipeline)) {}

  // Each with the least room that is not refused for what is ahead or a batch; kTooMuchRoom if that is more than is
  // looked at.
  const std::vector<Buffer>& least() const { return least_; }
  std::uint64_t trials() const { return trials_; }

  // Throws SearchEnded if the time runs out.
  void find_least() {
    if (!may_refuse()) return;
    for (Buffer& buffer : least_) buffer.room = least_of(buffer);
  }

  // The period with these rooms, nothing if one is refused; throws SearchEnded if it stays unknown.
  std::optional<Rational> period_with(std::vector<Buffer> rooms) {
    if (is_refused(rooms)) return std::nullopt;
    const Evaluation evaluation = evaluate_with(std::move(rooms));
    if (!evaluation.exact()) throw SearchEnded{evaluation.limit};
    return evaluation.upper;
  }

  // Whether the period is still `period`, which is never above that with rooms.
  bool keeps(std::vector<Buffer> rooms, const Rational& period) {
    if (is_refused(rooms)) return false;
    const Evaluation evaluation = evaluate_with(std::move(rooms));
    if (evaluation.upper == period) return true;
    if (evaluation.lower > period) return false;
    throw SearchEnded{evaluation.limit};
  }

 private:
  bool may_refuse() const { return net_.pipeline.is_shifted() || net_.pipeline.has_batches(); }

  bool is_accepted(Buffer buffer, std::uint64_t room) {
    if (has_passed(options_.deadline)) throw SearchEnded{OutOfTime{}};
    buffer.room = room;
    tpn::DependenceList list(net_.pipeline, tpn::kDefaultCircuitSteps, options_.deadline);
    try {
      list.add_rooms(std::span(&buffer, 1));
    } catch (const tpn::InvalidInstance&) {
      return false;
    }
    return true;
  }

  std::uint64_t least_of(const Buffer& buffer) {
    if (is_accepted(buffer, 1)) return 1;
    std::uint64_t little = 1;
    std::uint64_t much = 2;
    while (much < kTooMuchRoom && !is_accepted(buffer, much)) {
      little = much;
      much = std::min(2 * much, kTooMuchRoom);
    }
    while (much - little > 1) {
      const std::uint64_t middle = little + (much - little) / 2;
      (is_accepted(buffer, middle) ? much : little) = middle;
    }
    return much;
  }

  // Rooms stand in the order of `least_`.
  bool is_refused(const std::vector<Buffer>& rooms) const {
    if (!may_refuse()) return false;
    auto least = least_.begin();
    return std::ranges::any_of(rooms, [&](const Buffer& room) {
      least = std::find_if(least, least_.end(), [&](const Buffer& one) { return one.is_place_of(room); });
      maxplus::expects(least != least_.end(), "rooms stand in the order of the net's buffers");
      return room.room < least->room;
    });
  }

  Evaluation evaluate_with(std::vector<Buffer> rooms) {
    if (has_passed(options_.deadline)) throw SearchEnded{OutOfTime{}};
    ++trials_;
    auto limited = tpn::with_capacity(std::move(net_), {.buffers = std::move(rooms)}, options_.deadline);
    if (const auto* too_large = std::get_if<tpn::TooLarge>(&limited)) throw SearchEnded{*too_large};
    net_ = std::get<FoldedNet>(std::move(limited));
    Evaluation evaluation = evaluate(net_, options_);
    net_.dependences = own_;
    net_.capacity = {};
    return evaluation;
  }

  FoldedNet net_;
  std::vector<tpn::Dependence> own_;  // without any rooms
  const Options& options_;
  std::vector<Buffer> least_;
  std::uint64_t trials_ = 0;
};

std::vector<Buffer> with_room(std::vector<Buffer> buffers, std::uint64_t room) {
  for (Buffer& buffer : buffers) buffer.room = room;
  return buffers;
}

Integer sum_of(const std::vector<Buffer>& buffers) {
  Integer sum = 0;
  for (const Buffer& buffer : buffers) sum += buffer.room;
  return sum;
}

// The search, which leaves what it has found in `insight` wherever it ends.
class RoomSearch {
 public:
  RoomSearch(const FoldedNet& net, const Options& options, RoomsInsight& insight)
      : trials_(net, options), insight_(insight) {}

  std::uint64_t trials() const { return trials_.trials(); }

  void run(std::uint64_t shown) {
    insight_.period = *trials_.period_with({});
    trials_.find_least();
    for (const Buffer& buffer : trials_.least()) insight_.accepted = std::max(insight_.accepted, buffer.room);
    find_enough(shown);
    find_alone();
    find_together();
  }

 private:
  void find_enough(std::uint64_t shown) {
    const std::vector<Buffer>& buffers = trials_.least();
    if (buffers.empty()) insight_.enough = 1;
    const std::uint64_t most = shown > 0 ? shown : kShownRooms;
    for (std::uint64_t k = 1; k <= most && (shown > 0 || insight_.enough == 0); ++k) {
      insight_.by_room.push_back(insight_.enough > 0 ? std::optional(insight_.period)
                                                     : trials_.period_with(with_room(buffers, k)));
      if (insight_.enough == 0 && insight_.by_room.back() == insight_.period) insight_.enough = k;
    }
    if (insight_.enough > 0) return;
    std::uint64_t little = most;
    std::uint64_t much = most;
    do {
      if (much == tpn::kMostRooms) {
        const auto refused = std::ranges::find(buffers, kTooMuchRoom, &Buffer::room);
        if (refused != buffers.end()) insight_.refused = *refused;
        throw SearchEnded{tpn::TooLarge{tpn::LimitKind::room, Integer(much) + 1, tpn::kMostRooms}};
      }
      little = much;
      much = std::min(2 * much, tpn::kMostRooms);
    } while (!trials_.keeps(with_room(buffers, much), insight_.period));
    insight_.enough = bisect(little, much, [&](std::uint64_t k) { return with_room(buffers, k); });
  }

  // The least room that keeps the period, which `much` does and `little` does not.
  template <typename RoomsWith>
  std::uint64_t bisect(std::uint64_t little, std::uint64_t much, RoomsWith rooms_with) {
    while (much - little > 1) {
      const std::uint64_t middle = little + (much - little) / 2;
      (trials_.keeps(rooms_with(middle), insight_.period) ? much : little) = middle;
    }
    return much;
  }

  void find_alone() {
    std::vector<Buffer> alone = trials_.least();
    if (insight_.enough > 1) find_alone(alone);
    insight_.alone = std::move(alone);
    insight_.lower_bound = sum_of(insight_.alone);
  }

  // That of some buffers, given with the least that is not refused.
  void find_alone(std::span<Buffer> some) {
    if (some.empty() || trials_.keeps({some.begin(), some.end()}, insight_.period)) return;
    if (some.size() == 1) {
      const auto rooms_with = [&](std::uint64_t k) { return with_room({some.front()}, k); };
      some.front().room = bisect(some.front().room, insight_.enough, rooms_with);
      return;
    }
    find_alone(some.first(some.size() / 2));
    find_alone(some.last(some.size() - some.size() / 2));
  }

  void find_together() {
    std::vector<Buffer> rooms = insight_.alone;
    if (insight_.enough > 1 && !trials_.keeps(rooms, insight_.period)) {
      rooms = with_room(rooms, insight_.enough);
      for (std::uint64_t largest = insight_.enough; largest > 1; --largest) lower(rooms, largest);
    }
    insight_.together = std::move(rooms);
    insight_.sum = sum_of(insight_.together);
  }

  // Lowers the buffer capacities of that size by one where the period stays.
  void lower(std::vector<Buffer>& rooms, std::uint64_t largest) {
    std::vector<std::size_t> candidates;
    for (std::size_t b = 0; b < rooms.size(); ++b) {
      if (rooms[b].room == largest && insight_.alone[b].room < largest) candidates.push_back(b);
    }
    lower(rooms, candidates);
  }

  void lower(std::vector<Buffer>& rooms, std::span<const std::size_t> some) {
    if (some.empty()) return;
    for (const std::size_t b : some) --rooms[b].room;
    if (trials_.keeps(rooms, insight_.period)) return;
    for (const std::size_t b : some) ++rooms[b].room;
    if (some.size() == 1) return;
    lower(rooms, some.first(some.size() / 2));
    lower(rooms, some.last(some.size() - some.size() / 2));
  }

  RoomTrials trials_;
  RoomsInsight& insight_;
};

}  // namespace

std::vector<Buffer> RoomsInsight::larger() const {
  std::vector<Buffer> found;
  std::ranges::copy_if(together, std::back_inserter(found), [](const Buffer& buffer) { return buffer.room > 1; });
  return found;
}

RoomsInsight rooms_of(const FoldedNet& net, const Options& options, std::uint64_t shown) {
  maxplus::expects(
      tpn::separates_operations(net.model) && tpn::is_resources_only(net.model) && net.capacity.is_unlimited(),
      "rooms are found for OVERLAP");
  RoomsInsight insight;
  RoomSearch search(net, options, insight);
  try {
    search.run(shown);
  } catch (const SearchEnded& ended) {
    insight.limit = ended.limit;
  }
  insight.trials = search.trials();
  return insight;
}

}  // namespace takt::evaluators
