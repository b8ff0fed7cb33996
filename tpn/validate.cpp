// Validation, rule by rule in the order of the document.
#include "tpn/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tpn/absent_times.hpp"
#include "tpn/errors.hpp"
#include "tpn/expansion.hpp"
#include "tpn/hosts.hpp"
#include "tpn/json.hpp"
#include "tpn/models.hpp"
#include "tpn/problem_view.hpp"
#include "tpn/quotas.hpp"
#include "tpn/segments.hpp"
#include "tpn/units.hpp"
#include "tpn/workflow.hpp"

namespace takt::tpn {

namespace {

using json::Bound;
using json::quote;

using Names = std::set<std::string_view>;
using Pair = std::pair<std::size_t, std::size_t>;

std::string item(const std::string& array, std::size_t index) { return array + "/" + std::to_string(index); }

void check_bound(const Rational& number, Bound bound, const std::string& pointer) {
  if (const auto expected = json::violation(number, bound)) {
    const std::string digits = number.to_string();
    throw InvalidInstance(pointer, "the number " + (digits.size() > 60 ? digits.substr(0, 60) + "..." : digits),
                          *expected);
  }
}

void check_digits(bool can_be_written, const std::string& pointer) {
  if (can_be_written) return;
  throw InvalidInstance(pointer, "a number beyond the digits a document may hold",
                        "at most " + std::to_string(maxplus::kMaxDigits) + " digits");
}

void check_number(const Rational& number, Bound bound, const std::string& pointer) {
  check_bound(number, bound, pointer);
  check_digits(json::number_text(number).has_value(), pointer);
}

void check_number(const std::optional<Rational>& number, Bound bound, const std::string& pointer) {
  if (number) check_number(*number, bound, pointer);
}

// Of a document whose quantities have units or not.
class QuantityCheck {
 public:
  explicit QuantityCheck(TimeUnit unit) : unit_(unit) {}

  void operator()(const std::optional<Rational>& number, Quantity quantity, Bound bound,
                  const std::string& pointer) const {
    if (!number) return;
    check_bound(*number, bound, pointer);
    // With a unit that leaves the number as it is, or with any.
    check_digits(json::number_text(*number) || quantity_text(*number, quantity, unit_), pointer);
  }

 private:
  TimeUnit unit_;
};

void check_law(const SharedLaw& law, const std::string& pointer) {
  if (!law || is_within(*law)) return;
  if (law->kind == LawKind::samples) {
    throw InvalidInstance(pointer + "/samples", "samples that are no multiples of their mean",
                          fmt::format("from 1 to {} numbers of at least 0 whose mean is 1", kMostSamples));
  }
  const LawForm& form = form_of(law->kind);
  const std::string number = json::number_text(law->parameter).value_or("beyond all digits");
  if (form.key.empty()) {
    throw InvalidInstance(pointer, fmt::format("the law {} with the parameter {}", quote(form.name), number),
                          "no parameter");
  }
  throw InvalidInstance(pointer + json::pointer_step(form.key),
                        fmt::format("the law {} with the {} {}", quote(form.name), form.key, number),
                        std::string(form.expected));
}

void check_text(const std::string& text, const std::string& pointer) {
  if (!json::string_text(text)) throw InvalidInstance(pointer, quote(text), "UTF-8 text");
}

void check_name(const std::string& name, const std::string& pointer) {
  if (name.empty()) throw InvalidInstance(pointer, "an empty name", "a name");
  check_text(name, pointer);
}

void check_unique_name(const std::string& name, Names& seen, const std::string& pointer) {
  check_name(name, pointer);
  if (!seen.insert(name).second) {
    throw InvalidInstance(pointer, "the name " + quote(name) + " a second time", "a name of its own");
  }
}

// Who takes whose file. What a firing consumes and produces has a meaning along a chain alone.
void check_files(const Application& application) {
  const std::vector<Stage>& stages = application.stages;
  for (std::size_t k = 0; k < stages.size(); ++k) {
    if (!stages[k].after) continue;
    std::set<std::size_t> seen;
    for (std::size_t i = 0; i < stages[k].after->size(); ++i) {
      const std::size_t before = stages[k].after->at(i);
      const std::string here = item(item("/application/stages", k) + "/after", i);
      if (before >= k) throw InvalidInstance(here, "stage number " + std::to_string(before), "an earlier stage");
      if (!seen.insert(before).second)
        throw InvalidInstance(here, quote(stages[before].name) + " a second time", "it once");
    }
  }
  if (is_chain(application)) return;
  for (std::size_t k = 0; k < stages.size(); ++k) {
    for (const auto& [rate, key] :
         {std::pair(&stages[k].consumes, "consumes"), std::pair(&stages[k].produces, "produces")}) {
      if (*rate == 1) continue;
      throw InvalidInstance(item("/application/stages", k) + "/" + key, "the number " + rate->to_string(),
                            "1: a file for each firing, as stages with \"after\" form no chain");
    }
  }
}

void check_application(const Application& application, const QuantityCheck& check_quantity) {
  check_text(application.name, "/application/name");
  check_text(application.item, "/application/item");
  check_quantity(application.input, Quantity::size, Bound::non_negative, "/application/input");
  check_law(application.input_law, "/application/input");
  check_law(application.data_set_law, "/application/data sets");
  if (application.stages.empty()) {
    throw InvalidInstance("/application/stages", "no stage", "at least one stage");
  }
  Names names;
  for (std::size_t i = 0; i < application.stages.size(); ++i) {
    const Stage& stage = application.stages[i];
    const std::string here = item("/application/stages", i);
    check_unique_name(stage.name, names, here + "/name");
    check_number(stage.work, Bound::non_negative, here + "/work");
    check_law(stage.work_law, here + "/work");
    check_quantity(stage.output, Quantity::size, Bound::non_negative, here + "/output");
    check_law(stage.output_law, here + "/output");
    check_number(stage.consumes, Bound::positive_whole, here + "/consumes");
    check_number(stage.produces, Bound::positive_whole, here + "/produces");
    check_quantity(stage.memory, Quantity::size, Bound::non_negative, here + "/memory");
  }
  if (const Rational& rate = application.stages.front().consumes; rate != 1) {
    throw InvalidInstance("/application/stages/0/consumes", "the number " + rate.to_string(),
                          "1: a data set is one firing of the first stage");
  }
  check_files(application);
}

void check_timing(const LinkTiming& timing, const QuantityCheck& check_quantity, const std::string& pointer) {
  check_quantity(timing.bandwidth, Quantity::bandwidth, Bound::positive, pointer + "/bandwidth");
  check_quantity(timing.latency, Quantity::time, Bound::non_negative, pointer + "/latency");
  check_quantity(timing.time, Quantity::time, Bound::non_negative, pointer + "/time");
  check_law(timing.fixed_law, pointer + (timing.time ? "/time" : "/latency"));
  if (timing.time && (timing.bandwidth || timing.latency)) {
    throw InvalidInstance(pointer + "/time",
                          timing.bandwidth ? "\"time\" beside \"bandwidth\"" : "\"time\" beside \"latency\"",
                          "either a time, or bandwidth and latency");
  }
}

void check_index(std::size_t processor, const Platform& platform, const std::string& pointer) {
  if (processor >= platform.processors.size()) {
    throw InvalidInstance(pointer, "processor number " + std::to_string(processor),
                          "one of the platform's " + std::to_string(platform.processors.size()) + " processors");
  }
}

void check_type_index(std::size_t type, const Platform& platform, const std::string& pointer) {
  if (type >= platform.types.size()) {
    throw InvalidInstance(pointer, "type number " + std::to_string(type),
                          "one of the platform's " + std::to_string(platform.types.size()) + " types");
  }
}

// Where the document has its processors: cores that it names at once have one place.
class ProcessorPlaces {
 public:
  explicit ProcessorPlaces(const Platform& platform) : entries_(entries_of(platform)) {}

