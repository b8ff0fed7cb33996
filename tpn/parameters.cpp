// Names and places of parameters.
#include "tpn/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "maxplus/contract.hpp"
#include "tpn/json.hpp"

namespace takt::tpn {

namespace {

using ParameterQuantity = Parameter::Quantity;
using Links = Parameter::Links;

// Its time or speed; a processor without both, of such a type, has none from there.
bool has_from_type(const Processor& processor, const ProcessorType& type) {
  return (type.time || type.speed) && processor.time == type.time && processor.speed == type.speed;
}

class ParameterList {
 public:
  explicit ParameterList(const Document& document)
      : document_(document), services_(document.platform.processors.size()), of_types_(document.platform.types.size()) {
    for (std::size_t i = 0; i < document.mapping->size(); ++i) {
      const std::vector<std::size_t>& sequence = (*document.mapping)[i].processors;
      for (std::size_t entry = 0; entry < sequence.size(); ++entry) services_[sequence[entry]].emplace_back(i, entry);
    }
  }

  std::vector<Parameter> take() {
    add_stages();
    add_processors();
    add_links();
    make_unique();
    return std::move(parameters_);
  }

 private:
  void add(const std::optional<Rational>& number, std::string name, std::string pointer, ParameterQuantity quantity,
           std::size_t index, Links links = Links::listed) {
    if (!number) return;
    parameters_.push_back({std::move(name), std::move(pointer), *number, quantity, links, false, index});
  }

  void add_stages() {
    const Application& application = document_.application;
    add(application.input, "input", "/application/input", ParameterQuantity::input, 0);
    for (std::size_t s = 0; s < application.stages.size(); ++s) {
      const Stage& stage = application.stages[s];
      const std::string pointer = fmt::format("/application/stages/{}", s);
      add(stage.work, stage.name + " work", pointer + "/work", ParameterQuantity::stage_work, s);
      add(stage.output, stage.name + " output", pointer + "/output", ParameterQuantity::stage_output, s);
      add_stage_times(s);
    }
  }

  // Those of types that some processor has from its type, then processors' own.
  void add_stage_times(std::size_t s) {
    const Stage& stage = document_.application.stages[s];
    const std::string pointer = fmt::format("/application/stages/{}/time", s);
    const auto add_time = [&](const Rational& time, const std::string& name, std::size_t inner, bool is_of_type) {
      add(time, stage.name + " on " + name, pointer + json::pointer_step(name), ParameterQuantity::stage_time, s);
      parameters_.back().inner = inner;
      parameters_.back().is_of_type = is_of_type;
    };
    for (const TypeTime& own : stage.type_times) of_types_[own.type] = &own.time;
    std::vector<bool> is_used(of_types_.size());
    std::vector<std::size_t> own_times;
    for (std::size_t k = 0; k < stage.times.size(); ++k) {
      const StageTime& own = stage.times[k];
      if (!serves(own.processor, s)) continue;
      const auto type = document_.platform.processors[own.processor].type;
      const bool is_inherited = type && of_types_[*type] != nullptr && *of_types_[*type] == own.time;
      if (is_inherited) is_used[*type] = true;
      if (!is_inherited) own_times.push_back(k);
    }
    for (std::size_t k = 0; k < stage.type_times.size(); ++k) {
      const TypeTime& own = stage.type_times[k];
      of_types_[own.type] = nullptr;
      if (is_used[own.type]) add_time(own.time, document_.platform.types[own.type].name, k, true);
    }
    for (const std::size_t k : own_times)
      add_time(stage.times[k].time, document_.platform.processors[stage.times[k].processor].name, k, false);
  }

  bool serves(std::size_t processor, std::size_t stage) const {
    return std::ranges::any_of(services_[processor], [&](const Service& service) {
      const Part& part = (*document_.mapping)[service.first];
      return part.first_stage <= stage && stage <= part.last_stage;
    });
  }

  void add_processors() {
    const Platform& platform = document_.platform;
    for (std::size_t t = 0; t < platform.types.size(); ++t) {
      const ProcessorType& type = platform.types[t];
      if (!gives_computation(t)) continue;
      const std::string pointer = fmt::format("/platform/types/{}", t);
      add(type.time, type.name + " time", pointer + "/time", ParameterQuantity::processor_time, t);
      add(type.speed, type.name + " speed", pointer + "/speed", ParameterQuantity::processor_speed, t);
      parameters_.back().is_of_type = true;
    }
    for (std::size_t p = 0; p < services_.size(); ++p) {
      if (services_[p].empty()) continue;
      const Processor& processor = platform.processors[p];
      if (processor.type && has_from_type(processor, platform.types[*processor.type])) continue;
      const std::string pointer = fmt::format("/platform/processors/{}", p);
      add(processor.time, computation_name(p), pointer + "/time", ParameterQuantity::processor_time, p);
      add(processor.speed, processor.name + " speed", pointer + "/speed", ParameterQuantity::processor_speed, p);
    }
  }

