// Reading in two steps: first the form of every object, then the names that lead from one to another.
#include "tpn/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tpn/counts.hpp"
#include "tpn/errors.hpp"
#include "tpn/expansion.hpp"
#include "tpn/hosts.hpp"
#include "tpn/json.hpp"
#include "tpn/law.hpp"
#include "tpn/models.hpp"
#include "tpn/quotas.hpp"
#include "tpn/turns.hpp"
#include "tpn/units.hpp"
#include "tpn/validate.hpp"

namespace takt::tpn {

namespace {

using json::Bound;
using json::Kind;
using json::quote;
using json::Tree;
using json::Value;
using json::ValueForm;

using Content = ValueForm::Content;

using Keys = std::string_view;
constexpr Keys kDocumentKeys[] = {"application",      "platform",  "mapping", "transfers", "order",
                                  "predicted_period", "heuristic", "model",   "rooms"};
constexpr Keys kApplicationKeys[] = {"name", "item", "input", "data sets", "stages"};
constexpr Keys kStageKeys[] = {"name", "work",   "output", "replicable", "consumes", "produces",
                               "time", "memory", "apart",  "partitions", "runs on",  "after"};
constexpr Keys kPlatformKeys[] = {"types", "currency", "quotas", "processors", "bandwidth", "latency", "time",
                                  "links", "segments", "source", "sources",    "sink",      "sinks"};
constexpr Keys kTypeKeys[] = {"name",   "cores", "speed",      "time", "bandwidth", "ports", "memory bandwidth",
                              "memory", "price", "spot price", "count"};
constexpr Keys kQuotaKeys[] = {"types", "machines", "cores", "memory", "price"};
constexpr Keys kProcessorKeys[] = {
    "name", "type", "cores", "host", "speed", "time", "bandwidth", "ports", "memory bandwidth", "memory", "price"};
constexpr Keys kLinkKeys[] = {"from", "to", "bandwidth", "latency", "time", "directed"};
constexpr Keys kEndpointKeys[] = {"ports", "bandwidth", "latency", "time", "links"};
constexpr Keys kNamedEndKeys[] = {"name", "ports", "bandwidth", "latency", "time", "links"};
constexpr Keys kSegmentKeys[] = {"name", "bandwidth", "ports", "duplex", "between"};
constexpr Keys kEndpointLinkKeys[] = {"processor", "bandwidth", "latency", "time"};
constexpr Keys kPartKeys[] = {"stages", "processors"};
constexpr Keys kTurnKeys[] = {"processor", "batch"};
constexpr Keys kStageTimeKeys[] = {"fixed", "each", "mean", "law", "cv", "spread", "phases", "exponent", "samples"};
constexpr Keys kVariedKeys[] = {"mean", "law", "cv", "spread", "phases", "exponent", "samples"};
constexpr Keys kDataSetsKeys[] = {"law", "cv", "spread", "phases", "exponent", "samples"};
constexpr Keys kTransferKeys[] = {"from", "to", "ahead", "room"};
constexpr Keys kServedKeys[] = {"from", "to"};
constexpr Keys kHeuristicKeys[] = {"name", "seed", "options"};

// In any object; tests hold the schema to this list.
constexpr Keys kRemarks[] = {"$schema", "//"};

constexpr KeyTable kKeyTables[] = {
    {"document", kDocumentKeys},   {"application", kApplicationKeys},
    {"stage", kStageKeys},         {"platform", kPlatformKeys},
    {"processor", kProcessorKeys}, {"link", kLinkKeys},
    {"endpoint", kEndpointKeys},   {"endpoint_link", kEndpointLinkKeys},
    {"part", kPartKeys},           {"heuristic", kHeuristicKeys},
    {"type", kTypeKeys},           {"transfer", kTransferKeys},
    {"named_end", kNamedEndKeys},  {"segment", kSegmentKeys},
    {"turn", kTurnKeys},           {"stage_time", kStageTimeKeys},
    {"served", kServedKeys},       {"varied_time", kVariedKeys},
    {"varied_size", kVariedKeys},  {"varied_number", kVariedKeys},
    {"data_sets", kDataSetsKeys},  {"quota", kQuotaKeys},
};

// What the functions below go through, in their order, so that nothing is kept in memory of what they refuse.
constexpr ValueForm kTextForm{.content = Content::text};
constexpr ValueForm kTextsForm{.content = Content::array, .items = &kTextForm};

constexpr ValueForm kNumberForm{.content = Content::scalar};
constexpr ValueForm kNumbersForm{.content = Content::array, .items = &kNumberForm};
constexpr ValueForm::Member kLawMembers[] = {{"samples", &kNumbersForm}};
constexpr ValueForm kVariedForm{.content = Content::scalar_or_object, .keys = kVariedKeys, .members = kLawMembers};
constexpr ValueForm kDataSetsForm{.content = Content::object, .keys = kDataSetsKeys, .members = kLawMembers};

constexpr ValueForm kStageTimeForm{
    .content = Content::scalar_or_object, .keys = kStageTimeKeys, .members = kLawMembers};
constexpr ValueForm kStageTimesForm{.content = Content::object, .others = &kStageTimeForm};
constexpr ValueForm::Member kStageMembers[] = {{"work", &kVariedForm},
                                               {"output", &kVariedForm},
                                               {"time", &kStageTimesForm},
                                               {"runs on", &kTextsForm},
                                               {"after", &kTextsForm}};
constexpr ValueForm kStageForm{.content = Content::object, .keys = kStageKeys, .members = kStageMembers};
constexpr ValueForm kStagesForm{.content = Content::array, .items = &kStageForm};
constexpr ValueForm::Member kApplicationMembers[] = {
    {"input", &kVariedForm}, {"data sets", &kDataSetsForm}, {"stages", &kStagesForm}};
constexpr ValueForm kApplicationForm{
    .content = Content::object, .keys = kApplicationKeys, .members = kApplicationMembers};

constexpr ValueForm::Member kMachineMembers[] = {{"time", &kVariedForm}};
constexpr ValueForm kTypeForm{.content = Content::object, .keys = kTypeKeys, .members = kMachineMembers};
constexpr ValueForm kTypesForm{.content = Content::array, .items = &kTypeForm};
constexpr ValueForm::Member kQuotaMembers[] = {{"types", &kTextsForm}};
constexpr ValueForm kQuotaForm{.content = Content::object, .keys = kQuotaKeys, .members = kQuotaMembers};
constexpr ValueForm kQuotasForm{.content = Content::array, .items = &kQuotaForm};
constexpr ValueForm kProcessorForm{.content = Content::object, .keys = kProcessorKeys, .members = kMachineMembers};
constexpr ValueForm kProcessorsForm{.content = Content::array, .items = &kProcessorForm};
constexpr ValueForm::Member kTimingMembers[] = {{"latency", &kVariedForm}, {"time", &kVariedForm}};
constexpr ValueForm kLinkForm{.content = Content::object, .keys = kLinkKeys, .members = kTimingMembers};
constexpr ValueForm kLinksForm{.content = Content::array, .items = &kLinkForm};
constexpr ValueForm kSetsForm{.content = Content::array, .items = &kTextsForm};
constexpr ValueForm::Member kSegmentMembers[] = {{"between", &kSetsForm}};
constexpr ValueForm kSegmentForm{.content = Content::object, .keys = kSegmentKeys, .members = kSegmentMembers};
constexpr ValueForm kSegmentsForm{.content = Content::array, .items = &kSegmentForm};
constexpr ValueForm kEndpointLinkForm{.content = Content::object, .keys = kEndpointLinkKeys, .members = kTimingMembers};
constexpr ValueForm kEndpointLinksForm{.content = Content::array, .items = &kEndpointLinkForm};
constexpr ValueForm::Member kEndpointMembers[] = {
    {"latency", &kVariedForm}, {"time", &kVariedForm}, {"links", &kEndpointLinksForm}};
constexpr ValueForm kEndpointForm{.content = Content::object, .keys = kEndpointKeys, .members = kEndpointMembers};
constexpr ValueForm kNamedEndForm{.content = Content::object, .keys = kNamedEndKeys, .members = kEndpointMembers};
constexpr ValueForm kNamedEndsForm{.content = Content::array, .items = &kNamedEndForm};
constexpr ValueForm::Member kPlatformMembers[] = {
    {"types", &kTypesForm},       {"processors", &kProcessorsForm}, {"quotas", &kQuotasForm},
    {"latency", &kVariedForm},    {"time", &kVariedForm},           {"links", &kLinksForm},
    {"segments", &kSegmentsForm}, {"source", &kEndpointForm},       {"sources", &kNamedEndsForm},
    {"sink", &kEndpointForm},     {"sinks", &kNamedEndsForm}};
constexpr ValueForm kPlatformForm{.content = Content::object, .keys = kPlatformKeys, .members = kPlatformMembers};

constexpr ValueForm kTurnForm{.content = Content::text_or_object, .keys = kTurnKeys};
constexpr ValueForm kTurnsForm{.content = Content::array, .items = &kTurnForm};
constexpr ValueForm::Member kPartMembers[] = {{"stages", &kTextsForm}, {"processors", &kTurnsForm}};
constexpr ValueForm kPartForm{.content = Content::object, .keys = kPartKeys, .members = kPartMembers};
constexpr ValueForm kMappingForm{.content = Content::array, .items = &kPartForm};

constexpr ValueForm kTransferForm{.content = Content::object, .keys = kTransferKeys};
constexpr ValueForm kTransfersForm{.content = Content::array, .items = &kTransferForm};
constexpr ValueForm kServedForm{.content = Content::object, .keys = kServedKeys};
constexpr ValueForm kOrderForm{.content = Content::array, .items = &kServedForm};

constexpr ValueForm kOptionsForm{.content = Content::object};
constexpr ValueForm::Member kHeuristicMembers[] = {{"options", &kOptionsForm}};
constexpr ValueForm kHeuristicForm{.content = Content::object, .keys = kHeuristicKeys, .members = kHeuristicMembers};

constexpr ValueForm::Member kDocumentMembers[] = {
    {"application", &kApplicationForm}, {"platform", &kPlatformForm}, {"mapping", &kMappingForm},
    {"transfers", &kTransfersForm},     {"order", &kOrderForm},       {"heuristic", &kHeuristicForm}};
constexpr ValueForm kDocumentForm{.content = Content::object, .keys = kDocumentKeys, .members = kDocumentMembers};

// "\"rooms\" only with the model \"bounded\"".
std::string models_with_rooms() {
  std::vector<std::string_view> names;
  for (const CommunicationModel& model : communication_models()) {
    if (model.has_rooms) names.push_back(model.name);
  }
  return "\"rooms\" only with the model " + json::one_of(names);
}

// Step one: the form. Everything here is also said by the schema, and every error is a ParseError.

std::optional<Rational> optional_number(const Tree& tree, const Value& object, std::string_view key, Bound bound) {
  const Value* value = json::find(object, key);
  if (value == nullptr) return std::nullopt;
  return json::as_number(tree, *value, bound);
}

// A whole number from `least`, 0 or 1, to `most`.
std::uint64_t as_count(const Tree& tree, const Value& value, std::uint64_t most, std::uint64_t least = 1) {
  const Rational number = json::as_number(tree, value, least == 0 ? Bound::whole : Bound::positive_whole);
  if (number <= Rational(most)) return number.numerator().get_ui();
  throw InvalidInstance(json::pointer_of(tree, value), json::describe(value),
                        fmt::format("a whole number from {} to {}", least, most))
      .at(json::place(tree, value.position));
}

Rational read_quantity(const Tree& tree, const Value& value, Quantity quantity, Bound bound) {
  if (value.kind != Kind::string) return json::as_number(tree, value, bound);
  const auto parsed = parse_quantity(value.text, quantity, tree.max_digits);
  if (const auto* refused = std::get_if<maxplus::NumberExpectation>(&parsed)) {
    json::fail(tree, value, json::describe(value), refused->expected);
  }
  const Rational& number = std::get<Rational>(parsed);
  if (const auto expected = json::violation(number, bound)) json::fail(tree, value, json::describe(value), *expected);
  return number;
}

std::optional<Rational> optional_quantity(const Tree& tree, const Value& object, std::string_view key,
                                          Quantity quantity, Bound bound) {
  const Value* value = json::find(object, key);
  if (value == nullptr) return std::nullopt;
  return read_quantity(tree, *value, quantity, bound);
}

const std::vector<Value>& filled_array(const Tree& tree, const Value& value, std::string_view what) {
  const std::vector<Value>& items = json::as_array(tree, value, what);
  if (items.empty()) json::fail(tree, value, "an empty array", std::string(what) + ", at least one");
  return items;
}

// A number and, of one that varies, its law.
struct Varied {
  Rational mean;
  SharedLaw law;
};

// Of a number without units nothing in place of the quantity.
using QuantityOrNumber = std::optional<Quantity>;

Rational read_plain(const Tree& tree, const Value& value, QuantityOrNumber quantity, Bound bound) {
  return quantity ? read_quantity(tree, value, *quantity, bound) : json::as_number(tree, value, bound);
}

// The parameter of a law, or of one without a parameter 0; no other law's parameter may stand there. Its range is
// checked by validate().
Rational read_law_parameter(const Tree& tree, const Value& object, const LawForm& form) {
  for (const LawForm& other : law_forms()) {
    const Value* const value = other.key.empty() || other.key == form.key ? nullptr : json::find(object, other.key);
    if (value == nullptr) continue;
    json::fail(tree, *value, fmt::format("{} beside the law {}", quote(other.key), quote(form.name)),
               form.key.empty() ? "no parameter, as this law has none" : fmt::format("{}", quote(form.key)));
  }
  if (form.key.empty()) return 0;
  const Value* const value = json::find(object, form.key);
  if (value == nullptr) {
    json::fail(tree, object, fmt::format("the law {} without {}", quote(form.name), quote(form.key)),
               fmt::format("{}, such as \"{}\": {}", form.expected, form.key,
                           form.key == "spread" ? quote(form.example) : std::string(form.example)));
  }
  std::optional<Rational> parameter;
  if (value->kind == Kind::string) {
    parameter = parse_parameter(value->text);
  } else {
    parameter = json::as_number(tree, *value, Bound::any);
  }
  if (!parameter) json::fail(tree, *value, json::describe(*value), std::string(form.expected));
  return *parameter;
}

Law read_law(const Tree& tree, const Value& object) {
  const Value& value = json::required(tree, object, "what varies", "law");
  const std::string& name = json::as_string(tree, value, "the name of a law");
  const LawForm* const form = find_law_form(name);
  if (form == nullptr) {
    std::vector<std::string_view> names;
    for (const LawForm& known : law_forms()) names.push_back(known.name);
    json::fail(tree, value, json::describe(value) + json::suggestion(name, names), json::one_of(names));
  }
  return {form->kind, read_law_parameter(tree, object, *form)};
}

void refuse_beside_samples(const Tree& tree, const Value& object) {
  for (std::size_t i = 0; i < object.items.size(); ++i) {
    const std::string& key = object.keys[i].name;
    if (key == "samples" || key == "$schema" || key == "//") continue;
    json::fail(tree, object.items[i], fmt::format("{} beside \"samples\"", quote(key)),
               "the samples alone: they say how the number varies, and their mean is its mean");
  }
}

SampledLaw read_samples(const Tree& tree, const Value& value, QuantityOrNumber quantity) {
  std::vector<Rational> samples;
  for (const Value& sample : filled_array(tree, value, "samples"))
    samples.push_back(read_plain(tree, sample, quantity, Bound::non_negative));
  if (samples.size() > kMostSamples) {
    throw InvalidInstance(json::pointer_of(tree, value), fmt::format("{} samples", samples.size()),
                          fmt::format("at most {}", kMostSamples))
        .at(json::place(tree, value.position));
  }
  return law_of_samples(samples);
}

// A number, or an object of its mean and its law, or of samples.
Varied read_varied(const Tree& tree, const Value& value, QuantityOrNumber quantity, Bound bound) {
  if (value.kind != Kind::object) return {read_plain(tree, value, quantity, bound), {}};
  const Value& object = json::as_object(tree, value, "a number that varies", kVariedKeys);
  if (const Value* const samples = json::find(object, "samples")) {
    refuse_beside_samples(tree, object);
    SampledLaw sampled = read_samples(tree, *samples, quantity);
    return {std::move(sampled.mean), SharedLaw(std::move(sampled.law))};
  }
  Rational mean = read_plain(tree, json::required(tree, object, "a number that varies", "mean"), quantity, bound);
  return {std::move(mean), SharedLaw(read_law(tree, object))};
}

std::optional<Rational> optional_varied(const Tree& tree, const Value& object, std::string_view key,
                                        QuantityOrNumber quantity, SharedLaw& law) {
  const Value* value = json::find(object, key);
  if (value == nullptr) return std::nullopt;
  Varied varied = read_varied(tree, *value, quantity, Bound::non_negative);
  law = std::move(varied.law);
  return std::move(varied.mean);
}

bool boolean_or(const Tree& tree, const Value& object, std::string_view key, bool otherwise) {
  const Value* value = json::find(object, key);
  return value == nullptr ? otherwise : json::as_boolean(tree, *value);
}

std::string read_name(const Tree& tree, const Value& object, std::string_view what) {
  const Value& value = json::required(tree, object, what, "name");
  const std::string& name = json::as_string(tree, value, "the name of " + std::string(what));
  if (name.empty()) json::fail(tree, value, "an empty name", "a name");
  return name;
}

void refuse_beside_time(const Tree& tree, const Value& object, std::string_view key) {
  const Value* time = json::find(object, "time");
  if (time == nullptr || json::find(object, key) == nullptr) return;
  json::fail(tree, *time, "\"time\" beside " + quote(key), "one of them: a time is fixed and says it all");
}

LinkTiming read_timing(const Tree& tree, const Value& object) {
  LinkTiming timing;
  timing.bandwidth = optional_quantity(tree, object, "bandwidth", Quantity::bandwidth, Bound::positive);
  timing.latency = optional_varied(tree, object, "latency", Quantity::time, timing.fixed_law);
  timing.time = optional_varied(tree, object, "time", Quantity::time, timing.fixed_law);
  refuse_beside_time(tree, object, "bandwidth");
  refuse_beside_time(tree, object, "latency");
  return timing;
}

// One time for a firing, or one for all that is computed at once and one for each firing.
StageTime read_stage_time(const Tree& tree, const Value& value) {
  StageTime time;
  const bool is_of_batches =
      value.kind == Kind::object && (json::find(value, "fixed") != nullptr || json::find(value, "each") != nullptr);
  if (value.kind == Kind::object) json::as_object(tree, value, "the time of a stage", kStageTimeKeys);
  if (!is_of_batches) {
    const bool is_nothing =
        value.kind == Kind::object && json::find(value, "mean") == nullptr && json::find(value, "samples") == nullptr;
    if (is_nothing) json::required(tree, value, "the time of a stage", "each");
    Varied varied = read_varied(tree, value, Quantity::time, Bound::non_negative);
    time.time = std::move(varied.mean);
    time.law = std::move(varied.law);
    return time;
  }
  const Value& object = value;
  for (const std::string_view key : {"mean", "samples"}) {
    if (const Value* const other = json::find(object, key)) {
      json::fail(
          tree, *other,
          fmt::format("{} beside {}", quote(key), quote(json::find(object, "fixed") != nullptr ? "fixed" : "each")),
          "either one time or \"fixed\" and \"each\"; a law may be given with these");
    }
  }
  const auto is_of_law = [&](const LawForm& form) {
    return !form.key.empty() && json::find(object, form.key) != nullptr;
  };
  if (json::find(object, "law") != nullptr || std::ranges::any_of(law_forms(), is_of_law))
    time.law = SharedLaw(read_law(tree, object));
  time.fixed = optional_quantity(tree, object, "fixed", Quantity::time, Bound::non_negative).value_or(0);
  time.time = read_quantity(tree, json::required(tree, object, "the time of a stage", "each"), Quantity::time,
                            Bound::non_negative);
  return time;
}

// Without the processors and types, whose names are looked up later. A number is meant for a processor.
std::vector<StageTime> read_stage_times(const Tree& tree, const Value& value) {
  if (value.kind == Kind::number || value.kind == Kind::string) {
    json::fail(
        tree, value, json::describe(value) + " as the \"time\" of a stage",
        "times by processor or type, such as {\"P1\": 30}, or \"work\" in the stage and \"speed\" in its processors; a "
        "\"time\" in a processor is fixed for whatever it computes");
  }
  json::as_object(tree, value, "an object of times by processor or type");
  if (value.items.empty()) json::fail(tree, value, "an empty object", "times by processor or type, at least one");
  std::vector<StageTime> times;
  for (const Value& time : value.items) times.push_back(read_stage_time(tree, time));
  return times;
}

Stage read_stage(const Tree& tree, const Value& value) {
  const Value& object = json::as_object(tree, value, "a stage", kStageKeys);
  Stage stage;
  stage.name = read_name(tree, object, "a stage");
  stage.work = optional_varied(tree, object, "work", std::nullopt, stage.work_law);
  stage.output = optional_varied(tree, object, "output", Quantity::size, stage.output_law);
  stage.replicable = boolean_or(tree, object, "replicable", true);
  if (const Value* partitions = json::find(object, "partitions"))
    stage.partitions = as_count(tree, *partitions, kMostPartitions);
  stage.consumes = optional_number(tree, object, "consumes", Bound::positive_whole).value_or(1);
  stage.produces = optional_number(tree, object, "produces", Bound::positive_whole).value_or(1);
  if (const Value* times = json::find(object, "time")) stage.times = read_stage_times(tree, *times);
  stage.memory = optional_quantity(tree, object, "memory", Quantity::size, Bound::non_negative);
  stage.apart = boolean_or(tree, object, "apart", false);
  if (const Value* places = json::find(object, "runs on")) {
    for (const Value& place : filled_array(tree, *places, "names of processors or types")) {
      stage.runs_on.push_back(json::as_string(tree, place, "the name of a processor or a type"));
    }
  }
  if (const Value* names = json::find(object, "after")) {
    for (const Value& name : json::as_array(tree, *names, "names of earlier stages"))
      json::as_string(tree, name, "the name of an earlier stage");
  }
  return stage;
}

// Of a factor; samples are of any scale.
SharedLaw read_data_sets(const Tree& tree, const Value& value) {
  const Value& object = json::as_object(tree, value, "how data sets vary", kDataSetsKeys);
  const Value* const samples = json::find(object, "samples");
  if (samples == nullptr) return SharedLaw(read_law(tree, object));
  refuse_beside_samples(tree, object);
  return SharedLaw(read_samples(tree, *samples, std::nullopt).law);
}

Application read_application(const Tree& tree, const Value& value) {
  const Value& object = json::as_object(tree, value, "the application", kApplicationKeys);
  Application application;
  if (const Value* name = json::find(object, "name")) {
    application.name = json::as_string(tree, *name, "the name of the application");
  }
  if (const Value* item = json::find(object, "item")) {
    application.item = json::as_string(tree, *item, "what a data set is called");
    if (application.item.empty())
      json::fail(tree, *item, "an empty text", "what a data set is called, such as \"frame\"");
  }
  application.input = optional_varied(tree, object, "input", Quantity::size, application.input_law);
  if (const Value* data_sets = json::find(object, "data sets"))
    application.data_set_law = read_data_sets(tree, *data_sets);
  const Value& stages = json::required(tree, object, "the application", "stages");
  for (const Value& stage : filled_array(tree, stages, "stages")) {
    application.stages.push_back(read_stage(tree, stage));
  }
  return application;
}

std::optional<Rational> optional_price(const Tree& tree, const Value& object, const char* key) {
  const Value* value = json::find(object, key);
  if (value == nullptr) return std::nullopt;
  if (value->kind == Kind::string && !std::holds_alternative<Rational>(maxplus::parse_number(value->text))) {
    json::fail(tree, *value, json::describe(*value),
               "a number; its unit belongs in the platform, such as \"currency\": \"EUR/h\"");
  }
  return json::as_number(tree, *value, Bound::non_negative);
}

constexpr std::string_view kUnlimited = "unlimited";

PortCount read_ports(const Tree& tree, const Value& object) {
  const Value* value = json::find(object, "ports");
  if (value == nullptr) return kOnePort;
  if (value->kind == Kind::string && value->text == kUnlimited) return kUnlimitedPorts;
  if (value->kind == Kind::string && !std::holds_alternative<Rational>(maxplus::parse_number(value->text))) {
    json::fail(tree, *value, json::describe(*value), fmt::format("a number of ports, or \"{}\"", kUnlimited));
  }
  return as_count(tree, *value, kMostPorts);
}

// What a processor and a type have in common.
template <typename Machine>
void read_machine(const Tree& tree, const Value& object, std::string_view what, Machine& machine) {
  machine.name = read_name(tree, object, what);
  machine.speed = optional_quantity(tree, object, "speed", Quantity::speed, Bound::positive);
  machine.time = optional_varied(tree, object, "time", Quantity::time, machine.time_law);
  refuse_beside_time(tree, object, "speed");
  machine.bandwidth = optional_quantity(tree, object, "bandwidth", Quantity::bandwidth, Bound::positive);
  machine.ports = read_ports(tree, object);
  machine.memory_bandwidth = optional_quantity(tree, object, "memory bandwidth", Quantity::bandwidth, Bound::positive);
  machine.memory = optional_quantity(tree, object, "memory", Quantity::size, Bound::non_negative);
  machine.price = optional_price(tree, object, "price").value_or(1);
}

std::uint64_t read_cores(const Tree& tree, const Value& object) {
  const Value* value = json::find(object, "cores");
  return value == nullptr ? 1 : as_count(tree, *value, kMostCores);
}

ProcessorType read_type(const Tree& tree, const Value& value) {
  const Value& object = json::as_object(tree, value, "a type", kTypeKeys);
  ProcessorType type;
  read_machine(tree, object, "a type", type);
  type.spot_price = optional_price(tree, object, "spot price");
  type.count = optional_number(tree, object, "count", Bound::whole);
  type.cores = read_cores(tree, object);
  return type;
}

// Without what it has from its type, whose name is looked up later; for all of its cores.
Processor read_processor(const Tree& tree, const Value& value) {
  const Value& object = json::as_object(tree, value, "a processor", kProcessorKeys);
  Processor processor;
  if (const Value* type = json::find(object, "type")) json::as_string(tree, *type, "the name of a type");
  if (const Value* host = json::find(object, "host")) {
    processor.host = json::as_string(tree, *host, "the name of a host");
    if (processor.host.empty()) json::fail(tree, *host, "an empty name", "the name of a host");
  }
  read_cores(tree, object);
  read_machine(tree, object, "a processor", processor);
  return processor;
}

void require_reference(const Tree& tree, const Value& object, std::string_view what, std::string_view key) {
  json::as_string(tree, json::required(tree, object, what, key), "the name of a processor");
}

Link read_link(const Tree& tree, const Value& value) {
  const Value& object = json::as_object(tree, value, "a link", kLinkKeys);
  require_reference(tree, object, "a link", "from");
  require_reference(tree, object, "a link", "to");
  Link link;
  link.timing = read_timing(tree, object);
  link.directed = boolean_or(tree, object, "directed", false);
  return link;
}

Endpoint read_endpoint(const Tree& tree, const Value& value, std::string_view what,
                       std::span<const std::string_view> keys = kEndpointKeys) {
  const Value& object = json::as_object(tree, value, what, keys);
  Endpoint endpoint;
  endpoint.ports = read_ports(tree, object);
  endpoint.timing = read_timing(tree, object);
  if (const Value* links = json::find(object, "links")) {
    for (const Value& link : json::as_array(tree, *links, "links")) {
      json::as_object(tree, link, "a link of " + std::string(what), kEndpointLinkKeys);
      require_reference(tree, link, "a link of " + std::string(what), "processor");
      endpoint.links.push_back({0, read_timing(tree, link)});
    }
  }
  return endpoint;
}

// "source", or "sources" by name.
std::optional<Endpoint> read_ends(const Tree& tree, const Value& platform, const std::string& key) {
  const Value* one = json::find(platform, key);
  const Value* several = json::find(platform, key + 's');
  if (one != nullptr && several != nullptr) {
    json::fail(tree, *several, fmt::format("{} beside {}", quote(key + 's'), quote(key)),
               fmt::format("either one {} or several by name", key));
  }
  if (one != nullptr) return read_endpoint(tree, *one, "the " + key);
  if (several == nullptr) return std::nullopt;
  Endpoint all;
  const std::string what = "a " + key;
  for (const Value& entry : filled_array(tree, *several, key + 's')) {
    Endpoint& named = all.named.emplace_back(read_endpoint(tree, entry, what, kNamedEndKeys));
    named.name = read_name(tree, entry, what);
  }
  return all;
}

NetworkSegment read_segment(const Tree& tree, const Value& value) {
  const Value& object = json::as_object(tree, value, "a segment", kSegmentKeys);
  NetworkSegment segment;
  segment.name = read_name(tree, object, "a segment");
  segment.bandwidth = optional_quantity(tree, object, "bandwidth", Quantity::bandwidth, Bound::positive);
  segment.ports = read_ports(tree, object);
  segment.duplex = boolean_or(tree, object, "duplex", true);
  const Value& sets = json::required(tree, object, "a segment", "between");
  if (json::as_array(tree, sets, "two lists of machines").size() != segment.between.size()) {
    json::fail(tree, sets, fmt::format("{} list{}", sets.items.size(), sets.items.size() == 1 ? "" : "s"),
               "two lists of machines, such as [[\"node1\", \"node2\"], [\"node3\"]]");
  }
  for (std::size_t k = 0; k < segment.between.size(); ++k) {
    for (const Value& name : filled_array(tree, sets.items[k], "names of machines"))
      segment.between[k].push_back(json::as_string(tree, name, "the name of a machine"));
  }
  return segment;
}

void read_quota_types(const Tree& tree, const Value& list, const std::vector<ProcessorType>& types, Quota& quota) {
  for (const Value& entry : filled_array(tree, list, "names of types")) {
    const std::string& name = json::as_string(tree, entry, "the name of a type");
    const auto known = std::ranges::find(types, name, &ProcessorType::name);
    if (known == types.end()) {
      std::vector<std::string_view> names;
      names.reserve(types.size());
      for (const ProcessorType& type : types) names.push_back(type.name);
      json::fail(tree, entry, json::describe(entry) + json::suggestion(name, names), "the name of a type");
    }
    const auto index = static_cast<std::size_t>(known - types.begin());
    const auto place = std::ranges::lower_bound(quota.types, index);
    if (place != quota.types.end() && *place == index) json::fail(tree, entry, quote(name) + " once more", "it once");
    quota.types.insert(place, index);
  }
}

Quota read_quota(const Tree& tree, const Value& value, const std::vector<ProcessorType>& types) {
  const Value& object = json::as_object(tree, value, "a quota", kQuotaKeys);
  Quota quota;
  const Value* limit = nullptr;
  using enum Quota::Of;
  for (const Quota::Of of : {machines, cores, memory, price}) {
    const Value* const found = json::find(object, key_of(of));
    if (found == nullptr) continue;
    if (limit != nullptr)
      json::fail(tree, *found, fmt::format("a second limit, {}", quote(key_of(of))), "one limit in each quota");
    limit = found;
    quota.of = of;
    quota.most = of == memory ? read_quantity(tree, *found, Quantity::size, Bound::non_negative)
                              : json::as_number(tree, *found, of == price ? Bound::non_negative : Bound::whole);
  }
  if (limit == nullptr)
    json::fail(tree, object, "a quota without a limit", "one of \"machines\", \"cores\", \"memory\" and \"price\"");
  if (const Value* const list = json::find(object, "types")) read_quota_types(tree, *list, types, quota);
  return quota;
}

Platform read_platform(const Tree& tree, const Value& value) {
  const Value& object = json::as_object(tree, value, "the platform", kPlatformKeys);
  Platform platform;
  const Value* types = json::find(object, "types");
  if (types != nullptr) {
    for (const Value& type : filled_array(tree, *types, "types")) platform.types.push_back(read_type(tree, type));
  }
  if (const Value* currency = json::find(object, "currency")) {
    platform.currency = json::as_string(tree, *currency, "the currency of prices");
  }
  if (const Value* quotas = json::find(object, "quotas")) {
    for (const Value& quota : filled_array(tree, *quotas, "quotas"))
      platform.quotas.push_back(read_quota(tree, quota, platform.types));
  }
  if (types == nullptr || json::find(object, "processors") != nullptr) {
    const Value& processors = json::required(tree, object, "the platform", "processors");
    for (const Value& processor : filled_array(tree, processors, "processors")) {
      platform.processors.push_back(read_processor(tree, processor));
    }
  }
  platform.defaults = read_timing(tree, object);
  if (const Value* links = json::find(object, "links")) {
    for (const Value& link : json::as_array(tree, *links, "links")) platform.links.push_back(read_link(tree, link));
  }
  if (const Value* segments = json::find(object, "segments")) {
    for (const Value& segment : json::as_array(tree, *segments, "segments"))
      platform.segments.push_back(read_segment(tree, segment));
  }
  platform.source = read_ends(tree, object, "source");
  platform.sink = read_ends(tree, object, "sink");
  return platform;
}

// An entry of a sequence.
struct ReadTurn {
  const Value* name = nullptr;
  std::uint64_t batch = 1;
};

ReadTurn read_turn(const Tree& tree, const Value& value) {
  if (value.kind != Kind::object) {
    json::as_string(tree, value, "the name of a processor");
    return {&value, 1};
  }
  json::as_object(tree, value, "a turn", kTurnKeys);
  const Value& name = json::required(tree, value, "a turn", "processor");
  json::as_string(tree, name, "the name of a processor");
  const Value* batch = json::find(value, "batch");
  return {&name, batch == nullptr ? 1 : as_count(tree, *batch, kMostBatch)};
}

Mapping read_mapping(const Tree& tree, const Value& value) {
  Mapping mapping;
  for (const Value& part : filled_array(tree, value, "parts")) {
    json::as_object(tree, part, "a part", kPartKeys);
    for (const Value& stage : filled_array(tree, json::required(tree, part, "a part", "stages"), "names of stages")) {
      json::as_string(tree, stage, "the name of a stage");
    }
    const Value& processors = json::required(tree, part, "a part", "processors");
    for (const Value& turn : filled_array(tree, processors, "names of processors")) read_turn(tree, turn);
    mapping.emplace_back();
  }
  return mapping;
}

// The number of a part, or nothing for the end of the world of that name.
std::optional<std::size_t> read_end(const Tree& tree, const Value& transfer, std::string_view key,
                                    std::string_view end) {
  const Value& value = json::required(tree, transfer, "a transfer", key);
  if (value.kind == Kind::string && value.text == end) return std::nullopt;
  const std::string expected = fmt::format("the number of a part of the mapping, from 0, or \"{}\"", end);
  if (value.kind == Kind::string && !std::holds_alternative<Rational>(maxplus::parse_number(value.text)))
    json::fail(tree, value, json::describe(value), expected);
  const Rational number = json::as_number(tree, value, Bound::whole);
  if (number.numerator().fits_ulong_p()) return number.numerator().get_ui();
  throw InvalidInstance(json::pointer_of(tree, value), json::describe(value), expected)
      .at(json::place(tree, value.position));
}

std::vector<PartTransfer> read_transfers(const Tree& tree, const Value& value) {
  std::vector<PartTransfer> transfers;
  for (const Value& entry : filled_array(tree, value, "transfers")) {
    const Value& object = json::as_object(tree, entry, "a transfer", kTransferKeys);
    PartTransfer transfer{read_end(tree, object, "from", "source"), read_end(tree, object, "to", "sink")};
    if (const Value* ahead = json::find(object, "ahead")) transfer.ahead = as_count(tree, *ahead, kMostAhead, 0);
    if (const Value* room = json::find(object, "room")) transfer.room = as_count(tree, *room, kMostRooms, 1);
    transfers.push_back(transfer);
  }
  return transfers;
}

std::vector<TransferEnds> read_order(const Tree& tree, const Value& value) {
  std::vector<TransferEnds> order;
  for (const Value& entry : filled_array(tree, value, "transfers")) {
    const Value& object = json::as_object(tree, entry, "a transfer", kServedKeys);
    order.push_back({read_end(tree, object, "from", "source"), read_end(tree, object, "to", "sink")});
  }
  return order;
}

OptionValue read_option(const Tree& tree, const Value& value) {
  switch (value.kind) {
    case Kind::boolean:
      return value.boolean;
    case Kind::number:
      return json::as_number(tree, value, Bound::any);
    case Kind::string: {
      // As everywhere, "7/2" is a number.
      auto number = maxplus::parse_number(value.text);
      if (auto* read = std::get_if<Rational>(&number)) return std::move(*read);
      return value.text;
    }
    default:
      json::fail(tree, value, json::describe(value), "true, false, a number or a text");
  }
}

HeuristicRecord read_heuristic(const Tree& tree, const Value& value) {
  const Value& object = json::as_object(tree, value, "the heuristic", kHeuristicKeys);
  HeuristicRecord heuristic;
  heuristic.name = read_name(tree, object, "the heuristic");
  heuristic.seed = optional_number(tree, object, "seed", Bound::whole);
  if (const Value* options = json::find(object, "options")) {
    json::as_object(tree, *options, "options");
    for (std::size_t i = 0; i < options->keys.size(); ++i) {
      heuristic.options.emplace_back(options->keys[i].name, read_option(tree, options->items[i]));
    }
  }
  return heuristic;
}

Document read_form(const Tree& tree) {
  const Value& object = json::as_object(tree, tree.root, "the document", kDocumentKeys);
  Document document;
  document.application = read_application(tree, json::required(tree, object, "the document", "application"));
  document.platform = read_platform(tree, json::required(tree, object, "the document", "platform"));
  if (const Value* mapping = json::find(object, "mapping")) document.mapping = read_mapping(tree, *mapping);
  if (const Value* transfers = json::find(object, "transfers")) document.transfers = read_transfers(tree, *transfers);
  if (const Value* order = json::find(object, "order")) document.order = read_order(tree, *order);
  document.predicted_period = optional_quantity(tree, object, "predicted_period", Quantity::time, Bound::non_negative);
  if (const Value* heuristic = json::find(object, "heuristic")) document.heuristic = read_heuristic(tree, *heuristic);
  document.model = read_model(tree, object);
  return document;
}

// Step two: what stands in objects of whatever kind, remarks and units. The form is known to be right.

constexpr Keys kWithUnits[] = {"input", "output",           "bandwidth", "latency",         "time",
                               "speed", "predicted_period", "memory",    "memory bandwidth"};
// A size without a unit is one in bytes.
constexpr Keys kSizeKeys[] = {"input", "output", "memory"};

// A place of the text, as far as a message needs to know.
struct QuantityPlace {
  std::string pointer;
  const Value* value;
};

class Survey {
 public:
  explicit Survey(const Tree& tree) : tree_(tree) { visit(tree.root, ""); }

