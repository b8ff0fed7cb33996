// The writer: one line for every stage, processor, link and part.
#include "tpn/writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "maxplus/contract.hpp"
#include "tpn/expansion.hpp"
#include "tpn/hosts.hpp"
#include "tpn/json.hpp"
#include "tpn/json_writer.hpp"
#include "tpn/models.hpp"
#include "tpn/quotas.hpp"
#include "tpn/turns.hpp"
#include "tpn/units.hpp"

namespace takt::tpn {

namespace {

class DocumentWriter {
 public:
  // A layout for all of the document, else each object has its own.
  DocumentWriter(const Document& document, std::string& text, std::optional<JsonLayout> layout = std::nullopt)
      : document_(document),
        json_(text, IllFormed::refused),
        layout_(layout),
        groups_(processor_groups(document.platform)),
        hosts_(document.platform),
        has_card_(entries_with_card(document.platform, groups_, hosts_)),
        times_of_types_(document.platform.types.size()) {}

  void write() {
    begin_object("", JsonLayout::block);
    write_application();
    write_platform();
    if (document_.mapping) write_mapping();
    if (!document_.transfers.empty()) write_transfers();
    if (!document_.order.empty()) write_order();
    write_quantity("predicted_period", document_.predicted_period, Quantity::time);
    if (document_.heuristic) write_heuristic(*document_.heuristic);
    if (document_.model) write_model(json_, *document_.model);
    json_.end();
  }

 private:
  void write_number(const char* key, const std::optional<Rational>& number) {
    if (!number) return;
    json_.key(key);
    write_value(*number);
  }

  void write_value(const Rational& number) {
    const auto text = json::number_text(number);
    maxplus::expects(text.has_value(), "a document's numbers are within the limits of its text");
    json_.raw(*text);
  }

  void write_quantity(std::string_view key, const std::optional<Rational>& number, Quantity quantity) {
    if (!number) return;
    const auto text = quantity_text(*number, quantity, document_.time_unit);
    maxplus::expects(text.has_value(), "a document's numbers are within the limits of its text");
    json_.key(key);
    json_.raw(*text);
  }

  // A number, or its mean and law, or its samples; `quantity`: nothing of a number without units.
  void write_varied(std::string_view key, const std::optional<Rational>& number, const SharedLaw& law,
                    std::optional<Quantity> quantity, const std::string& parent) {
    if (!number) return;
    if (!law) return quantity ? write_quantity(key, number, *quantity) : write_number(std::string(key).c_str(), number);
    json_.key(key);
    begin_object(parent + json::pointer_step(key), JsonLayout::line);
    if (law->kind == LawKind::samples) {
      write_samples(*law, *number, quantity);
    } else {
      if (quantity) {
        write_quantity("mean", number, *quantity);
      } else {
        write_number("mean", number);
      }
      write_law(*law);
    }
    json_.end();
  }

  void write_samples(const Law& law, const Rational& mean, std::optional<Quantity> quantity) {
    json_.key("samples");
    json_.begin_array();
    for (const Rational& multiple : law.samples) {
      const Rational sample = multiple * mean;
      const auto text = quantity ? quantity_text(sample, *quantity, document_.time_unit) : json::number_text(sample);
      maxplus::expects(text.has_value(), "a document's numbers are within the limits of its text");
      json_.raw(*text);
    }
    json_.end();
  }

  // The object is open. Not of samples.
  void write_law(const Law& law) {
    const LawForm& form = form_of(law.kind);
    json_.member("law", form.name);
    if (!form.key.empty()) write_number(std::string(form.key).c_str(), law.parameter);
  }

  // Opens the object of that pointer, with what people wrote into it.
  void begin_object(const std::string& pointer, std::optional<JsonLayout> layout = std::nullopt) {
    json_.begin_object(layout_ ? layout_ : layout);
    const auto found = document_.remarks.find(pointer);
    if (found == document_.remarks.end()) return;
    if (found->second.schema) json_.member("$schema", *found->second.schema);
    if (found->second.comment) json_.member("//", *found->second.comment);
  }
  void begin_item(std::string_view array, std::size_t index, std::optional<JsonLayout> layout = std::nullopt) {
    if (document_.remarks.empty()) return json_.begin_object(layout_ ? layout_ : layout);
    begin_object(fmt::format("{}/{}", array, index), layout);
  }

