// idle: how many resources of a mapping drawn are busy for less than a share of the period.
//
// Problem. A processor that waits most of the time could do more: how many do, in a random mapping?
//
// Method. The exact period, and the cycle times of the net's resources beside it. Keys: "busy_below", shares, a series
// each; "ports", whether those that only receive or send count, too.
#include <algorithm>

#include "experiments/descriptions/description.hpp"
#include "experiments/studies/periods.hpp"
#include "tpn/folded_net.hpp"

namespace takt::experiments {

namespace {

struct IdleSettings : StudySettings {
  std::vector<Rational> busy_below;
  bool has_ports = false;
};

std::unique_ptr<const StudySettings> read_idle(const tpn::json::Tree& tree) {
  auto settings = std::make_unique<IdleSettings>();
  for (const tpn::json::Value& item : listed(tree, "busy_below", "shares of the period")) {
    settings->busy_below.push_back(tpn::json::as_number(tree, item, tpn::json::Bound::non_negative));
  }
  if (const auto* ports = tpn::json::find(tree.root, "ports")) {
    settings->has_ports = tpn::json::as_boolean(tree, *ports);
  }
  return settings;
}

class IdleStudy : public Study {
 public:
  IdleStudy(const Description& description, const ExperimentCell& cell)
      : description_(description), cell_(cell), asked_(settings_of<IdleSettings>(description)) {
    for (const Rational& share : asked_.busy_below) series_.push_back({{"busy_below", share.to_string()}});
  }

  const std::vector<SeriesKeys>& series() const override { return series_; }

  void run(const DrawKey& key, const maxplus::Deadline& deadline, DrawResult& result) override {
    const tpn::Document drawn = draw_taken(description_, cell_, key);
    evaluators::MappingEvaluator evaluator(drawn);
    const auto found = exact_period(evaluator, drawn, *drawn.mapping, tpn::Model::kOverlap, deadline);
    const auto folded = tpn::fold(drawn, tpn::Model::kOverlap);
    for (std::size_t s = 0; s < series_.size(); ++s) {
      const auto* period = std::get_if<Rational>(&found);
      const auto* net = std::get_if<tpn::FoldedNet>(&folded);
      if (period == nullptr || net == nullptr) {
        result[s].fail("the period is not known");
      } else {
        result[s].values.assign(description_.measures.size(), idle(*net, asked_.busy_below[s] * *period));
      }
    }
  }

 private:
  Rational idle(const tpn::FoldedNet& net, const Rational& least) const {
    return Rational(static_cast<std::uint64_t>(std::ranges::count_if(net.resources, [&](const auto& resource) {
      const bool counts = asked_.has_ports || resource.kind == tpn::ConstraintKind::compute;
      return counts && resource.cycle_time < least;
    })));
  }

  const Description& description_;
  const ExperimentCell& cell_;
  const IdleSettings& asked_;
  std::vector<SeriesKeys> series_;
};

std::optional<std::string> objection_of_idle(const Description& description) {
  if (description.generator->kind != DrawnKind::instance) return "it needs a generator of instances";
  const auto& shares = settings_of<IdleSettings>(description).busy_below;
  if (shares.empty() || std::ranges::max(shares) > 1) return "it needs \"busy_below\", shares of at most 1";
  return std::nullopt;
}

}  // namespace

StudyKind idle_study() {
  return {.name = "idle",
          .summary = "how many resources of the mappings drawn are busy for less than a share of the period",
          .keys = {"busy_below", "ports"},
          .measures = {{"idle", "the number of resources"}},
          .objection = objection_of_idle,
          .read = read_idle,
          .prepare = [](const Description& description, const ExperimentCell& cell) -> std::unique_ptr<Study> {
            return std::make_unique<IdleStudy>(description, cell);
          }};
}

}  // namespace takt::experiments