  std::map<std::string, Remarks>& remarks() { return remarks_; }

  TimeUnit time_unit() const { return with_unit_ ? TimeUnit::second : TimeUnit::own; }

  // Throws InvalidInstance if one quantity has a unit and another, which is not 0, has none.
  void require_units_everywhere() const {
    if (!with_unit_ || !without_unit_) return;
    const auto is_before = [](const QuantityPlace& a, const QuantityPlace& b) {
      return std::pair(a.value->position.line, a.value->position.column) <
             std::pair(b.value->position.line, b.value->position.column);
    };
    const bool plain_first = is_before(*without_unit_, *with_unit_);
    const QuantityPlace& first = plain_first ? *without_unit_ : *with_unit_;
    const QuantityPlace& second = plain_first ? *with_unit_ : *without_unit_;
    throw InvalidInstance(second.pointer,
                          fmt::format("{} {} a unit, though {} at {} (line {}) has {}", json::describe(*second.value),
                                      plain_first ? "with" : "without", json::describe(*first.value), first.pointer,
                                      first.value->position.line, plain_first ? "none" : "one"),
                          "units on all times, latencies, bandwidths, speeds and predictions, or on nothing");
  }

 private:
  void visit(const Value& value, const std::string& pointer) {
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      const Value& item = value.items[i];
      if (value.kind == Kind::object) {
        visit_member(value.keys[i].name, item, pointer);
      } else if (item.kind == Kind::object) {
        visit(item, fmt::format("{}/{}", pointer, i));
      }
    }
  }

