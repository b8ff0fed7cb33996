// Durations from works, sizes, speeds and links, exactly.
#include "tpn/timing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

#include "tpn/absent_times.hpp"
#include "tpn/ends.hpp"
#include "tpn/errors.hpp"
#include "tpn/json.hpp"

namespace takt::tpn {

namespace {

using json::quote;

// In the order of a key below `bound`, ties in the order that they have.
std::vector<NamedLink> sorted_by(std::size_t NamedLink::*key, std::size_t bound, const std::vector<NamedLink>& links) {
  std::vector<std::size_t> places(bound + 1);
  for (const NamedLink& link : links) ++places[link.*key + 1];
  std::partial_sum(places.begin(), places.end(), places.begin());
  std::vector<NamedLink> sorted(links.size());
  for (const NamedLink& link : links) sorted[places[link.*key]++] = link;
  return sorted;
}

// The pairs that a list of links between processors or types names, in ascending order, each once; a link is its place
// in the list. `bound`: above all processors or types.
template <typename Listed>
std::vector<NamedLink> links_named(const std::vector<Listed>& links, std::size_t bound) {
  std::vector<NamedLink> named;
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (links[i].directed) named.push_back({links[i].from, links[i].to, i});
  }
  // Behind the directed ones, which win.
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (links[i].directed) continue;
    named.push_back({links[i].from, links[i].to, i});
    named.push_back({links[i].to, links[i].from, i});
  }
  named = sorted_by(&NamedLink::from, bound, sorted_by(&NamedLink::to, bound, named));
  const auto same_pair = [](const NamedLink& a, const NamedLink& b) { return a.from == b.from && a.to == b.to; };
  named.erase(std::unique(named.begin(), named.end(), same_pair), named.end());
  return named;
}

std::vector<const LinkTiming*> timings_of(const Endpoint& endpoint, std::size_t processors, const HostIndex& hosts) {
  if (endpoint.links.empty()) return {};
  std::vector<const LinkTiming*> timings(processors);
  for (const EndpointLink& link : endpoint.links) timings[link.processor] = &link.timing;
  if (hosts.are_shared())
    for (std::size_t p = 0; p < processors; ++p) timings[p] = timings[hosts.first_of(p)];
  return timings;
}

std::vector<std::vector<const LinkTiming*>> timings_of(const std::optional<Endpoint>& endpoint, std::size_t processors,
                                                       const HostIndex& hosts) {
  std::vector<std::vector<const LinkTiming*>> timings;
  if (!endpoint) return timings;
  for (const Endpoint& one : endpoint->in_turn()) timings.push_back(timings_of(one, processors, hosts));
  return timings;
}

std::string end_words(const char* key, const Endpoint& endpoint, std::size_t which) {
  return endpoint.named.empty() ? std::string("the ") + key : quote(endpoint.named[which].name);
}

std::pair<std::size_t, std::size_t> pair_of(const NamedLink& link) { return {link.from, link.to}; }

const Rational* pointer_to(const std::optional<Rational>& number) { return number ? &*number : nullptr; }

// As it is, at no cost, for one data set.
Rational times(Rational number, std::uint64_t data_sets) {
  if (data_sets != 1) number *= Rational(data_sets);
  return number;
}

bool is_one(const Rational& number) { return number == Rational(1); }

// Either may be null.
const Rational* lesser(const Rational* a, const Rational* b) {
  if (a == nullptr || b == nullptr) return a == nullptr ? b : a;
  return *b < *a ? b : a;
}

const LinkTiming* timing_of(const std::vector<const LinkTiming*>& timings, std::size_t processor) {
  return timings.empty() ? nullptr : timings[processor];
}

std::string stage_pointer(std::size_t stage, const std::string& key) {
  return "/application/stages/" + std::to_string(stage) + "/" + key;
}

}  // namespace

// The timing of a link after every layer had its say: a `time`, or a latency and perhaps a bandwidth.
struct Timing::Resolved {
  const Rational* time = nullptr;
  const Rational* bandwidth = nullptr;
  const Rational* latency = nullptr;  // 0 if null
  const Law* law = nullptr;           // of the time or the latency

  bool exists() const { return time != nullptr || bandwidth != nullptr; }

  std::optional<LinearTime> linear() const {
    if (time != nullptr) return LinearTime{*time, std::nullopt};
    if (bandwidth == nullptr) return std::nullopt;
    return LinearTime{latency == nullptr ? Rational() : *latency, Rational(1) / *bandwidth};
  }

