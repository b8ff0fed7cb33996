// Names and places of parameters.
#include "tpn/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>

#include "maxplus/contract.hpp"
#include "tpn/ends.hpp"
#include "tpn/expansion.hpp"
#include "tpn/hosts.hpp"
#include "tpn/json.hpp"

namespace takt::tpn {

namespace {

using ParameterQuantity = Parameter::Quantity;
using Links = Parameter::Links;

// Names of stages and processors may hold anything: one name twice gets its place behind it.
void make_unique(std::vector<Parameter>& parameters) {
  std::map<std::string, std::size_t> times;
  for (const Parameter& parameter : parameters) ++times[parameter.name];
  for (Parameter& parameter : parameters) {
    if (times[parameter.name] > 1) parameter.name += " (" + parameter.pointer + ")";
  }
}

// Whether all cores of a group have that time of the stage, which is their own.
bool have_one_time(const ProcessorGroup& group, const Stage& stage, const StageTime& time) {
  const auto count = std::ranges::count_if(stage.times, [&](const StageTime& own) {
    return own.processor >= group.first && own.processor < group.first + group.count && own.time == time.time &&
           own.fixed == time.fixed;
  });
  return group.is_of_cores() && static_cast<std::size_t>(count) == group.count;
}

class ParameterList {
 public:
  ParameterList(const Document& document, bool with_unused)
      : document_(document),
        with_unused_(with_unused),
        groups_(processor_groups(document.platform)),
        hosts_(document.platform),
        services_(document.platform.processors.size()),
        of_types_(document.platform.types.size()) {
    for (std::size_t i = 0; i < document.mapping->size(); ++i) {
      const std::vector<std::size_t>& sequence = (*document.mapping)[i].processors;
      for (std::size_t entry = 0; entry < sequence.size(); ++entry) services_[sequence[entry]].emplace_back(i, entry);
    }
  }

  std::vector<Parameter> take() {
    add_stages();
    add_processors();
    add_links();
    make_unique(parameters_);
    return std::move(parameters_);
  }

 private:
  void add(const std::optional<Rational>& number, ParameterWords words, std::string pointer, ParameterQuantity quantity,
           std::size_t index, Links links = Links::listed) {
    if (!number) return;
    Parameter& added = parameters_.emplace_back();
    added.name = words.joined();
    added.pointer = std::move(pointer);
    added.value = *number;
    added.quantity = quantity;
    added.links = links;
    added.index = index;
    added.words = std::move(words);
  }

  void add_stages() {
    const Application& application = document_.application;
    add(application.input, {"input"}, "/application/input", ParameterQuantity::input, 0);
    for (std::size_t s = 0; s < application.stages.size(); ++s) {
      const Stage& stage = application.stages[s];
      const std::string pointer = fmt::format("/application/stages/{}", s);
      add(stage.work, {stage.name + " work"}, pointer + "/work", ParameterQuantity::stage_work, s);
      add(stage.output, {stage.name + " output"}, pointer + "/output", ParameterQuantity::stage_output, s);
      add_stage_times(s);
    }
  }

