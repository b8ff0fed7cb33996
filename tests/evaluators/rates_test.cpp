// Stages that consume and produce several files: what is said of the period, against a play of every firing.
#include "tpn/rates.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "evaluators/evaluate.hpp"
#include "evaluators/proof/certify.hpp"
#include "evaluators/proof/check.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/models.hpp"
#include "tpn/reader.hpp"
#include "tpn/timing.hpp"
#include "tpn/validate.hpp"

namespace takt::evaluators {
namespace {

using tpn::Document;

// The operations of all firings of a chain, each behind the one before it on its resources and behind its files: parts
// of one or more stages, units dealt out in turn, every file sent by itself. Times are those of a firing and of a file.
class FiringPlay {
 public:
  FiringPlay(const Document& document, const tpn::Model& model, int rounds)
      : document_(document), timing_(document), is_strict_(model == tpn::Model::kStrict), rounds_(rounds) {
    find_units();
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      for (std::int64_t unit = 0; unit < parts_[part].units * rounds; ++unit) add_unit(part, unit);
    }
  }

  std::int64_t data_sets_per_round() const { return data_sets_; }

  // When all operations of each round have ended.
  std::vector<Rational> ends_of_rounds() {
    std::vector<Rational> ends(static_cast<std::size_t>(rounds_));
    for (std::size_t o = 0; o < operations_.size(); ++o) {
      Rational& end = ends[static_cast<std::size_t>(operations_[o].round)];
      end = std::max(end, end_of(o));
    }
    return ends;
  }

 private:
  struct Operation {
    Rational duration;
    std::int64_t round = 0;
    std::vector<std::size_t> after{};
    std::optional<Rational> end{};
  };
  struct PlayedPart {
    std::vector<std::size_t> processors;
    std::size_t first = 0;
    std::size_t last = 0;
    std::int64_t firings = 1;  // of its first stage, in a unit
    std::int64_t taken = 1;    // files, in a unit
    std::int64_t made = 1;
    std::int64_t units = 1;  // in a round
  };
  enum class Kind { receive, compute, send };

  static std::int64_t whole(const Rational& number) { return number.numerator().get_si(); }

  void find_units() {
    const auto& stages = document_.application.stages;
    Rational units = 1;  // for one of the first part
    maxplus::Integer common = 1;
    std::vector<Rational> all;
    for (const tpn::Part& part : *document_.mapping) {
      PlayedPart played{.processors = part.processors, .first = part.first_stage, .last = part.last_stage};
      Rational gain = 1;
      maxplus::Integer firings = 1;
      for (std::size_t k = part.first_stage + 1; k <= part.last_stage; ++k) {
        gain = gain * stages[k - 1].produces / stages[k].consumes;
        firings = lcm(firings, gain.denominator());
      }
      played.firings = firings.get_si();
      played.taken = played.firings * whole(stages[part.first_stage].consumes);
      played.made = whole(gain * Rational(firings) * stages[part.last_stage].produces);
      if (!parts_.empty()) units = units * Rational(parts_.back().made) / Rational(played.taken);
      all.push_back(units);
      common = lcm(common, (units / Rational(played.processors.size())).denominator());
      parts_.push_back(std::move(played));
    }
    for (std::size_t i = 0; i < parts_.size(); ++i) parts_[i].units = whole(all[i] * Rational(common));
    data_sets_ = parts_.front().units * parts_.front().firings;
  }

  std::size_t add(Rational duration, std::int64_t round, std::vector<std::size_t> after) {
    operations_.push_back({std::move(duration), round, std::move(after), {}});
    return operations_.size() - 1;
  }

  // Behind the last operation of the resource.
  void use(std::size_t operation, std::size_t processor, Kind kind) {
    const auto [last, is_first] = last_.try_emplace({processor, is_strict_ ? Kind::compute : kind}, operation);
    if (!is_first) operations_[operation].after.push_back(std::exchange(last->second, operation));
  }

  std::size_t processor_of(std::size_t part, std::int64_t unit) const {
    const auto& processors = parts_[part].processors;
    return processors[static_cast<std::size_t>(unit) % processors.size()];
  }

