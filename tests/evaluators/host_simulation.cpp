// Lists of operations, and a clock that goes from one end of an operation to the next.
#include "tests/evaluators/host_simulation.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <queue>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "evaluators/play/play.hpp"
#include "tpn/models.hpp"

namespace takt::support {

namespace {

using maxplus::Rational;

// The first source, and the first sink; others behind it.
constexpr std::size_t kSource = 100'000;
constexpr std::size_t kSink = 200'000;

struct Event {
  Rational time;
  std::size_t operation = 0;
  bool operator>(const Event& other) const {
    return other.time < time || (other.time == time && other.operation < operation);
  }
};

class HostSimulation {
 public:
  HostSimulation(const tpn::Document& document, const tpn::Model& model, std::uint64_t data_sets,
                 const SimulatedStream& stream)
      : document_(document),
        stream_(stream),
        is_strict_(model == tpn::Model(tpn::Model::kStrict)),
        rooms_(model.rooms()),
        data_sets_(data_sets) {
    const auto add_end = [&](const std::optional<tpn::Endpoint>& end, std::size_t first) {
      if (!end) return;
      std::vector<std::size_t> in_turn;
      for (std::size_t k = 0; k < end->in_turn().size(); ++k) in_turn.push_back(first + k);
      stations_.push_back({in_turn});
    };
    add_end(document.platform.source, kSource);
    for (const tpn::Part& part : *document.mapping)
      stations_.push_back({part.processors, part.first_stage, part.last_stage, part.batches});
    add_end(document.platform.sink, kSink);
    lay_out();
    if (!document.order.empty()) put_in_order();
    for (std::size_t c = 0; c < layout_.size(); ++c)
      if (layout_[c].computes()) computation_[layout_[c].from] = c;
    columns_ = layout_.size();
    operations_.resize(data_sets * columns_);
    find_rounds();
  }

  void run() {
    const std::int64_t last = *std::ranges::max_element(rounds_);
    for (std::int64_t r = 0; r < static_cast<std::int64_t>(data_sets_) + last; ++r)
      for (std::size_t c = 0; c < columns_; ++c) add(r - rounds_[c], c);
    if (stream_.pace) add_releases();
    for (std::size_t o = 0; o < operations_.size(); ++o) start_if_ready(o, 0);
    while (!events_.empty()) {
      const Event event = events_.top();
      events_.pop();
      end(event.operation, event.time);
    }
  }

  std::vector<std::vector<Rational>> starts() const {
    std::vector<std::vector<Rational>> starts(data_sets_);
    for (std::size_t o = 0; o < data_sets_ * columns_; ++o)
      starts[o / columns_].push_back(operations_[o].start.value_or(-1));
    return starts;
  }

  std::vector<Rational> deliveries() const {
    std::vector<Rational> ends;
    for (std::uint64_t j = 0; j < data_sets_; ++j) {
      Rational& last = ends.emplace_back();
      for (const std::size_t o : deliveries_of(static_cast<std::int64_t>(j)))
        last = std::max(last, operations_[o].end.value());
    }
    return ends;
  }

 private:
  struct Station {
    std::vector<std::size_t> processors;
    std::size_t first_stage = 0;
    std::size_t last_stage = 0;
    std::vector<tpn::Batch> batches;

