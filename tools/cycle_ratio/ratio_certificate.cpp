// Certificates of cycle ratios to JSON text and back, and from names to vertices.
#include "tools/cycle_ratio/ratio_certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ostream>

#include "tools/files/files.hpp"
#include "tools/words/json_results.hpp"
#include "tools/words/number_words.hpp"
#include "tpn/errors.hpp"
#include "tpn/json.hpp"
#include "tpn/json_writer.hpp"

namespace takt::tools {

namespace {

namespace json = tpn::json;
using maxplus::Integer;
using maxplus::Rational;

struct ClaimName {
  RatioClaim claim;
  std::string_view name;
};

constexpr std::array kClaims = {
    ClaimName{RatioClaim::largest_ratio, "largest ratio"}, ClaimName{RatioClaim::smallest_ratio, "smallest ratio"},
    ClaimName{RatioClaim::deadlock, "deadlock"}, ClaimName{RatioClaim::no_cycle, "no cycle"}};

constexpr std::array<std::string_view, 6> kRatioKeys = {"claim", "ratio", "cycle", "denominator", "values", "order"};
constexpr std::array<std::string_view, 3> kStepKeys = {"arc", "from", "to"};
constexpr std::array<std::string_view, 2> kValueKeys = {"vertex", "value"};

using json::ValueForm;
constexpr ValueForm kNameForm{.content = ValueForm::Content::text};
constexpr ValueForm kNamesForm{.content = ValueForm::Content::array, .items = &kNameForm};
constexpr ValueForm kStepForm{.content = ValueForm::Content::object, .keys = kStepKeys};
constexpr ValueForm kStepsForm{.content = ValueForm::Content::array, .items = &kStepForm};
constexpr ValueForm kValueForm{.content = ValueForm::Content::object, .keys = kValueKeys};
constexpr ValueForm kValuesForm{.content = ValueForm::Content::array, .items = &kValueForm};
constexpr ValueForm::Member kMembers[] = {{"cycle", &kStepsForm}, {"values", &kValuesForm}, {"order", &kNamesForm}};
constexpr ValueForm kForm{.content = ValueForm::Content::object, .keys = kRatioKeys, .members = kMembers};
constexpr ValueForm kRootForm{.content = ValueForm::Content::object, .keys = kRatioKeys};

// Numbers were still to be read when the time was over.
struct RatioReadingStopped {};

class RatioCertificateReader {
 public:
  RatioCertificateReader(const json::Tree& tree, const std::function<bool()>& is_out_of_time)
      : tree_(tree), is_out_of_time_(is_out_of_time) {}

  RatioCertificate read() {
    json::as_object(tree_, tree_.root, kWhat, kRatioKeys);
    const json::Value& claim = json::required(tree_, tree_.root, kWhat, "claim");
    const auto known = std::ranges::find(kClaims, json::as_string(tree_, claim, "a claim"), &ClaimName::name);
    if (known == kClaims.end()) json::fail(tree_, claim, json::describe(claim), alternatives());
    certificate_.claim = known->claim;
    switch (known->claim) {
      case RatioClaim::largest_ratio:
      case RatioClaim::smallest_ratio:
        read_ratio();
        break;
      case RatioClaim::deadlock:
        require_keys({"claim", "cycle"});
        read_cycle();
        break;
      case RatioClaim::no_cycle:
        require_keys({"claim", "order"});
        read_order();
        break;
    }
    return std::move(certificate_);
  }

 private:
  static constexpr std::string_view kWhat = "a certificate of a cycle ratio";

  static std::string alternatives() {
    std::vector<std::string_view> names;
    names.reserve(std::size(kClaims));
    for (const ClaimName& claim : kClaims) names.push_back(claim.name);
    return json::one_of(names);
  }

  void require_keys(const std::vector<std::string_view>& keys) const {
    json::as_object(tree_, tree_.root, "a certificate of this claim", keys);
  }

  Rational number(const json::Value& value, json::Bound bound) const {
    // Shorter ones are read faster than a clock.
    constexpr std::size_t kLong = 1000;
    if (value.text.size() > kLong && is_out_of_time_ && is_out_of_time_()) throw RatioReadingStopped();
    return json::as_number(tree_, value, bound);
  }

  Integer integer(const json::Value& value) const {
    const Rational read = number(value, json::Bound::any);
    if (!read.is_integer()) json::fail(tree_, value, json::describe(value), "a whole number");
    return read.numerator();
  }