  void visit_member(const std::string& key, const Value& value, const std::string& pointer) {
    if (key == kRemarks[0] || key == kRemarks[1]) {
      const std::string& text = json::as_string(tree_, value, "a remark");
      (key == kRemarks[0] ? remarks_[pointer].schema : remarks_[pointer].comment) = text;
    } else if (value.kind == Kind::object && key == "time" && pointer.starts_with("/application")) {
      // Times of a stage, by processors of any names.
      for (std::size_t i = 0; i < value.items.size(); ++i)
        visit_stage_time(value.keys[i].name, value.items[i], pointer + json::pointer_step(key));
    } else if (value.kind == Kind::object && std::ranges::find(kWithUnits, key) != std::end(kWithUnits)) {
      visit_varied(value, pointer + json::pointer_step(key), std::ranges::find(kSizeKeys, key) != std::end(kSizeKeys));
    } else if (value.kind == Kind::array || value.kind == Kind::object) {
      // Options may have any names.
      if (key != "options") visit(value, pointer + json::pointer_step(key));
    } else if (std::ranges::find(kWithUnits, key) != std::end(kWithUnits)) {
      note_unit(key, value, pointer, std::ranges::find(kSizeKeys, key) != std::end(kSizeKeys));
    }
  }

  void visit_stage_time(const std::string& name, const Value& value, const std::string& pointer) {
    if (value.kind != Kind::object) return note_unit(name, value, pointer);
    visit_varied(value, pointer + json::pointer_step(name), false);
  }