    Station(std::vector<std::size_t> all, std::size_t first = 0, std::size_t last = 0,
            std::vector<tpn::Batch> some = {})
        : processors(std::move(all)), first_stage(first), last_stage(last), batches(std::move(some)) {}
    // The first and last data set that are computed with one.
    std::pair<std::int64_t, std::int64_t> together(std::int64_t j) const {
      const auto length = static_cast<std::int64_t>(processors.size());
      const std::int64_t entry = (j % length + length) % length;
      for (const tpn::Batch& batch : batches) {
        const std::int64_t into = entry - static_cast<std::int64_t>(batch.first);
        if (into >= 0 && into < static_cast<std::int64_t>(batch.size))
          return {j - into, j - into + static_cast<std::int64_t>(batch.size) - 1};
      }
      return {j, j};
    }
    std::int64_t largest() const {
      std::int64_t most = 1;
      for (const tpn::Batch& batch : batches) most = std::max(most, static_cast<std::int64_t>(batch.size));
      return most;
    }
    std::size_t at(std::int64_t j) const {
      const auto length = static_cast<std::int64_t>(processors.size());
      return processors[static_cast<std::size_t>((j % length + length) % length)];
    }
  };
  struct Work {
    Rational duration;
    std::vector<std::size_t> lists;
    std::vector<std::size_t> after;  // operations whose ends it waits for beside its lists
    std::optional<Rational> start;
    std::optional<Rational> end;
  };
  // (kind, who, which part or port)
  using Name = std::tuple<std::string, std::string, std::size_t>;

  // A computation, or what a station sends to another: `from` is the computing station, too.
  struct Place {
    std::size_t from = 0;
    std::size_t to = 0;
    Rational size;  // of all that is sent
    bool computes() const { return from == to; }
  };

  bool is_outside(std::size_t station) const { return stations_[station].processors.front() >= kSource; }
  std::set<std::size_t> taken_by(std::size_t stage) const {
    const auto& after = document_.application.stages[stage].after;
    if (after) return {after->begin(), after->end()};
    return stage == 0 ? std::set<std::size_t>{} : std::set{stage - 1};
  }
  bool has_taker(std::size_t stage) const {
    for (std::size_t k = 0; k < document_.application.stages.size(); ++k)
      if (taken_by(k).contains(stage)) return true;
    return false;
  }

  // What one station sends to a later one, if it sends anything.
  std::optional<Rational> sent(std::size_t from, std::size_t to) const {
    const auto& stages = document_.application.stages;
    std::optional<Rational> size;
    if (is_outside(from)) {
      if (is_outside(to)) return std::nullopt;
      for (std::size_t k = stations_[to].first_stage; k <= stations_[to].last_stage; ++k)
        if (taken_by(k).empty()) size = *document_.application.input;
      return size;
    }
    for (std::size_t k = stations_[from].first_stage; k <= stations_[from].last_stage; ++k) {
      bool goes = is_outside(to) && !has_taker(k);
      for (std::size_t m = stations_[to].first_stage; !is_outside(to) && m <= stations_[to].last_stage; ++m)
        goes = goes || taken_by(m).contains(k);
      if (goes) size = size.value_or(0) + *stages[k].output;
    }
    return size;
  }

  // Station after station, behind each what it sends to others.
  void lay_out() {
    for (std::size_t s = 0; s < stations_.size(); ++s) {
      computation_.push_back(0);
      layout_.push_back({s, s, 0});
      for (std::size_t t = s + 1; t < stations_.size(); ++t)
        if (const auto size = sent(s, t)) layout_.push_back({s, t, *size});
    }
  }

  std::optional<std::size_t> number(std::size_t station) const {
    if (is_outside(station)) return std::nullopt;
    return station - (document_.platform.source ? 1 : 0);
  }

  // A computation stands before the first transfer of the order that is its own or a later station's and behind all
  // that its station receives; at the end if there is none.
  void put_in_order() {
    const std::vector<tpn::TransferEnds>& order = document_.order;
    const auto turn_of = [&](const Place& place) {
      const tpn::TransferEnds ends{number(place.from), number(place.to)};
      return static_cast<std::size_t>(std::ranges::find(order, ends) - order.begin());
    };
    std::vector<std::size_t> sender(order.size());
    std::vector<std::size_t> has_all(stations_.size(), 0);
    for (const Place& place : layout_) {
      if (place.computes()) continue;
      sender[turn_of(place)] = place.from;
      has_all[place.to] = std::max(has_all[place.to], turn_of(place) + 1);
    }
    std::vector<std::tuple<std::size_t, bool, std::size_t, Place>> keys;
    for (const Place& place : layout_) {
      std::size_t turn = place.computes() ? has_all[place.from] : turn_of(place);
      while (place.computes() && turn < order.size() && sender[turn] < place.from) ++turn;
      keys.emplace_back(turn, !place.computes(), place.from, place);
    }
    std::ranges::stable_sort(keys, [](const auto& a, const auto& b) {
      return std::tie(std::get<0>(a), std::get<1>(a), std::get<2>(a)) <
             std::tie(std::get<0>(b), std::get<1>(b), std::get<2>(b));
    });
    layout_.clear();
    for (const auto& key : keys) layout_.push_back(std::get<3>(key));
  }