  // Those of types that some processor has from its type, then processors' own.
  void add_stage_times(std::size_t s) {
    const Stage& stage = document_.application.stages[s];
    const std::string pointer = fmt::format("/application/stages/{}/time", s);
    const auto add_time = [&](const Rational& time, const Rational& fixed, const std::string& name, std::size_t inner,
                              bool is_of_type) {
      const std::string place = pointer + json::pointer_step(name);
      const bool is_object = fixed.sign() != 0;
      add(time, {stage.name + " on ", name, "", "", is_object ? " for each" : ""}, place + (is_object ? "/each" : ""),
          ParameterQuantity::stage_time, s);
      parameters_.back().inner = inner;
      parameters_.back().is_of_type = is_of_type;
      if (!is_object) return;
      add(fixed, {stage.name + " on ", name, "", "", " fixed"}, place + "/fixed", ParameterQuantity::stage_fixed, s);
      parameters_.back().inner = inner;
      parameters_.back().is_of_type = is_of_type;
    };
    for (const TypeTime& own : stage.type_times) of_types_[own.type] = &own;
    std::vector<bool> is_used(of_types_.size());
    const std::vector<std::size_t> own_times = own_times_of(s, is_used);
    for (std::size_t k = 0; k < stage.type_times.size(); ++k) {
      const TypeTime& own = stage.type_times[k];
      of_types_[own.type] = nullptr;
      if (is_used[own.type] || with_unused_)
        add_time(own.time, own.fixed, document_.platform.types[own.type].name, k, true);
    }
    for (const std::size_t k : own_times) {
      const ProcessorGroup& group = group_of(groups_, stage.times[k].processor);
      const bool is_shared = have_one_time(group, stage, stage.times[k]);
      // Cores that have one time are one parameter, in the place of the first that counts.
      if (is_shared && is_repeated(stage, own_times, k, group)) continue;
      const std::string name(
          is_shared ? group.name : std::string_view(document_.platform.processors[stage.times[k].processor].name));
      add_time(stage.times[k].time, stage.times[k].fixed, name, k, false);
    }
  }

  // Times that are no type's, of processors that count; the types whose times count are marked.
  std::vector<std::size_t> own_times_of(std::size_t s, std::vector<bool>& is_used) const {
    const Stage& stage = document_.application.stages[s];
    std::vector<std::size_t> own_times;
    for (std::size_t k = 0; k < stage.times.size(); ++k) {
      const StageTime& own = stage.times[k];
      if (!serves(own.processor, s)) continue;
      const auto type = document_.platform.processors[own.processor].type;
      const bool is_inherited =
          own.inherited && type && of_types_[*type] != nullptr && is_same_time(own, *of_types_[*type]);
      if (is_inherited) is_used[*type] = true;
      if (!is_inherited) own_times.push_back(k);
    }
    return own_times;
  }

  // An earlier one of the list is of the same cores.
  bool is_repeated(const Stage& stage, const std::vector<std::size_t>& own_times, std::size_t k,
                   const ProcessorGroup& group) const {
    if (!group.is_of_cores()) return false;
    return std::ranges::any_of(own_times, [&](std::size_t other) {
      return other < k && group_of(groups_, stage.times[other].processor).first == group.first;
    });
  }

  bool is_used(const ProcessorGroup& group) const {
    for (std::size_t p = group.first; p < group.first + group.count; ++p)
      if (!services_[p].empty()) return true;
    return with_unused_;
  }

  // By the first processor of each host.
  std::vector<bool> used_hosts() const {
    std::vector<bool> used(document_.platform.processors.size(), false);
    for (const ProcessorGroup& group : groups_)
      if (is_used(group)) used[hosts_.first_of(group.first)] = true;
    return used;
  }

  bool serves(std::size_t processor, std::size_t stage) const {
    return with_unused_ || std::ranges::any_of(services_[processor], [&](const Service& service) {
             const Part& part = (*document_.mapping)[service.first];
             return part.first_stage <= stage && stage <= part.last_stage;
           });
  }