  // A law's parameters are no quantities.
  void visit_varied(const Value& value, const std::string& pointer, bool is_size) {
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      const std::string& key = value.keys[i].name;
      const Value& item = value.items[i];
      if (std::ranges::find(kRemarks, key) != std::end(kRemarks)) {
        visit_member(key, item, pointer);
      } else if (key == "mean" || key == "fixed" || key == "each") {
        note_unit(key, item, pointer, is_size);
      } else if (key == "samples") {
        for (std::size_t k = 0; k < item.items.size(); ++k)
          note_unit(std::to_string(k), item.items[k], pointer + "/samples", is_size);
      }
    }
  }

  void note_unit(const std::string& key, const Value& value, const std::string& pointer, bool is_size = false) {
    const bool has = value.kind == Kind::string && has_unit(value.text);
    std::optional<QuantityPlace>& first = has ? with_unit_ : without_unit_;
    if (first) return;
    const bool is_neutral = !has && (is_size || json::as_number(tree_, value, Bound::any).sign() == 0);
    if (!is_neutral) first = QuantityPlace{pointer + json::pointer_step(key), &value};
  }

  const Tree& tree_;
  std::map<std::string, Remarks> remarks_;
  std::optional<QuantityPlace> with_unit_;  // the first of either
  std::optional<QuantityPlace> without_unit_;
};