  Rational time_of(std::size_t stage, std::size_t processor) const {
    if (const tpn::StageTime* own = timing_.own_time(stage, processor)) return own->time;
    return *document_.application.stages[stage].work / *document_.platform.processors[processor].speed;
  }

  Rational file_time(std::size_t stage, std::size_t from, std::size_t to) const {
    const tpn::Stage& here = document_.application.stages[stage];
    return timing_.link(from, to)->of(*here.output / here.produces);
  }

  void add_unit(std::size_t part, std::int64_t unit) {
    const PlayedPart& here = parts_[part];
    const std::size_t processor = processor_of(part, unit);
    const std::int64_t round = unit / here.units;
    std::int64_t file = unit * here.taken;
    std::int64_t made = unit * here.made;
    std::vector<std::int64_t> fired(here.last - here.first + 1, 0);
    for (std::int64_t firing = 0; firing < here.firings; ++firing) {
      std::vector<std::size_t> files;
      const std::int64_t each = here.taken / here.firings;
      for (std::int64_t k = 0; part > 0 && k < each; ++k, ++file) {
        const std::size_t transfer = sent_.at({part - 1, file});
        use(transfer, processor, Kind::receive);
        files.push_back(transfer);
      }
      const std::size_t computation = add(work_of_firing(here, fired, processor), round, std::move(files));
      use(computation, processor, Kind::compute);
      const tpn::Stage& last = document_.application.stages[here.last];
      const std::int64_t end = unit * here.made + fired.back() * whole(last.produces);
      for (; made < end && part + 1 < parts_.size(); ++made) {
        const std::size_t receiver = processor_of(part + 1, made / parts_[part + 1].taken);
        const std::size_t transfer = add(file_time(here.last, processor, receiver), round, {computation});
        use(transfer, processor, Kind::send);
        sent_[{part, made}] = transfer;
      }
    }
  }

  // Of the first stage one firing, and of the others all that is possible then.
  Rational work_of_firing(const PlayedPart& part, std::vector<std::int64_t>& fired, std::size_t processor) const {
    const auto& stages = document_.application.stages;
    ++fired.front();
    Rational work = time_of(part.first, processor);
    for (std::size_t k = 1; k < fired.size(); ++k) {
      const std::size_t stage = part.first + k;
      const std::int64_t can = fired[k - 1] * whole(stages[stage - 1].produces) / whole(stages[stage].consumes);
      work += Rational(can - fired[k]) * time_of(stage, processor);
      fired[k] = can;
    }
    return work;
  }

  const Rational& end_of(std::size_t operation) {
    std::vector<std::size_t> open = {operation};
    while (!open.empty()) {
      Operation& here = operations_[open.back()];
      const std::size_t before = open.size();
      Rational start;
      if (!here.end) {
        for (const std::size_t other : here.after) {
          const auto& end = operations_[other].end;
          end ? void(start = std::max(start, *end)) : open.push_back(other);
        }
      }
      if (open.size() != before) continue;
      if (!here.end) here.end = start + here.duration;
      open.pop_back();
    }
    return *operations_[operation].end;
  }