  // `pointer`: of the object that it stands in.
  void write_timing(const LinkTiming& timing, const std::string& pointer) {
    write_quantity("bandwidth", timing.bandwidth, Quantity::bandwidth);
    write_varied("latency", timing.latency, timing.fixed_law, Quantity::time, pointer);
    write_varied("time", timing.time, timing.fixed_law, Quantity::time, pointer);
  }

  void write_stage(const Stage& stage, std::size_t number) {
    begin_item("/application/stages", number, JsonLayout::line);
    json_.member("name", stage.name);
    const std::string pointer = fmt::format("/application/stages/{}", number);
    write_varied("work", stage.work, stage.work_law, std::nullopt, pointer);
    write_varied("output", stage.output, stage.output_law, Quantity::size, pointer);
    if (!stage.replicable) json_.member("replicable", false);
    if (stage.partitions > 0) json_.member("partitions", stage.partitions);
    if (stage.consumes != 1) write_number("consumes", stage.consumes);
    if (stage.produces != 1) write_number("produces", stage.produces);
    write_stage_times(stage, pointer + "/time");
    write_quantity("memory", stage.memory, Quantity::size);
    if (stage.apart) json_.member("apart", true);
    if (stage.after) {
      json_.key("after");
      json_.begin_array();
      for (const std::size_t before : *stage.after) json_.value(document_.application.stages.at(before).name);
      json_.end();
    }
    if (!stage.runs_on.empty()) {
      json_.key("runs on");
      json_.begin_array();
      for (const std::string& name : stage.runs_on) json_.value(name);
      json_.end();
    }
    json_.end();
  }

  // Without those that processors have from their types.
  void write_stage_times(const Stage& stage, const std::string& pointer) {
    const Platform& platform = document_.platform;
    std::vector<const StageTime*> own;
    for (const TypeTime& of_type : stage.type_times) times_of_types_[of_type.type] = &of_type;
    for (const StageTime& time : stage.times) {
      const auto type = platform.processors.at(time.processor).type;
      const TypeTime* const inherited = type ? times_of_types_[*type] : nullptr;
      if (!time.inherited || inherited == nullptr || !is_same_time(time, *inherited)) own.push_back(&time);
    }
    for (const TypeTime& of_type : stage.type_times) times_of_types_[of_type.type] = nullptr;
    if (own.empty() && stage.type_times.empty()) return;
    json_.key("time");
    json_.begin_object();
    for (const TypeTime& of_type : stage.type_times) {
      write_stage_time(pointer, platform.types.at(of_type.type).name, of_type);
    }
    for (std::size_t k = 0; k < own.size();) {
      const ProcessorGroup& group = group_of(groups_, own[k]->processor);
      const bool is_whole = group.is_of_cores() && own[k]->processor == group.first && k + group.count <= own.size() &&
                            are_equal(std::span(own).subspan(k, group.count));
      write_stage_time(pointer, is_whole ? group.name : processor_name(own[k]->processor), *own[k]);
      k += is_whole ? group.count : 1;
    }
    json_.end();
  }

  template <typename OwnTime>
  void write_stage_time(const std::string& pointer, std::string_view name, const OwnTime& own) {
    const bool is_of_batches = own.fixed.sign() != 0;
    if (!is_of_batches) return write_varied(name, own.time, own.law, Quantity::time, pointer);
    json_.key(name);
    begin_object(pointer + json::pointer_step(name), JsonLayout::line);
    write_quantity("fixed", own.fixed, Quantity::time);
    write_quantity("each", own.time, Quantity::time);
    if (own.law) write_law(*own.law);
    json_.end();
  }

  // Of processors one behind the other.
  static bool are_equal(std::span<const StageTime* const> times) {
    for (std::size_t k = 1; k < times.size(); ++k)
      if (times[k]->processor != times[0]->processor + k || times[k]->time != times[0]->time ||
          times[k]->fixed != times[0]->fixed || times[k]->law != times[0]->law)
        return false;
    return true;
  }

  void write_application() {
    const Application& application = document_.application;
    json_.key("application");
    begin_object("/application");
    if (!application.name.empty()) json_.member("name", application.name);
    if (!application.item.empty()) json_.member("item", application.item);
    write_varied("input", application.input, application.input_law, Quantity::size, "/application");
    if (application.data_set_law) write_data_sets(*application.data_set_law);
    json_.key("stages");
    json_.begin_array();
    for (std::size_t i = 0; i < application.stages.size(); ++i) write_stage(application.stages[i], i);
    json_.end();
    json_.end();
  }