// Step three: the names.

class Index {
 public:
  template <typename Named>
  explicit Index(const std::vector<Named>& all) {
    for (std::size_t i = 0; i < all.size(); ++i) numbers_.emplace(all[i].name, i);
  }

  std::optional<std::size_t> find(const std::string& name) const {
    const auto found = numbers_.find(name);
    if (found == numbers_.end()) return std::nullopt;
    return found->second;
  }

 private:
  std::unordered_map<std::string_view, std::size_t> numbers_;
};

// Of a platform. Processors and types have one space of names.
struct PlatformNames {
  explicit PlatformNames(const Platform& platform)
      : groups(processor_groups(platform)),
        hosts(platform),
        processors(platform.processors),
        group_names(groups),
        types(platform.types),
        has_types(!platform.types.empty()) {}

  // The processor of that name, or the cores that it names at once.
  std::optional<ProcessorGroup> find(const std::string& name) const {
    if (const auto number = processors.find(name)) return ProcessorGroup{{}, *number};
    if (const auto number = group_names.find(name)) return groups[*number];
    return std::nullopt;
  }

  // What an unknown name should have been.
  std::string expected(bool or_type) const {
    return or_type && has_types ? "the name of a processor or a type of the platform"
                                : "the name of a processor of the platform";
  }

