// Host by host, then part by part.
#include "tests/support/host_documents.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "tests/support/draw.hpp"
#include "tpn/hosts.hpp"
#include "tpn/workflow.hpp"

namespace takt::support {

namespace {

using maxplus::Rational;

class HostDealer {
 public:
  explicit HostDealer(std::uint64_t seed) : draw_(seed) {}

  tpn::Document deal() {
    add_hosts();
    add_stages();
    add_links();
    add_ends();
    add_mapping();
    return std::move(document_);
  }

  tpn::Document deal_ahead() {
    document_ = deal();
    for (auto* const end : {&document_.platform.source, &document_.platform.sink})
      if (*end && draw_.coin()) name_several(**end, end == &document_.platform.source ? "camera" : "disk");
    if (has_forks_) return with_transfers();
    const std::size_t parts = document_.mapping->size();
    if (document_.platform.source && draw_.coin()) document_.transfers.push_back({std::nullopt, 0, draw_.count(0, 3)});
    for (std::size_t i = 0; i < parts; ++i) {
      const bool is_last = i + 1 == parts;
      if ((is_last && !document_.platform.sink) || draw_.one_in(4)) continue;
      const auto to = is_last ? std::nullopt : std::optional(i + 1);
      document_.transfers.push_back({i, to, draw_.count(0, 3)});
    }
    return std::move(document_);
  }

  // Of more stages, whose files go to several, or come from several.
  tpn::Document deal_workflow() {
    has_forks_ = true;
    switch (draw_.index(4)) {
      case 0:
        return deal_ahead();
      case 1:
        return deal_segments();
      case 2:
        return deal_batches();
      default:
        return deal();
    }
  }

  tpn::Document deal_ordered() {
    document_ = deal_workflow();
    auto left = tpn::routes_of(document_.application, *document_.mapping, tpn::outer_ends(document_.platform));
    for (const tpn::FileRoute& route : left) {
      if (!route.to || draw_.coin()) continue;
      const auto is_it = [&](const tpn::PartTransfer& t) { return t.from == route.from && t.to == route.to; };
      auto said = std::ranges::find_if(document_.transfers, is_it);
      if (said == document_.transfers.end()) said = document_.transfers.insert(said, {route.from, route.to});
      said->room = draw_.count(1, 5);
    }
    while (!left.empty()) {
      const std::size_t next = draw_.index(left.size());
      const auto brings_more = [&](const tpn::FileRoute& other) { return other.to && other.to == left[next].from; };
      if (std::ranges::any_of(left, brings_more)) continue;
      document_.order.push_back({left[next].from, left[next].to});
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(next));
    }
    return std::move(document_);
  }

  tpn::Document deal_segments() { return add_segments(draw_.coin() ? deal() : deal_ahead()); }

  tpn::Document add_segments(tpn::Document document) {
    document_ = std::move(document);
    const std::size_t count = draw_.count(1, 2);
    while (document_.platform.segments.size() < count) add_segment();
    return std::move(document_);
  }

  tpn::Document deal_batches() {
    document_ = draw_.one_in(3) ? deal_segments() : draw_.coin() ? deal() : deal_ahead();
    for (tpn::Part& part : *document_.mapping)
      if (!draw_.one_in(3)) add_batches(part);
    for (tpn::Stage& stage : document_.application.stages) {
      for (std::size_t p = 0; p < document_.platform.processors.size(); ++p) {
        if (draw_.one_in(3)) stage.times.push_back({p, draw_.whole(0, 6), false, draw_.whole(0, 9)});
      }
    }
    return std::move(document_);
  }

 private:
  tpn::Document with_transfers() {
    const auto routes = tpn::routes_of(document_.application, *document_.mapping, tpn::outer_ends(document_.platform));
    for (const tpn::FileRoute& route : routes)
      if (draw_.coin()) document_.transfers.push_back({route.from, route.to, draw_.count(0, 3)});
    return std::move(document_);
  }

  // Of the three before it, as a rule.
  std::vector<std::size_t> taken_by(std::size_t stage) {
    std::vector<std::size_t> taken;
    for (std::size_t before = stage - std::min<std::size_t>(stage, 3); before < stage; ++before)
      if (draw_.coin()) taken.push_back(before);
    if (taken.empty() && !draw_.one_in(4)) taken.push_back(draw_.index(stage));
    if (draw_.coin()) std::ranges::reverse(taken);
    return taken;
  }

