// Certificates of plans to JSON and back.
#include "plan/proof/plan_certificate.hpp"

#include <array>
#include <utility>

#include "tpn/json.hpp"
#include "tpn/reader.hpp"
#include "tpn/writer.hpp"

namespace takt::plan {

namespace {

namespace json = tpn::json;
using json::Bound;
using json::Tree;
using json::Value;
using json::ValueForm;
using tpn::JsonLayout;
using tpn::JsonWriter;

constexpr std::string_view kWhat = "a plan's certificate";

constexpr std::array<std::string_view, 17> kPlanKeys = {"class",
                                                        "model",
                                                        "rooms",
                                                        "period",
                                                        "below",
                                                        "spare",
                                                        "apart",
                                                        "latency",
                                                        "counts",
                                                        "spot",
                                                        "on_demand",
                                                        "multipliers",
                                                        "latency_multiplier",
                                                        "quota_multipliers",
                                                        "bound",
                                                        "impossible",
                                                        "potentials"};
constexpr std::array<std::string_view, 4> kPotentialKeys = {"stage", "type", "next", "value"};

constexpr ValueForm kPotentialForm{.content = ValueForm::Content::object, .keys = kPotentialKeys};
constexpr ValueForm kPotentialsForm{.content = ValueForm::Content::array, .items = &kPotentialForm};
constexpr ValueForm kByTypeForm{.content = ValueForm::Content::object};
constexpr ValueForm kNumbersForm{.content = ValueForm::Content::array};
constexpr ValueForm::Member kPlanMembers[] = {{"counts", &kByTypeForm},
                                              {"multipliers", &kByTypeForm},
                                              {"quota_multipliers", &kNumbersForm},
                                              {"potentials", &kPotentialsForm}};
constexpr ValueForm kPlanForm{.content = ValueForm::Content::object, .keys = kPlanKeys, .members = kPlanMembers};
constexpr ValueForm::Member kFileMembers[] = {{"plan", &kPlanForm}};
constexpr ValueForm kFileForm{.content = ValueForm::Content::object, .members = kFileMembers};

// Numbers were still to be read when the time was over.
struct PlanReadingStopped {};

class PlanReading {
 public:
  PlanReading(const Tree& tree, const Value& plan, const std::function<bool()>& is_out_of_time)
      : tree_(tree), plan_(plan), is_out_of_time_(is_out_of_time) {}

  PlanCertificate read() const {
    json::as_object(tree_, plan_, kWhat, kPlanKeys);
    read_class();
    PlanCertificate result;
    json::required(tree_, plan_, kWhat, "model");
    result.target = target();
    if (const Value* multipliers = json::find(plan_, "multipliers")) result.multipliers = weights(*multipliers);
    if (const Value* latency = json::find(plan_, "latency_multiplier"))
      result.latency_multiplier = number(*latency, Bound::non_negative);
    if (const Value* quotas = json::find(plan_, "quota_multipliers")) {
      for (const Value& item : json::as_array(tree_, *quotas, "multipliers of quotas"))
        result.quota_multipliers.push_back(number(item, Bound::non_negative));
    }
    result.bound = bound();
    const Value& list = json::required(tree_, plan_, kWhat, "potentials");
    for (const Value& item : json::as_array(tree_, list, "the potentials of states"))
      result.potentials.push_back(potential(item));
    return result;
  }

 private:
  Rational number(const Value& value, Bound bound) const {
    constexpr std::size_t kLongText = 1000;
    if (value.text.size() > kLongText && is_out_of_time_ && is_out_of_time_()) throw PlanReadingStopped();
    return json::as_number(tree_, value, bound);
  }

  std::uint64_t whole(const Value& value) const {
    const Rational read = number(value, Bound::whole);
    if (!read.numerator().fits_ulong_p()) json::fail(tree_, value, json::describe(value), "a number below 2^64");
    return read.numerator().get_ui();
  }

  void read_class() const {
    const Value& name = json::required(tree_, plan_, kWhat, "class");
    if (json::as_string(tree_, name, "a class of plans") != "typed")
      json::fail(tree_, name, json::describe(name), "\"typed\"");
  }

  // One of two keys, which exclude each other.
  const Value& either(const char* first, const char* second) const {
    const Value* one = json::find(plan_, first);
    const Value* other = json::find(plan_, second);
    if (one != nullptr && other != nullptr) {
      json::fail(tree_, *other, json::quote(second) + " beside " + json::quote(first), "one of them");
    }
    if (one != nullptr) return *one;
    return other != nullptr ? *other : json::required(tree_, plan_, kWhat, first);
  }