  // Whether some processor that the mapping uses has its time or speed from the type.
  bool gives_computation(std::size_t type) const {
    const Platform& platform = document_.platform;
    for (std::size_t p = 0; p < services_.size(); ++p) {
      if (services_[p].empty() || platform.processors[p].type != type) continue;
      if (has_from_type(platform.processors[p], platform.types[type])) return true;
    }
    return false;
  }

  // "S1 on P1", "S1-S3 on P1"; "P1 time" where the processor serves several parts.
  std::string computation_name(std::size_t processor) const {
    const std::string& name = document_.platform.processors[processor].name;
    const std::size_t first = services_[processor].front().first;
    if (first != services_[processor].back().first) return name + " time";
    const Part& part = (*document_.mapping)[first];
    std::string stages = document_.application.stages[part.first_stage].name;
    if (part.last_stage > part.first_stage) stages += "-" + document_.application.stages[part.last_stage].name;
    return stages + " on " + name;
  }

  // Whether some part's file goes from the one to the other: their entries meet where they are equal modulo the
  // greatest common divisor of the sequences' lengths.
  bool meet(std::size_t from, std::size_t to) const {
    const Mapping& mapping = *document_.mapping;
    return std::ranges::any_of(services_[from], [&](const Service& sender) {
      return std::ranges::any_of(services_[to], [&](const Service& receiver) {
        if (receiver.first != sender.first + 1) return false;
        const std::size_t g =
            std::gcd(mapping[sender.first].processors.size(), mapping[receiver.first].processors.size());
        return sender.second % g == receiver.second % g;
      });
    });
  }

  // "P0 -> P2", or "<->" where files go both ways; empty where none does.
  std::string link_name(const Link& link) const {
    const std::string& from = document_.platform.processors[link.from].name;
    const std::string& to = document_.platform.processors[link.to].name;
    const bool forth = meet(link.from, link.to);
    const bool back = !link.directed && meet(link.to, link.from);
    if (forth && back) return from + " <-> " + to;
    if (forth) return from + " -> " + to;
    return back ? to + " -> " + from : "";
  }

  void add_timing(const LinkTiming& timing, const std::string& name, const std::string& pointer, std::size_t index,
                  Links links) {
    add(timing.time, links == Links::others ? name + " time" : name, pointer + "/time", ParameterQuantity::link_time,
        index, links);
    add(timing.latency, name + " latency", pointer + "/latency", ParameterQuantity::link_latency, index, links);
    const bool is_of_many = links == Links::others || links == Links::source || links == Links::sink;
    if (is_of_many && has_ports()) return;  // the lesser of it and a port holds
    add(timing.bandwidth, name + " bandwidth", pointer + "/bandwidth", ParameterQuantity::link_bandwidth, index, links);
  }

  bool has_ports() const {
    return std::ranges::any_of(document_.platform.processors,
                               [](const Processor& p) { return p.bandwidth.has_value(); });
  }

  void add_links() {
    const Platform& platform = document_.platform;
    std::size_t place = 0;  // in the document's list, of both kinds
    std::size_t of_types = 0;
    for (std::size_t k = 0; k <= platform.links.size(); ++k) {
      const bool is_last = k == platform.links.size();
      while (of_types < platform.type_links.size() && (is_last || platform.type_links[of_types].place <= k))
        add_type_link(of_types++, place++);
      if (is_last) break;
      const std::string files = link_name(platform.links[k]);
      if (!files.empty()) {
        add_timing(platform.links[k].timing, files, fmt::format("/platform/links/{}", place), k, Links::listed);
      }
      ++place;
    }
    add_timing(platform.defaults, "other links", "/platform", 0, Links::others);
    add_ends();
  }

  void add_type_link(std::size_t k, std::size_t place) {
    const Platform& platform = document_.platform;
    const TypeLink& link = platform.type_links[k];
    const std::string name = fmt::format("{} {} {}", platform.types[link.from].name, link.directed ? "->" : "<->",
                                         platform.types[link.to].name);
    add_timing(link.timing, name, fmt::format("/platform/links/{}", place), k, Links::of_types);
  }