  const Document& document_;
  tpn::Timing timing_;
  bool is_strict_;
  int rounds_;
  std::vector<PlayedPart> parts_;
  std::int64_t data_sets_ = 1;
  std::vector<Operation> operations_;
  std::map<std::pair<std::size_t, std::int64_t>, std::size_t> sent_;  // transfers, by sending part and file
  std::map<std::pair<std::size_t, Kind>, std::size_t> last_;          // by processor and kind
};

// The time per data set, once rounds repeat; nothing if they do not in time.
std::optional<Rational> played_period(const Document& document, const tpn::Model& model) {
  constexpr std::size_t kRounds = 30;
  FiringPlay play(document, model, kRounds);
  const std::vector<Rational> ends = play.ends_of_rounds();
  for (std::size_t n = 1; n < kRounds / 3; ++n) {
    const Rational last = ends[kRounds - 1] - ends[kRounds - 1 - n];
    if (last != ends[kRounds - 1 - n] - ends[kRounds - 1 - 2 * n]) continue;
    return last / Rational(static_cast<std::int64_t>(n) * play.data_sets_per_round());
  }
  return std::nullopt;
}

tpn::FoldedNet loads_of(const Document& document, const tpn::Model& model) {
  return std::get<tpn::FoldedNet>(tpn::fold(document, model, {}, tpn::RatedStages::as_loads));
}

// What is said of the document holds of a period, and what proves it is accepted where it is said to be exact alone.
bool is_exact_and_true(const Document& document, const tpn::Model& model, const Rational& period) {
  const tpn::FoldedNet net = loads_of(document, model);
  const Evaluation evaluation = evaluate(net, {});
  CHECK(evaluation.lower <= period);
  CHECK(period <= evaluation.upper);
  const auto certificate = certify(net, evaluation);
  const bool is_proven = std::holds_alternative<Proven>(check(document, std::get<Certificate>(certificate)));
  CHECK(is_proven == !tpn::why_rates_only(net));
  if (is_proven) CHECK(evaluation.exact());
  return is_proven;
}

// A chain of 2 to 4 stages with rates up to 3, in parts of one or more, on up to 3 processors each.
Document chain_with_rates(std::uint64_t seed) {
  support::Draw draw(seed);
  Document document;
  tpn::Mapping mapping;
  const std::size_t stages = draw.count(2, 4);
  const bool are_alone = draw.one_in(3);
  for (std::size_t k = 0; k < stages; ++k) {
    tpn::Stage stage{.name = "S" + std::to_string(k), .work = draw.whole(0, 9), .output = draw.whole(0, 6)};
    if (k > 0) stage.consumes = draw.whole(1, 3);
    stage.produces = k == 0 ? draw.whole(2, 3) : draw.whole(1, 3);
    document.application.stages.push_back(std::move(stage));
    if (k > 0 && draw.one_in(3)) {
      mapping.back().last_stage = k;
      continue;
    }
    tpn::Part part{.first_stage = k, .last_stage = k};
    const std::size_t machines = are_alone ? 1 : draw.count(1, 3);
    for (std::size_t n = 0; n < machines; ++n) {
      part.processors.push_back(document.platform.processors.size());
      const std::string name = "P" + std::to_string(document.platform.processors.size());
      document.platform.processors.push_back({.name = name, .speed = draw.whole(1, 2), .time = {}});
    }
    mapping.push_back(std::move(part));
  }
  document.platform.defaults = {.bandwidth = draw.whole(1, 2), .latency = draw.whole(0, 2), .time = {}};
  for (std::size_t from = 0; from + 1 < document.platform.processors.size(); ++from) {
    if (draw.one_in(2))
      document.platform.links.push_back(
          {.from = from, .to = from + 1, .timing = {.bandwidth = {}, .latency = {}, .time = draw.whole(0, 9)}});
  }
  document.mapping = std::move(mapping);
  tpn::validate(document);
  return document;
}

}  // namespace

TEST_CASE("known periods of stages with rates are within what is said of them") {
  const std::string folder = "tests/data/world/rates/";
  std::ifstream file(std::string(TAKT_SOURCE_DIR) + "/" + folder + "expected.json");
  const auto expected = nlohmann::json::parse(file);
  for (const auto& [name, periods] : expected.items()) {
    const Document document = support::document_of(folder + name + ".json");
    for (const tpn::Model& model : tpn::default_models()) {
      const auto known =
          std::get<Rational>(maxplus::parse_number(periods.at(std::string(tpn::name_of(model))).get<std::string>()));
      INFO(name << ", " << tpn::name_of(model));
      CHECK_FALSE(is_exact_and_true(document, model, known));
      CHECK(played_period(document, model).value_or(known) == known);
    }
  }
}

TEST_CASE("what is said of stages with rates holds firing by firing") {
  const std::uint64_t seeds = support::draws(300);
  std::uint64_t played = 0;
  std::uint64_t exact = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const Document document = chain_with_rates(seed);
    for (const tpn::Model& model : tpn::default_models()) {
      INFO(seed << ", " << tpn::name_of(model));
      const auto period = played_period(document, model);
      if (!period) continue;
      ++played;
      if (is_exact_and_true(document, model, *period)) ++exact;
    }
  }
  CHECK(played > seeds);
  CHECK(exact > seeds / 8);
}

}  // namespace takt::evaluators