  void read_ratio() {
    require_keys({"claim", "ratio", "cycle", "denominator", "values"});
    certificate_.ratio = number(json::required(tree_, tree_.root, kWhat, "ratio"), json::Bound::any);
    certificate_.denominator =
        number(json::required(tree_, tree_.root, kWhat, "denominator"), json::Bound::positive_whole).numerator();
    read_cycle();
    const json::Value& values = json::required(tree_, tree_.root, kWhat, "values");
    for (const json::Value& item : json::as_array(tree_, values, "the values of the vertices")) {
      json::as_object(tree_, item, "a vertex's value", kValueKeys);
      certificate_.values.push_back({name(item, "vertex"), integer(json::required(tree_, item, "a value", "value"))});
    }
  }

  void read_cycle() {
    const json::Value& cycle = json::required(tree_, tree_.root, kWhat, "cycle");
    for (const json::Value& item : json::as_array(tree_, cycle, "the arcs of a cycle")) {
      json::as_object(tree_, item, "an arc of the cycle", kStepKeys);
      const json::Value& arc = json::required(tree_, item, "an arc of the cycle", "arc");
      const Rational index = number(arc, json::Bound::whole);
      if (!index.numerator().fits_ulong_p()) json::fail(tree_, arc, json::describe(arc), "the number of an arc");
      certificate_.cycle.push_back({index.numerator().get_ui(), name(item, "from"), name(item, "to")});
    }
  }

  void read_order() {
    const json::Value& order = json::required(tree_, tree_.root, kWhat, "order");
    for (const json::Value& item : json::as_array(tree_, order, "the vertices in order")) {
      certificate_.order.push_back(json::as_string(tree_, item, "the name of a vertex"));
    }
  }

  std::string name(const json::Value& object, std::string_view key) const {
    return json::as_string(tree_, json::required(tree_, object, "an entry", key), "the name of a vertex");
  }

  const json::Tree& tree_;
  const std::function<bool()>& is_out_of_time_;
  RatioCertificate certificate_;
};

// From the names of a graph to its vertices.
class ProofMaker {
 public:
  ProofMaker(const RatioGraph& graph, const RatioCertificate& certificate) : graph_(graph), certificate_(certificate) {}

  std::variant<maxplus::CycleRatioProof, std::string> make() {
    std::optional<maxplus::CycleRatioProof> proof;
    if (certificate_.claim == RatioClaim::no_cycle) {
      proof = order();
    } else if (certificate_.claim == RatioClaim::deadlock) {
      proof = maxplus::DeadlockCycle{cycle()};
    } else {
      proof = ratio();
    }
    if (!why_.empty()) return why_;
    return *std::move(proof);
  }

 private:
  std::optional<std::size_t> vertex(const std::string& name) {
    if (const auto found = graph_.vertices.find(name)) return *found;
    refuse("the graph has no vertex " + json::quote(name));
    return std::nullopt;
  }

  void refuse(std::string why) {
    if (why_.empty()) why_ = std::move(why);
  }

  maxplus::AcyclicOrder order() {
    maxplus::AcyclicOrder order;
    for (const std::string& name : certificate_.order) {
      if (const auto v = vertex(name)) order.vertices.push_back(*v);
    }
    return order;
  }

  std::vector<std::size_t> cycle() {
    std::vector<std::size_t> arcs;
    for (const NamedArc& named : certificate_.cycle) {
      if (named.arc >= graph_.arcs.size()) {
        refuse(fmt::format("the graph has no arc {}", named.arc));
        break;
      }
      const std::string_view from = graph_.vertices[graph_.arcs.from(named.arc)];
      const std::string_view to = graph_.vertices[graph_.arcs.to(named.arc)];
      if (from != named.from || to != named.to) {
        refuse(fmt::format("arc {} leads from {} to {}", named.arc, json::quote(from), json::quote(to)));
      }
      arcs.push_back(named.arc);
    }
    return arcs;
  }

  maxplus::RatioProof ratio() {
    const bool is_largest = certificate_.claim == RatioClaim::largest_ratio;
    maxplus::RatioProof proof{{certificate_.ratio, cycle()},
                              is_largest ? maxplus::RatioExtreme::largest : maxplus::RatioExtreme::smallest,
                              {},
                              certificate_.denominator};
    proof.values.resize(graph_.vertices.size());
    std::vector<bool> has_value(graph_.vertices.size());
    for (const NamedValue& named : certificate_.values) {
      const auto v = vertex(named.vertex);
      if (!v) break;
      if (has_value[*v]) refuse("two values of the vertex " + json::quote(named.vertex));
      has_value[*v] = true;
      proof.values[*v] = named.value;
    }
    const auto without = std::ranges::find(has_value, false);
    if (without != has_value.end()) {
      const auto v = static_cast<std::size_t>(without - has_value.begin());
      refuse("no value of the vertex " + json::quote(graph_.vertices[v]));
    }
    return proof;
  }