  void add_processors() {
    const Platform& platform = document_.platform;
    const std::vector<bool> has_card = entries_with_card(platform, groups_, hosts_);
    const std::vector<bool> used_host = used_hosts();
    for (std::size_t t = 0; t < platform.types.size(); ++t) {
      const ProcessorType& type = platform.types[t];
      const std::size_t first = parameters_.size();
      const std::string pointer = fmt::format("/platform/types/{}", t);
      if (gives(t, &InheritedValues::computation)) {
        add(type.time, {"", type.name, "", "", " time"}, pointer + "/time", ParameterQuantity::processor_time, t);
        add(type.speed, {"", type.name, "", "", " speed"}, pointer + "/speed", ParameterQuantity::processor_speed, t);
      }
      if (gives(t, &InheritedValues::bandwidth)) add_port(type, type.name, pointer, t);
      if (gives_memory_bandwidth(t)) {
        add(type.memory_bandwidth, {"", type.name, "", "", " memory bandwidth"}, pointer + "/memory bandwidth",
            ParameterQuantity::memory_bandwidth, t);
      }
      for (std::size_t k = first; k < parameters_.size(); ++k) parameters_[k].is_of_type = true;
    }
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const std::size_t p = groups_[g].first;
      if (!used_host[hosts_.first_of(p)]) continue;
      const std::string name(groups_[g].name);
      const Processor& processor = platform.processors[p];
      const ProcessorType* const type = type_of(platform, processor);
      const InheritedValues inherited = inherited_values(processor, type);
      const std::string pointer = fmt::format("/platform/processors/{}", g);
      if (!inherited.computation && is_used(groups_[g])) {
        add(processor.time, computation_words(groups_[g]), pointer + "/time", ParameterQuantity::processor_time, p);
        add(processor.speed, {"", name, "", "", " speed"}, pointer + "/speed", ParameterQuantity::processor_speed, p);
      }
      if (!has_card[g]) continue;
      const std::string& host = machine_name(platform, hosts_, p);
      if (!inherited.bandwidth) add_port(processor, host, pointer, p);
      if (hosts_.size_of(p) > 1 && (type == nullptr || type->memory_bandwidth != processor.memory_bandwidth)) {
        add(processor.memory_bandwidth, {"", host, "", "", " memory bandwidth"}, pointer + "/memory bandwidth",
            ParameterQuantity::memory_bandwidth, p);
      }
    }
  }

  template <typename Machine>
  void add_port(const Machine& machine, const std::string& name, const std::string& pointer, std::size_t index) {
    if (!machine.bandwidth) return;
    add(machine.bandwidth, {"", name, "", "", " port"}, pointer + "/bandwidth", ParameterQuantity::port_bandwidth,
        index);
    parameters_.back().may_bend = true;
  }

  // Whether some processor that the mapping uses has that from the type.
  bool gives(std::size_t type, bool InheritedValues::*what) const {
    if (with_unused_) return true;
    const Platform& platform = document_.platform;
    for (std::size_t p = 0; p < services_.size(); ++p) {
      if (services_[p].empty() || platform.processors[p].type != type) continue;
      if (inherited_values(platform.processors[p], &platform.types[type]).*what) return true;
    }
    return false;
  }

  bool gives_memory_bandwidth(std::size_t type) const {
    const Platform& platform = document_.platform;
    if (with_unused_) return true;
    for (std::size_t p = 0; p < services_.size(); ++p) {
      if (services_[p].empty() || platform.processors[p].type != type || hosts_.size_of(p) == 1) continue;
      if (platform.processors[p].memory_bandwidth == platform.types[type].memory_bandwidth) return true;
    }
    return false;
  }

  // "S1 on P1", "S1-S3 on P1"; "P1 time" where the processor, or its cores together, serve several parts.
  ParameterWords computation_words(const ProcessorGroup& group) const {
    const std::string name(group.name);
    std::set<std::size_t> parts;
    for (std::size_t p = group.first; p < group.first + group.count; ++p)
      for (const Service& service : services_[p]) parts.insert(service.first);
    if (parts.size() != 1) return {"", name, "", "", " time"};
    const std::size_t first = *parts.begin();
    const Part& part = (*document_.mapping)[first];
    std::string stages = document_.application.stages[part.first_stage].name;
    if (part.last_stage > part.first_stage) stages += "-" + document_.application.stages[part.last_stage].name;
    return {stages + " on ", name};
  }

  // Whether some part's file goes from the one to the other: their entries meet where they are equal modulo the
  // greatest common divisor of the sequences' lengths.
  bool meet(std::size_t from, std::size_t to) const {
    if (!hosts_.are_shared()) return have_met(from, to);
    for (std::size_t p = 0; p < services_.size(); ++p) {
      if (hosts_.first_of(p) != from) continue;
      for (std::size_t q = 0; q < services_.size(); ++q)
        if (hosts_.first_of(q) == to && have_met(p, q)) return true;
    }
    return false;
  }