  void write_data_sets(const Law& law) {
    json_.key("data sets");
    begin_object("/application/data sets", JsonLayout::line);
    if (law.kind == LawKind::samples) {
      write_samples(law, 1, std::nullopt);
    } else {
      write_law(law);
    }
    json_.end();
  }

  void write_endpoints(const std::string& key, const Endpoint& endpoint) {
    if (endpoint.named.empty()) {
      json_.key(key);
      begin_object("/platform/" + key, JsonLayout::line);
      return write_endpoint("/platform/" + key, endpoint);
    }
    json_.key(key + 's');
    json_.begin_array();
    for (std::size_t k = 0; k < endpoint.named.size(); ++k) {
      const std::string list = "/platform/" + key + 's';
      begin_item(list, k, JsonLayout::line);
      json_.member("name", endpoint.named[k].name);
      write_endpoint(fmt::format("{}/{}", list, k), endpoint.named[k]);
    }
    json_.end();
  }

  // The object is open.
  void write_endpoint(const std::string& pointer, const Endpoint& endpoint) {
    write_ports(endpoint.ports, kOnePort);
    write_timing(endpoint.timing, pointer);
    if (!endpoint.links.empty()) {
      json_.key("links");
      json_.begin_array();
      for (std::size_t i = 0; i < endpoint.links.size(); ++i) {
        const EndpointLink& link = endpoint.links[i];
        begin_item(pointer + "/links", i);
        json_.member("processor", end_name(link.processor));
        write_timing(link.timing, fmt::format("{}/links/{}", pointer, i));
        json_.end();
      }
      json_.end();
    }
    json_.end();
  }

  void write_ports(PortCount ports, PortCount otherwise) {
    if (ports == otherwise) return;
    if (ports == kUnlimitedPorts) return json_.member("ports", "unlimited");
    json_.member("ports", ports);
  }

  void write_type(const ProcessorType& type, std::size_t number) {
    begin_item("/platform/types", number, JsonLayout::line);
    json_.member("name", type.name);
    if (type.cores != 1) json_.member("cores", type.cores);
    write_quantity("speed", type.speed, Quantity::speed);
    write_varied("time", type.time, type.time_law, Quantity::time, fmt::format("/platform/types/{}", number));
    write_quantity("bandwidth", type.bandwidth, Quantity::bandwidth);
    write_ports(type.ports, kOnePort);
    write_quantity("memory bandwidth", type.memory_bandwidth, Quantity::bandwidth);
    write_quantity("memory", type.memory, Quantity::size);
    if (type.price != 1) write_number("price", type.price);
    write_number("spot price", type.spot_price);
    write_number("count", type.count);
    json_.end();
  }

  void write_quota(const Quota& quota, std::size_t number) {
    begin_item("/platform/quotas", number, JsonLayout::line);
    if (!quota.types.empty()) {
      json_.key("types");
      json_.begin_array();
      for (const std::size_t type : quota.types) json_.value(document_.platform.types.at(type).name);
      json_.end();
    }
    const std::string_view key = key_of(quota.of);
    if (quota.of == Quota::Of::memory) {
      write_quantity(key, quota.most, Quantity::size);
    } else {
      write_number(std::string(key).c_str(), quota.most);
    }
    json_.end();
  }

  // What its host has.
  void write_card(const Processor& processor, const ProcessorType* type) {
    if (!inherited_values(processor, type).bandwidth) {
      write_quantity("bandwidth", processor.bandwidth, Quantity::bandwidth);
    }
    write_ports(processor.ports, type == nullptr ? kOnePort : type->ports);
    if (type == nullptr || type->memory_bandwidth != processor.memory_bandwidth) {
      write_quantity("memory bandwidth", processor.memory_bandwidth, Quantity::bandwidth);
    }
  }

