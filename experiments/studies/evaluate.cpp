// evaluate: the exact period of each mapping drawn, and how far it is from the largest cycle time.
//
// Problem. How often has a random mapping no critical resource, and what does that cost? Its period is the largest
// cycle time M_ct of a resource, or more: the gap is period / M_ct - 1.
//
// References. [benoit2009throughput, section 5, Table 2].
#include <numeric>

#include "evaluators/mappings/evaluator.hpp"
#include "experiments/description.hpp"
#include "experiments/studies/periods.hpp"
#include "maxplus/rational.hpp"
#include "tpn/models.hpp"

namespace takt::experiments {

namespace {

enum class Measured { period, max_cycle_time, gap, rows };

// The lcm of the lengths of the sequences, where 64 bits hold it.
std::optional<Rational> rows_of(const tpn::Mapping& mapping) {
  std::uint64_t rows = 1;
  for (const tpn::Part& part : mapping) {
    const auto lcm = maxplus::checked_lcm(rows, part.processors.size());
    if (!lcm) return std::nullopt;
    rows = *lcm;
  }
  return Rational(rows);
}

class EvaluateStudy : public Study {
 public:
  EvaluateStudy(const Description& description, const ExperimentCell& cell) : description_(description), cell_(cell) {
    for (const tpn::Model& model : description.models) series_.push_back({{"model", tpn::label_of(model)}});
    for (const std::string& measure : description.measures) {
      measured_.push_back(measure == "period"           ? Measured::period
                          : measure == "max_cycle_time" ? Measured::max_cycle_time
                          : measure == "gap"            ? Measured::gap
                                                        : Measured::rows);
    }
  }

  const std::vector<SeriesKeys>& series() const override { return series_; }

  void run(const DrawKey& key, const maxplus::Deadline& deadline, DrawResult& result) override {
    const tpn::Document document = cell_.arguments.generator().draw(cell_.arguments, key);
    evaluators::MappingEvaluator evaluator(document);
    for (std::size_t m = 0; m < description_.models.size(); ++m) {
      const tpn::Model& model = description_.models[m];
      const auto period = exact_period(evaluator, document, *document.mapping, model, deadline);
      if (const auto* reason = std::get_if<std::string>(&period)) {
        result[m].fail(*reason);
        continue;
      }
      const auto longest = evaluator.largest_cycle_time(*document.mapping, model);
      put(*document.mapping, std::get<Rational>(period), longest ? std::optional(longest->rational()) : std::nullopt,
          result[m]);
    }
  }

 private:
  void put(const tpn::Mapping& mapping, const Rational& period, const std::optional<Rational>& longest,
           SeriesResult& result) const {
    for (std::size_t i = 0; i < measured_.size(); ++i) {
      switch (measured_[i]) {
        case Measured::period:
          result.values[i] = period;
          break;
        case Measured::max_cycle_time:
          result.values[i] = longest;
          break;
        case Measured::rows:
          result.values[i] = rows_of(mapping);
          break;
        case Measured::gap:
          // Nothing takes no time at all in what takes some.
          result.values[i] = !longest               ? std::nullopt
                             : period == *longest   ? std::optional(Rational(0))
                             : longest->sign() == 0 ? std::nullopt
                                                    : std::optional(period / *longest - Rational(1));
          break;
      }
    }
  }

  const Description& description_;
  const ExperimentCell& cell_;
  std::vector<SeriesKeys> series_;
  std::vector<Measured> measured_;
};

std::optional<std::string> objection(const Description& description) {
  if (description.generator->kind == DrawnKind::instance) return std::nullopt;
  return "it needs mappings, and the generator draws problems without";
}

}  // namespace

StudyKind evaluate_study() {
  return {.name = "evaluate",
          .summary = "the exact periods of the mappings drawn, and their gaps to the largest cycle time",
          .keys = {"models"},
          .measures = {{"period", "exact, in time units per data set"},
                       {"max_cycle_time", "the longest that a resource is busy per data set"},
                       {"gap", "period / max_cycle_time - 1: more than 0 where no resource is critical"},
                       {"rows", "data sets after which the net repeats: the lcm of the numbers of replicas"}},
          .draws_per_chunk = 50'000,
          .objection = objection,
          .prepare = [](const Description& description, const ExperimentCell& cell) -> std::unique_ptr<Study> {
            return std::make_unique<EvaluateStudy>(description, cell);
          }};
}

}  // namespace takt::experiments