  const RatioGraph& graph_;
  const RatioCertificate& certificate_;
  std::string why_;
};

class RatioCertificateWriter {
 public:
  RatioCertificateWriter(std::ostream& out, const RatioGraph& graph)
      : out_(out), graph_(graph), json_(text_, tpn::IllFormed::refused, [this](std::string& text) { drain(text); }) {}

  void write(const maxplus::CycleRatioProof& proof) {
    json_.begin_object();
    std::visit(*this, proof);
    json_.end();
    drain(text_);
    out_ << '\n';
  }

  void operator()(const maxplus::RatioProof& proof) {
    const bool is_largest = proof.extreme == maxplus::RatioExtreme::largest;
    claim(is_largest ? RatioClaim::largest_ratio : RatioClaim::smallest_ratio);
    json_.member("ratio", proof.cycle.ratio.to_string());
    cycle(proof.cycle.arcs);
    json_.member("denominator", proof.denominator.get_str());
    json_.key("values");
    json_.begin_array();
    for (std::size_t v = 0; v < proof.values.size(); ++v) {
      json_.begin_object(tpn::JsonLayout::line);
      json_.member("vertex", graph_.vertices[v]);
      json_.member("value", proof.values[v].get_str());
      json_.end();
    }
    json_.end();
  }

  void operator()(const maxplus::DeadlockCycle& proof) {
    claim(RatioClaim::deadlock);
    cycle(proof.arcs);
  }

  void operator()(const maxplus::AcyclicOrder& proof) {
    claim(RatioClaim::no_cycle);
    write_list(json_, "order", proof.vertices, [&](const std::size_t v) { json_.value(graph_.vertices[v]); });
  }

 private:
  void claim(RatioClaim claim) { json_.member("claim", name_of(claim)); }

  void cycle(const std::vector<std::size_t>& arcs) {
    write_objects(json_, "cycle", arcs, [&](const std::size_t arc) {
      json_.member("arc", arc);
      json_.member("from", graph_.vertices[graph_.arcs.from(arc)]);
      json_.member("to", graph_.vertices[graph_.arcs.to(arc)]);
    });
  }

  void drain(std::string& text) {
    out_ << text;
    text.clear();
  }

  std::ostream& out_;
  const RatioGraph& graph_;
  std::string text_;
  tpn::JsonWriter json_;
};

}  // namespace

std::string_view name_of(RatioClaim claim) { return std::ranges::find(kClaims, claim, &ClaimName::claim)->name; }

bool fits_ratio_certificate(const maxplus::CycleRatioProof& proof) {
  const auto* of_ratio = std::get_if<maxplus::RatioProof>(&proof);
  if (of_ratio == nullptr) return true;
  const auto fits = [](const Integer& number) { return mpz_sizeinbase(number.get_mpz_t(), 10) <= kRatioDigits; };
  const Rational& ratio = of_ratio->cycle.ratio;
  return fits(ratio.numerator()) && fits(ratio.denominator()) && fits(of_ratio->denominator) &&
         std::ranges::all_of(of_ratio->values, fits);
}

void write_ratio_certificate(std::ostream& out, const RatioGraph& graph, const maxplus::CycleRatioProof& proof) {
  RatioCertificateWriter(out, graph).write(proof);
}

bool is_ratio_certificate(std::string_view text, const std::string& path) {
  // Most certificates are of periods, and long.
  if (text.find("\"claim\"") == std::string_view::npos && text.find('\\') == std::string_view::npos) return false;
  const json::Tree tree = json::parse(text, display_name(path), &kRootForm);
  return tree.root.kind == json::Kind::object && json::find(tree.root, "claim") != nullptr;
}

std::optional<RatioCertificate> read_ratio_certificate(std::string_view text, const std::string& path,
                                                       const std::function<bool()>& is_out_of_time) {
  json::Tree tree = json::parse(text, display_name(path), &kForm);
  tree.max_digits = kRatioDigits;
  try {
    return RatioCertificateReader(tree, is_out_of_time).read();
  } catch (const RatioReadingStopped&) {
    return std::nullopt;
  }
}

std::variant<maxplus::CycleRatioProof, std::string> proof_for(const RatioGraph& graph,
                                                              const RatioCertificate& certificate) {
  return ProofMaker(graph, certificate).make();
}

std::string claim_text(const RatioCertificate& certificate) {
  switch (certificate.claim) {
    case RatioClaim::deadlock:
      return "there is a cycle without tokens";
    case RatioClaim::no_cycle:
      return "there is no cycle";
    case RatioClaim::largest_ratio:
    case RatioClaim::smallest_ratio:
      break;
  }
  const bool is_largest = certificate.claim == RatioClaim::largest_ratio;
  return fmt::format("the {} cycle ratio is {}", is_largest ? "largest" : "smallest", certificate.ratio.to_string());
}

}  // namespace takt::tools