  std::uint64_t said_of(const Place& place, std::uint64_t tpn::PartTransfer::*what) const {
    for (const tpn::PartTransfer& transfer : document_.transfers)
      if (transfer.from == number(place.from) && transfer.to == number(place.to)) return transfer.*what;
    return 0;
  }
  std::int64_t ahead_of(const Place& place) const {
    return static_cast<std::int64_t>(said_of(place, &tpn::PartTransfer::ahead));
  }

  bool has_files(std::size_t station, bool receives) const {
    return std::ranges::any_of(layout_, [&](const Place& place) {
      return !place.computes() && (receives ? place.to : place.from) == station;
    });
  }

  // The operations that deliver a data set.
  std::vector<std::size_t> deliveries_of(std::int64_t j) const {
    std::vector<std::size_t> found;
    for (std::size_t s = 0; s < stations_.size(); ++s)
      if (!has_files(s, false)) found.push_back(operation(stations_[s].together(j).second, computation_[s]));
    return found;
  }

  // Before its first operations a data set has to be there, and those too many before it have to be gone.
  void hold_back(std::int64_t j, std::size_t station, Work& work) {
    if (has_files(station, true)) return;
    if (stream_.pace) work.after.push_back(data_sets_ * columns_ + static_cast<std::size_t>(j));
    const auto window = static_cast<std::int64_t>(stream_.window);
    if (window == 0) return;
    for (std::int64_t i = j - window; i >= 0; --i)
      for (const std::size_t o : deliveries_of(i)) work.after.push_back(o);
  }

  void add_releases() {
    operations_.resize(operations_.size() + data_sets_);
    for (std::uint64_t j = 0; j < data_sets_; ++j) {
      const std::size_t o = data_sets_ * columns_ + j;
      operations_[o].start = *stream_.pace * Rational(j);
      events_.push({*operations_[o].start, o});
    }
  }

  // Column c is on data set j when others, before what is ahead, are on data set j + rounds_[c].
  void find_rounds() {
    rounds_.assign(columns_, 0);
    for (std::size_t s = 0; s < stations_.size(); ++s) {
      std::int64_t& computed = rounds_[computation_[s]];
      for (std::size_t c = 0; c < columns_; ++c) {
        if (layout_[c].computes() || layout_[c].to != s) continue;
        const std::size_t from = layout_[c].from;
        computed =
            std::max(computed, rounds_[computation_[from]] + stations_[from].largest() - 1 + ahead_of(layout_[c]));
      }
      for (std::size_t c = 0; c < columns_; ++c)
        if (!layout_[c].computes() && layout_[c].to == s) rounds_[c] = computed - ahead_of(layout_[c]);
    }
  }

  std::string host(std::size_t p) const {
    if (p >= kSource) return std::string(p >= kSink ? "sink " : "source ") + std::to_string(p);
    const tpn::Processor& processor = document_.platform.processors[p];
    return processor.host.empty() ? processor.name : processor.host;
  }
  std::string core(std::size_t p) const { return p >= kSource ? host(p) : document_.platform.processors[p].name; }
  std::uint64_t ports(std::size_t p) const {
    if (p >= kSource) return end(p).ports;
    return document_.platform.processors[p].ports;
  }
  const tpn::Endpoint& end(std::size_t p) const {
    return p >= kSink ? document_.platform.sink->in_turn()[p - kSink]
                      : document_.platform.source->in_turn()[p - kSource];
  }
  // A source or sink of several ports does not transfer by its processor.
  bool is_open(std::size_t p) const { return p >= kSource && ports(p) != 1; }
  std::size_t lead(std::size_t p) const {
    for (std::size_t q = 0; q < p; ++q)
      if (host(q) == host(p)) return q;
    return p;
  }