  // One processor, or cores, without what they have from their type.
  void write_processor(const ProcessorGroup& group, std::size_t number) {
    const Processor& processor = document_.platform.processors[group.first];
    const ProcessorType* const type = type_of(document_.platform, processor);
    const InheritedValues inherited = inherited_values(processor, type);
    begin_item("/platform/processors", number, JsonLayout::line);
    json_.member("name", group.name);
    if (type != nullptr) json_.member("type", type->name);
    if (group.count != (type == nullptr ? 1 : type->cores)) json_.member("cores", std::uint64_t{group.count});
    if (!processor.host.empty() && processor.host != group.name && hosts_.size_of(group.first) > group.count)
      json_.member("host", processor.host);
    if (!inherited.computation) write_quantity("speed", processor.speed, Quantity::speed);
    if (!inherited.computation) {
      write_varied("time", processor.time, processor.time_law, Quantity::time,
                   fmt::format("/platform/processors/{}", number));
    }
    if (has_card_[number]) write_card(processor, type);
    if (!inherited.memory) write_quantity("memory", processor.memory, Quantity::size);
    const bool is_default = type == nullptr && processor.price == 1;
    if (!inherited.price && !is_default) write_number("price", processor.price);
    json_.end();
  }

  // Of processors or types; `number`: its place among all.
  template <typename Listed>
  void write_link(const Listed& link, std::string_view from, std::string_view to, std::size_t number) {
    begin_item("/platform/links", number, JsonLayout::line);
    json_.member("from", from);
    json_.member("to", to);
    write_timing(link.timing, fmt::format("/platform/links/{}", number));
    if (link.directed) json_.member("directed", true);
    json_.end();
  }

  // A link between types stands before the link that its place names.
  void write_links(const Platform& platform) {
    if (platform.links.empty() && platform.type_links.empty()) return;
    json_.key("links");
    json_.begin_array();
    std::size_t written = 0;  // of those between types
    for (std::size_t i = 0; i <= platform.links.size(); ++i) {
      const bool is_last = i == platform.links.size();
      while (written < platform.type_links.size() && (is_last || platform.type_links[written].place <= i)) {
        const TypeLink& link = platform.type_links[written];
        write_link(link, platform.types.at(link.from).name, platform.types.at(link.to).name, i + written);
        ++written;
      }
      if (is_last) break;
      const Link& link = platform.links[i];
      write_link(link, end_name(link.from), end_name(link.to), i + written);
    }
    json_.end();
  }

  void write_segments(const std::vector<NetworkSegment>& segments) {
    if (segments.empty()) return;
    json_.key("segments");
    json_.begin_array();
    for (std::size_t i = 0; i < segments.size(); ++i) {
      const NetworkSegment& segment = segments[i];
      begin_item("/platform/segments", i, JsonLayout::line);
      json_.member("name", segment.name);
      write_quantity("bandwidth", segment.bandwidth, Quantity::bandwidth);
      write_ports(segment.ports, kOnePort);
      if (!segment.duplex) json_.member("duplex", false);
      json_.key("between");
      json_.begin_array();
      for (const std::vector<std::string>& names : segment.between) {
        json_.begin_array();
        for (const std::string& name : names) json_.value(name);
        json_.end();
      }
      json_.end();
      json_.end();
    }
    json_.end();
  }

  void write_platform() {
    const Platform& platform = document_.platform;
    json_.key("platform");
    begin_object("/platform");
    if (!platform.types.empty()) {
      json_.key("types");
      json_.begin_array();
      for (std::size_t i = 0; i < platform.types.size(); ++i) write_type(platform.types[i], i);
      json_.end();
    }
    if (!platform.currency.empty()) json_.member("currency", platform.currency);
    if (!platform.quotas.empty()) {
      json_.key("quotas");
      json_.begin_array();
      for (std::size_t i = 0; i < platform.quotas.size(); ++i) write_quota(platform.quotas[i], i);
      json_.end();
    }
    if (!platform.is_catalogue()) {
      json_.key("processors");
      json_.begin_array();
      for (std::size_t i = 0; i < groups_.size(); ++i) write_processor(groups_[i], i);
      json_.end();
    }
    write_timing(platform.defaults, "/platform");
    write_links(platform);
    write_segments(platform.segments);
    if (platform.source) write_endpoints("source", *platform.source);
    if (platform.sink) write_endpoints("sink", *platform.sink);
    json_.end();
  }