  // Of a link with a bandwidth. A latency is paid once for each message, whatever the size.
  Rational duration(const Rational& size, const Rational& messages) const {
    Rational result = size / *bandwidth;
    if (latency != nullptr) result += is_one(messages) ? *latency : *latency * messages;
    return result;
  }
  // Of a link with a time.
  Rational duration(const Rational& messages) const { return is_one(messages) ? *time : *time * messages; }

  void require_bandwidth(const std::string& pointer, const std::string& from, const std::string& to) const {
    if (bandwidth != nullptr) return;
    throw InvalidInstance(pointer, "no bandwidth or time from " + from + " to " + to,
                          "a link between them, or a default of the platform");
  }
};

// Each layer, the most particular one first, fills in what those before it left open; a layer with a
// `time` has neither bandwidth nor latency to add, and ends the search.
class Timing::Resolution {
 public:
  Resolution& layer(const LinkTiming* timing) {
    if (timing == nullptr || has_ended_) return *this;
    if (timing->time) {
      if (link_.bandwidth == nullptr && link_.latency == nullptr) {
        link_.time = &*timing->time;
        link_.law = timing->fixed_law.get();
      }
      has_ended_ = true;
      return *this;
    }
    if (timing->bandwidth) bandwidth(&*timing->bandwidth);
    if (link_.latency == nullptr && timing->latency) {
      link_.latency = &*timing->latency;
      link_.law = timing->fixed_law.get();
    }
    return *this;
  }

  Resolution& bandwidth(const Rational* value) {
    if (!has_ended_ && link_.bandwidth == nullptr) link_.bandwidth = value;
    return *this;
  }

  Resolved link() const { return link_; }

 private:
  Resolved link_;
  bool has_ended_ = false;
};

class Timing::LazyOthers {
 public:
  const OtherLinks& get(const Timing& timing) {
    std::call_once(made_, [&] { make(timing); });
    return links_;
  }

 private:
  void make(const Timing& timing) {
    links_.classes = timing.classes_.size();
    links_.class_of = timing.class_of_;
    add_kinds(timing);
    add_pairs(timing);
  }

  // Alike where the same link between types holds, or the same port.
  void add_kinds(const Timing& timing) {
    std::map<std::pair<const TypeLink*, const Rational*>, std::size_t> seen;
    for (const LinkClass& from : timing.classes_) {
      for (const LinkClass& to : timing.classes_) {
        const TypeLink* const link = timing.type_link(from, to);
        const bool is_complete = link != nullptr && (link->timing.time || link->timing.bandwidth);
        const Rational* const port = is_complete ? nullptr : timing.bandwidth_between(from, to);
        const auto [at, is_new] = seen.try_emplace({link, port}, links_.kinds.size());
        if (is_new) links_.kinds.push_back({timing.resolved(nullptr, from, to).linear()});
        links_.kind_of.push_back(at->second);
      }
    }
  }

  void add_pairs(const Timing& timing) {
    const std::size_t count = timing.document_.platform.processors.size();
    std::vector<std::vector<std::size_t>> members(links_.classes);
    for (std::size_t p = 0; p < count; ++p) members[class_of(p)].push_back(p);
    std::map<std::pair<std::size_t, std::size_t>, std::uint64_t> named;  // by classes
    for (const NamedLink& link : timing.named_links()) ++named[{class_of(link.from), class_of(link.to)}];
    for (std::size_t a = 0; a < links_.classes; ++a) {
      for (std::size_t b = 0; b < links_.classes; ++b) {
        const auto found = named.find({a, b});
        const std::uint64_t receivers = members[b].size() - (a == b ? 1 : 0);
        const std::uint64_t pairs = members[a].size() * receivers - (found == named.end() ? 0 : found->second);
        if (pairs == 0) continue;
        OtherLinks::Kind& kind = links_.kinds[links_.kind_of[a * links_.classes + b]];
        if (kind.pairs == 0) find_pair(timing, members[a], members[b], kind);
        kind.pairs += pairs;
      }
    }
  }

  // The first that the list does not name.
  static void find_pair(const Timing& timing, const std::vector<std::size_t>& senders,
                        const std::vector<std::size_t>& receivers, OtherLinks::Kind& kind) {
    for (const std::size_t from : senders) {
      for (const std::size_t to : receivers) {
        if (timing.hosts_.are_together(from, to) || timing.own_timing(from, to) != nullptr) continue;
        kind.from = from;
        kind.to = to;
        return;
      }
    }
  }