  Rational computing_time(const Station& station, std::size_t p, std::int64_t data_sets) const {
    if (p >= kSource) return 0;
    Rational time;
    for (std::size_t k = station.first_stage; k <= station.last_stage; ++k) {
      const tpn::Stage& stage = document_.application.stages[k];
      Rational each = stage.work.value_or(0) / *document_.platform.processors[p].speed;
      for (const tpn::StageTime& own : stage.times) {
        if (own.processor != p) continue;
        each = own.time;
        time += own.fixed;
      }
      time += each * Rational(data_sets);
    }
    return time;
  }

  // Of a segment, the number of the list that has what a name stands for, or none.
  std::optional<std::size_t> list_with(const tpn::NetworkSegment& segment, std::size_t p) const {
    for (std::size_t k = 0; k < 2; ++k) {
      for (const std::string& name : segment.between[k]) {
        if (p >= kSource) {
          const std::string own = end(p).name;
          if (name == (!own.empty() ? own : p >= kSink ? "sink" : "source")) return k;
        } else if (name == host(p)) {
          return k;
        }
      }
    }
    return std::nullopt;
  }

  // In which direction a transfer uses it, if it does.
  std::optional<std::string> use_of(const tpn::NetworkSegment& segment, std::size_t from, std::size_t to) const {
    const auto here = list_with(segment, from);
    const auto there = list_with(segment, to);
    if (!here || !there || here == there) return std::nullopt;
    return segment.name + (segment.duplex && *here == 1 ? " back" : "");
  }

  Rational least_with_segments(std::size_t from, std::size_t to, Rational bandwidth) const {
    for (const tpn::NetworkSegment& segment : document_.platform.segments)
      if (segment.bandwidth && use_of(segment, from, to)) bandwidth = std::min(bandwidth, *segment.bandwidth);
    return bandwidth;
  }

  void join_segments(std::optional<std::size_t> operation, std::size_t from, std::size_t to) {
    for (const tpn::NetworkSegment& segment : document_.platform.segments) {
      const auto use = use_of(segment, from, to);
      if (!use || segment.ports == 0) continue;
      const std::uint64_t turn = turns_[{"segment", *use, 0}]++;
      if (operation) join(*operation, {"segment", *use, turn % segment.ports});
    }
  }

  // Bandwidth: the lesser card's, the platform's for who has none of his own; that of segments if it is less.
  Rational transfer_time(std::size_t from, std::size_t to, const Rational& size) const {
    const tpn::Platform& platform = document_.platform;
    for (const auto& [here, there] : {std::pair(from, to), std::pair(to, from)}) {
      if (here < kSource) continue;
      for (const tpn::EndpointLink& link : end(here).links)
        if (link.processor == lead(there)) return *link.timing.time;
      const Rational its = end(here).timing.bandwidth.value_or(*platform.defaults.bandwidth);
      const Rational own = platform.processors[there].bandwidth.value_or(its);
      return platform.defaults.latency.value_or(0) + size / least_with_segments(from, to, std::min(own, its));
    }
    if (host(from) == host(to)) {
      const auto& memory = platform.processors[from].memory_bandwidth;
      return memory ? size / *memory : Rational();
    }
    for (const bool directed : {true, false}) {
      for (const tpn::Link& link : platform.links) {
        const bool forth = link.from == lead(from) && link.to == lead(to);
        const bool back = link.from == lead(to) && link.to == lead(from);
        if (link.directed == directed && (forth || (back && !directed))) return *link.timing.time;
      }
    }
    const Rational one = platform.processors[from].bandwidth.value_or(*platform.defaults.bandwidth);
    const Rational other = platform.processors[to].bandwidth.value_or(*platform.defaults.bandwidth);
    return platform.defaults.latency.value_or(0) + size / least_with_segments(from, to, std::min(one, other));
  }

