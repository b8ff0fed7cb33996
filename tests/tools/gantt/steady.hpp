// The steady state of an instance, as charts take it.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "evaluators/evaluate.hpp"
#include "evaluators/insight/paced.hpp"
#include "tests/support/evaluations.hpp"
#include "tools/gantt/chart.hpp"
#include "tools/gantt/gantt_drawing.hpp"
#include "tools/words/operation_words.hpp"
#include "tools/words/time_words.hpp"

namespace takt::testing {

/// An instance under a model, evaluated; charts refer to it.
struct Steady {
  Steady(const tpn::Document& document, const tpn::Model& model)
      : stages(tools::stage_names(document.application)),
        times(document),
        net(support::net_of(document, model)),
        evaluation(evaluators::evaluate(net)),
        paced(std::get<evaluators::PacedSchedule>(evaluators::paced_schedule(net, evaluation.upper))),
        chart(net, paced, evaluation.circuit) {}
  Steady(const Steady&) = delete;
  Steady& operator=(const Steady&) = delete;

  tools::ChartSubject subject() const { return {net, stages, times}; }

  std::vector<std::string> stages;
  tools::TimeWords times;
  tpn::FoldedNet net;
  evaluators::Evaluation evaluation;
  evaluators::PacedSchedule paced;
  tools::PacedChart chart;
};

}  // namespace takt::testing
