// The writer: one line for every stage, processor, link and part.
#include "tpn/writer.hpp"

#include <cstddef>
#include <vector>

#include "maxplus/contract.hpp"
#include "tpn/json.hpp"
#include "tpn/json_writer.hpp"
#include "tpn/models.hpp"

namespace takt::tpn {

namespace {

class DocumentWriter {
 public:
  DocumentWriter(const Document& document, std::string& text) : document_(document), json_(text, IllFormed::refused) {}

  void write() {
    json_.begin_object(JsonLayout::block);
    write_application();
    write_platform();
    if (document_.mapping) write_mapping();
    write_number("predicted_period", document_.predicted_period);
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

  void write_timing(const LinkTiming& timing) {
    write_number("bandwidth", timing.bandwidth);
    write_number("latency", timing.latency);
    write_number("time", timing.time);
  }

  void write_stage(const Stage& stage) {
    json_.begin_object(JsonLayout::line);
    json_.member("name", stage.name);
    write_number("work", stage.work);
    write_number("output", stage.output);
    if (!stage.replicable) json_.member("replicable", false);
    if (stage.consumes != 1) write_number("consumes", stage.consumes);
    if (stage.produces != 1) write_number("produces", stage.produces);
    if (!stage.times.empty()) write_stage_times(stage);
    json_.end();
  }

  void write_stage_times(const Stage& stage) {
    json_.key("time");
    json_.begin_object();
    for (const StageTime& own : stage.times) {
      json_.key(processor_name(own.processor));
      write_value(own.time);
    }
    json_.end();
  }

  void write_application() {
    const Application& application = document_.application;
    json_.key("application");
    json_.begin_object();
    if (!application.name.empty()) json_.member("name", application.name);
    write_number("input", application.input);
    json_.key("stages");
    json_.begin_array();
    for (const Stage& stage : application.stages) write_stage(stage);
    json_.end();
    json_.end();
  }

  void write_endpoint(const char* key, const Endpoint& endpoint) {
    json_.key(key);
    json_.begin_object(JsonLayout::line);
    write_timing(endpoint.timing);
    if (!endpoint.links.empty()) {
      json_.key("links");
      json_.begin_array();
      for (const EndpointLink& link : endpoint.links) {
        json_.begin_object();
        json_.member("processor", processor_name(link.processor));
        write_timing(link.timing);
        json_.end();
      }
      json_.end();
    }
    json_.end();
  }

  void write_processor(const Processor& processor) {
    json_.begin_object(JsonLayout::line);
    json_.member("name", processor.name);
    write_number("speed", processor.speed);
    write_number("time", processor.time);
    json_.end();
  }

  void write_link(const Link& link) {
    json_.begin_object(JsonLayout::line);
    json_.member("from", processor_name(link.from));
    json_.member("to", processor_name(link.to));
    write_timing(link.timing);
    if (link.directed) json_.member("directed", true);
    json_.end();
  }

  void write_platform() {
    const Platform& platform = document_.platform;
    json_.key("platform");
    json_.begin_object();
    json_.key("processors");
    json_.begin_array();
    for (const Processor& processor : platform.processors) write_processor(processor);
    json_.end();
    write_timing(platform.defaults);
    if (!platform.links.empty()) {
      json_.key("links");
      json_.begin_array();
      for (const Link& link : platform.links) write_link(link);
      json_.end();
    }
    if (platform.source) write_endpoint("source", *platform.source);
    if (platform.sink) write_endpoint("sink", *platform.sink);
    json_.end();
  }

  void write_part(const Part& part) {
    json_.begin_object(JsonLayout::line);
    json_.key("stages");
    json_.begin_array();
    for (std::size_t stage = part.first_stage; stage <= part.last_stage; ++stage) {
      json_.value(document_.application.stages.at(stage).name);
    }
    json_.end();
    json_.key("processors");
    json_.begin_array();
    for (const std::size_t processor : part.processors) json_.value(processor_name(processor));
    json_.end();
    json_.end();
  }

  void write_mapping() {
    json_.key("mapping");
    json_.begin_array();
    for (const Part& part : *document_.mapping) write_part(part);
    json_.end();
  }

  void write_value(const OptionValue& value) {
    if (const auto* flag = std::get_if<bool>(&value)) return json_.value(*flag);
    if (const auto* number = std::get_if<Rational>(&value)) return write_value(*number);
    json_.value(std::get<std::string>(value));
  }

  void write_heuristic(const HeuristicRecord& heuristic) {
    json_.key("heuristic");
    json_.begin_object(JsonLayout::line);
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

  const Document& document_;
  JsonWriter json_;
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

}  // namespace takt::tpn
