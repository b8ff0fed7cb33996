// Durations from works, sizes, speeds and links, exactly.
#include "tpn/timing.hpp"

#include <algorithm>
#include <initializer_list>
#include <numeric>
#include <string>

#include "tpn/errors.hpp"
#include "tpn/json.hpp"

namespace takt::tpn {

namespace {

using json::quote;

// The timing of a link after every layer had its say: a `time`, or a latency and perhaps a bandwidth.
struct ResolvedLink {
  const Rational* time = nullptr;
  const Rational* bandwidth = nullptr;
  const Rational* latency = nullptr;  // 0 where null
};

// Each layer, the most particular one first, fills in what those before it left open; a layer with a
// `time` has neither bandwidth nor latency to add, and ends the search.
ResolvedLink resolve(std::initializer_list<const LinkTiming*> layers) {
  ResolvedLink link;
  for (const LinkTiming* layer : layers) {
    if (layer == nullptr) continue;
    if (layer->time) {
      if (link.bandwidth == nullptr && link.latency == nullptr) link.time = &*layer->time;
      break;
    }
    if (link.bandwidth == nullptr && layer->bandwidth) link.bandwidth = &*layer->bandwidth;
    if (link.latency == nullptr && layer->latency) link.latency = &*layer->latency;
  }
  return link;
}

// A latency is paid once, whatever the size.
Rational duration(const ResolvedLink& link, const Rational& size) {
  Rational result = size / *link.bandwidth;
  if (link.latency != nullptr) result += *link.latency;
  return result;
}

std::optional<LinearTime> linear(const ResolvedLink& link) {
  if (link.time != nullptr) return LinearTime{*link.time, std::nullopt};
  if (link.bandwidth == nullptr) return std::nullopt;
  return LinearTime{link.latency == nullptr ? Rational() : *link.latency, Rational(1) / *link.bandwidth};
}

// Whether `linear` makes anything of it.
bool exists(const ResolvedLink& link) { return link.time != nullptr || link.bandwidth != nullptr; }

// In the order of a key below `bound`, ties in the order that they have.
std::vector<NamedLink> sorted_by(std::size_t NamedLink::*key, std::size_t bound, const std::vector<NamedLink>& links) {
  std::vector<std::size_t> places(bound + 1);
  for (const NamedLink& link : links) ++places[link.*key + 1];
  std::partial_sum(places.begin(), places.end(), places.begin());
  std::vector<NamedLink> sorted(links.size());
  for (const NamedLink& link : links) sorted[places[link.*key]++] = link;
  return sorted;
}

std::vector<NamedLink> links_named(const Platform& platform) {
  std::vector<NamedLink> named;
  for (std::size_t i = 0; i < platform.links.size(); ++i) {
    if (const Link& link = platform.links[i]; link.directed) named.push_back({link.from, link.to, i});
  }
  // Behind the directed ones, which win.
  for (std::size_t i = 0; i < platform.links.size(); ++i) {
    const Link& link = platform.links[i];
    if (link.directed) continue;
    named.push_back({link.from, link.to, i});
    named.push_back({link.to, link.from, i});
  }
  const std::size_t bound = platform.processors.size();
  named = sorted_by(&NamedLink::from, bound, sorted_by(&NamedLink::to, bound, named));
  const auto same_pair = [](const NamedLink& a, const NamedLink& b) { return a.from == b.from && a.to == b.to; };
  named.erase(std::unique(named.begin(), named.end(), same_pair), named.end());
  return named;
}

std::vector<const LinkTiming*> timings_of(const std::optional<Endpoint>& endpoint, std::size_t processors) {
  if (!endpoint || endpoint->links.empty()) return {};
  std::vector<const LinkTiming*> timings(processors);
  for (const EndpointLink& link : endpoint->links) timings[link.processor] = &link.timing;
  return timings;
}

const LinkTiming* timing_of(const std::vector<const LinkTiming*>& timings, std::size_t processor) {
  return timings.empty() ? nullptr : timings[processor];
}

void require_bandwidth(const ResolvedLink& link, const std::string& pointer, const std::string& from,
                       const std::string& to) {
  if (link.bandwidth != nullptr) return;
  throw InvalidInstance(pointer, "no bandwidth or time from " + from + " to " + to,
                        "a link between them, or a default of the platform");
}

std::string stage_pointer(std::size_t stage, const std::string& key) {
  return "/application/stages/" + std::to_string(stage) + "/" + key;
}

}  // namespace

Timing::Timing(const Document& document)
    : document_(document),
      from_source_(timings_of(document.platform.source, document.platform.processors.size())),
      to_sink_(timings_of(document.platform.sink, document.platform.processors.size())) {
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
  if (document.platform.links.empty()) return;
  named_ = links_named(document.platform);
  rows_.assign(document.platform.processors.size() + 1, 0);
  for (const NamedLink& link : named_) ++rows_[link.from + 1];
  std::partial_sum(rows_.begin(), rows_.end(), rows_.begin());
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

std::optional<Rational> Timing::stage_time(std::size_t stage, std::size_t processor) const {
  const auto own = own_times(stage);
  const auto found = std::ranges::lower_bound(own, processor, {}, &StageTime::processor);
  if (found != own.end() && (*found)->processor == processor) return (*found)->time * gains_[stage];
  const std::optional<Rational>& work = document_.application.stages[stage].work;
  const std::optional<Rational>& speed = document_.platform.processors[processor].speed;
  if (!work || !speed) return std::nullopt;
  return *work * gains_[stage] / *speed;
}

void Timing::fail_for(std::size_t stage, const Processor& on, std::size_t processor) const {
  const Stage& here = document_.application.stages[stage];
  if (on.speed) {
    throw InvalidInstance(stage_pointer(stage, "work"), "stage " + quote(here.name) + " without \"work\"",
                          "its work, as " + quote(on.name) + " computes it at a speed");
  }
  if (!has_own_times()) {
    throw InvalidInstance("/platform/processors/" + std::to_string(processor),
                          "processor " + quote(on.name) + " without \"speed\" and \"time\"", "one of them");
  }
  throw InvalidInstance(stage_pointer(stage, "time"),
                        "stage " + quote(here.name) + " without a time on " + quote(on.name),
                        quote(on.name) + " in the stage's \"time\", as that processor has no \"speed\"");
}

Rational Timing::computation(std::size_t first_stage, std::size_t last_stage, std::size_t processor) const {
  const Processor& on = document_.platform.processors[processor];
  if (on.time) return *on.time;
  if (has_own_times(processor)) {
    Rational sum;
    for (std::size_t stage = first_stage; stage <= last_stage; ++stage) {
      const auto time = stage_time(stage, processor);
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
  return work / *on.speed;
}

const LinkTiming* Timing::own_timing(std::size_t from, std::size_t to) const {
  if (rows_.empty()) return nullptr;
  const std::span row(named_.data() + rows_[from], named_.data() + rows_[from + 1]);
  const auto found = std::ranges::lower_bound(row, to, {}, &NamedLink::to);
  return found != row.end() && found->to == to ? &document_.platform.links[found->link].timing : nullptr;
}

Rational Timing::transfer(std::size_t last_stage, std::size_t from, std::size_t to) const {
  const ResolvedLink link = resolve({own_timing(from, to), &document_.platform.defaults});
  if (link.time != nullptr) return *link.time;

  const std::string& sender = document_.platform.processors[from].name;
  const std::string& receiver = document_.platform.processors[to].name;
  require_bandwidth(link, "/platform/links", quote(sender), quote(receiver));
  const Stage& stage = document_.application.stages[last_stage];
  if (!stage.output) {
    throw InvalidInstance(stage_pointer(last_stage, "output"), "stage " + quote(stage.name) + " without \"output\"",
                          "its size, as " + quote(sender) + " sends it to " + quote(receiver) + " at a bandwidth");
  }
  return duration(link, *stage.output * gains_[last_stage]);
}

Rational Timing::from_source(std::size_t processor) const {
  const Endpoint& source = *document_.platform.source;
  const ResolvedLink link = resolve({timing_of(from_source_, processor), &source.timing, &document_.platform.defaults});
  if (link.time != nullptr) return *link.time;
  const std::string& receiver = document_.platform.processors[processor].name;
  require_bandwidth(link, "/platform/source", "the source", quote(receiver));
  if (!document_.application.input) {
    throw InvalidInstance("/application/input", "no \"input\"",
                          "its size, as the source sends it to " + quote(receiver) + " at a bandwidth");
  }
  return duration(link, *document_.application.input);
}

Rational Timing::to_sink(std::size_t processor) const {
  const Endpoint& sink = *document_.platform.sink;
  const ResolvedLink link = resolve({timing_of(to_sink_, processor), &sink.timing, &document_.platform.defaults});
  if (link.time != nullptr) return *link.time;
  const std::string& sender = document_.platform.processors[processor].name;
  require_bandwidth(link, "/platform/sink", quote(sender), "the sink");
  const std::size_t last = document_.application.stages.size() - 1;
  const Stage& stage = document_.application.stages[last];
  if (!stage.output) {
    throw InvalidInstance(stage_pointer(last, "output"), "stage " + quote(stage.name) + " without \"output\"",
                          "its size, as " + quote(sender) + " sends it to the sink at a bandwidth");
  }
  return duration(link, *stage.output * gains_[last]);
}

std::optional<LinearTime> Timing::processor(std::size_t processor) const {
  const Processor& on = document_.platform.processors[processor];
  if (on.time) return LinearTime{*on.time, std::nullopt};
  if (!on.speed || has_own_times(processor)) return std::nullopt;
  return LinearTime{0, Rational(1) / *on.speed};
}

std::optional<LinearTime> Timing::link(std::size_t from, std::size_t to) const {
  return linear(resolve({own_timing(from, to), &document_.platform.defaults}));
}

std::optional<LinearTime> Timing::source_link(std::size_t processor) const {
  const Endpoint& source = *document_.platform.source;
  return linear(resolve({timing_of(from_source_, processor), &source.timing, &document_.platform.defaults}));
}

std::optional<LinearTime> Timing::sink_link(std::size_t processor) const {
  const Endpoint& sink = *document_.platform.sink;
  return linear(resolve({timing_of(to_sink_, processor), &sink.timing, &document_.platform.defaults}));
}

std::optional<LinearTime> Timing::link(const NamedLink& named) const {
  return linear(resolve({&document_.platform.links[named.link].timing, &document_.platform.defaults}));
}

bool Timing::has_link(std::size_t from, std::size_t to) const {
  return exists(resolve({own_timing(from, to), &document_.platform.defaults}));
}

bool Timing::has_link(const NamedLink& named) const {
  return exists(resolve({&document_.platform.links[named.link].timing, &document_.platform.defaults}));
}

std::optional<LinearTime> Timing::default_link() const { return linear(resolve({&document_.platform.defaults})); }

}  // namespace takt::tpn