  bool have_met(std::size_t from, std::size_t to) const {
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

  // "P0 -> P2", or "<->" where files go both ways; nothing if none does.
  std::optional<ParameterWords> link_words(const Link& link) const {
    const std::string from = end_name(link.from);
    const std::string to = end_name(link.to);
    const bool forth = meet(link.from, link.to);
    const bool back = !link.directed && meet(link.to, link.from);
    if (forth && back) return ParameterWords{"", from, " <-> ", to};
    if (forth) return ParameterWords{"", from, " -> ", to};
    if (back) return ParameterWords{"", to, " -> ", from};
    if (with_unused_) return ParameterWords{"", from, link.directed ? " -> " : " <-> ", to};
    return std::nullopt;
  }

  void add_timing(const LinkTiming& timing, const ParameterWords& words, const std::string& pointer, std::size_t index,
                  Links links) {
    const auto with = [&](const char* what) {
      ParameterWords result = words;
      result.after = what;
      return result;
    };
    add(timing.time, with(links == Links::others ? " time" : ""), pointer + "/time", ParameterQuantity::link_time,
        index, links);
    add(timing.latency, with(" latency"), pointer + "/latency", ParameterQuantity::link_latency, index, links);
    if (!timing.bandwidth) return;
    add(timing.bandwidth, with(" bandwidth"), pointer + "/bandwidth", ParameterQuantity::link_bandwidth, index, links);
    const bool is_of_many = links == Links::others || links == Links::source || links == Links::sink;
    parameters_.back().may_bend = is_of_many && has_ports();
  }

  // Whether other bandwidths may be less than a link's.
  bool has_ports() const {
    const auto has_bandwidth = [](const auto& one) { return one.bandwidth.has_value(); };
    return std::ranges::any_of(document_.platform.processors, has_bandwidth) ||
           std::ranges::any_of(document_.platform.segments, has_bandwidth);
  }

  void add_segments() {
    for (std::size_t s = 0; s < document_.platform.segments.size(); ++s) {
      const NetworkSegment& segment = document_.platform.segments[s];
      if (!segment.bandwidth) continue;
      add(segment.bandwidth, {"", segment.name, "", "", " bandwidth"},
          fmt::format("/platform/segments/{}/bandwidth", s), ParameterQuantity::segment_bandwidth, s);
      parameters_.back().may_bend = true;
    }
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
      if (const auto files = link_words(platform.links[k])) {
        add_timing(platform.links[k].timing, *files, fmt::format("/platform/links/{}", place), k, Links::listed);
      }
      ++place;
    }
    add_segments();
    add_timing(platform.defaults, {"other links"}, "/platform", 0, Links::others);
    add_ends();
  }

  void add_type_link(std::size_t k, std::size_t place) {
    const Platform& platform = document_.platform;
    const TypeLink& link = platform.type_links[k];
    const std::string name = fmt::format("{} {} {}", platform.types[link.from].name, link.directed ? "->" : "<->",
                                         platform.types[link.to].name);
    add_timing(link.timing, {name}, fmt::format("/platform/links/{}", place), k, Links::of_types);
  }

  void add_ends() {
    const Platform& platform = document_.platform;
    if (platform.source) {
      add_ends(*platform.source, "source", Links::source, Links::source_listed,
               [](const std::string& source, const std::string& to) {
                 return ParameterWords{source + " -> ", to};
               });
    }
    if (platform.sink) {
      add_ends(*platform.sink, "sink", Links::sink, Links::sink_listed,
               [](const std::string& sink, const std::string& from) {
                 return ParameterWords{"", from, " -> ", sink};
               });
    }
  }