  std::string of(std::size_t processor) const { return item("/platform/processors", entries_[processor]); }

 private:
  std::vector<std::size_t> entries_;
};

// The names in stages' times, and who has some.
class StageTimesCheck {
 public:
  StageTimesCheck(const Document& document, const QuantityCheck& check_quantity, const ProcessorPlaces& places)
      : document_(document),
        check_quantity_(check_quantity),
        places_(places),
        processors_(document.platform.processors.size()),
        types_(document.platform.types.size()) {
    for (std::size_t i = 0; i < document.application.stages.size(); ++i) {
      for (const TypeTime& own : document.application.stages[i].type_times) check(own, i);
      for (const StageTime& own : document.application.stages[i].times) check(own, i);
    }
  }

  bool has_time_for_processor(std::size_t processor) const { return processors_[processor].last != 0; }
  bool has_time_for_type(std::size_t type) const { return types_[type].last != 0; }

 private:
  struct Seen {
    std::size_t last = 0;  // the number of the stage, from 1
  };

  void check(const TypeTime& own, std::size_t stage) {
    const Platform& platform = document_.platform;
    check_type_index(own.type, platform, pointer(stage));
    const ProcessorType& type = platform.types[own.type];
    if (type.time) refuse_fixed(stage, type.name, item("/platform/types", own.type));
    note(types_[own.type], stage, type.name, own);
  }

  void check(const StageTime& own, std::size_t stage) {
    const Platform& platform = document_.platform;
    check_index(own.processor, platform, pointer(stage));
    const Processor& processor = platform.processors[own.processor];
    if (processor.time) {
      const bool is_of_type = processor.type && *processor.type < platform.types.size() &&
                              inherited_values(processor, &platform.types[*processor.type]).computation;
      refuse_fixed(stage, processor.name,
                   is_of_type ? item("/platform/types", *processor.type) : places_.of(own.processor));
    }
    note(processors_[own.processor], stage, processor.name, own);
  }

  static std::string pointer(std::size_t stage) { return item("/application/stages", stage) + "/time"; }

  [[noreturn]] static void refuse_fixed(std::size_t stage, const std::string& name, const std::string& fixed_at) {
    throw InvalidInstance(pointer(stage) + json::pointer_step(name),
                          "a time of the stage for " + quote(name) + ", whose own \"time\" at " + fixed_at +
                              " holds for whatever it computes",
                          "one of the two");
  }

  template <typename OwnTime>
  void note(Seen& seen, std::size_t stage, const std::string& name, const OwnTime& own) const {
    const std::string place = pointer(stage) + json::pointer_step(name);
    check_quantity_(own.time, Quantity::time, Bound::non_negative, place);
    check_quantity_(own.fixed, Quantity::time, Bound::non_negative, place);
    check_law(own.law, place);
    if (seen.last == stage + 1) throw InvalidInstance(place, "a second time for " + quote(name), "at most one");
    seen.last = stage + 1;
  }