  void add_ends() {
    const Platform& platform = document_.platform;
    const auto name = [&](std::size_t p) { return platform.processors[p].name; };
    if (platform.source) {
      add_timing(platform.source->timing, "source -> all others", "/platform/source", 0, Links::source);
      for (std::size_t k = 0; k < platform.source->links.size(); ++k) {
        const EndpointLink& link = platform.source->links[k];
        add_timing(link.timing, "source -> " + name(link.processor), fmt::format("/platform/source/links/{}", k), k,
                   Links::source_listed);
      }
    }
    if (!platform.sink) return;
    add_timing(platform.sink->timing, "all others -> sink", "/platform/sink", 0, Links::sink);
    for (std::size_t k = 0; k < platform.sink->links.size(); ++k) {
      const EndpointLink& link = platform.sink->links[k];
      add_timing(link.timing, name(link.processor) + " -> sink", fmt::format("/platform/sink/links/{}", k), k,
                 Links::sink_listed);
    }
  }

  // Names of stages and processors may hold anything: one name twice gets its place behind it.
  void make_unique() {
    std::map<std::string, std::size_t> times;
    for (const Parameter& parameter : parameters_) ++times[parameter.name];
    for (Parameter& parameter : parameters_) {
      if (times[parameter.name] > 1) parameter.name += " (" + parameter.pointer + ")";
    }
  }

  using Service = std::pair<std::size_t, std::size_t>;  // part and entry of its sequence

  const Document& document_;
  std::vector<std::vector<Service>> services_;  // by processor
  std::vector<const Rational*> of_types_;       // of the stage that is looked at; null where there is none
  std::vector<Parameter> parameters_;
};

LinkTiming& timing_at(Platform& platform, const Parameter& parameter) {
  switch (parameter.links) {
    case Links::listed:
      return platform.links.at(parameter.index).timing;
    case Links::of_types:
      return platform.type_links.at(parameter.index).timing;
    case Links::others:
      return platform.defaults;
    case Links::source:
      return platform.source->timing;
    case Links::source_listed:
      return platform.source->links.at(parameter.index).timing;
    case Links::sink:
      return platform.sink->timing;
    case Links::sink_listed:
      return platform.sink->links.at(parameter.index).timing;
  }
  maxplus::expects(false, "a parameter's links are known");
  return platform.defaults;
}

// All that processors have from their type.
std::vector<Rational*> numbers_of_type(Document& document, const Parameter& parameter) {
  Platform& platform = document.platform;
  std::vector<Rational*> numbers;
  if (parameter.quantity == ParameterQuantity::stage_time) {
    Stage& stage = document.application.stages.at(parameter.index);
    TypeTime& own = stage.type_times.at(parameter.inner);
    numbers.push_back(&own.time);
    for (StageTime& time : stage.times)
      if (platform.processors[time.processor].type == own.type && time.time == own.time) numbers.push_back(&time.time);
    return numbers;
  }
  ProcessorType& type = platform.types.at(parameter.index);
  const auto number = [&](auto& machine) {
    return parameter.quantity == ParameterQuantity::processor_time ? &machine.time.value() : &machine.speed.value();
  };
  numbers.push_back(number(type));
  for (Processor& processor : platform.processors)
    if (processor.type == parameter.index && has_from_type(processor, type)) numbers.push_back(number(processor));
  return numbers;
}

// Of a parameter that stands for one number.
Rational& number_at(Document& document, const Parameter& parameter) {
  switch (parameter.quantity) {
    case ParameterQuantity::stage_work:
      return document.application.stages.at(parameter.index).work.value();
    case ParameterQuantity::stage_output:
      return document.application.stages.at(parameter.index).output.value();
    case ParameterQuantity::stage_time:
      return document.application.stages.at(parameter.index).times.at(parameter.inner).time;
    case ParameterQuantity::input:
      return document.application.input.value();
    case ParameterQuantity::processor_time:
      return document.platform.processors.at(parameter.index).time.value();
    case ParameterQuantity::processor_speed:
      return document.platform.processors.at(parameter.index).speed.value();
    case ParameterQuantity::link_time:
      return timing_at(document.platform, parameter).time.value();
    case ParameterQuantity::link_latency:
      return timing_at(document.platform, parameter).latency.value();
    case ParameterQuantity::link_bandwidth:
      return timing_at(document.platform, parameter).bandwidth.value();
  }
  maxplus::expects(false, "a parameter is some quantity");
  return document.application.input.value();
}

}  // namespace

std::vector<Parameter> parameters_of(const Document& document) {
  maxplus::expects(document.mapping.has_value(), "parameters are those of an instance");
  return ParameterList(document).take();
}

std::vector<Rational*> numbers_at(Document& document, const Parameter& parameter) {
  if (parameter.is_of_type) return numbers_of_type(document, parameter);
  return {&number_at(document, parameter)};
}

}  // namespace takt::tpn
