// Types are dealt out over a platform that is there; to write them out, each pair is looked at by itself, by plain
// loops.
#include "tests/support/typed_documents.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/draw.hpp"
#include "tpn/expansion.hpp"

namespace takt::support {

namespace {

using maxplus::Rational;
using tpn::LinkTiming;

class TypeDealer {
 public:
  TypeDealer(const tpn::Document& document, std::uint64_t seed) : draw_(seed), document_(document) {}

  tpn::Document deal() {
    const auto& stages = document_.application.stages;
    has_works_ = std::ranges::all_of(stages, [](const tpn::Stage& stage) { return stage.work.has_value(); });
    add_types();
    deal_processors();
    add_stage_times();
    add_links();
    if (draw_.coin()) document_.platform.currency = "EUR";
    return std::move(document_);
  }

 private:
  void add_types() {
    const std::size_t count = draw_.count(1, 3);
    for (std::size_t t = 0; t < count; ++t) {
      tpn::ProcessorType type;
      type.name = "type " + std::to_string(t);
      if (has_works_ && !draw_.one_in(4)) {
        type.speed = draw_.fraction(4, 3);
      } else {
        type.time = draw_.fraction(20, 3);
      }
      if (draw_.coin()) type.bandwidth = draw_.fraction(5, 2);
      if (draw_.coin()) type.memory = draw_.whole(0, 20);
      if (draw_.coin()) type.price = draw_.one_in(5) ? Rational() : draw_.fraction(9, 10);
      if (draw_.one_in(3)) type.count = draw_.whole(0, 9);
      document_.platform.types.push_back(std::move(type));
    }
  }

  void deal_processors() {
    auto& [processors, defaults, links, source, sink, types, type_links, currency, quotas, segments] =
        document_.platform;
    quotas.clear();  // heuristics refuse them
    for (std::size_t p = 0; p < processors.size(); ++p) {
      tpn::Processor& processor = processors[p];
      if (draw_.one_in(6)) processor.bandwidth = draw_.fraction(5, 2);
      if (draw_.one_in(6)) processor.memory = draw_.whole(0, 20);
      if (draw_.one_in(6)) continue;
      processor.type = draw_.index(types.size());
      if (!draw_.one_in(5)) {
        processor.speed.reset();
        processor.time.reset();
      }
      if (draw_.one_in(4)) {
        processor.price = draw_.coin() ? types[*processor.type].price : draw_.fraction(9, 10);
      } else {
        tpn::inherit_price(processor, types[*processor.type]);
      }
      draw_ties(processor, types[*processor.type]);
      tpn::inherit(processor, types[*processor.type]);
      if (!processor.time) continue;
      for (tpn::Stage& stage : document_.application.stages)
        std::erase_if(stage.times, [&](const tpn::StageTime& own) { return own.processor == p; });
    }
  }

  // Values of its own that are equal to the type's.
  void draw_ties(tpn::Processor& processor, const tpn::ProcessorType& type) {
    if (!processor.speed && !processor.time && draw_.one_in(4)) {
      processor.speed = type.speed;
      processor.time = type.time;
    }
    if (type.bandwidth && draw_.one_in(4)) processor.bandwidth = type.bandwidth;
    if (type.memory && draw_.one_in(4)) processor.memory = type.memory;
  }

  // Times of processors' own that are equal to their types'.
  void draw_ties(tpn::Stage& stage) {
    for (const tpn::TypeTime& of_type : stage.type_times) {
      const auto& processors = document_.platform.processors;
      for (std::size_t p = 0; p < processors.size(); ++p) {
        if (processors[p].type != of_type.type || processors[p].time || !draw_.one_in(4)) continue;
        std::erase_if(stage.times, [&](const tpn::StageTime& own) { return own.processor == p; });
        stage.times.push_back({p, of_type.time});
      }
    }
  }

  void add_stage_times() {
    const auto& types = document_.platform.types;
    for (tpn::Stage& stage : document_.application.stages) {
      if (draw_.one_in(4)) stage.memory = draw_.whole(0, 20);
      stage.apart = draw_.one_in(4);
      for (std::size_t t = types.size(); t-- > 0;)
        if (!types[t].time && draw_.one_in(3)) stage.type_times.push_back({t, draw_.fraction(20, 3)});
      draw_ties(stage);
    }
    tpn::inherit_times(document_);
  }

  LinkTiming timing() {
    if (draw_.one_in(3)) return {.bandwidth = {}, .latency = {}, .time = draw_.fraction(20, 3)};
    LinkTiming timing;
    if (draw_.coin()) timing.bandwidth = draw_.fraction(5, 2);
    if (draw_.coin()) timing.latency = draw_.fraction(3, 5);
    return timing;
  }