  const Document& document_;
  const QuantityCheck& check_quantity_;
  const ProcessorPlaces& places_;
  std::vector<Seen> processors_;
  std::vector<Seen> types_;
};

void check_ports(PortCount ports, const std::string& here) {
  if (ports <= kMostPorts) return;
  throw InvalidInstance(here + "/ports", std::to_string(ports) + " ports", "at most " + std::to_string(kMostPorts));
}

// What a type and a processor have in common, but for their names.
template <typename Machine>
void check_machine(const Machine& machine, const QuantityCheck& check_quantity, const std::string& here) {
  check_quantity(machine.speed, Quantity::speed, Bound::positive, here + "/speed");
  check_quantity(machine.time, Quantity::time, Bound::non_negative, here + "/time");
  check_law(machine.time_law, here + "/time");
  if (machine.speed && machine.time) throw InvalidInstance(here, "both \"speed\" and \"time\"", "one of them");
  check_quantity(machine.bandwidth, Quantity::bandwidth, Bound::positive, here + "/bandwidth");
  check_quantity(machine.memory, Quantity::size, Bound::non_negative, here + "/memory");
  check_number(machine.price, Bound::non_negative, here + "/price");
  check_ports(machine.ports, here);
  check_quantity(machine.memory_bandwidth, Quantity::bandwidth, Bound::positive, here + "/memory bandwidth");
}

void check_types(const Platform& platform, Names& names, const QuantityCheck& check_quantity) {
  for (std::size_t i = 0; i < platform.types.size(); ++i) {
    const ProcessorType& type = platform.types[i];
    const std::string here = item("/platform/types", i);
    check_unique_name(type.name, names, here + "/name");
    check_machine(type, check_quantity, here);
    check_number(type.spot_price, Bound::non_negative, here + "/spot price");
    if (type.spot_price && *type.spot_price > type.price) {
      throw InvalidInstance(here + "/spot price", type.spot_price->to_string(),
                            "at most the price, " + type.price.to_string());
    }
    check_number(type.count, Bound::whole, here + "/count");
    if (type.cores < 1 || type.cores > kMostCores) {
      throw InvalidInstance(here + "/cores", std::to_string(type.cores) + " cores",
                            "from 1 to " + std::to_string(kMostCores));
    }
  }
  check_text(platform.currency, "/platform/currency");
}

void check_quotas(const Platform& platform, const QuantityCheck& check_quantity) {
  for (std::size_t i = 0; i < platform.quotas.size(); ++i) {
    const Quota& quota = platform.quotas[i];
    const std::string here = item("/platform/quotas", i);
    const bool is_count = quota.of == Quota::Of::machines || quota.of == Quota::Of::cores;
    if (quota.of == Quota::Of::memory) {
      check_quantity(quota.most, Quantity::size, Bound::non_negative, here + "/memory");
    } else {
      check_number(quota.most, is_count ? Bound::whole : Bound::non_negative,
                   here + "/" + std::string(key_of(quota.of)));
    }
    if (platform.types.empty()) throw InvalidInstance(here, "a quota, but no types in the platform", "types");
    for (const std::size_t type : counted_types(quota, platform)) {
      check_type_index(type, platform, here + "/types");
      if (quota.of != Quota::Of::memory || platform.types[type].memory) continue;
      throw InvalidInstance(
          here, "a quota of memory that counts type " + quote(platform.types[type].name) + ", which has no \"memory\"",
          "types with \"memory\"");
    }
  }
}

// A processor of a type has all that the type has, or another in its place.
void check_inherited(const Processor& processor, const Platform& platform, const std::string& here) {
  if (!processor.type) return;
  check_type_index(*processor.type, platform, here + "/type");
  const ProcessorType& type = platform.types[*processor.type];
  const bool computes = (!type.speed && !type.time) || processor.speed || processor.time;
  if (computes && (!type.bandwidth || processor.bandwidth) && (!type.memory || processor.memory)) return;
  throw InvalidInstance(here,
                        "processor " + quote(processor.name) + " without what its type " + quote(type.name) + " has",
                        "all of it, or others in its place");
}

// What the processors of a host share.
void check_hosts(const Platform& platform, const ProcessorPlaces& places) {
  const HostIndex hosts(platform);
  if (!hosts.are_shared()) return;
  for (std::size_t p = 0; p < platform.processors.size(); ++p) {
    const Processor& processor = platform.processors[p];
    const Processor& first = platform.processors[hosts.first_of(p)];
    if (processor.bandwidth == first.bandwidth && processor.ports == first.ports &&
        processor.memory_bandwidth == first.memory_bandwidth) {
      continue;
    }
    throw InvalidInstance(places.of(p),
                          "other \"bandwidth\", \"ports\" or \"memory bandwidth\" for " + quote(processor.name) +
                              " than for " + quote(first.name) + ", on the same host",
                          "the same ones: processors of a host share its card");
  }
}

void check_segment_names(const Platform& platform, Names& names, std::vector<std::vector<std::string>>& ways) {
  for (std::size_t s = 0; s < platform.segments.size(); ++s) {
    const std::string here = item("/platform/segments", s) + "/name";
    check_unique_name(platform.segments[s].name, names, here);
    if (!platform.segments[s].duplex) continue;
    // Under which results name its two directions.
    ways.push_back(names_of_ways(platform.segments[s]));
    for (const std::string& way : ways.back()) check_unique_name(way, names, here);
  }
}

void check_end_names(const Platform& platform, Names& names) {
  for (const auto& [end, key, other] :
       {std::tuple(&platform.source, "source", "sink"), std::tuple(&platform.sink, "sink", "source")}) {
    if (!*end) continue;
    for (std::size_t k = 0; k < (*end)->named.size(); ++k) {
      const std::string here = fmt::format("/platform/{}s/{}/name", key, k);
      const std::string& name = (*end)->named[k].name;
      check_unique_name(name, names, here);
      // The one end of the other side has that name.
      const auto& facing = end == &platform.source ? platform.sink : platform.source;
      if (facing && facing->named.empty() && name == other) {
        throw InvalidInstance(here, "the name " + quote(name), "another name: the platform has a " + name + " already");
      }
    }
  }
}

void check_processors(const Platform& platform, const QuantityCheck& check_quantity, const ProcessorPlaces& places) {
  if (platform.processors.empty() && platform.types.empty()) {
    throw InvalidInstance("/platform/processors", "no processor", "at least one processor");
  }
  Names names;
  std::vector<std::vector<std::string>> ways;  // what names refer to
  check_types(platform, names, check_quantity);
  const std::vector<ProcessorGroup> groups = processor_groups(platform);
  for (std::size_t i = 0; i < groups.size(); ++i)
    if (groups[i].is_of_cores()) names.insert(groups[i].name);
  for (std::size_t i = 0; i < platform.processors.size(); ++i) {
    const Processor& processor = platform.processors[i];
    const std::string here = places.of(i);
    check_unique_name(processor.name, names, here + "/name");
    const bool is_end = (platform.source && platform.source->named.empty() && processor.name == "source") ||
                        (platform.sink && platform.sink->named.empty() && processor.name == "sink");
    if (is_end) {
      throw InvalidInstance(here + "/name", "the name " + quote(processor.name),
                            "another name: the platform has a " + processor.name + " already");
    }
    check_machine(processor, check_quantity, here);
    check_inherited(processor, platform, here);
  }
  check_hosts(platform, places);
  check_segment_names(platform, names, ways);
  check_end_names(platform, names);
}

// The times that types hand down are there.
void check_inherited_times(const Document& document) {
  const std::vector<Processor>& processors = document.platform.processors;
  std::vector<std::size_t> sizes(document.platform.types.size());
  for (const Processor& processor : processors)
    if (processor.type && !processor.time) ++sizes[*processor.type];
  for (std::size_t i = 0; i < document.application.stages.size(); ++i) {
    const Stage& stage = document.application.stages[i];
    if (stage.type_times.empty()) continue;
    std::vector<std::size_t> found(sizes.size());
    for (const StageTime& own : stage.times)
      if (const auto type = processors[own.processor].type) ++found[*type];
    for (const TypeTime& own : stage.type_times) {
      if (found[own.type] == sizes[own.type]) continue;
      throw InvalidInstance(
          item("/application/stages", i) + "/time" + json::pointer_step(document.platform.types[own.type].name),
          "a time for a type that its processors do not have", "it in all of them, or one in its place");
    }
  }
}

template <typename Machine>
void check_computes(const Machine& machine, bool has_stage_time, const char* kind, const std::string& here) {
  if (machine.speed || machine.time || has_stage_time) return;
  throw InvalidInstance(here, std::string(kind) + " " + quote(machine.name) + " without \"speed\" and \"time\"",
                        "one of them, or " + quote(machine.name) + " in the \"time\" of the stages it computes");
}

// Behind the names, which stages' times refer to.
void check_computations(const Document& document, const QuantityCheck& check_quantity, const ProcessorPlaces& places) {
  const StageTimesCheck stage_times(document, check_quantity, places);
  const Platform& platform = document.platform;
  for (std::size_t i = 0; i < platform.types.size(); ++i)
    check_computes(platform.types[i], stage_times.has_time_for_type(i), "type", item("/platform/types", i));
  check_inherited_times(document);
  for (std::size_t i = 0; i < platform.processors.size(); ++i)
    check_computes(platform.processors[i], stage_times.has_time_for_processor(i), "processor", places.of(i));
}

constexpr const char* kOneForBothWays =
    "one for both directions: links are undirected unless \"directed\" is true; say so in both, or drop one";

// Links between processors, or between types.
template <typename Listed>
class ListedLinks {
 public:
  explicit ListedLinks(const std::vector<Listed>& links) : links_(links) {}