  std::size_t class_of(std::size_t processor) const { return links_.class_of.empty() ? 0 : links_.class_of[processor]; }

  std::once_flag made_;
  OtherLinks links_;
};

// The named links of all processors of hosts, and those within hosts.
class Timing::LazyPairs {
 public:
  std::span<const NamedLink> get(const Timing& timing) {
    std::call_once(made_, [&] { make(timing); });
    return pairs_;
  }

 private:
  void make(const Timing& timing) {
    const std::size_t count = timing.document_.platform.processors.size();
    std::vector<std::vector<std::size_t>> members(count);
    for (std::size_t p = 0; p < count; ++p) members[timing.hosts_.first_of(p)].push_back(p);
    std::size_t all_pairs = 0;
    for (const auto& host : members) all_pairs += host.size() * host.size() - host.size();
    for (const NamedLink& link : timing.named_) all_pairs += members[link.from].size() * members[link.to].size();
    pairs_.reserve(all_pairs);
    // Row by row: of a host of thousands of cores that is all in order.
    for (std::size_t from = 0; from < count; ++from) {
      const std::size_t begin = pairs_.size();
      const std::size_t host = timing.hosts_.first_of(from);
      for (const std::size_t to : members[host])
        if (from != to) pairs_.push_back({from, to, NamedLink::kWithinHost});
      const std::span all(timing.named_);
      const auto links =
          all.empty() ? all : all.subspan(timing.rows_[host], timing.rows_[host + 1] - timing.rows_[host]);
      for (const NamedLink& link : links)
        for (const std::size_t to : members[link.to]) pairs_.push_back({from, to, link.link});
      const std::span row = std::span(pairs_).subspan(begin);
      if (!std::ranges::is_sorted(row, {}, &NamedLink::to)) std::ranges::sort(row, {}, &NamedLink::to);
    }
  }

  std::once_flag made_;
  std::vector<NamedLink> pairs_;
};

Timing::Timing(const Document& document)
    : document_(document),
      hosts_(document.platform),
      segments_(document.platform),
      others_(std::make_unique<LazyOthers>()),
      pairs_(hosts_.are_shared() ? std::make_unique<LazyPairs>() : nullptr),
      from_source_(timings_of(document.platform.source, document.platform.processors.size(), hosts_)),
      to_sink_(timings_of(document.platform.sink, document.platform.processors.size(), hosts_)) {
  gains_.reserve(document.application.stages.size());
  for (const Stage& stage : document.application.stages) {
    if (gains_.empty()) {
      gains_.emplace_back(1);
    } else {
      const Stage& previous = document.application.stages[gains_.size() - 1];
      gains_.push_back(gains_.back() * previous.produces / stage.consumes);
    }
  }
  add_own_times();
  add_classes();
  if (document.platform.links.empty()) return;
  named_ = links_named(document.platform.links, document.platform.processors.size());
  rows_.assign(document.platform.processors.size() + 1, 0);
  for (const NamedLink& link : named_) ++rows_[link.from + 1];
  std::partial_sum(rows_.begin(), rows_.end(), rows_.begin());
}

Timing::~Timing() = default;

void Timing::add_classes() {
  const Platform& platform = document_.platform;
  type_links_ = links_named(platform.type_links, platform.types.size());
  std::vector<const Rational*> ports;
  for (const Processor& processor : platform.processors)
    if (processor.bandwidth) ports.push_back(&*processor.bandwidth);
  const bool are_segments = !platform.segments.empty();
  if (ports.empty() && type_links_.empty() && !are_segments) {
    classes_.emplace_back();
    return;
  }
  const auto less = [](const Rational* a, const Rational* b) { return *a < *b; };
  const auto equal = [](const Rational* a, const Rational* b) { return *a == *b; };
  std::ranges::sort(ports, less);
  ports.erase(std::unique(ports.begin(), ports.end(), equal), ports.end());
  using Key = std::tuple<std::optional<std::size_t>, const Rational*, std::vector<SegmentSide>>;
  std::map<Key, std::size_t> numbers;
  for (std::size_t p = 0; p < platform.processors.size(); ++p) {
    const Processor& processor = platform.processors[p];
    Key key;
    auto& [type, port, sides] = key;
    if (!type_links_.empty()) type = processor.type;
    if (processor.bandwidth) port = *std::ranges::lower_bound(ports, &*processor.bandwidth, less);
    if (are_segments) sides = segments_.sides(p);
    const auto [at, is_new] = numbers.try_emplace(key, classes_.size());
    if (is_new) classes_.push_back({type, port, p});
    class_of_.push_back(at->second);
  }
  if (classes_.size() == 1) class_of_.clear();
}

