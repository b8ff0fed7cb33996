// takt vary: throughput and latencies where times vary.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <array>
#include <charconv>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tools/answers/evaluation_output.hpp"
#include "tools/answers/limit_words.hpp"
#include "tools/files/files.hpp"
#include "tools/files/progress.hpp"
#include "tools/files/several_files.hpp"
#include "tools/frame/command_line.hpp"
#include "tools/frame/laws.hpp"
#include "tools/frame/limited_search.hpp"
#include "tools/frame/options.hpp"
#include "tools/frame/rates.hpp"
#include "tools/pictures/svg_picture.hpp"
#include "tools/vary/estimate_words.hpp"
#include "tools/vary/vary_output.hpp"
#include "tools/vary/vary_plot.hpp"
#include "tools/words/json_results.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

namespace {

using maxplus::Rational;

constexpr std::uint64_t kMostCopies = 1'000'000;
constexpr std::uint64_t kMostDataSets = 10'000'000;
constexpr std::uint64_t kFewestDataSets = 10;

struct VaryOptions {
  std::string file;
  ModelChoice model;
  std::string law;
  std::vector<std::string> rates;
  std::string arrivals = "periodic";
  std::string within;
  std::uint64_t copies = 64;
  std::uint64_t data_sets = 4000;
  std::optional<std::string> precision;
  std::uint64_t seed = 1;
  std::optional<double> time_limit;
  bool json = false;
  std::string output;

  bool draws() const { return !output.empty(); }
};

// "99% 150ms"
struct WithinText {
  std::string share;
  std::string latency;
};

std::optional<WithinText> read_within(const std::string& text) {
  const std::size_t space = text.find(' ');
  if (space == std::string::npos) return std::nullopt;
  WithinText within{text.substr(0, space), text.substr(text.find_first_not_of(' ', space))};
  if (!share()(within.share).empty() || !positive_time()(within.latency).empty()) return std::nullopt;
  const Rational number = parse_share(within.share);
  if (number.sign() <= 0 || number >= Rational(1)) return std::nullopt;
  return within;
}

ValueCheck latency_limit() {
  return [](const std::string& text) -> std::string {
    if (read_within(text)) return "";
    return fmt::format("found \"{}\", expected a share below 100 % and a time, as in \"99% 150ms\"", text);
  };
}

VaryQuestion question_of(const VaryOptions& options, const tpn::Document& document) {
  VaryQuestion question;
  if (!options.law.empty()) question.law = std::get<tpn::Law>(tpn::parse_law(options.law));
  question.law_text = options.law;
  for (const std::string& rate : options.rates) question.gaps.push_back(period_of_rate("--rate", rate, document));
  if (!options.within.empty()) {
    const WithinText within = *read_within(options.within);
    question.within_latency = read_time("--within", within.latency, document);
    question.within = {double_of(parse_share(within.share)), double_of(*question.within_latency)};
  }
  if (options.draws()) question.loads = curve_loads();
  question.settings.seed = options.seed;
  question.settings.copies = options.copies;
  question.settings.data_sets = options.data_sets;
  question.settings.arrivals = options.arrivals == "poisson" ? vary::ArrivalKind::poisson : vary::ArrivalKind::periodic;
  if (options.precision) question.settings.precision = double_of(parse_share(*options.precision));
  return question;
}

void require_consistent(const VaryOptions& options) {
  if (options.draws()) {
    if (!names_picture(options.output)) {
      throw UsageError(
          fmt::format("-o: found \"{}\", expected a name that ends in .svg, .png or .pdf", options.output));
    }
    if (options.json) throw UsageError("-o goes without --json");
    require_apart({options.file}, {options.output});
    require_writable(options.output);
  }
  if (options.copies < 2 || options.copies > kMostCopies) {
    throw UsageError(fmt::format("--copies: found {}, expected 2 to {}", options.copies, kMostCopies));
  }
  if (options.data_sets < kFewestDataSets || options.data_sets > kMostDataSets) {
    throw UsageError(
        fmt::format("--data-sets: found {}, expected {} to {}", options.data_sets, kFewestDataSets, kMostDataSets));
  }
  if (options.precision && parse_share(*options.precision).sign() <= 0) {
    throw UsageError(fmt::format("--precision: found {}, expected a share above 0, as in 1%", *options.precision));
  }
}

// Which rates are beyond what the mapping sustains; the status where one is.
int tell_of_growth(const VariedInstance& result, Streams& streams) {
  const EstimateWords words(result.times);
  int status = kAnswered;
  for (const VariedRate& rate : result.rates) {
    if (rate.figures) continue;
    tell(streams, fmt::format("{}, {}: at {} latency grows without bound: the most is {}", display_name(result.file),
                              tpn::label_of(result.model), words.rate_at(rate.gap), words.rate_of(result.period)));
    status = kNo;
  }
  if (result.smallest_gap && !result.smallest_gap->gap) status = kNo;
  return status;
}

void require_law(const VaryOptions& options, const tpn::Document& document) {
  if (!options.law.empty() || vary::has_laws(document)) return;
  throw UsageError(
      fmt::format("--law: found neither the option nor a law in {}, expected one of them: how do times vary? "
                  "Such as --law lognormal:0.5",
                  display_name(options.file)));
}

void require_no_ahead(const VaryOptions& options, const tpn::Document& document) {
  if (options.within.empty()) return;
  const auto pipeline = tpn::make_pipeline(document);
  const auto* made = std::get_if<tpn::Pipeline>(&pipeline);
  if (made == nullptr || !(made->is_shifted() || made->has_batches())) return;
  throw UsageError(
      "--within: found transfers that are ahead or batches, expected none: a lower rate may then have longer "
      "latencies; "
      "--rate shows those of single rates");
}

void draw(const VariedInstance& result, const std::string& path, Streams& streams) {
  write_file(path, picture_bytes(plot_svg(vary_plot(result)), path));
  fmt::print(streams.out, "wrote {}\n", display_name(path));
}

int vary_times(const VaryOptions& options, Streams& streams) {
  require_consistent(options);
  const tpn::Document document = read_instance(options.file, streams);
  require_law(options, document);
  require_no_ahead(options, document);
  const std::vector<tpn::Model> models = models_of(document, options.model);
  JsonResults results(models.size(), streams.out);
  int status = kAnswered;
  bool is_first = true;
  for (const tpn::Model& model : models) {
    const LimitedSearch search(options.time_limit);
    Progress progress(streams);
    VaryQuestion question = question_of(options, document);
    question.settings.deadline = search.deadline();
    question.settings.on_copies = [&](std::uint64_t copies) {
      progress.show(
          fmt::format("{}, {}: {} copies", printable(display_name(options.file)), tpn::label_of(model), copies));
    };
    const auto answer = vary_instance(options.file, document, model, question);
    if (const auto* none = std::get_if<NotVaried>(&answer)) {
      status = tell_limit(streams, options.file, model, none->reason);
      continue;
    }
    const auto& result = std::get<VariedInstance>(answer);
    if (options.draws()) {
      draw(result, path_of_model(options.output, model, models.size()), streams);
    } else if (options.json) {
      write_vary_json(results.next(), result);
    } else {
      if (!is_first) streams.out << '\n';
      write_vary_table(streams.out, result);
    }
    is_first = false;
    status = std::max(status, tell_of_growth(result, streams));
    if (result.is_cut_short) {
      status = tell_limit(streams, options.file, model,
                          fmt::format("{}: {} copies were played", why_ended(), result.copies));
    }
  }
  if (options.json && !options.draws()) results.finish();
  return status;
}

// What is asked.
void add_question_options(CommandLine& line, VaryOptions& options) {
  line.option("--law", options.law,
              "how every time varies around its mean, which is the file's; see below; default: the laws in the file")
      .check(law_text())
      .type_name("LAW");
  line.option("--rate", options.rates,
              "latencies at this rate, such as 180/s; may be given several times; default: 50, 70, 80, 90 and 95 % of "
              "what the mapping sustains")
      .check(positive_rate())
      .type_name("RATE");
  line.option("--arrivals", options.arrivals, "periodic (evenly spaced) or poisson (at random)")
      .check(one_of({"periodic", "poisson"}))
      .shows_default()
      .type_name("KIND");
  line.option("--within", options.within,
              "find the largest rate that keeps this share within this latency: \"99% 150ms\"")
      .check(latency_limit())
      .type_name("LIMIT");
}

// How much is played.
void add_play_options(CommandLine& line, VaryOptions& options) {
  line.option("--copies", options.copies, "independent plays, rounded up to a multiple of 16")
      .check(positive_integer())
      .shows_default()
      .type_name("N");
  line.option("--data-sets", options.data_sets, "data sets of each, of which the first fifth is not measured")
      .check(positive_integer())
      .shows_default()
      .type_name("N");
  line.option("--precision", options.precision, "add copies until every interval is this narrow, as in 1%")
      .check(share())
      .type_name("SHARE");
  line.option("--seed", options.seed, "of the random numbers").check(whole_number()).shows_default().type_name("N");
  add_time_limit(line, options.time_limit, "after which the copies so far are shown");
}

}  // namespace