  // Refuses a second one for what has one. The names are those of the two ends.
  void add(const Listed& link, const std::string& from, const std::string& to, const std::string& here) {
    const bool is_new = link.directed ? directed_.emplace(link.from, link.to).second
                                      : undirected_.insert(std::minmax(link.from, link.to)).second;
    if (is_new) return;
    const std::string kind = link.directed ? "directed link from " + quote(from) + " to " + quote(to)
                                           : "undirected link between " + quote(from) + " and " + quote(to);
    const bool is_reversed = !link.directed && link.from != link.to && first_undirected(link).from == link.to;
    throw InvalidInstance(here, "a second " + kind, is_reversed ? kOneForBothWays : "at most one");
  }

 private:
  // The first one between the ends of that one.
  const Listed& first_undirected(const Listed& wanted) const {
    return *std::ranges::find_if(links_, [&](const Listed& link) {
      return !link.directed && std::minmax(link.from, link.to) == std::minmax(wanted.from, wanted.to);
    });
  }

  const std::vector<Listed>& links_;
  std::set<Pair> directed_;
  std::set<Pair> undirected_;
};

// A link is the hosts', of which it names the first processor.
void check_is_first(std::size_t processor, const HostIndex& hosts, const Platform& platform,
                    const std::string& pointer) {
  if (hosts.first_of(processor) == processor) return;
  throw InvalidInstance(pointer, "processor " + quote(platform.processors[processor].name),
                        "the first of its host, " + quote(platform.processors[hosts.first_of(processor)].name));
}

void check_links(const Platform& platform, const QuantityCheck& check_quantity) {
  ListedLinks seen(platform.links);
  const HostIndex hosts(platform);
  std::size_t before = 0;  // links between types
  for (std::size_t i = 0; i < platform.links.size(); ++i) {
    while (before < platform.type_links.size() && platform.type_links[before].place <= i) ++before;
    const Link& link = platform.links[i];
    const std::string here = item("/platform/links", i + before);
    check_index(link.from, platform, here + "/from");
    check_index(link.to, platform, here + "/to");
    check_is_first(link.from, hosts, platform, here + "/from");
    check_is_first(link.to, hosts, platform, here + "/to");
    const std::string& from = machine_name(platform, hosts, link.from);
    const std::string& to = machine_name(platform, hosts, link.to);
    if (link.from == link.to) {
      throw InvalidInstance(here, "a link from " + quote(from) + " to itself",
                            hosts.size_of(link.from) == 1
                                ? "two different processors"
                                : "two different hosts; \"memory bandwidth\" says how fast files are within one");
    }
    check_timing(link.timing, check_quantity, here);
    seen.add(link, from, to, here);
  }
}

void check_type_links(const Platform& platform, const QuantityCheck& check_quantity) {
  ListedLinks seen(platform.type_links);
  for (std::size_t i = 0; i < platform.type_links.size(); ++i) {
    const TypeLink& link = platform.type_links[i];
    const std::string here = item("/platform/links", platform.place_of_type_link(i));
    check_type_index(link.from, platform, here + "/from");
    check_type_index(link.to, platform, here + "/to");
    if (i > 0 && link.place < platform.type_links[i - 1].place) {
      throw InvalidInstance(here, "links between types out of order", "them in their order");
    }
    check_timing(link.timing, check_quantity, here);
    seen.add(link, platform.types[link.from].name, platform.types[link.to].name, here);
  }
}

void check_endpoint(const Endpoint& endpoint, const Platform& platform, const QuantityCheck& check_quantity,
                    const std::string& pointer) {
  check_timing(endpoint.timing, check_quantity, pointer);
  check_ports(endpoint.ports, pointer);
  const HostIndex hosts(platform);
  std::set<std::size_t> seen;
  for (std::size_t i = 0; i < endpoint.links.size(); ++i) {
    const EndpointLink& link = endpoint.links[i];
    const std::string here = item(pointer + "/links", i);
    check_index(link.processor, platform, here + "/processor");
    check_is_first(link.processor, hosts, platform, here + "/processor");
    check_timing(link.timing, check_quantity, here);
    if (!seen.insert(link.processor).second) {
      throw InvalidInstance(here, "a second link of " + quote(machine_name(platform, hosts, link.processor)),
                            "at most one");
    }
  }
}

void check_ends(const Document& document, const QuantityCheck& check_quantity) {
  const Platform& platform = document.platform;
  const auto check_each = [&](const Endpoint& end, const std::string& pointer) {
    if (end.named.empty()) return check_endpoint(end, platform, check_quantity, pointer);
    for (std::size_t k = 0; k < end.named.size(); ++k)
      check_endpoint(end.named[k], platform, check_quantity, item(pointer + "s", k));
  };
  if (platform.source) {
    check_each(*platform.source, "/platform/source");
    if (!document.application.input) {
      throw InvalidInstance("/platform/source", "a source, but no \"input\" of the application",
                            "\"input\" in \"application\"");
    }
  }
  if (platform.sink) {
    check_each(*platform.sink, "/platform/sink");
    if (const Stage& last = document.application.stages.back(); !last.output) {
      throw InvalidInstance("/platform/sink", "a sink, but no \"output\" of the last stage, " + quote(last.name),
                            "\"output\" in that stage");
    }
  }
}

void check_segments(const Platform& platform, const QuantityCheck& check_quantity) {
  for (std::size_t s = 0; s < platform.segments.size(); ++s) {
    const NetworkSegment& segment = platform.segments[s];
    const std::string here = item("/platform/segments", s);
    check_quantity(segment.bandwidth, Quantity::bandwidth, Bound::positive, here + "/bandwidth");
    check_ports(segment.ports, here);
    for (std::size_t k = 0; k < segment.between.size(); ++k) {
      if (segment.between[k].empty())
        throw InvalidInstance(item(here + "/between", k), "no machine", "names of machines, at least one");
    }
  }
  const SegmentIndex index(platform);
  if (const auto& refused = index.refused()) {
    const NetworkSegment& segment = platform.segments[refused->segment];
    const std::string& name = segment.between[refused->set][refused->place];
    const std::string here =
        item(item(item("/platform/segments", refused->segment) + "/between", refused->set), refused->place);
    if (refused->is_unknown) {
      throw InvalidInstance(here, "the unknown machine " + quote(name),
                            "the name of a processor, a host, a type, a source or a sink of the platform");
    }
    throw InvalidInstance(here, quote(name) + ", which is in both lists of the segment " + quote(segment.name),
                          "each machine in one of them");
  }
}

void check_replication(const Part& part, const Document& document, const std::string& pointer) {
  const auto moved = std::find_if(part.processors.begin(), part.processors.end(),
                                  [&part](std::size_t processor) { return processor != part.processors.front(); });
  if (moved == part.processors.end()) return;
  for (std::size_t stage = part.first_stage; stage <= part.last_stage; ++stage) {
    const Stage& here = document.application.stages[stage];
    if (here.replicable) continue;
    throw InvalidInstance(pointer + "/processors",
                          "several processors for stage " + quote(here.name) + ", which is not replicable",
                          "one and the same processor");
  }
}

// Turns that repeat after so many firings leave each partition where it is.
void check_partitions(const Part& part, const Document& document, const std::string& pointer) {
  const std::vector<std::size_t>& turns = part.processors;
  for (std::size_t stage = part.first_stage; stage <= part.last_stage; ++stage) {
    const Stage& here = document.application.stages[stage];
    if (here.partitions == 0) continue;
    for (std::size_t k = 0; k < turns.size(); ++k) {
      const std::size_t next = turns[(k + here.partitions) % turns.size()];
      if (next == turns[k]) continue;
      throw InvalidInstance(
          pointer + "/processors",
          fmt::format("{} turns for stage {}, which has {} partitions: one of them would go to {} and to {}",
                      turns.size(), quote(here.name), here.partitions,
                      quote(document.platform.processors[turns[k]].name),
                      quote(document.platform.processors[next].name)),
          fmt::format("turns that are the same {} firings later, so that each partition stays on one processor",
                      here.partitions));
    }
  }
}

void check_batches(const Part& part, const Document& document, const std::string& pointer) {
  std::size_t end = 0;
  for (const Batch& batch : part.batches) {
    const std::string here = pointer + "/processors";
    if (batch.size < 2 || batch.size > kMostBatch) {
      throw InvalidInstance(here, "a batch of " + std::to_string(batch.size),
                            "from 2 to " + std::to_string(kMostBatch) + " data sets");
    }
    if (batch.first < end || batch.first >= part.processors.size() ||
        part.processors.size() - batch.first < batch.size) {
      throw InvalidInstance(here, "a batch that is not among the entries behind the one before it",
                            "batches in the order of the sequence");
    }
    end = batch.first + batch.size;
    for (std::size_t entry = batch.first; entry < end; ++entry) {
      if (part.processors[entry] != part.processors[batch.first])
        throw InvalidInstance(here, "a batch on several processors", "one processor for each batch");
    }
  }
  if (part.batches.empty()) return;
  for (const Stage& stage : document.application.stages) {
    if (stage.consumes == 1 && stage.produces == 1) continue;
    throw InvalidInstance(pointer + "/processors",
                          "a batch of " + std::to_string(part.batches.front().size) + ", though stage " +
                              quote(stage.name) + " consumes " + stage.consumes.to_string() + " and produces " +
                              stage.produces.to_string(),
                          "batches only where each stage takes and makes one file per firing");
  }
}

void check_places(const Part& part, const Document& document, const std::string& pointer) {
  for (std::size_t k = part.first_stage; k <= part.last_stage; ++k) {
    const Stage& stage = document.application.stages[k];
    if (stage.runs_on.empty()) continue;
    for (std::size_t i = 0; i < part.processors.size(); ++i) {
      const Processor& processor = document.platform.processors[part.processors[i]];
      if (is_let_run(stage, document.platform, part.processors[i])) continue;
      // Cores stand where their host's name does.
      throw InvalidInstance(
          processor.core > 0 ? pointer + "/processors" : item(pointer + "/processors", i),
          "stage " + quote(stage.name) + " on " + quote(processor.name) + ", which its \"runs on\" rules out",
          "a processor that runs it: " + runner_words(document, k));
    }
  }
}

// A fixed time holds for whatever a processor is given.
void check_fixed_times(const Document& document) {
  const auto refuse = [](std::size_t k, const std::string& name) {
    throw InvalidInstance(item("/application/stages", k) + "/runs on",
                          "\"runs on\" without " + quote(name) + ", which has a fixed \"time\"",
                          "a \"speed\" there, or times in stages, in place of that \"time\"");
  };
  const Platform& platform = document.platform;
  for (std::size_t k = 0; k < document.application.stages.size(); ++k) {
    const Stage& stage = document.application.stages[k];
    if (stage.runs_on.empty()) continue;
    for (std::size_t p = 0; p < platform.processors.size(); ++p) {
      if (platform.processors[p].time && !is_let_run(stage, platform, p)) refuse(k, platform.processors[p].name);
    }
    for (const ProcessorType& type : platform.types) {
      const bool is_named = std::ranges::find(stage.runs_on, type.name) != stage.runs_on.end();
      if (type.time && !is_named && platform.is_catalogue()) refuse(k, type.name);
    }
  }
}

void check_mapping(const Mapping& mapping, const Document& document) {
  const std::vector<Stage>& stages = document.application.stages;
  std::size_t next_stage = 0;
  for (std::size_t i = 0; i < mapping.size(); ++i) {
    const Part& part = mapping[i];
    const std::string here = item("/mapping", i);
    if (part.first_stage > part.last_stage || part.last_stage >= stages.size()) {
      throw InvalidInstance(
          here + "/stages",
          "stages number " + std::to_string(part.first_stage) + " to " + std::to_string(part.last_stage),
          "an interval of the " + std::to_string(stages.size()) + " stages");
    }
    if (part.first_stage != next_stage) {
      const std::string found = "stage " + quote(stages[part.first_stage].name);
      if (next_stage == stages.size()) {
        throw InvalidInstance(here + "/stages/0", found + " a second time", "no part behind the last stage");
      }
      throw InvalidInstance(
          here + "/stages/0", found + (part.first_stage < next_stage ? " a second time" : ""),
          "stage " + quote(stages[next_stage].name) + ": parts hold every stage once, in the order of the application");
    }
    next_stage = part.last_stage + 1;
    if (part.processors.empty()) {
      throw InvalidInstance(here + "/processors", "an empty sequence", "at least one processor");
    }
    for (std::size_t k = 0; k < part.processors.size(); ++k) {
      check_index(part.processors[k], document.platform, item(here + "/processors", k));
    }
    validate_part(part, document, here);
  }
  if (next_stage < stages.size()) {
    throw InvalidInstance("/mapping", "no part for stage " + quote(stages[next_stage].name),
                          "every stage in exactly one part");
  }
}

std::vector<std::size_t> sorted_unique(std::vector<std::size_t> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

// The different processors at the entries congruent to `residue` modulo `modulus`.
std::vector<std::size_t> processors_at(const Part& part, std::size_t residue, std::size_t modulus) {
  std::vector<std::size_t> found;
  for (std::size_t entry = residue; entry < part.processors.size(); entry += modulus) {
    found.push_back(part.processors[entry]);
  }
  return sorted_unique(std::move(found));
}

// Entries a and b of two neighboring parts meet where a = b modulo the gcd of the sequences' lengths.
std::size_t meeting_modulus(const Part& sender, const Part& receiver) {
  return std::gcd(sender.processors.size(), receiver.processors.size());
}

// Every pair that meets, over a platform without a default for links: each pair costs the look-up of an
// entry of its own, or ends the search.
void check_all_transfers(const Part& sender, const Part& receiver, std::span<const std::size_t> files,
                         const Timing& timing) {
  const std::size_t modulus = meeting_modulus(sender, receiver);
  std::set<Pair> seen;
  for (std::size_t residue = 0; residue < modulus; ++residue) {
    const std::vector<std::size_t> receivers = processors_at(receiver, residue, modulus);
    for (const std::size_t from : processors_at(sender, residue, modulus)) {
      for (const std::size_t to : receivers) {
        if (from != to && seen.emplace(from, to).second) timing.transfer(files, from, to);
      }
    }
  }
}

// Over a default time only links with a latency and no bandwidth, or a bandwidth and no file, can fail.
void check_own_links(const Part& sender, const Part& receiver, std::span<const std::size_t> files,
                     const Document& document, const Timing& timing) {
  const std::size_t modulus = meeting_modulus(sender, receiver);
  const auto residues = [modulus](const Part& part) {
    std::set<Pair> found;  // of processor and residue
    for (std::size_t i = 0; i < part.processors.size(); ++i) found.emplace(part.processors[i], i % modulus);
    return found;
  };
  const std::set<Pair> sending = residues(sender);
  const std::set<Pair> receiving = residues(receiver);
  const auto check = [&](std::size_t from, std::size_t to) {
    for (auto at = sending.lower_bound({from, 0}); at != sending.end() && at->first == from; ++at) {
      if (!receiving.contains({to, at->second})) continue;
      timing.transfer(files, from, to);
      return;
    }
  };
  for (const Link& link : document.platform.links) {
    if (link.timing.time) continue;
    check(link.from, link.to);
    if (!link.directed) check(link.to, link.from);
  }
}

void check_transfers(const Part& sender, const Part& receiver, std::span<const std::size_t> files,
                     const Document& document, const Timing& timing) {
  const Platform& platform = document.platform;
  const auto has_port = [&](std::size_t p) { return platform.processors[p].bandwidth.has_value(); };
  const bool has_bandwidth = platform.defaults.bandwidth || std::ranges::all_of(sender.processors, has_port) ||
                             std::ranges::all_of(receiver.processors, has_port);
  const auto has_size = [&](std::size_t file) { return document.application.stages[file].output.has_value(); };
  if (has_bandwidth && std::ranges::all_of(files, has_size)) return;
  const bool is_plain = platform.type_links.empty() && platform.segments.empty() &&
                        std::ranges::none_of(sender.processors, has_port) &&
                        std::ranges::none_of(receiver.processors, has_port);
  if (platform.defaults.time && is_plain && !timing.has_shared_hosts())
    return check_own_links(sender, receiver, files, document, timing);
  check_all_transfers(sender, receiver, files, timing);
}

void check_durations(const Mapping& mapping, const ProblemView& problem) {
  const Document& document = problem.document();
  const Timing& timing = problem.timing();
  const Platform& platform = document.platform;
  for (const Part& part : mapping) {
    // Processors with a speed need the same works: one of them speaks for all, but for those with stages' own times.
    const auto with_speed = std::ranges::find_if(part.processors, [&](std::size_t p) {
      return platform.processors[p].speed.has_value() && !timing.has_own_times(p);
    });
    if (with_speed != part.processors.end()) timing.computation(part.first_stage, part.last_stage, *with_speed);
    if (!timing.has_own_times()) continue;
    for (const std::size_t p : sorted_unique(part.processors)) {
      if (timing.has_own_times(p)) timing.computation(part.first_stage, part.last_stage, p);
    }
  }
  // Each end, and the processors that it meets in turn.
  const auto check_end = [](const Endpoint& end, const Part& part, auto time) {
    const std::size_t ends = end.in_turn().size();
    const std::size_t modulus = std::gcd(ends, part.processors.size());
    for (std::size_t which = 0; which < ends; ++which)
      for (const std::size_t processor : processors_at(part, which % modulus, modulus)) time(processor, which);
  };
  const std::vector<FileRoute> routes = routes_of(document.application, mapping, outer_ends(platform));
  for (const FileRoute& route : routes) {
    if (route.from && route.to)
      check_transfers(mapping[*route.from], mapping[*route.to], route.files, document, timing);
  }
  for (const FileRoute& route : routes) {
    if (!route.from) {
      check_end(*platform.source, mapping[*route.to],
                [&](std::size_t processor, std::size_t which) { timing.from_source(processor, which); });
    } else if (!route.to) {
      check_end(*platform.sink, mapping[*route.from],
                [&](std::size_t processor, std::size_t which) { timing.to_sink(route.files, processor, which); });
    }
  }
}

void check_heuristic(const HeuristicRecord& heuristic) {
  check_name(heuristic.name, "/heuristic/name");
  check_number(heuristic.seed, Bound::whole, "/heuristic/seed");
  Names names;
  for (const auto& [name, value] : heuristic.options) {
    const std::string here = "/heuristic/options" + json::pointer_step(name);
    check_text(name, "/heuristic/options");
    if (!names.insert(name).second) {
      throw InvalidInstance(here, "the option " + quote(name) + " a second time", "it once");
    }
    if (const auto* number = std::get_if<Rational>(&value)) check_number(*number, Bound::any, here);
    if (const auto* text = std::get_if<std::string>(&value)) {
      check_text(*text, here);
      if (std::holds_alternative<Rational>(maxplus::parse_number(*text))) {
        throw InvalidInstance(here, "the text " + quote(*text), "a text that does not read as a number");
      }
    }
  }
}

void check_remarks(const std::map<std::string, Remarks>& remarks) {
  for (const auto& [pointer, texts] : remarks) {
    if (texts.schema) check_text(*texts.schema, pointer + "/$schema");
    if (texts.comment) check_text(*texts.comment, pointer + json::pointer_step("//"));
  }
}

std::string ends_text(const TransferEnds& ends) {
  const auto end_text = [](std::optional<std::size_t> part, const char* end) {
    return part ? "part " + std::to_string(*part) : std::string("the ") + end;
  };
  return "from " + end_text(ends.from, "source") + " to " + end_text(ends.to, "sink");
}

std::string transfer_text(const TransferEnds& ends) { return "a transfer " + ends_text(ends); }

// "one from a part to the next, or from the source to part 0"; of a workflow its transfers.
std::string transfers_expected(const Document& document, const std::vector<FileRoute>& routes) {
  if (is_chain(document.application)) {
    std::string expected = "one from a part to the next";
    if (document.platform.source) expected += ", or from the source to part 0";
    if (document.platform.sink)
      expected += ", or from part " + std::to_string(document.mapping->size() - 1) + " to the sink";
    return expected;
  }
  constexpr std::size_t kShown = 12;
  std::string expected = "one of this workflow's: ";
  for (std::size_t k = 0; k < routes.size() && k < kShown; ++k) {
    const auto end_text = [](std::optional<std::size_t> part, const char* end) {
      return part ? std::to_string(*part) : std::string(end);
    };
    if (k > 0) expected += ", ";
    expected += end_text(routes[k].from, "source") + " to " + end_text(routes[k].to, "sink");
  }
  return routes.size() > kShown ? expected + ", ..." : expected;
}

// The transfers that files need, each with its place in the list of routes.
class PartTransfers {
 public:
  explicit PartTransfers(const Document& document)
      : document_(document),
        routes_(routes_of(document.application, *document.mapping, outer_ends(document.platform))),
        seen_(routes_.size(), false) {
    for (std::size_t i = 0; i < routes_.size(); ++i) places_[{routes_[i].from, routes_[i].to}] = i;
  }

  // One that stands at this pointer: it must be there, and not stand twice.
  void take(const TransferEnds& ends, const std::string& here) {
    const std::size_t parts = document_.mapping->size();
    for (const auto& [part, key] : {std::pair{ends.from, "/from"}, std::pair{ends.to, "/to"}}) {
      if (part && *part >= parts) {
        throw InvalidInstance(here + key, "part " + std::to_string(*part),
                              parts == 1 ? "part 0, the only one" : "a part from 0 to " + std::to_string(parts - 1));
      }
    }
    const auto place = places_.find(ends);
    if (place == places_.end())
      throw InvalidInstance(here, transfer_text(ends), transfers_expected(document_, routes_));
    if (seen_[place->second]) throw InvalidInstance(here, transfer_text(ends) + " a second time", "it once");
    seen_[place->second] = true;
  }

  // The first that was not taken.
  const FileRoute* missing() const {
    const auto found = std::ranges::find(seen_, false);
    return found == seen_.end() ? nullptr : &routes_[static_cast<std::size_t>(found - seen_.begin())];
  }

 private:
  const Document& document_;
  std::vector<FileRoute> routes_;
  std::map<TransferEnds, std::size_t> places_;
  std::vector<bool> seen_;
};

// In any order: what is not listed is not ahead, and has room without limit.
void check_transfers_between_parts(const Document& document) {
  if (document.transfers.empty()) return;
  if (!document.mapping) throw InvalidInstance("/transfers", "transfers without a mapping", "\"mapping\" beside them");
  PartTransfers known(document);
  for (std::size_t i = 0; i < document.transfers.size(); ++i) {
    const PartTransfer& transfer = document.transfers[i];
    const std::string here = item("/transfers", i);
    known.take(ends_of(transfer), here);
    if (transfer.ahead > kMostAhead) {
      throw InvalidInstance(here + "/ahead", std::to_string(transfer.ahead) + " ahead",
                            "at most " + std::to_string(kMostAhead));
    }
    if (transfer.room > kMostRooms) {
      throw InvalidInstance(here + "/room", "room for " + std::to_string(transfer.room) + " files",
                            "at most " + std::to_string(kMostRooms));
    }
    if (transfer.room > 0 && !transfer.to)
      throw InvalidInstance(here + "/room", "room at the sink", "room at a part of the mapping");
  }
}

// All of them, each behind those that bring what its sender computes with.
void check_order(const Document& document) {
  if (document.order.empty()) return;
  if (!document.mapping)
    throw InvalidInstance("/order", "an order of transfers without a mapping", "\"mapping\" beside it");
  PartTransfers known(document);
  std::vector<std::size_t> last(document.mapping->size(), 0);  // by part, of those to it
  for (std::size_t i = 0; i < document.order.size(); ++i) {
    known.take(document.order[i], item("/order", i));
    if (document.order[i].to) last[*document.order[i].to] = i;
  }
  if (const FileRoute* const missing = known.missing()) {
    throw InvalidInstance("/order", "no transfer " + ends_text({missing->from, missing->to}),
                          "all transfers of the mapping, each once");
  }
  for (std::size_t i = 0; i < document.order.size(); ++i) {
    const std::optional<std::size_t> sender = document.order[i].from;
    if (!sender || last[*sender] <= i) continue;
    const std::string part = "part " + std::to_string(*sender);
    throw InvalidInstance(item("/order", i),
                          transfer_text(document.order[i]) + " before the one " +
                              ends_text(document.order[last[*sender]]) + ", whose files " + part + " needs first",
                          "every transfer to " + part + " before those from it");
  }
}

void check_rooms(const Model& model) {
  const std::uint64_t least = model->has_rooms ? 1 : 0;
  const std::uint64_t most = model->has_rooms ? kMostRooms : 0;
  if (model.rooms() < least || model.rooms() > most) {
    throw InvalidInstance("/rooms", "room for " + std::to_string(model.rooms()) + " files",
                          "from " + std::to_string(least) + " to " + std::to_string(most));
  }
}

}  // namespace

void validate_mapping(const Document& problem, const Mapping& mapping) {
  check_mapping(mapping, problem);
  check_durations(mapping, ProblemView(problem));
}

void validate_mapping(const ProblemView& problem, const Mapping& mapping) {
  check_mapping(mapping, problem.document());
  check_durations(mapping, problem);
}

void validate_part(const Part& part, const Document& document, const std::string& pointer) {
  check_batches(part, document, pointer);
  check_replication(part, document, pointer);
  check_partitions(part, document, pointer);
  check_places(part, document, pointer);
}

void validate(const Document& document) {
  const QuantityCheck check_quantity(document.time_unit);
  check_application(document.application, check_quantity);
  const ProcessorPlaces places(document.platform);
  check_processors(document.platform, check_quantity, places);
  check_quotas(document.platform, check_quantity);
  check_computations(document, check_quantity, places);
  check_timing(document.platform.defaults, check_quantity, "/platform");
  check_links(document.platform, check_quantity);
  check_type_links(document.platform, check_quantity);
  check_ends(document, check_quantity);
  check_segments(document.platform, check_quantity);
  if (document.mapping && document.platform.is_catalogue()) {
    throw InvalidInstance("/mapping", "a mapping, but no processors in the platform, only types", "processors");
  }
  if (document.mapping) validate_mapping(document, *document.mapping);
  check_transfers_between_parts(document);
  check_order(document);
  check_quantity(document.predicted_period, Quantity::time, Bound::non_negative, "/predicted_period");
  if (document.heuristic) check_heuristic(*document.heuristic);
  if (document.model) check_rooms(*document.model);
  check_fixed_times(document);
  check_remarks(document.remarks);
}

}  // namespace takt::tpn