  // Those that take turns; words(end, processor) name a link of one.
  template <typename Words>
  void add_ends(const Endpoint& ends, const char* key, Links all, Links listed, Words words) {
    for (std::size_t which = 0; which < ends.in_turn().size(); ++which) {
      const Endpoint& end = ends.in_turn()[which];
      const std::string name = end.name.empty() ? key : end.name;
      const std::string pointer = end_pointer(ends, key, which);
      const std::size_t before = parameters_.size();
      add_timing(end.timing, {words(name, "all others").joined()}, pointer, 0, all);
      for (std::size_t k = 0; k < end.links.size(); ++k) {
        add_timing(end.links[k].timing, words(name, end_name(end.links[k].processor)),
                   fmt::format("{}/links/{}", pointer, k), k, listed);
      }
      for (std::size_t k = before; k < parameters_.size(); ++k) parameters_[k].inner = which;
    }
  }

  const std::string& end_name(std::size_t processor) const {
    return machine_name(document_.platform, hosts_, processor);
  }

  using Service = std::pair<std::size_t, std::size_t>;  // part and entry of its sequence

  const Document& document_;
  bool with_unused_;
  std::vector<ProcessorGroup> groups_;
  HostIndex hosts_;
  std::vector<std::vector<Service>> services_;  // by processor
  std::vector<const TypeTime*> of_types_;       // of the stage that is looked at; null if there is none
  std::vector<Parameter> parameters_;
};

Endpoint& end_of(Endpoint& endpoint, const Parameter& parameter) {
  return endpoint.named.empty() ? endpoint : endpoint.named.at(parameter.inner);
}

LinkTiming& timing_at(Platform& platform, const Parameter& parameter) {
  switch (parameter.links) {
    case Links::listed:
      return platform.links.at(parameter.index).timing;
    case Links::of_types:
      return platform.type_links.at(parameter.index).timing;
    case Links::others:
      return platform.defaults;
    case Links::source:
      return end_of(*platform.source, parameter).timing;
    case Links::source_listed:
      return end_of(*platform.source, parameter).links.at(parameter.index).timing;
    case Links::sink:
      return end_of(*platform.sink, parameter).timing;
    case Links::sink_listed:
      return end_of(*platform.sink, parameter).links.at(parameter.index).timing;
  }
  maxplus::expects(false, "a parameter's links are known");
  return platform.defaults;
}

bool is_of_stage_time(const Parameter& parameter) {
  return parameter.quantity == ParameterQuantity::stage_time || parameter.quantity == ParameterQuantity::stage_fixed;
}

// A type's time for a stage, and those that processors have from it.
std::vector<Rational*> stage_times_of_type(Document& document, const Parameter& parameter) {
  const bool is_fixed = parameter.quantity == ParameterQuantity::stage_fixed;
  Stage& stage = document.application.stages.at(parameter.index);
  TypeTime& own = stage.type_times.at(parameter.inner);
  std::vector<Rational*> numbers = {is_fixed ? &own.fixed : &own.time};
  for (StageTime& time : stage.times)
    if (time.inherited && document.platform.processors[time.processor].type == own.type && is_same_time(time, own))
      numbers.push_back(is_fixed ? &time.fixed : &time.time);
  return numbers;
}

// All that processors have from their type.
std::vector<Rational*> numbers_of_type(Document& document, const Parameter& parameter) {
  if (is_of_stage_time(parameter)) return stage_times_of_type(document, parameter);
  Platform& platform = document.platform;
  std::vector<Rational*> numbers;
  ProcessorType& type = platform.types.at(parameter.index);
  const bool is_port = parameter.quantity == ParameterQuantity::port_bandwidth;
  const bool is_memory = parameter.quantity == ParameterQuantity::memory_bandwidth;
  const auto number = [&](auto& machine) {
    if (is_port) return &machine.bandwidth.value();
    if (is_memory) return &machine.memory_bandwidth.value();
    return parameter.quantity == ParameterQuantity::processor_time ? &machine.time.value() : &machine.speed.value();
  };
  numbers.push_back(number(type));
  for (Processor& processor : platform.processors) {
    if (processor.type != parameter.index) continue;
    const InheritedValues inherited = inherited_values(processor, &type);
    const bool has_it = is_port     ? inherited.bandwidth
                        : is_memory ? processor.memory_bandwidth == type.memory_bandwidth
                                    : inherited.computation;
    if (has_it) numbers.push_back(number(processor));
  }
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
    case ParameterQuantity::stage_fixed:
      return document.application.stages.at(parameter.index).times.at(parameter.inner).fixed;
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
    case ParameterQuantity::port_bandwidth:
      return document.platform.processors.at(parameter.index).bandwidth.value();
    case ParameterQuantity::memory_bandwidth:
      return document.platform.processors.at(parameter.index).memory_bandwidth.value();
    case ParameterQuantity::segment_bandwidth:
      return document.platform.segments.at(parameter.index).bandwidth.value();
  }
  maxplus::expects(false, "a parameter is some quantity");
  return document.application.input.value();
}

