// Each line is read, folded and evaluated as a file would be.
#include "tools/lines/evaluate_lines.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include "evaluators/evaluate.hpp"
#include "tools/answers/latency_output.hpp"
#include "tools/answers/limit_words.hpp"
#include "tools/files/files.hpp"
#include "tools/files/model_choice.hpp"
#include "tools/lines/line_results.hpp"
#include "tools/lines/plain_line.hpp"
#include "tpn/json_writer.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

namespace {

class EvaluateLine {
 public:
  explicit EvaluateLine(const EvaluateOptions& options) : options_(options), is_quick_(wants_periods_alone(options)) {}

  void operator()(const TextLine& line, LineOutput& output) {
    if (is_quick_ && add_quickly(line, output)) return;
    const std::string& file = options_.files.front();
    const tpn::Document document = parse_instance(line.text, file, line.number);
    for (const tpn::Model& model : models_of(document, options_.model)) {
      const auto failure = failure_of(fmt::format("{}:{}", display_name(file), line.number),
                                      [&] { add(line.number, document, model, output); });
      if (failure) output.add_failure(options_.files.front(), line.number, *failure, &model);
    }
  }

 private:
  void add(std::size_t line, const tpn::Document& document, const tpn::Model& model, LineOutput& output) const {
    const evaluators::Options settings = evaluator_options(options_);
    auto folded = fold_instance(options_.files.front(), document, model, settings.deadline, options_.window.value_or(0),
                                rated_stages(options_));
    if (const auto* too_large = std::get_if<tpn::TooLarge>(&folded)) {
      output.add_failure(options_.files.front(), line, {kLimit, too_large_text(*too_large)}, &model);
      return;
    }
    auto& result = std::get<EvaluatedInstance>(folded);
    require_fit(result, options_);
    result.evaluation = evaluators::evaluate(result.net, settings);
    if (!result.evaluation.exact()) output.worsen(kLimit);
    if (!options_.json) {
      write_line(output.text(), line_result(line, result, document.time_unit));
      return;
    }
    add_latency(result, settings.deadline, output);
    tpn::JsonWriter json(output.text(), tpn::IllFormed::replaced);
    write_json(json, result, options_.circuit_length(), line);
    output.text() += '\n';
  }

  // Where a limit leaves none, the result has no such member.
  void add_latency(EvaluatedInstance& result, const evaluators::Deadline& deadline, LineOutput& output) const {
    if (!(options_.latency || options_.latency_curve) || !result.evaluation.exact()) return;
    const LatencyDetail detail = options_.latency_curve ? LatencyDetail::all_and_curve : LatencyDetail::all;
    auto found = find_latency(result, detail, deadline);
    if (auto* latency = std::get_if<FoundLatency>(&found)) {
      result.latency = std::move(*latency);
    } else {
      output.worsen(kLimit);
    }
  }

  // Whether the options ask for nothing that another method, or a limit, may answer differently.
  static bool wants_periods_alone(const EvaluateOptions& options) {
    return !options.json && !options.window && options.method == "auto" && !options.max_rows && !options.max_memory &&
           !options.model.rooms;
  }

  // False if it is not for plain instances: nothing was added then.
  bool add_quickly(const TextLine& line, LineOutput& output) {
    if (!plain_->read(line.text)) return false;
    const std::optional<tpn::Model> chosen = chosen_model(options_.model, plain_->instance().model());
    const auto periods = plain_->periods(chosen ? std::span(&*chosen, 1) : tpn::default_models());
    for (const PlainPeriod& found : periods) {
      write_line(output.text(), LineResult{.file = options_.files.front(),
                                           .line = line.number,
                                           .model = found.model,
                                           .lower = found.period,
                                           .upper = found.period,
                                           .max_cycle_time = found.max_cycle_time,
                                           .processor = found.processor,
                                           .resource = found.resource,
                                           .limit = {}});
    }
    return !periods.empty();
  }

  const EvaluateOptions& options_;
  bool is_quick_;
  std::shared_ptr<PlainLine> plain_ = std::make_shared<PlainLine>();  // an answerer can be copied
};

}  // namespace

int evaluate_lines(const EvaluateOptions& options, Streams& streams) {
  return answer_lines(
      options.files.front(), options.lines.jobs, [&] { return EvaluateLine(options); }, streams);
}

}  // namespace takt::tools