  // As long as all sequences together repeat soon.
  void add_batches(tpn::Part& part) {
    tpn::Part batched = part;
    batched.processors.clear();
    for (const std::size_t processor : part.processors) {
      const std::uint64_t size = draw_.one_in(3) ? 1 : draw_.count(2, 4);
      if (size > 1) batched.batches.push_back({batched.processors.size(), size});
      batched.processors.insert(batched.processors.end(), size, processor);
    }
    std::uint64_t rows = batched.processors.size();
    for (const tpn::Part& other : *document_.mapping)
      if (&other != &part) rows = std::lcm(rows, other.processors.size());
    for (const auto* const end : {&document_.platform.source, &document_.platform.sink})
      if (*end) rows = std::lcm(rows, (*end)->in_turn().size());
    if (rows <= 90) part = std::move(batched);
  }

  // Each machine in one of the lists, or in none.
  void add_segment() {
    tpn::Platform& platform = document_.platform;
    tpn::NetworkSegment segment;
    segment.name = "wire" + std::to_string(platform.segments.size());
    const auto place = [&](const std::string& name) {
      const std::size_t list = draw_.index(5);
      if (list < 4) segment.between[list % 2].push_back(name);
    };
    const tpn::HostIndex hosts(platform);
    for (std::size_t p = 0; p < platform.processors.size(); ++p)
      if (hosts.first_of(p) == p) place(tpn::host_name(platform.processors[p]));
    for (const auto& [end, key] : {std::pair(&platform.source, "source"), std::pair(&platform.sink, "sink")}) {
      if (!*end) continue;
      for (const tpn::Endpoint& one : (*end)->in_turn()) place(one.name.empty() ? key : one.name);
    }
    for (std::vector<std::string>& list : segment.between)
      if (list.empty()) return add_idle(std::move(segment));
    segment.ports = ports();
    segment.duplex = draw_.coin();
    if (draw_.coin()) segment.bandwidth = Rational::fraction(draw_.whole(1, 3), draw_.coin() ? 1 : 16);
    platform.segments.push_back(std::move(segment));
  }

  // Between a machine of the mapping and one that there is for this alone.
  void add_idle(tpn::NetworkSegment segment) {
    tpn::Platform& platform = document_.platform;
    tpn::Processor spare;
    spare.name = "spare" + std::to_string(platform.segments.size());
    spare.speed = 1;
    segment.between = {{{tpn::host_name(platform.processors.front())}, {spare.name}}};
    platform.processors.push_back(std::move(spare));
    platform.segments.push_back(std::move(segment));
  }

  // Up to three of them, the first with the links that are there.
  void name_several(tpn::Endpoint& end, const std::string& name) {
    tpn::Endpoint all;
    const std::size_t count = draw_.count(1, 3);
    for (std::size_t k = 0; k < count; ++k) {
      tpn::Endpoint& one = all.named.emplace_back();
      if (k == 0) one = end;
      one.name = name + std::to_string(k);
      if (draw_.coin()) one.timing.bandwidth = draw_.whole(1, 5);
      if (k > 0) one.ports = ports();
    }
    end = std::move(all);
  }

  tpn::PortCount ports() {
    if (draw_.one_in(2)) return tpn::kOnePort;
    return draw_.one_in(5) ? tpn::kUnlimitedPorts : draw_.count(2, 3);
  }

  void add_hosts() {
    auto& processors = document_.platform.processors;
    const std::size_t hosts = draw_.count(1, 4);
    for (std::size_t h = 0; h < hosts; ++h) {
      tpn::Processor machine;
      machine.name = "node" + std::to_string(h);
      machine.speed = draw_.whole(1, 3);
      machine.ports = ports();
      if (draw_.one_in(3)) machine.bandwidth = draw_.whole(1, 4);
      if (draw_.one_in(3)) machine.memory_bandwidth = draw_.whole(2, 6);
      tpn::add_cores(machine, draw_.one_in(3) ? 1 : draw_.count(2, 4), processors);
      if (!draw_.one_in(3)) continue;
      tpn::Processor guest = machine;
      guest.name = "gpu" + std::to_string(h);
      guest.host = machine.name;
      guest.speed = draw_.whole(2, 6);
      tpn::add_cores(guest, draw_.one_in(3) ? 2 : 1, processors);
    }
  }

  void add_stages() {
    const std::size_t stages = has_forks_ ? draw_.count(3, 7) : draw_.count(1, 4);
    for (std::size_t k = 0; k < stages; ++k) {
      tpn::Stage& stage = document_.application.stages.emplace_back();
      stage.name = "S" + std::to_string(k);
      stage.work = draw_.whole(0, 24);
      stage.output = draw_.whole(0, 12);
      if (has_forks_ && k > 0 && !draw_.one_in(4)) stage.after = taken_by(k);
    }
    document_.application.input = draw_.whole(1, 12);
  }