// Of a processor's number those of all cores that the document names with it, of a card's all of its host's.
std::vector<Rational*> numbers_of_cores(Document& document, const Parameter& parameter) {
  const Platform& platform = document.platform;
  const bool is_of_stage = is_of_stage_time(parameter);
  std::vector<StageTime>* const times = is_of_stage ? &document.application.stages.at(parameter.index).times : nullptr;
  const std::size_t processor = is_of_stage ? times->at(parameter.inner).processor : parameter.index;
  std::vector<Rational*> numbers;
  Parameter one = parameter;
  const auto add = [&](std::size_t p) {
    one.index = p;
    numbers.push_back(&number_at(document, one));
  };
  if (parameter.quantity == ParameterQuantity::port_bandwidth ||
      parameter.quantity == ParameterQuantity::memory_bandwidth) {
    const HostIndex hosts(platform);
    for (std::size_t p = 0; p < platform.processors.size(); ++p)
      if (hosts.are_together(p, processor)) add(p);
    return numbers;
  }
  if (platform.processors[processor].core == 0) return {&number_at(document, parameter)};
  const std::vector<ProcessorGroup> groups = processor_groups(platform);
  const ProcessorGroup& group = group_of(groups, processor);
  if (!is_of_stage) {
    for (const std::size_t p : members_of(group)) add(p);
    return numbers;
  }
  const Stage& stage = document.application.stages[parameter.index];
  if (!have_one_time(group, stage, times->at(parameter.inner))) return {&number_at(document, parameter)};
  for (StageTime& own : *times)
    if (own.processor >= group.first && own.processor < group.first + group.count)
      numbers.push_back(parameter.quantity == ParameterQuantity::stage_fixed ? &own.fixed : &own.time);
  return numbers;
}

}  // namespace

std::vector<Parameter> parameters_of(const Document& document) {
  maxplus::expects(document.mapping.has_value(), "parameters are those of an instance");
  return ParameterList(document, false).take();
}

std::vector<Parameter> all_parameters_of(const Document& document) {
  maxplus::expects(document.mapping.has_value(), "parameters are those of an instance");
  return ParameterList(document, true).take();
}

std::vector<Rational*> numbers_at(Document& document, const Parameter& parameter) {
  if (!parameter.alike.empty()) {
    std::vector<Rational*> numbers;
    for (const Parameter& one : parameter.alike)
      std::ranges::copy(numbers_at(document, one), std::back_inserter(numbers));
    return numbers;
  }
  if (parameter.is_of_type) return numbers_of_type(document, parameter);
  switch (parameter.quantity) {
    case ParameterQuantity::processor_time:
    case ParameterQuantity::processor_speed:
    case ParameterQuantity::port_bandwidth:
    case ParameterQuantity::memory_bandwidth:
    case ParameterQuantity::stage_time:
    case ParameterQuantity::stage_fixed:
      return numbers_of_cores(document, parameter);
    default:
      return {&number_at(document, parameter)};
  }
}

}  // namespace takt::tpn