  void add_links() {
    tpn::Platform& platform = document_.platform;
    std::erase_if(platform.links, [&](const tpn::Link&) { return draw_.coin(); });
    if (!platform.defaults.bandwidth) platform.defaults.time = draw_.fraction(20, 3);
    std::size_t place = 0;
    for (std::size_t from = 0; from < platform.types.size(); ++from) {
      for (std::size_t to = 0; to < platform.types.size(); ++to) {
        place = std::min(platform.links.size(), place + draw_.index(2));
        if (draw_.one_in(4)) platform.type_links.push_back({from, to, timing(), true, place});
        if (from <= to && draw_.one_in(3)) platform.type_links.push_back({from, to, timing(), false, place});
      }
    }
    // A latency alone cannot be had over a time.
    if (!platform.defaults.time) return;
    for (tpn::TypeLink& link : platform.type_links)
      if (link.timing.latency && !link.timing.bandwidth) link.timing.bandwidth = 2;
    for (auto* end : {&platform.source, &platform.sink})
      if (*end && (*end)->timing.latency && !(*end)->timing.bandwidth) (*end)->timing.bandwidth = 2;
  }

  Draw draw_;
  tpn::Document document_;
  bool has_works_ = false;
};

// What layers of links come to, the most particular first.
LinkTiming merged(const std::vector<LinkTiming>& layers) {
  LinkTiming result;
  for (const LinkTiming& layer : layers) {
    if (layer.time) {
      if (!result.bandwidth && !result.latency) result.time = layer.time;
      return result;
    }
    if (!result.bandwidth) result.bandwidth = layer.bandwidth;
    if (!result.latency) result.latency = layer.latency;
  }
  return result;
}

void add_least(std::optional<Rational>& least, const std::optional<Rational>& number) {
  if (number && (!least || *number < *least)) least = number;
}

// The one of a list that holds from here to there.
template <typename Listed>
void add_listed(std::vector<LinkTiming>& layers, const std::vector<Listed>& links, std::size_t from, std::size_t to) {
  const Listed* found = nullptr;
  for (const Listed& link : links) {
    const bool forth = link.from == from && link.to == to;
    const bool back = !link.directed && link.from == to && link.to == from;
    if ((forth || back) && (found == nullptr || link.directed)) found = &link;
  }
  if (found != nullptr) layers.push_back(found->timing);
}

LinkTiming timing_between(const tpn::Platform& platform, std::size_t from, std::size_t to) {
  const tpn::Processor& sender = platform.processors[from];
  const tpn::Processor& receiver = platform.processors[to];
  std::vector<LinkTiming> layers;
  add_listed(layers, platform.links, from, to);
  if (sender.type && receiver.type) add_listed(layers, platform.type_links, *sender.type, *receiver.type);
  if (sender.bandwidth || receiver.bandwidth) {
    LinkTiming ports;
    add_least(ports.bandwidth, sender.bandwidth ? sender.bandwidth : platform.defaults.bandwidth);
    add_least(ports.bandwidth, receiver.bandwidth ? receiver.bandwidth : platform.defaults.bandwidth);
    layers.push_back(ports);
  }
  layers.push_back(platform.defaults);
  return merged(layers);
}

void write_out(const tpn::Platform& platform, std::optional<tpn::Endpoint>& end) {
  if (!end) return;
  tpn::Endpoint written;
  for (std::size_t p = 0; p < platform.processors.size(); ++p) {
    std::vector<LinkTiming> layers;
    for (const tpn::EndpointLink& link : end->links)
      if (link.processor == p) layers.push_back(link.timing);
    LinkTiming here = end->timing;
    const auto& port = platform.processors[p].bandwidth;
    if (port && !here.time) {
      if (!here.bandwidth) here.bandwidth = platform.defaults.bandwidth;
      add_least(here.bandwidth, port);
    }
    layers.push_back(here);
    layers.push_back(platform.defaults);
    written.links.push_back({p, merged(layers)});
  }
  end = written;
}

}  // namespace

tpn::Document with_random_types(const tpn::Document& document, std::uint64_t seed) {
  return document.platform.types.empty() ? TypeDealer(document, seed).deal() : document;
}

tpn::Document without_types(const tpn::Document& document) {
  tpn::Document result = document;
  tpn::Platform& platform = result.platform;
  platform.links.clear();
  const std::size_t count = platform.processors.size();
  for (std::size_t from = 0; from < count; ++from) {
    for (std::size_t to = 0; to < count; ++to) {
      if (from == to) continue;
      LinkTiming timing = timing_between(document.platform, from, to);
      if (!timing.bandwidth && !timing.time) timing = {};
      platform.links.push_back({from, to, timing, true});
    }
  }
  write_out(document.platform, platform.source);
  write_out(document.platform, platform.sink);
  platform.defaults = {};
  platform.types.clear();
  platform.type_links.clear();
  platform.currency.clear();
  for (tpn::Processor& processor : platform.processors) {
    processor.type.reset();
    processor.bandwidth.reset();
    processor.inherited = {};
  }
  for (tpn::Stage& stage : result.application.stages) {
    stage.type_times.clear();
    for (tpn::StageTime& time : stage.times) time.inherited = false;
  }
  return result;
}

}  // namespace takt::support