  void join(std::size_t operation, const Name& name) {
    const auto [at, is_new] = numbers_.emplace(name, lists_.size());
    if (is_new) lists_.emplace_back();
    lists_[at->second].push_back(operation);
    operations_[operation].lists.push_back(at->second);
  }

  // The next of n ports.
  void join_port(std::optional<std::size_t> operation, const std::string& direction, std::size_t processor) {
    const std::uint64_t n = ports(processor);
    if (n == 0) return;
    const std::uint64_t turn = turns_[{direction, host(processor), 0}]++;
    if (operation) join(*operation, {direction, host(processor), turn % n});
  }

  bool stays(std::size_t from, std::size_t to) const {
    if (from == to) return true;
    return host(from) == host(to) && !document_.platform.processors[from].memory_bandwidth;
  }

  // Data sets that do not exist only take their turns at ports.
  void pass(std::int64_t j, std::size_t c) {
    if (layout_[c].computes()) return;
    const std::size_t from = stations_[layout_[c].from].at(j);
    const std::size_t to = stations_[layout_[c].to].at(j);
    if (stays(from, to) || host(from) == host(to)) return;
    join_port(std::nullopt, "out", from);
    join_port(std::nullopt, "in", to);
    join_segments(std::nullopt, from, to);
  }

  void add(std::int64_t j, std::size_t c) {
    if (j < 0 || j >= static_cast<std::int64_t>(data_sets_)) return pass(j, c);
    const std::size_t o = static_cast<std::size_t>(j) * columns_ + c;
    Work& work = operations_[o];
    const Place& place = layout_[c];
    const Station& here = stations_[place.from];
    const std::size_t from = here.at(j);
    if (place.computes()) {
      for (std::size_t x = 0; x < columns_; ++x)
        if (!layout_[x].computes() && layout_[x].to == place.to) work.after.push_back(operation(j, x));
      hold_back(j, place.from, work);
      const auto [first, last] = here.together(j);
      if (j != last) return;  // it only waits for its file
      work.duration = computing_time(here, from, last - first + 1);
      join(o, {"core", core(from), 0});
      for (std::int64_t i = first; i <= last; ++i) {
        if (i < last) work.after.push_back(o - static_cast<std::size_t>(last - i) * columns_);
        add_rooms_of_computation(i, place.from, from, o);
      }
      return;
    }
    work.after.push_back(operation(here.together(j).second, computation_[place.from]));
    const std::size_t to = stations_[place.to].at(j);
    if (stays(from, to)) return;
    work.duration = transfer_time(from, to, place.size);
    if (is_strict_) {
      if (!is_open(from)) join(o, {"core", core(from), 0});
      if (!is_open(to)) join(o, {"core", core(to), 0});
    }
    if (host(from) != host(to)) {
      join_port(o, "out", from);
      join_port(o, "in", to);
      join_segments(o, from, to);
    }
    // The place is free again when the computation with the file of `room` files before has ended.
    const Station& there = stations_[place.to];
    for (const std::uint64_t room : {rooms_, said_of(place, &tpn::PartTransfer::room)}) {
      if (room == 0 || to >= kSource) continue;
      const auto before =
          file_before(j, room, [&](std::int64_t i) { return there.at(i) == to && !stays(here.at(i), to); });
      if (before) operations_[o].after.push_back(operation(there.together(*before).second, computation_[place.to]));
    }
  }

  std::size_t operation(std::int64_t j, std::size_t c) const { return static_cast<std::size_t>(j) * columns_ + c; }