  std::vector<ProcessorGroup> groups;
  HostIndex hosts;
  Index processors;
  Index group_names;
  Index types;
  bool has_types;
};

ProcessorGroup processors_named(const Tree& tree, const Value& name, const PlatformNames& names) {
  if (const auto found = names.find(name.text)) return *found;
  const bool is_type = names.types.find(name.text).has_value();
  throw InvalidInstance(json::pointer_of(tree, name),
                        (is_type ? "the type " : "the unknown processor ") + quote(name.text), names.expected(false));
}

[[noreturn]] void refuse_times(std::uint64_t count) {
  throw InvalidInstance("/application/stages", fmt::format("{} times of stages for processors of types", count),
                        fmt::format("at most {}", kMostInheritedTimes));
}

// Once the processors have what they have from types.
void resolve_stage_times(const Tree& tree, const PlatformNames& names, std::vector<Stage>& stages) {
  const Value& values = *json::find(*json::find(tree.root, "application"), "stages");
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    std::vector<StageTime> times;
    for (std::size_t k = 0; k < stages[i].times.size(); ++k) {
      const Value& object = *json::find(values.items[i], "time");
      const std::string& name = object.keys[k].name;
      StageTime& time = stages[i].times[k];
      if (const auto found = names.find(name)) {
        count += found->count;
        if (count > kMostInheritedTimes) refuse_times(count);
        for (std::size_t p = 0; p < found->count; ++p)
          times.push_back({found->first + p, time.time, false, time.fixed, time.law});
      } else if (const auto type = names.types.find(name)) {
        stages[i].type_times.push_back({*type, std::move(time.time), std::move(time.fixed), std::move(time.law)});
      } else {
        throw InvalidInstance(json::pointer_of(tree, object.items[k]),
                              "a time for the unknown processor " + quote(name), names.expected(true));
      }
    }
    stages[i].times = std::move(times);
  }
}

// Names of stages that stand before this one: a list of stages is in an order in which all can be computed.
void resolve_after(const Tree& tree, std::vector<Stage>& stages) {
  const Value& values = *json::find(*json::find(tree.root, "application"), "stages");
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const Value* const names = json::find(values.items[i], "after");
    if (names == nullptr) continue;
    std::vector<std::size_t>& after = stages[i].after.emplace();
    for (const Value& name : names->items) {
      const auto found = static_cast<std::size_t>(std::ranges::find(stages, name.text, &Stage::name) - stages.begin());
      const auto refuse = [&](const std::string& what, const std::string& expected) {
        throw InvalidInstance(json::pointer_of(tree, name), what, expected);
      };
      if (found == stages.size()) refuse(quote(name.text) + ", which is no stage", "the name of an earlier stage");
      if (found == i) refuse(quote(name.text) + ", the stage itself", "the name of an earlier stage");
      if (found > i) {
        refuse(quote(name.text) + ", which comes after " + quote(stages[i].name),
               "the name of an earlier stage: a stage comes after those whose files it takes");
      }
      if (std::ranges::find(after, found) != after.end()) refuse(quote(name.text) + " a second time", "it once");
      after.push_back(found);
    }
  }
}