void Timing::add_own_times() {
  const std::vector<Stage>& stages = document_.application.stages;
  if (std::ranges::all_of(stages, [](const Stage& stage) { return stage.times.empty(); })) return;
  own_rows_.push_back(0);
  has_own_times_.assign(document_.platform.processors.size(), false);
  for (const Stage& stage : stages) {
    const auto begin = static_cast<std::ptrdiff_t>(own_times_.size());
    for (const StageTime& own : stage.times) {
      own_times_.push_back(&own);
      has_own_times_[own.processor] = true;
    }
    std::ranges::sort(own_times_.begin() + begin, own_times_.end(), {}, &StageTime::processor);
    own_rows_.push_back(own_times_.size());
  }
}

std::span<const StageTime* const> Timing::own_times(std::size_t stage) const {
  if (own_rows_.empty()) return {};
  return {own_times_.data() + own_rows_[stage], own_times_.data() + own_rows_[stage + 1]};
}

const StageTime* Timing::own_time(std::size_t stage, std::size_t processor) const {
  const auto own = own_times(stage);
  const auto found = std::ranges::lower_bound(own, processor, {}, &StageTime::processor);
  return found != own.end() && (*found)->processor == processor ? *found : nullptr;
}

std::optional<Rational> Timing::stage_time(std::size_t stage, std::size_t processor, std::uint64_t data_sets) const {
  if (const StageTime* const found = own_time(stage, processor)) {
    // Platforms have millions of these, nearly all of one data set and with nothing fixed.
    const StageTime& time = *found;
    const bool is_plain = data_sets == 1 && time.fixed.sign() == 0;
    return (is_plain ? time.time : time.of_batch(data_sets)) * gains_[stage];
  }
  const std::optional<Rational>& work = document_.application.stages[stage].work;
  const std::optional<Rational>& speed = document_.platform.processors[processor].speed;
  if (!work || !speed) return std::nullopt;
  return times(*work * gains_[stage], data_sets) / *speed;
}

void Timing::fail_for(std::size_t stage, const Processor& on, std::size_t processor) const {
  const Stage& here = document_.application.stages[stage];
  if (on.speed) {
    throw InvalidInstance(stage_pointer(stage, "work"), "stage " + quote(here.name) + " without \"work\"",
                          "its work, as " + quote(on.name) + " computes it at a speed");
  }
  if (!has_own_times()) {
    throw InvalidInstance("/platform/processors/" + std::to_string(entries_of(document_.platform)[processor]),
                          "processor " + quote(on.name) + " without \"speed\" and \"time\"", "one of them");
  }
  const std::string runners = runner_words(document_, stage);
  throw InvalidInstance(
      stage_pointer(stage, "time"), "stage " + quote(here.name) + " without a time on " + quote(on.name),
      runners.empty()
          ? quote(on.name) + " in the stage's \"time\", as that processor has no \"speed\""
          : "a processor that runs it (" + runners + "), or " + quote(on.name) + " in the stage's \"time\"");
}

Rational Timing::computation(std::size_t first_stage, std::size_t last_stage, std::size_t processor,
                             std::uint64_t data_sets) const {
  const Processor& on = document_.platform.processors[processor];
  if (on.time) return times(*on.time * gains_[first_stage], data_sets);
  if (has_own_times(processor)) {
    Rational sum;
    for (std::size_t stage = first_stage; stage <= last_stage; ++stage) {
      const auto time = stage_time(stage, processor, data_sets);
      if (!time) fail_for(stage, on, processor);
      sum += *time;
    }
    return sum;
  }
  Rational work;
  for (std::size_t stage = first_stage; stage <= last_stage; ++stage) {
    const Stage& here = document_.application.stages[stage];
    if (!here.work || !on.speed) fail_for(stage, on, processor);
    work += *here.work * gains_[stage];
  }
  return times(work, data_sets) / *on.speed;
}

