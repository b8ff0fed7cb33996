// Certificates to JSON text and back.
#include "evaluators/proof/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <utility>

#include "evaluators/proof/certificate_text.hpp"
#include "evaluators/proof/potential_text.hpp"
#include "tpn/json.hpp"
#include "tpn/json_writer.hpp"
#include "tpn/models.hpp"
#include "tpn/reader.hpp"
#include "tpn/writer.hpp"

namespace takt::evaluators {

namespace {

namespace json = tpn::json;
using tpn::ConstraintKind;
using tpn::JsonLayout;
using tpn::JsonWriter;

struct Port {
  ConstraintKind kind;
  std::string_view name;
};

constexpr std::array kSides = {tpn::BufferSide::in, tpn::BufferSide::out};

constexpr std::array kPorts = {Port{ConstraintKind::in_port, "in"}, Port{ConstraintKind::compute, "compute"},
                               Port{ConstraintKind::out_port, "out"}, Port{ConstraintKind::port, "both"},
                               Port{ConstraintKind::segment, "segment"}};

constexpr std::array<std::string_view, 3> kStepKeys = {"column", "to", "height"};
constexpr std::array<std::string_view, 3> kClockKeys = {"resource", "port", "value"};
constexpr std::array<std::string_view, 3> kScheduleKeys = {"column", "modulus", "start"};
constexpr std::array<std::string_view, 2> kColumnClockKeys = {"column", "clocks"};
constexpr std::array<std::string_view, 5> kBufferKeys = {"processor", "part", "side", "other", "room"};
constexpr std::array<std::string_view, 17> kCertificateKeys = {
    "model",    "rooms",   "window",   "buffers", "period",  "lower", "upper", "resource",      "port",
    "data_set", "circuit", "schedule", "clocks",  "columns", "floor", "plan",  "expected_upper"};

// What the reader makes of each value, so that texts of other forms take little memory.
using json::ValueForm;

constexpr ValueForm kScalarForm{.content = ValueForm::Content::scalar};
constexpr ValueForm kScalarsForm{.content = ValueForm::Content::array, .items = &kScalarForm};
constexpr ValueForm kStepForm{.content = ValueForm::Content::object, .keys = kStepKeys};
constexpr ValueForm kStepsForm{.content = ValueForm::Content::array, .items = &kStepForm};
constexpr ValueForm kBufferForm{.content = ValueForm::Content::object, .keys = kBufferKeys};
constexpr ValueForm kBuffersForm{.content = ValueForm::Content::array, .items = &kBufferForm};
constexpr ValueForm kClockForm{.content = ValueForm::Content::object, .keys = kClockKeys};
constexpr ValueForm kClocksForm{.content = ValueForm::Content::array, .items = &kClockForm};
constexpr ValueForm::Member kScheduleMembers[] = {{"start", &kScalarsForm}};
constexpr ValueForm kScheduleForm{
    .content = ValueForm::Content::object, .keys = kScheduleKeys, .members = kScheduleMembers};
constexpr ValueForm kSchedulesForm{.content = ValueForm::Content::array, .items = &kScheduleForm};
constexpr ValueForm::Member kColumnClockMembers[] = {{"clocks", &kClocksForm}};
constexpr ValueForm kColumnClockForm{
    .content = ValueForm::Content::object, .keys = kColumnClockKeys, .members = kColumnClockMembers};
constexpr ValueForm kColumnClocksForm{.content = ValueForm::Content::array, .items = &kColumnClockForm};
constexpr ValueForm::Member kCertificateMembers[] = {{"buffers", &kBuffersForm},      {"circuit", &kStepsForm},
                                                     {"schedule", &kSchedulesForm},   {"clocks", &kClocksForm},
                                                     {"columns", &kColumnClocksForm}, {"floor", &kPotentialForm}};
constexpr ValueForm kCertificateForm{
    .content = ValueForm::Content::object, .keys = kCertificateKeys, .members = kCertificateMembers};

std::size_t column_of(const CertificateText& tree, const json::Value& object, std::string_view what,
                      std::string_view key) {
  return whole_of(tree, object, what, key, "the number of a column");
}

ResourceName resource_of(const CertificateText& tree, const json::Value& object, std::string_view what) {
  ResourceName resource;
  resource.processor = json::as_string(tree, json::required(tree, object, what, "resource"), "the name of a processor");
  const json::Value* port = json::find(object, "port");
  if (port == nullptr) return resource;
  const auto known = std::ranges::find(kPorts, json::as_string(tree, *port, "a port"), &Port::name);
  if (known == kPorts.end()) json::fail(tree, *port, json::describe(*port), "\"in\", \"compute\" or \"out\"");
  resource.kind = known->kind;
  return resource;
}

CertificateStep step_of(const CertificateText& tree, const json::Value& value) {
  json::as_object(tree, value, "a step", kStepKeys);
  const std::uint64_t height = whole_of(tree, value, "a step", "height", "a height below 2^64");
  return {column_of(tree, value, "a step", "column"), column_of(tree, value, "a step", "to"), height};
}

CertificateClock clock_of(const CertificateText& tree, const json::Value& value) {
  json::as_object(tree, value, "a clock", kClockKeys);
  return {resource_of(tree, value, "a clock"),
          number_of(tree, json::required(tree, value, "a clock", "value"), json::Bound::any)};
}

ColumnSchedule schedule_of(const CertificateText& tree, const json::Value& value) {
  json::as_object(tree, value, "a column's schedule", kScheduleKeys);
  ColumnSchedule schedule;
  schedule.column = column_of(tree, value, "a column's schedule", "column");
  const json::Value& modulus = json::required(tree, value, "a column's schedule", "modulus");
  const json::Value& start = json::required(tree, value, "a column's schedule", "start");
  for (const json::Value& item : json::as_array(tree, start, "the start times of the classes")) {
    schedule.start.push_back(number_of(tree, item, json::Bound::any));
  }
  const Rational classes = number_of(tree, modulus, json::Bound::positive_whole);
  if (classes != Rational(schedule.start.size())) {
    json::fail(tree, start, std::to_string(schedule.start.size()) + " start times",
               "as many as the modulus says, " + classes.to_string());
  }
  return schedule;
}

// A whole number from 1 to `most`.
std::uint64_t count_of(const CertificateText& tree, const json::Value& value, std::uint64_t most) {
  const Rational number = number_of(tree, value, json::Bound::positive_whole);
  if (number > Rational(most)) {
    json::fail(tree, value, json::describe(value), fmt::format("a whole number from 1 to {}", most));
  }
  return number.numerator().get_ui();
}

CertificateBuffer buffer_of(const CertificateText& tree, const json::Value& value) {
  constexpr std::string_view kWhat = "a buffer";
  json::as_object(tree, value, kWhat, kBufferKeys);
  CertificateBuffer buffer;
  buffer.processor = json::as_string(tree, json::required(tree, value, kWhat, "processor"), "the name of a processor");
  buffer.part = whole_of(tree, value, kWhat, "part", "the number of a part");
  const json::Value& side = json::required(tree, value, kWhat, "side");
  const auto known = std::ranges::find(kSides, json::as_string(tree, side, "a side"),
                                       [](tpn::BufferSide known_side) { return tpn::name_of(known_side); });
  if (known == kSides.end()) json::fail(tree, side, json::describe(side), "\"in\" or \"out\"");
  buffer.side = *known;
  if (const json::Value* other = json::find(value, "other")) buffer.other = json::as_string(tree, *other, "a part");
  buffer.room = count_of(tree, json::required(tree, value, kWhat, "room"), tpn::kMostRooms);
  return buffer;
}

ColumnClockList column_clocks_of(const CertificateText& tree, const json::Value& value) {
  json::as_object(tree, value, "a column's clocks", kColumnClockKeys);
  const json::Value& clocks = json::required(tree, value, "a column's clocks", "clocks");
  return {column_of(tree, value, "a column's clocks", "column"),
          read_list<CertificateClock>(tree, clocks, "the clocks of the resources", clock_of)};
}

void read_capacity(const CertificateText& tree, Certificate& certificate) {
  if (const json::Value* window = json::find(tree.tree.root, "window")) {
    certificate.window = count_of(tree, *window, tpn::kMostWindow);
  }
  if (const json::Value* buffers = json::find(tree.tree.root, "buffers")) {
    certificate.buffers = read_list<CertificateBuffer>(tree, *buffers, "the buffers whose room is limited", buffer_of);
  }
}

void read_bounds(const CertificateText& tree, Certificate& certificate) {
  const json::Value& root = tree.tree.root;
  if (const json::Value* period = json::find(root, "period")) {
    certificate.lower = certificate.upper = number_of(tree, *period, json::Bound::non_negative);
    for (const char* key : {"lower", "upper"}) {
      if (const json::Value* bound = json::find(root, key)) {
        json::fail(tree, *bound, json::quote(key) + " beside \"period\"", "either a period or two bounds");
      }
    }
    return;
  }
  if (json::find(root, "lower") == nullptr) json::required(tree, root, "a certificate", "period");
  certificate.lower = number_of(tree, json::required(tree, root, "a certificate", "lower"), json::Bound::non_negative);
  certificate.upper = number_of(tree, json::required(tree, root, "a certificate", "upper"), json::Bound::non_negative);
}

void read_circuit(const CertificateText& tree, Certificate& certificate) {
  const json::Value& root = tree.tree.root;
  if (const json::Value* resource = json::find(root, "resource")) {
    for (const char* key : {"circuit", "data_set"}) {
      if (json::find(root, key) != nullptr) {
        json::fail(tree, *resource, "\"resource\" beside " + json::quote(key), "either a circuit or a resource");
      }
    }
    certificate.circuit = resource_of(tree, root, "a certificate");
    return;
  }
  if (const json::Value* port = json::find(root, "port")) {
    json::fail(tree, *port, "a port", "a resource that it belongs to");
  }
  CertificateWalk walk;
  walk.steps = read_list<CertificateStep>(tree, json::required(tree, root, "a certificate", "circuit"),
                                          "the steps of a circuit", step_of);
  walk.data_set =
      number_of(tree, json::required(tree, root, "a certificate", "data_set"), json::Bound::whole).numerator();
  certificate.circuit = std::move(walk);
}

void read_witness(const CertificateText& tree, Certificate& certificate) {
  static constexpr std::array<std::string_view, 4> kForms = {"schedule", "clocks", "columns", "floor"};
  std::string_view form;
  for (const std::string_view key : kForms) {
    const json::Value* value = json::find(tree.tree.root, key);
    if (value == nullptr) continue;
    if (!form.empty()) json::fail(tree, *value, json::quote(key) + " beside " + json::quote(form), "one of them");
    form = key;
    if (key == "schedule") {
      certificate.witness = read_list<ColumnSchedule>(tree, *value, "the schedules of the columns", schedule_of);
    } else if (key == "clocks") {
      certificate.witness = read_list<CertificateClock>(tree, *value, "the clocks of the resources", clock_of);
    } else if (key == "columns") {
      certificate.witness = read_list<ColumnClockList>(tree, *value, "the clocks of the columns", column_clocks_of);
    } else {
      certificate.witness = potential_of(tree, *value);
    }
  }
  if (form.empty()) {
    json::fail(tree, tree.tree.root, "none of \"schedule\", \"clocks\", \"columns\" and \"floor\"", "one of them");
  }
}

void write_resource(JsonWriter& text, const ResourceName& resource) {
  text.member("resource", resource.processor);
  if (resource.kind == ConstraintKind::processor) return;
  const auto port = std::ranges::find(kPorts, resource.kind, &Port::kind);
  maxplus::expects(port != kPorts.end(), "a certificate names processors and ports");
  text.stay_on_line();
  text.member("port", port->name);
}

void write_buffers(JsonWriter& text, const std::vector<CertificateBuffer>& buffers) {
  text.key("buffers");
  text.begin_array();
  for (const CertificateBuffer& buffer : buffers) {
    text.begin_object(JsonLayout::line);
    text.member("processor", buffer.processor);
    text.member("part", buffer.part);
    text.member("side", tpn::name_of(buffer.side));
    if (buffer.other) text.member("other", *buffer.other);
    text.member("room", buffer.room);
    text.end();
  }
  text.end();
}

void write_claim(JsonWriter& text, const Certificate& certificate) {
  tpn::write_model(text, certificate.model);
  if (certificate.window > 0) text.member("window", certificate.window);
  if (!certificate.buffers.empty()) write_buffers(text, certificate.buffers);
  if (certificate.lower == certificate.upper) return text.member("period", certificate.upper.to_string());
  text.member("lower", certificate.lower.to_string());
  text.member("upper", certificate.upper.to_string());
}

void write_expected(JsonWriter& text, const Certificate& certificate) {
  if (certificate.expected_upper) text.member("expected_upper", certificate.expected_upper->to_string());
}

void write_circuit(JsonWriter& text, const CertificateWalk& walk) {
  text.member("data_set", walk.data_set.get_str());
  text.key("circuit");
  text.begin_array();
  for (const CertificateStep& step : walk.steps) {
    text.begin_object(JsonLayout::line);
    text.member("column", step.column);
    text.member("to", step.to);
    text.member("height", step.height);
    text.end();
  }
  text.end();
}

void write_list(JsonWriter& text, const std::vector<CertificateClock>& clocks, JsonLayout layout) {
  text.key("clocks");
  text.begin_array(layout);
  for (const CertificateClock& clock : clocks) {
    text.begin_object(JsonLayout::line);
    write_resource(text, clock.resource);
    text.member("value", clock.value.to_string());
    text.end();
  }
  text.end();
}

void write_witness(JsonWriter& text, const std::vector<CertificateClock>& clocks) {
  write_list(text, clocks, JsonLayout::block);
}

void write_witness(JsonWriter& text, const std::vector<ColumnClockList>& columns) {
  text.key("columns");
  text.begin_array();
  for (const ColumnClockList& column : columns) {
    text.begin_object(JsonLayout::line);
    text.member("column", column.column);
    write_list(text, column.clocks, JsonLayout::hanging);
    text.end();
  }
  text.end();
}

void write_witness(JsonWriter& text, const std::vector<ColumnSchedule>& schedules) {
  text.key("schedule");
  text.begin_array();
  for (const ColumnSchedule& schedule : schedules) {
    text.begin_object(JsonLayout::line);
    text.member("column", schedule.column);
    text.member("modulus", std::to_string(schedule.start.size()));
    text.key("start");
    text.begin_array();
    for (const Rational& start : schedule.start) text.value(start.to_string());
    text.end();
    text.end();
  }
  text.end();
}

void write_witness(JsonWriter& text, const PotentialSchedule& potentials) { write_potentials(text, potentials); }

}  // namespace

void write_certificate(JsonWriter& writer, const Certificate& certificate) {
  write_claim(writer, certificate);
  write_expected(writer, certificate);
  if (const auto* resource = std::get_if<ResourceName>(&certificate.circuit)) {
    write_resource(writer, *resource);
  } else {
    write_circuit(writer, std::get<CertificateWalk>(certificate.circuit));
  }
  std::visit([&](const auto& witness) { write_witness(writer, witness); }, certificate.witness);
}

std::string write_certificate(const Certificate& certificate) {
  std::string text;
  JsonWriter writer(text, tpn::IllFormed::refused);
  writer.begin_object(JsonLayout::block);
  write_certificate(writer, certificate);
  writer.end();
  return text + '\n';
}

std::optional<Certificate> read_certificate(std::string_view text, const std::string& file_name,
                                            const std::function<bool()>& is_out_of_time) {
  json::Tree tree = json::parse(text, file_name, &kCertificateForm);
  tree.max_digits = kCertificateDigits;
  json::as_object(tree, tree.root, "a certificate", kCertificateKeys);
  Certificate certificate;
  json::required(tree, tree.root, "a certificate", "model");
  certificate.model = *tpn::read_model(tree, tree.root);
  const CertificateText source{tree, is_out_of_time};
  try {
    read_capacity(source, certificate);
    read_bounds(source, certificate);
    if (const json::Value* expected = json::find(tree.root, "expected_upper"))
      certificate.expected_upper = number_of(source, *expected, json::Bound::non_negative);
    read_circuit(source, certificate);
    read_witness(source, certificate);
  } catch (const ReadingStopped&) {
    return std::nullopt;
  }
  return certificate;
}

Certificate read_certificate(std::string_view text, const std::string& file_name) {
  return *read_certificate(text, file_name, nullptr);
}

}  // namespace takt::evaluators