void check_places(const Tree& tree, const PlatformNames& names, const std::vector<Stage>& stages) {
  const Value& values = *json::find(*json::find(tree.root, "application"), "stages");
  for (std::size_t i = 0; i < stages.size(); ++i) {
    for (std::size_t k = 0; k < stages[i].runs_on.size(); ++k) {
      const std::string& name = stages[i].runs_on[k];
      if (names.find(name) || names.types.find(name)) continue;
      throw InvalidInstance(json::pointer_of(tree, json::find(values.items[i], "runs on")->items[k]),
                            "the unknown processor " + quote(name), names.expected(true));
    }
  }
}

// Before names are looked up, which could then mean either.
void refuse_names_of_types(const Platform& platform, const PlatformNames& names) {
  for (std::size_t i = 0; i < platform.processors.size(); ++i) {
    const std::string& name = platform.processors[i].name;
    if (!names.types.find(name)) continue;
    throw InvalidInstance(fmt::format("/platform/processors/{}/name", i),
                          "the name " + quote(name) + ", which a type has", "a name of its own");
  }
}

void resolve_types(const Tree& tree, const Value& platform, const PlatformNames& names, Platform& result) {
  for (std::size_t i = 0; i < result.processors.size(); ++i) {
    const Value& value = json::find(platform, "processors")->items[i];
    const Value* const name = json::find(value, "type");
    if (name == nullptr) continue;
    Processor& processor = result.processors[i];
    processor.type = names.types.find(name->text);
    if (!processor.type) {
      throw InvalidInstance(
          json::pointer_of(tree, *name), "the unknown type " + quote(name->text),
          names.has_types ? "the name of one of the platform's types" : "\"types\" in the platform, one of that name");
    }
    const ProcessorType& type = result.types[*processor.type];
    if (json::find(value, "price") == nullptr) inherit_price(processor, type);
    if (json::find(value, "ports") == nullptr) processor.ports = type.ports;
    inherit(processor, type);
  }
}

// What all processors of a host have in common: what any of them says holds for all.
class HostReader {
 public:
  HostReader(const Tree& tree, const std::vector<Value>& entries, Platform& platform)
      : tree_(tree), entries_(entries), platform_(platform), processors_(platform.processors) {}

  void read() {
    std::map<std::string, std::vector<std::size_t>> members;
    for (std::size_t i = 0; i < processors_.size(); ++i) members[host_name(processors_[i])].push_back(i);
    for (std::size_t i = 0; i < processors_.size(); ++i) {
      if (members.at(host_name(processors_[i])).size() == 1 && !processors_[i].host.empty()) refuse_lone(i);
      refuse_second_hand(i, members);
    }
    for (const auto& [host, list] : members) {
      if (list.size() == 1) continue;
      share(
          list, "bandwidth", [](Processor & p) -> auto& { return p.bandwidth; });
      share(
          list, "ports", [](Processor & p) -> auto& { return p.ports; });
      share(
          list, "memory bandwidth", [](Processor & p) -> auto& { return p.memory_bandwidth; });
      const auto named = std::ranges::find_if(list, [&](std::size_t i) { return is_named(i); });
      const std::size_t place = named == list.end() ? list.front() : *named;
      for (const std::size_t i : list) settle_inherited(processors_[i], i == place);
    }
  }

 private:
  // A document written again has the card in one place; the others have what that says, and their type's if it is that.
  void settle_inherited(Processor& processor, bool is_place) const {
    const ProcessorType* const type = type_of(platform_, processor);
    processor.inherited = inherited_values(processor, type);
    if (!is_place)
      processor.inherited.bandwidth = type != nullptr && type->bandwidth && processor.bandwidth == type->bandwidth;
  }

  bool says(std::size_t i, std::string_view key) const { return json::find(entries_[i], key) != nullptr; }
  bool is_named(std::size_t i) const { return host_name(processors_[i]) == processors_[i].name; }

  // Whose value holds: who says one, else the one that the host is named after, else the first.
  std::size_t speaker(const std::vector<std::size_t>& list, std::string_view key) const {
    const auto saying = std::ranges::find_if(list, [&](std::size_t i) { return says(i, key); });
    if (saying != list.end()) return *saying;
    const auto named = std::ranges::find_if(list, [&](std::size_t i) { return is_named(i); });
    return named == list.end() ? list.front() : *named;
  }

  template <typename Member>
  void share(const std::vector<std::size_t>& list, std::string_view key, Member member) {
    const std::size_t first = speaker(list, key);
    const auto value = member(processors_[first]);
    for (const std::size_t i : list) {
      if (says(i, key) && member(processors_[i]) != value) {
        const Value& other = *json::find(entries_[i], key);
        throw InvalidInstance(json::pointer_of(tree_, other),
                              fmt::format("{} of its own for {}", quote(key), quote(processors_[i].name)),
                              fmt::format("that of {}: processors of the host {} share its card",
                                          quote(processors_[first].name), quote(host_name(processors_[i]))));
      }
      member(processors_[i]) = value;
    }
  }

  void refuse_lone(std::size_t i) const {
    throw InvalidInstance(json::pointer_of(tree_, *json::find(entries_[i], "host")),
                          "the unknown host " + quote(processors_[i].host),
                          "the name of another processor, or one that several processors have as their host");
  }

  // A host is no processor on another host.
  void refuse_second_hand(std::size_t i, const std::map<std::string, std::vector<std::size_t>>& members) const {
    const std::string& name = processors_[i].name;
    if (processors_[i].host.empty() || is_named(i) || !members.contains(name)) return;
    // Somebody else of that name is no guest: two names alike are refused behind this.
    const std::vector<std::size_t>& there = members.at(name);
    const auto guest = std::ranges::find_if(there, [&](std::size_t k) { return says(k, "host"); });
    if (guest == there.end()) return;
    throw InvalidInstance(
        json::pointer_of(tree_, *json::find(entries_[*guest], "host")),
        fmt::format("the host {}, which is on the host {} itself", quote(name), quote(processors_[i].host)),
        quote(processors_[i].host));
  }

  const Tree& tree_;
  const std::vector<Value>& entries_;
  const Platform& platform_;
  std::vector<Processor>& processors_;
};

// The most data sets in all batches of a part.
constexpr std::uint64_t kMostEntriesOfBatches = 262'144;

// From what the document names at once to processors.
void expand_cores(const Tree& tree, const Value& platform, Platform& result) {
  const Value* const entries = json::find(platform, "processors");
  if (entries == nullptr) return;
  HostReader(tree, entries->items, result).read();
  std::uint64_t all = 0;
  std::vector<std::uint64_t> cores;
  for (std::size_t i = 0; i < result.processors.size(); ++i) {
    const Value& entry = entries->items[i];
    const auto type = result.processors[i].type;
    cores.push_back(type && json::find(entry, "cores") == nullptr ? result.types[*type].cores
                                                                  : read_cores(tree, entry));
    all += cores.back() == 1 ? 0 : cores.back();
  }
  if (all == 0) return;
  if (all > kMostCoresInAll) {
    throw InvalidInstance("/platform/processors", fmt::format("{} cores in all", all),
                          fmt::format("at most {}", kMostCoresInAll));
  }
  const std::vector<Processor> read = std::exchange(result.processors, {});
  for (std::size_t i = 0; i < read.size(); ++i) add_cores(read[i], cores[i], result.processors);
}

void hand_down_times(Document& document) {
  std::vector<std::uint64_t> sizes(document.platform.types.size());
  for (const Processor& processor : document.platform.processors)
    if (processor.type) ++sizes[*processor.type];
  if (const std::uint64_t count = inherited_times(document.application, sizes); count > kMostInheritedTimes)
    refuse_times(count);
  inherit_times(document);
}

// One end of a link: a processor or a type.
struct LinkEnd {
  std::size_t number = 0;
  bool is_type = false;
};

LinkEnd link_end(const Tree& tree, const Value& name, const PlatformNames& names) {
  if (const auto found = names.find(name.text)) return {names.hosts.first_of(found->first), false};
  if (const auto number = names.types.find(name.text)) return {*number, true};
  throw InvalidInstance(json::pointer_of(tree, name), "the unknown processor " + quote(name.text),
                        names.expected(true));
}