const LinkTiming* Timing::own_timing(std::size_t from, std::size_t to) const {
  if (rows_.empty()) return nullptr;
  from = hosts_.first_of(from);
  to = hosts_.first_of(to);
  const std::span row(named_.data() + rows_[from], named_.data() + rows_[from + 1]);
  const auto found = std::ranges::lower_bound(row, to, {}, &NamedLink::to);
  return found != row.end() && found->to == to ? &document_.platform.links[found->link].timing : nullptr;
}

const TypeLink* Timing::type_link(const LinkClass& from, const LinkClass& to) const {
  if (!from.type || !to.type) return nullptr;
  const std::pair key(*from.type, *to.type);
  const auto found = std::ranges::lower_bound(type_links_, key, {}, pair_of);
  return found != type_links_.end() && pair_of(*found) == key ? &document_.platform.type_links[found->link] : nullptr;
}

// The least of the two ports and the segments, a port being the platform's if there is none; null if neither
// ports nor segments have one. The platform's time holds for the whole way, segments included.
const Rational* Timing::bandwidth_between(const LinkClass& from, const LinkClass& to) const {
  const Platform& platform = document_.platform;
  const Rational* least = lesser(from.port, to.port);
  if (least == nullptr && platform.defaults.time) return nullptr;
  if (!platform.segments.empty())
    least = lesser(least, segment_bandwidth(platform, segments_.sides(from.machine), segments_.sides(to.machine)));
  if (least == nullptr || (from.port != nullptr && to.port != nullptr)) return least;
  return lesser(least, pointer_to(platform.defaults.bandwidth));
}

Timing::Resolved Timing::resolved(const LinkTiming* own, const LinkClass& from, const LinkClass& to) const {
  const TypeLink* const of_types = type_link(from, to);
  return Resolution()
      .layer(own)
      .layer(of_types == nullptr ? nullptr : &of_types->timing)
      .bandwidth(bandwidth_between(from, to))
      .layer(&document_.platform.defaults)
      .link();
}

Timing::Resolved Timing::resolved(std::size_t from, std::size_t to) const {
  if (hosts_.are_together(from, to)) return within_host(from);
  return resolved(own_timing(from, to), class_of(from), class_of(to));
}

Timing::Resolved Timing::resolved(const NamedLink& named) const {
  if (named.link == NamedLink::kWithinHost) return within_host(named.from);
  return resolved(&document_.platform.links[named.link].timing, class_of(named.from), class_of(named.to));
}

// The bandwidth of the end is the least of its own, the processor's and the segments', unless their link says more.
Timing::Resolved Timing::resolved_end(const Endpoint& end, std::size_t machine, const LinkTiming* own,
                                      std::size_t processor) const {
  const LinkTiming& defaults = document_.platform.defaults;
  Resolution resolution;
  resolution.layer(own);
  const Rational* least = class_of(processor).port;
  const bool has_time_of_all = least == nullptr && !end.timing.bandwidth && defaults.time;
  if (!document_.platform.segments.empty() && !has_time_of_all) {
    const auto& sides = segments_.sides(processor);
    least = lesser(least, segment_bandwidth(document_.platform, sides, segments_.sides(machine)));
  }
  if (least != nullptr && !end.timing.time) {
    resolution.bandwidth(lesser(least, pointer_to(end.timing.bandwidth ? end.timing.bandwidth : defaults.bandwidth)));
  }
  return resolution.layer(&end.timing).layer(&defaults).link();
}

// A file that stays there takes no time, but where the host has a memory bandwidth.
Timing::Resolved Timing::within_host(std::size_t processor) const {
  static const Rational kNoTime;
  const std::optional<Rational>& bandwidth = document_.platform.processors[processor].memory_bandwidth;
  Resolved link;
  link.bandwidth = pointer_to(bandwidth);
  if (!bandwidth) link.time = &kNoTime;
  return link;
}

// Of all of them, in bytes.
Rational Timing::size_of(std::span<const std::size_t> files, const std::string& sender,
                         const std::string& receiver) const {
  Rational size;
  for (const std::size_t file : files) {
    const Stage& stage = document_.application.stages[file];
    if (!stage.output) {
      throw InvalidInstance(stage_pointer(file, "output"),
                            fmt::format("stage {} without \"output\"", quote(stage.name)),
                            fmt::format("its size, as {} sends it to {} at a bandwidth", sender, receiver));
    }
    if (file == files.front()) {
      size = *stage.output * gains_[file];
    } else {
      size += *stage.output * gains_[file];
    }
  }
  return size;
}