  void add_links() {
    tpn::Platform& platform = document_.platform;
    platform.defaults.bandwidth = draw_.whole(1, 3);
    if (draw_.one_in(4)) platform.defaults.latency = draw_.whole(1, 3);
    const tpn::HostIndex hosts(platform);
    for (std::size_t from = 0; from < platform.processors.size(); ++from) {
      for (std::size_t to = from + 1; to < platform.processors.size(); ++to) {
        if (hosts.first_of(from) != from || hosts.first_of(to) != to || from == to || !draw_.one_in(6)) continue;
        tpn::Link link{from, to, {}, draw_.coin()};
        link.timing.time = draw_.whole(0, 9);
        platform.links.push_back(link);
      }
    }
  }

  void add_ends() {
    tpn::Platform& platform = document_.platform;
    const tpn::HostIndex hosts(platform);
    for (auto* const end : {&platform.source, &platform.sink}) {
      if (draw_.one_in(2)) continue;
      end->emplace();
      (*end)->ports = ports();
      for (std::size_t p = 0; p < platform.processors.size(); ++p) {
        if (hosts.first_of(p) != p || !draw_.one_in(4)) continue;
        tpn::EndpointLink link{p, {}};
        link.timing.time = draw_.whole(0, 6);
        (*end)->links.push_back(link);
      }
    }
  }

  // Whole hosts, or any processors; as few as keep all sequences together short.
  std::vector<std::size_t> sequence(std::size_t longest) {
    const std::vector<tpn::ProcessorGroup> groups = tpn::processor_groups(document_.platform);
    std::vector<std::size_t> turns;
    if (draw_.coin()) {
      std::vector<std::vector<std::size_t>> lists;
      std::vector<std::size_t> order(groups.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      draw_.shuffle(order);
      order.resize(draw_.count(1, std::min<std::size_t>(order.size(), 2)));
      for (const std::size_t g : order) lists.push_back(tpn::members_of(groups[g]));
      turns = tpn::dealt_in_turn(lists);
    } else {
      const std::size_t length = draw_.count(1, 4);
      for (std::size_t k = 0; k < length; ++k) turns.push_back(draw_.index(document_.platform.processors.size()));
    }
    if (turns.size() > longest) turns.resize(longest);
    return turns;
  }

  void add_mapping() {
    document_.mapping.emplace();
    const std::size_t stages = document_.application.stages.size();
    std::uint64_t rows = 1;
    for (std::size_t first = 0; first < stages;) {
      const std::size_t last = draw_.one_in(3) && first + 1 < stages ? first + 1 : first;
      std::vector<std::size_t> turns = sequence(6);
      if (std::lcm(rows, turns.size()) > 60) turns.resize(1);
      rows = std::lcm(rows, turns.size());
      document_.mapping->push_back({first, last, std::move(turns)});
      first = last + 1;
    }
  }

  Draw draw_;
  bool has_forks_ = false;
  tpn::Document document_;
};

}  // namespace

tpn::Document host_document(std::uint64_t seed) { return HostDealer(seed).deal(); }

tpn::Document ahead_document(std::uint64_t seed) { return HostDealer(seed).deal_ahead(); }

tpn::Document batch_document(std::uint64_t seed) { return HostDealer(seed).deal_batches(); }

tpn::Document workflow_document(std::uint64_t seed) { return HostDealer(seed).deal_workflow(); }

tpn::Document small_workflow(Draw& draw) {
  tpn::Document document;
  tpn::Platform& platform = document.platform;
  const std::size_t parts = draw.count(3, 5);
  document.mapping.emplace();
  for (std::size_t k = 0; k < parts; ++k) {
    tpn::Stage& stage = document.application.stages.emplace_back();
    stage.name = "S" + std::to_string(k);
    stage.work = draw.whole(0, 20);
    stage.output = draw.whole(1, 20);
    stage.after.emplace();
    for (std::size_t before = 0; before < k; ++before)
      if (draw.coin()) stage.after->push_back(before);
    tpn::Part part{k, k, {}};
    for (std::size_t r = draw.count(1, 3); r > 0; --r) {
      if (k > 0 && draw.one_in(6)) {
        part.processors.push_back(draw.index(platform.processors.size()));
        continue;
      }
      part.processors.push_back(platform.processors.size());
      tpn::Processor& processor = platform.processors.emplace_back();
      processor.name = "P" + std::to_string(platform.processors.size());
      processor.speed = draw.whole(1, 4);
    }
    document.mapping->push_back(std::move(part));
  }
  platform.defaults.bandwidth = draw.whole(1, 4);
  if (draw.one_in(4)) {
    document.application.input = draw.whole(1, 20);
    platform.source.emplace();
  }
  if (draw.one_in(4)) platform.sink.emplace();
  return document;
}

tpn::Document ordered_document(std::uint64_t seed) { return HostDealer(seed).deal_ordered(); }

tpn::Document segment_document(std::uint64_t seed) { return HostDealer(seed).deal_segments(); }

tpn::Document with_segments(const tpn::Document& document, std::uint64_t seed) {
  return HostDealer(seed).add_segments(document);
}

}  // namespace takt::support