// Divides them into those between processors and those between types.
void resolve_links(const Tree& tree, const Value& platform, const PlatformNames& names, Platform& result) {
  const std::vector<Link> read = std::exchange(result.links, {});
  for (std::size_t i = 0; i < read.size(); ++i) {
    const Value& link = json::find(platform, "links")->items[i];
    const Value& from_name = *json::find(link, "from");
    const Value& to_name = *json::find(link, "to");
    const LinkEnd from = link_end(tree, from_name, names);
    const LinkEnd to = link_end(tree, to_name, names);
    if (from.is_type != to.is_type) {
      const auto kind = [](const LinkEnd& end) { return end.is_type ? "type " : "processor "; };
      const Value& type = from.is_type ? from_name : to_name;
      const Value& single = from.is_type ? to_name : from_name;
      throw InvalidInstance(
          json::pointer_of(tree, link),
          fmt::format("a link from the {}{} to the {}{}", kind(from), quote(from_name.text), kind(to),
                      quote(to_name.text)),
          fmt::format("two processors or two types: name the processors of {} one by one, or give {} a type of its own",
                      quote(type.text), quote(single.text)));
    }
    if (from.is_type) {
      result.type_links.push_back({from.number, to.number, read[i].timing, read[i].directed, result.links.size()});
    } else {
      result.links.push_back({from.number, to.number, read[i].timing, read[i].directed});
    }
  }
}

void resolve_end_links(const Tree& tree, const Value& end, const PlatformNames& names, Endpoint& endpoint) {
  for (std::size_t i = 0; i < endpoint.links.size(); ++i) {
    const Value& link = json::find(end, "links")->items[i];
    endpoint.links[i].processor =
        names.hosts.first_of(processors_named(tree, *json::find(link, "processor"), names).first);
  }
}

void resolve_endpoint(const Tree& tree, const Value& platform, const std::string& key, const PlatformNames& names,
                      std::optional<Endpoint>& endpoint) {
  if (!endpoint) return;
  if (endpoint->named.empty()) return resolve_end_links(tree, *json::find(platform, key), names, *endpoint);
  for (std::size_t k = 0; k < endpoint->named.size(); ++k)
    resolve_end_links(tree, json::find(platform, key + 's')->items[k], names, endpoint->named[k]);
}

// The interval that a part's stages form: each one directly behind the one before it.
void resolve_stages(const Tree& tree, const Value& names, const Index& index, const std::vector<Stage>& stages,
                    Part& part) {
  for (std::size_t i = 0; i < names.items.size(); ++i) {
    const Value& name = names.items[i];
    const auto number = index.find(name.text);
    if (!number) {
      throw InvalidInstance(json::pointer_of(tree, name), "the unknown stage " + quote(name.text),
                            "the name of a stage of the application");
    }
    if (i == 0) {
      part.first_stage = *number;
    } else if (*number != part.last_stage + 1) {
      const bool is_repeated = part.first_stage <= *number && *number <= part.last_stage;
      const std::string& previous = stages[part.last_stage].name;
      throw InvalidInstance(
          json::pointer_of(tree, name), "stage " + quote(name.text) + (is_repeated ? " a second time" : ""),
          part.last_stage + 1 == stages.size()
              ? "no stage behind the last, " + quote(previous)
              : "stage " + quote(stages[part.last_stage + 1].name) + ", which follows " + quote(previous));
    }
    part.last_stage = *number;
  }
}

// Host by host, each turn as many entries as its batch has data sets.
void resolve_turns(const Tree& tree, const Value& turns, const PlatformNames& names, Part& part) {
  std::vector<std::vector<std::size_t>> lists;
  std::vector<std::vector<std::size_t>> places_of;  // of each in the document
  std::vector<std::uint64_t> sizes;
  std::uint64_t entries = 0;
  for (const Value& turn : turns.items) {
    const ReadTurn read = read_turn(tree, turn);
    lists.push_back(members_of(processors_named(tree, *read.name, names)));
    places_of.emplace_back(lists.back().size(), sizes.size());
    sizes.push_back(read.batch);
    if (read.batch > 1) entries += read.batch * lists.back().size();
  }
  if (entries > kMostEntriesOfBatches) {
    throw InvalidInstance(json::pointer_of(tree, turns), fmt::format("batches of {} data sets in all", entries),
                          fmt::format("at most {}", kMostEntriesOfBatches));
  }
  PartTurns dealt{dealt_in_turn(lists), {}};
  for (const std::size_t place : dealt_in_turn(places_of)) dealt.sizes.push_back(sizes[place]);
  set_turns(part, dealt);
}

[[noreturn]] void refuse_mapping_of_catalogue() {
  throw InvalidInstance("/mapping", "a mapping, but no \"processors\" in the platform, only types",
                        "\"processors\" for it, such as {\"name\": \"P1\", \"type\": \"...\"}");
}

void resolve_names(const Tree& tree, Document& document) {
  const Index stages(document.application.stages);
  const Value& platform = *json::find(tree.root, "platform");
  {
    const PlatformNames entries(document.platform);
    refuse_names_of_types(document.platform, entries);
    resolve_types(tree, platform, entries, document.platform);
  }
  expand_cores(tree, platform, document.platform);
  const PlatformNames names(document.platform);
  resolve_after(tree, document.application.stages);
  resolve_stage_times(tree, names, document.application.stages);
  check_places(tree, names, document.application.stages);
  hand_down_times(document);
  resolve_links(tree, platform, names, document.platform);
  resolve_endpoint(tree, platform, "source", names, document.platform.source);
  resolve_endpoint(tree, platform, "sink", names, document.platform.sink);
  if (!document.mapping) return;
  if (document.platform.is_catalogue()) refuse_mapping_of_catalogue();
  for (std::size_t i = 0; i < document.mapping->size(); ++i) {
    const Value& value = json::find(tree.root, "mapping")->items[i];
    Part& part = (*document.mapping)[i];
    resolve_stages(tree, *json::find(value, "stages"), stages, document.application.stages, part);
    resolve_turns(tree, *json::find(value, "processors"), names, part);
  }
}

[[noreturn]] void refuse_catalogue() {
  throw InvalidInstance("/platform", "types without \"processors\"",
                        "processors; \"takt plan\" chooses how many there are to be of each type, and \"takt map\" "
                        "takes all that the types have where each has a \"count\"");
}

}  // namespace

Document read_document(std::string_view text, const std::string& file_name, std::optional<std::size_t> line,
                       Catalogues catalogues) {
  const Tree tree = json::parse(text, file_name, &kDocumentForm, kRemarks, line);
  Document document = read_form(tree);
  Survey survey(tree);
  document.remarks = std::move(survey.remarks());
  document.time_unit = survey.time_unit();
  try {
    survey.require_units_everywhere();
    resolve_names(tree, document);
    validate(document);
    if (document.platform.is_catalogue() && catalogues == Catalogues::refused) refuse_catalogue();
  } catch (const InvalidInstance& error) {
    throw error.at(json::place(tree, json::position_of(tree, error.pointer)));
  }
  return document;
}

std::optional<Model> read_model(const json::Tree& tree, const json::Value& object) {
  const Value* name = json::find(object, "model");
  const Value* rooms = json::find(object, "rooms");
  if (name == nullptr) {
    if (rooms != nullptr) json::fail(tree, *rooms, "\"rooms\" without a \"model\"", models_with_rooms());
    return std::nullopt;
  }
  const auto model = find_model(json::as_string(tree, *name, "a communication model"));
  if (!model) {
    std::vector<std::string_view> names;
    for (const CommunicationModel& known : communication_models()) names.push_back(known.name);
    json::fail(tree, *name, json::describe(*name) + json::suggestion(name->text, names), json::one_of(names));
  }
  if (rooms == nullptr) return model;
  if (!(*model)->has_rooms) {
    json::fail(tree, *rooms, fmt::format("\"rooms\" with the model {}", quote(name_of(*model))), models_with_rooms());
  }
  return with_rooms(*model, as_count(tree, *rooms, kMostRooms));
}

std::span<const KeyTable> key_tables() { return kKeyTables; }

}  // namespace takt::tpn
