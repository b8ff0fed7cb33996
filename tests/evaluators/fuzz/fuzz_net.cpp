// Nets of the fuzzer to folded nets, to text and back.
#include "tests/evaluators/fuzz/fuzz_net.hpp"

#include <algorithm>
#include <optional>
#include <sstream>

#include "tpn/models.hpp"
#include "tpn/reader.hpp"
#include "tpn/writer.hpp"

namespace takt::support {

namespace {

using NumberVisitor = std::function<void(maxplus::Rational&, FuzzNumber)>;

void visit_if(std::optional<maxplus::Rational>& number, FuzzNumber kind, const NumberVisitor& visit) {
  if (number) visit(*number, kind);
}

void visit_timing(tpn::LinkTiming& timing, const NumberVisitor& visit) {
  visit_if(timing.bandwidth, FuzzNumber::rate, visit);
  visit_if(timing.latency, FuzzNumber::time, visit);
  visit_if(timing.time, FuzzNumber::time, visit);
}

void visit_end(tpn::Endpoint& end, const NumberVisitor& visit) {
  visit_timing(end.timing, visit);
  for (tpn::EndpointLink& link : end.links) visit_timing(link.timing, visit);
  for (tpn::Endpoint& one : end.named) visit_end(one, visit);
}

std::string limits_text(const FuzzNet& net) {
  std::string text;
  if (net.window > 0) text += " window " + std::to_string(net.window);
  for (const FuzzBuffer& buffer : net.buffers) {
    text += " " + std::string(tpn::name_of(buffer.side)) + " " + std::to_string(buffer.part) + " " +
            net.document.platform.processors[buffer.processor].name + " " + std::to_string(buffer.room);
  }
  return text.empty() ? text : "[" + text.substr(1) + "] ";
}

void read_limits(const std::string& text, FuzzNet& net) {
  std::istringstream words(text);
  std::string word;
  while (words >> word) {
    if (word == "window") {
      words >> net.window;
      continue;
    }
    FuzzBuffer buffer;
    buffer.side = word == tpn::name_of(tpn::BufferSide::in) ? tpn::BufferSide::in : tpn::BufferSide::out;
    std::string processor;
    words >> buffer.part >> processor >> buffer.room;
    const auto& processors = net.document.platform.processors;
    const auto found = std::ranges::find(processors, processor, &tpn::Processor::name);
    maxplus::expects(words && found != processors.end(), "a kept net's remark names its limits");
    buffer.processor = static_cast<std::size_t>(found - processors.begin());
    net.buffers.push_back(buffer);
  }
}

}  // namespace

tpn::Capacity capacity_of(const FuzzNet& net, const tpn::Pipeline& pipeline) {
  tpn::Capacity capacity{.buffers = {}, .window = net.window};
  for (tpn::Buffer place : tpn::buffers_of(pipeline)) {
    for (const FuzzBuffer& buffer : net.buffers) {
      if (place.processor != buffer.processor || place.side != buffer.side) continue;
      if (pipeline.parts[place.part].mapping_part != buffer.part) continue;
      place.room = buffer.room;
      capacity.buffers.push_back(place);
      break;
    }
  }
  return capacity;
}

std::variant<tpn::FoldedNet, tpn::TooLarge> fold_fuzz_net(const FuzzNet& net) {
  auto folded = tpn::fold(net.document, *net.document.model);
  if (!net.is_limited() || std::holds_alternative<tpn::TooLarge>(folded)) return folded;
  auto& unlimited = std::get<tpn::FoldedNet>(folded);
  tpn::Capacity capacity = capacity_of(net, unlimited.pipeline);
  return tpn::with_capacity(std::move(unlimited), std::move(capacity));
}

std::string write_fuzz_net(const FuzzNet& net, const std::string& reason) {
  tpn::Document document = net.document;
  document.remarks[""].comment = limits_text(net) + reason;
  return tpn::write_document(document);
}

FuzzNet read_fuzz_net(std::string_view text, const std::string& file_name) {
  FuzzNet net{.document = tpn::read_document(text, file_name), .window = 0, .buffers = {}};
  if (!net.document.model) net.document.model = tpn::Model::kStrict;
  const std::string comment = net.document.remarks[""].comment.value_or("");
  if (comment.starts_with('[')) read_limits(comment.substr(1, comment.find(']') - 1), net);
  net.document.remarks.clear();
  return net;
}

void for_each_number(tpn::Document& document, const NumberVisitor& visit) {
  visit_if(document.application.input, FuzzNumber::amount, visit);
  for (tpn::Stage& stage : document.application.stages) {
    visit_if(stage.work, FuzzNumber::amount, visit);
    visit_if(stage.output, FuzzNumber::amount, visit);
    const auto visit_time = [&](auto& own) {
      visit(own.time, FuzzNumber::time);
      if (own.fixed.sign() != 0) visit(own.fixed, FuzzNumber::time);
    };
    std::ranges::for_each(stage.times, visit_time);
    std::ranges::for_each(stage.type_times, visit_time);
  }
  tpn::Platform& platform = document.platform;
  const auto visit_processor = [&](auto& one) {
    visit_if(one.speed, FuzzNumber::rate, visit);
    visit_if(one.time, FuzzNumber::time, visit);
    visit_if(one.bandwidth, FuzzNumber::rate, visit);
    visit_if(one.memory_bandwidth, FuzzNumber::rate, visit);
  };
  std::ranges::for_each(platform.types, visit_processor);
  std::ranges::for_each(platform.processors, visit_processor);
  visit_timing(platform.defaults, visit);
  for (tpn::Link& link : platform.links) visit_timing(link.timing, visit);
  for (tpn::TypeLink& link : platform.type_links) visit_timing(link.timing, visit);
  for (tpn::NetworkSegment& segment : platform.segments) visit_if(segment.bandwidth, FuzzNumber::rate, visit);
  for (auto* const end : {&platform.source, &platform.sink})
    if (*end) visit_end(**end, visit);
}

tpn::Document stretched(tpn::Document document, const maxplus::Rational& factor) {
  for_each_number(document, [&](maxplus::Rational& number, FuzzNumber kind) {
    if (kind == FuzzNumber::time) number *= factor;
    if (kind == FuzzNumber::rate) number /= factor;
  });
  return document;
}

}  // namespace takt::support