  void write_part(const Part& part, std::size_t number) {
    begin_item("/mapping", number, JsonLayout::line);
    json_.key("stages");
    json_.begin_array();
    for (std::size_t stage = part.first_stage; stage <= part.last_stage; ++stage) {
      json_.value(document_.application.stages.at(stage).name);
    }
    json_.end();
    json_.key("processors");
    json_.begin_array();
    if (part.batches.empty()) {
      for (const std::string_view name : names_of_turns(document_.platform, groups_, part.processors))
        json_.value(name);
    } else {
      write_turns_with_batches(part, fmt::format("/mapping/{}/processors", number));
    }
    json_.end();
    json_.end();
  }

  void write_turns_with_batches(const Part& part, const std::string& pointer) {
    const PartTurns turns = turns_of(part);
    const std::vector<std::string_view> names = names_of_turns(document_.platform, groups_, turns);
    for (std::size_t k = 0; k < names.size(); ++k) {
      const std::uint64_t size = turns.sizes[k];
      if (size == 1) {
        json_.value(names[k]);
        continue;
      }
      begin_item(pointer, k, JsonLayout::line);
      json_.member("processor", names[k]);
      json_.member("batch", size);
      json_.end();
    }
  }

  void write_mapping() {
    json_.key("mapping");
    json_.begin_array();
    for (std::size_t i = 0; i < document_.mapping->size(); ++i) write_part((*document_.mapping)[i], i);
    json_.end();
  }

  void write_end(const char* key, std::optional<std::size_t> part, const char* end) {
    if (part) return json_.member(key, *part);
    json_.member(key, end);
  }

  void write_transfers() {
    json_.key("transfers");
    json_.begin_array();
    for (std::size_t i = 0; i < document_.transfers.size(); ++i) {
      begin_item("/transfers", i, JsonLayout::line);
      write_end("from", document_.transfers[i].from, "source");
      write_end("to", document_.transfers[i].to, "sink");
      if (document_.transfers[i].ahead != 0) json_.member("ahead", document_.transfers[i].ahead);
      if (document_.transfers[i].room != 0) json_.member("room", document_.transfers[i].room);
      json_.end();
    }
    json_.end();
  }

  void write_order() {
    json_.key("order");
    json_.begin_array();
    for (std::size_t i = 0; i < document_.order.size(); ++i) {
      begin_item("/order", i, JsonLayout::line);
      write_end("from", document_.order[i].from, "source");
      write_end("to", document_.order[i].to, "sink");
      json_.end();
    }
    json_.end();
  }

  void write_value(const OptionValue& value) {
    if (const auto* flag = std::get_if<bool>(&value)) return json_.value(*flag);
    if (const auto* number = std::get_if<Rational>(&value)) return write_value(*number);
    json_.value(std::get<std::string>(value));
  }

  void write_heuristic(const HeuristicRecord& heuristic) {
    json_.key("heuristic");
    begin_object("/heuristic", JsonLayout::line);
    json_.member("name", heuristic.name);
    write_number("seed", heuristic.seed);
    if (!heuristic.options.empty()) {
      json_.key("options");
      json_.begin_object();
      for (const auto& [key, value] : heuristic.options) {
        json_.key(key);
        write_value(value);
      }
      json_.end();
    }
    json_.end();
  }

  const std::string& processor_name(std::size_t processor) const {
    return document_.platform.processors.at(processor).name;
  }

  // Of a link: the host's cores that the document names at once, if there are some.
  std::string_view end_name(std::size_t processor) const {
    maxplus::expects(processor < document_.platform.processors.size(), "a link joins the platform's processors");
    return group_of(groups_, processor).name;
  }

  const Document& document_;
  JsonWriter json_;
  std::optional<JsonLayout> layout_;
  std::vector<ProcessorGroup> groups_;
  HostIndex hosts_;
  std::vector<bool> has_card_;                   // by group
  std::vector<const TypeTime*> times_of_types_;  // of the stage that is being written; null if there is none
};

}  // namespace

void write_model(JsonWriter& json, const Model& model) {
  json.member("model", model->name);
  if (model->has_rooms) json.member("rooms", model.rooms());
}

std::string write_document(const Document& document) {
  std::string text;
  DocumentWriter(document, text).write();
  return text + '\n';
}

std::string write_document_line(const Document& document) {
  std::string text;
  DocumentWriter(document, text, JsonLayout::compact).write();
  return text + '\n';
}

}  // namespace takt::tpn