Rational Timing::transfer(std::span<const std::size_t> files, std::size_t from, std::size_t to) const {
  const Resolved link = resolved(from, to);
  if (link.time != nullptr) return link.duration(messages(files));

  const std::string sender = quote(document_.platform.processors[from].name);
  const std::string receiver = quote(document_.platform.processors[to].name);
  link.require_bandwidth("/platform/links", sender, receiver);
  return link.duration(size_of(files, sender, receiver), messages(files));
}

// Only stages of a chain make other numbers of files than one, and a part of a chain sends those of one stage.
Rational Timing::messages(std::span<const std::size_t> files) const {
  return files.size() == 1 ? this->files(files.front()) : Rational(1);
}

Rational Timing::from_source(std::size_t processor, std::size_t which) const {
  const Endpoint& source = *document_.platform.source;
  const Resolved link = resolved_source(processor, which);
  if (link.time != nullptr) return *link.time;
  const std::string& receiver = document_.platform.processors[processor].name;
  const std::string sender = end_words("source", source, which);
  link.require_bandwidth(end_pointer(source, "source", which), sender, quote(receiver));
  if (!document_.application.input) {
    throw InvalidInstance("/application/input", "no \"input\"",
                          "its size, as " + sender + " sends it to " + quote(receiver) + " at a bandwidth");
  }
  return link.duration(*document_.application.input, 1);
}

Rational Timing::to_sink(std::span<const std::size_t> files, std::size_t processor, std::size_t which) const {
  const Endpoint& sink = *document_.platform.sink;
  const Resolved link = resolved_sink(processor, which);
  if (link.time != nullptr) return link.duration(messages(files));
  const std::string sender = quote(document_.platform.processors[processor].name);
  const std::string receiver = end_words("sink", sink, which);
  link.require_bandwidth(end_pointer(sink, "sink", which), sender, receiver);
  return link.duration(size_of(files, sender, receiver), messages(files));
}

Rational Timing::to_sink(std::size_t processor, std::size_t which) const {
  const std::size_t last = document_.application.stages.size() - 1;
  return to_sink(std::span(&last, 1), processor, which);
}

std::optional<LinearTime> Timing::processor(std::size_t processor) const {
  const Processor& on = document_.platform.processors[processor];
  if (on.time) return LinearTime{*on.time, std::nullopt};
  if (!on.speed || has_own_times(processor)) return std::nullopt;
  return LinearTime{0, Rational(1) / *on.speed};
}

std::optional<LinearTime> Timing::link(std::size_t from, std::size_t to) const { return resolved(from, to).linear(); }

Timing::Resolved Timing::resolved_source(std::size_t processor, std::size_t which) const {
  return resolved_end(document_.platform.source->in_turn()[which], segments_.source(which),
                      timing_of(from_source_[which], processor), processor);
}

Timing::Resolved Timing::resolved_sink(std::size_t processor, std::size_t which) const {
  return resolved_end(document_.platform.sink->in_turn()[which], segments_.sink(which),
                      timing_of(to_sink_[which], processor), processor);
}

std::optional<LinearTime> Timing::source_link(std::size_t processor, std::size_t which) const {
  return resolved_source(processor, which).linear();
}

std::optional<LinearTime> Timing::sink_link(std::size_t processor, std::size_t which) const {
  return resolved_sink(processor, which).linear();
}

const Law* Timing::link_law(std::size_t from, std::size_t to) const { return resolved(from, to).law; }

const Law* Timing::source_link_law(std::size_t processor, std::size_t which) const {
  return resolved_source(processor, which).law;
}

const Law* Timing::sink_link_law(std::size_t processor, std::size_t which) const {
  return resolved_sink(processor, which).law;
}

bool Timing::has_link(std::size_t from, std::size_t to) const { return resolved(from, to).exists(); }

std::optional<LinearTime> Timing::link(const NamedLink& named) const { return resolved(named).linear(); }

bool Timing::has_link(const NamedLink& named) const { return resolved(named).exists(); }

std::span<const NamedLink> Timing::named_links() const {
  return pairs_ == nullptr ? std::span<const NamedLink>(named_) : pairs_->get(*this);
}

const OtherLinks& Timing::other_links() const { return others_->get(*this); }

}  // namespace takt::tpn