Action define_vary(CommandLine& line) {
  auto options = std::make_shared<VaryOptions>();
  line.positional("FILE", options->file, "an instance (JSON); - is standard input");
  add_model_options(line, options->model);
  add_question_options(line, *options);
  add_play_options(line, *options);
  line.flag("--json", options->json, "print JSON");
  line.option("-o", options->output,
              "draw latencies over rates: .svg, .png or .pdf; of two models each has its name added: OUT-strict.svg")
      .check(output_name())
      .type_name("OUT");
  line.footer(
      "Laws in the file: {\"mean\": \"20 ms\", \"law\": \"lognormal\", \"cv\": 0.5} in place of a time, work or size; "
      "--law\n"
      "overrides them all.\n"
      "Laws: constant, exponential, uniform:SPREAD (mean +- SPREAD, as in 20%), erlang:PHASES, gamma:CV, "
      "lognormal:CV,\n"
      "normal:CV (positive values only), pareto:EXPONENT; CV is standard deviation / mean.\n"
      "Estimates stand with their interval of 95 %, and what is proved is marked exact. The same seed gives the same\n"
      "luck to every rate.\n"
      "Exit status 1 where latency grows without bound, or no rate keeps the limit.\n"
      "\n"
      "Examples:\n"
      "  takt vary examples/example-a.json --model strict --law exponential\n"
      "  takt vary examples/video.json --law erlang:4 -o curve.svg\n"
      "  takt vary examples/video.json --model overlap --law erlang:4 --rate 100/s --rate 120/s\n"
      "  takt vary examples/video.json --model overlap --law erlang:4 --within \"99% 70ms\"");
  return [options](Streams& streams) { return vary_times(*options, streams); };
}

}  // namespace takt::tools