  PlanTarget target() const {
    PlanTarget result;
    result.model = *tpn::read_model(tree_, plan_);
    result.period = number(either("period", "below"), Bound::positive);
    result.strictly = json::find(plan_, "below") != nullptr;
    if (const Value* spare = json::find(plan_, "spare")) result.spare = whole(*spare);
    if (const Value* apart = json::find(plan_, "apart")) result.all_apart = json::as_boolean(tree_, *apart);
    if (const Value* latency = json::find(plan_, "latency")) result.latency = number(*latency, Bound::non_negative);
    if (const Value* counts = json::find(plan_, "counts")) {
      json::as_object(tree_, *counts, "counts of machines by type");
      for (std::size_t i = 0; i < counts->keys.size(); ++i)
        result.counts.emplace(counts->keys[i].name, whole(counts->items[i]));
    }
    if (const Value* spot = json::find(plan_, "spot")) result.at_spot_prices = json::as_boolean(tree_, *spot);
    if (const Value* on_demand = json::find(plan_, "on_demand")) {
      result.on_demand = number(*on_demand, Bound::positive);
      if (!result.at_spot_prices) json::fail(tree_, *on_demand, "\"on_demand\" without \"spot\": true", "both");
    }
    return result;
  }

  std::map<std::string, Rational> weights(const Value& object) const {
    json::as_object(tree_, object, "multipliers by type");
    std::map<std::string, Rational> result;
    for (std::size_t i = 0; i < object.keys.size(); ++i)
      result.emplace(object.keys[i].name, number(object.items[i], Bound::non_negative));
    return result;
  }

  std::optional<Rational> bound() const {
    const Value& value = either("bound", "impossible");
    if (json::find(plan_, "bound") != nullptr) return number(value, Bound::any);
    if (!json::as_boolean(tree_, value)) json::fail(tree_, value, "false", "true, or a bound in its place");
    return std::nullopt;
  }

  PlanPotential potential(const Value& value) const {
    constexpr std::string_view kPotential = "a potential";
    json::as_object(tree_, value, kPotential, kPotentialKeys);
    PlanPotential result;
    result.stage = whole(json::required(tree_, value, kPotential, "stage"));
    result.type = json::as_string(tree_, json::required(tree_, value, kPotential, "type"), "the name of a type");
    if (const Value* next = json::find(value, "next"))
      result.next = json::as_string(tree_, *next, "the name of a type");
    result.value = number(json::required(tree_, value, kPotential, "value"), Bound::any);
    return result;
  }

  const Tree& tree_;
  const Value& plan_;
  const std::function<bool()>& is_out_of_time_;
};

void write_target(JsonWriter& json, const PlanTarget& target) {
  json.member("class", "typed");
  tpn::write_model(json, target.model);
  json.member(target.strictly ? "below" : "period", target.period.to_string());
  if (target.spare > 0) json.member("spare", target.spare);
  if (target.all_apart) json.member("apart", true);
  if (target.latency) json.member("latency", target.latency->to_string());
  if (target.at_spot_prices) json.member("spot", true);
  if (target.on_demand) json.member("on_demand", target.on_demand->to_string());
  if (target.counts.empty()) return;
  json.key("counts");
  json.begin_object(JsonLayout::line);
  for (const auto& [type, count] : target.counts) json.member(type, std::to_string(count));
  json.end();
}

void write_multipliers(JsonWriter& json, const PlanCertificate& certificate) {
  if (!certificate.multipliers.empty()) {
    json.key("multipliers");
    json.begin_object(JsonLayout::line);
    for (const auto& [type, multiplier] : certificate.multipliers) json.member(type, multiplier.to_string());
    json.end();
  }
  if (certificate.latency_multiplier.sign() != 0)
    json.member("latency_multiplier", certificate.latency_multiplier.to_string());
  if (certificate.quota_multipliers.empty()) return;
  json.key("quota_multipliers");
  json.begin_array(JsonLayout::line);
  for (const Rational& multiplier : certificate.quota_multipliers) json.value(multiplier.to_string());
  json.end();
}

}  // namespace

void write_plan_certificate(JsonWriter& json, const PlanCertificate& certificate) {
  json.key("plan");
  json.begin_object(JsonLayout::block);
  write_target(json, certificate.target);
  write_multipliers(json, certificate);
  if (certificate.bound) {
    json.member("bound", certificate.bound->to_string());
  } else {
    json.member("impossible", true);
  }
  json.key("potentials");
  json.begin_array(JsonLayout::block);
  for (const PlanPotential& potential : certificate.potentials) {
    json.begin_object(JsonLayout::line);
    json.member("stage", potential.stage);
    json.member("type", potential.type);
    if (potential.next) json.member("next", *potential.next);
    json.member("value", potential.value.to_string());
    json.end();
  }
  json.end();
  json.end();
}

std::string write_plan_certificate(const PlanCertificate& certificate) {
  std::string text;
  JsonWriter json(text, tpn::IllFormed::refused);
  json.begin_object(JsonLayout::block);
  write_plan_certificate(json, certificate);
  json.end();
  return text + '\n';
}

std::optional<PlanHalf> read_plan_half(std::string_view text, const std::string& file_name,
                                       const std::function<bool()>& is_out_of_time) {
  Tree tree = json::parse(text, file_name, &kFileForm);
  tree.max_digits = kPlanDigits;
  json::as_object(tree, tree.root, "a certificate");
  PlanHalf half;
  const Value* plan = json::find(tree.root, "plan");
  if (plan == nullptr) return half;
  half.is_alone = tree.root.keys.size() == 1;
  try {
    half.certificate = PlanReading(tree, *plan, is_out_of_time).read();
  } catch (const PlanReadingStopped&) {
    return std::nullopt;
  }
  return half;
}

}  // namespace takt::plan