  // Of the data sets with files at a place, the one as many files before as there is room for.
  template <typename HasFile>
  std::optional<std::int64_t> file_before(std::int64_t j, std::uint64_t room, HasFile has_file) const {
    std::uint64_t files = 0;
    for (std::int64_t i = j - 1; i >= 0; --i)
      if (has_file(i) && ++files == room) return i;
    return std::nullopt;
  }

  // A place for the file that the computation makes, if it is sent at all.
  void add_rooms_of_computation(std::int64_t j, std::size_t station, std::size_t processor, std::size_t o) {
    if (rooms_ == 0 || processor >= kSource) return;
    const Station& here = stations_[station];
    for (std::size_t x = 0; x < columns_; ++x) {
      if (layout_[x].computes() || layout_[x].from != station) continue;
      const Station& there = stations_[layout_[x].to];
      if (stays(processor, there.at(j))) continue;
      const auto before = file_before(
          j, rooms_, [&](std::int64_t i) { return here.at(i) == processor && !stays(processor, there.at(i)); });
      if (before) operations_[o].after.push_back(operation(*before, x));
    }
  }

  void start_if_ready(std::size_t o, const Rational& now) {
    Work& work = operations_[o];
    if (work.start) return;
    const bool has_files =
        std::ranges::all_of(work.after, [&](std::size_t before) { return operations_[before].end.has_value(); });
    const bool is_next =
        std::ranges::all_of(work.lists, [&](std::size_t list) { return lists_[list].at(done_[list]) == o; });
    if (!has_files || !is_next) return;
    work.start = now;
    events_.push({now + work.duration, o});
  }

  void end(std::size_t o, const Rational& now) {
    operations_[o].end = now;
    for (const std::size_t list : operations_[o].lists) ++done_[list];
    for (const std::size_t list : operations_[o].lists)
      if (done_[list] < lists_[list].size()) start_if_ready(lists_[list][done_[list]], now);
    if (followers_.empty()) {
      followers_.resize(operations_.size());
      for (std::size_t p = 0; p < operations_.size(); ++p)
        for (const std::size_t before : operations_[p].after) followers_[before].push_back(p);
    }
    for (const std::size_t next : followers_[o]) start_if_ready(next, now);
  }

  const tpn::Document& document_;
  const SimulatedStream& stream_;
  bool is_strict_;
  std::uint64_t rooms_;
  std::uint64_t data_sets_;
  std::vector<Station> stations_;
  std::vector<Place> layout_;             // by column
  std::vector<std::size_t> computation_;  // by station, its column
  std::size_t columns_ = 0;
  std::vector<std::int64_t> rounds_;  // by column
  std::vector<Work> operations_;
  std::vector<std::vector<std::size_t>> lists_;
  std::map<std::size_t, std::size_t> done_;  // by list
  std::map<Name, std::size_t> numbers_;
  std::map<Name, std::uint64_t> turns_;
  std::vector<std::vector<std::size_t>> followers_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
};

}  // namespace

std::vector<std::vector<Rational>> simulated_starts(const tpn::Document& document, const tpn::Model& model,
                                                    std::uint64_t data_sets, const SimulatedStream& stream) {
  HostSimulation simulation(document, model, data_sets, stream);
  simulation.run();
  return simulation.starts();
}

std::vector<std::vector<Rational>> played_starts(const tpn::FoldedNet& net, std::uint64_t data_sets) {
  std::vector<std::vector<Rational>> starts(data_sets,
                                            std::vector<Rational>(net.pipeline.columns.size(), Rational(-1)));
  evaluators::play(net, data_sets, [&](const evaluators::Firing& firing) {
    starts.at(net.pipeline.data_set_of(firing.operation))[firing.operation.column] = firing.start;
    return true;
  });
  return starts;
}

std::vector<Rational> simulated_deliveries(const tpn::Document& document, const tpn::Model& model,
                                           std::uint64_t data_sets, const SimulatedStream& stream) {
  HostSimulation simulation(document, model, data_sets, stream);
  simulation.run();
  return simulation.deliveries();
}

}  // namespace takt::support
