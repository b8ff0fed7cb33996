// takt vary: throughput and latencies where times vary.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
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
#include "tools/vary/arrival_table.hpp"
#include "tools/vary/comparison_output.hpp"
#include "tools/vary/estimate_words.hpp"
#include "tools/vary/law_options.hpp"
#include "tools/vary/net_choices.hpp"
#include "tools/vary/vary_output.hpp"
#include "tools/vary/vary_plot.hpp"
#include "tools/vary/vary_words.hpp"
#include "tools/words/json_results.hpp"
#include "tools/words/number_words.hpp"
#include "tools/words/suggestion.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

namespace {

constexpr std::uint64_t kMostDataSets = 10'000'000;
constexpr std::uint64_t kFewestDataSets = 10;
constexpr std::uint64_t kUsualDataSets = 4000;
constexpr std::string_view kPeriodic = "periodic";
constexpr std::string_view kPoisson = "poisson";

struct VaryOptions {
  std::string file;
  ModelChoice model;
  std::string law;
  std::vector<std::string> rates;
  std::string arrivals = "periodic";
  std::string within;
  std::string beside;
  std::string rooms;
  std::string windows;
  std::uint64_t copies = 64;
  std::optional<std::uint64_t> data_sets;
  std::optional<std::string> precision;
  std::uint64_t seed = 1;
  std::optional<double> time_limit;
  bool json = false;
  std::string output;

  bool draws() const { return !output.empty(); }
  bool has_table() const { return arrivals != kPeriodic && arrivals != kPoisson; }
  bool has_several_rooms() const { return rooms.find(',') != std::string::npos; }
  bool compares() const { return !beside.empty() || !windows.empty() || has_several_rooms(); }

  /// With a single room, which is the model's.
  ModelChoice one_model() const {
    ModelChoice choice = model;
    if (!rooms.empty() && !has_several_rooms()) choice.rooms = parse_ascending_integers(rooms).front();
    return choice;
  }
};

ValueCheck arrival_kind() {
  const std::vector<std::string> names = {std::string(kPeriodic), std::string(kPoisson)};
  return {[names](const std::string& text) -> std::string {
            // What has neither a dot nor a slash is rather a word that is misspelt.
            const bool is_file = text == "-" || text.find_first_of("./") != std::string::npos;
            if (is_file || std::ranges::find(names, text) != names.end()) return "";
            return fmt::format("found \"{}\"{}, expected periodic, poisson or a table, as in arrivals.csv",
                               printable(text), suggestion(text, names));
          },
          {.names = names, .has_files = true}};
}

VaryQuestion question_of(const VaryOptions& options, const tpn::Document& document,
                         const std::optional<ArrivalTable>& table) {
  VaryQuestion question;
  if (!options.law.empty()) question.law = law_of_text(options.law);
  question.law_text = options.law;
  for (const std::string& rate : options.rates) question.gaps.push_back(period_of_rate("--rate", rate, document));
  if (!options.within.empty()) question.within = limit_of_text("--within", options.within, document);
  if (options.draws()) question.loads = curve_loads();
  question.draws_curve = options.draws();
  question.table = table;
  question.settings.seed = options.seed;
  question.settings.copies = options.copies;
  question.settings.data_sets = options.data_sets.value_or(kUsualDataSets);
  question.settings.arrivals = {options.arrivals == kPoisson ? vary::ArrivalKind::poisson
                                                             : vary::ArrivalKind::periodic};
  if (options.precision) question.settings.precision = double_of(parse_share(*options.precision));
  question.settings.lengthens = !options.data_sets;
  return question;
}

void require_one_comparison(const VaryOptions& options) {
  std::vector<std::string> asked;
  if (!options.beside.empty()) asked.emplace_back("--beside");
  if (!options.windows.empty()) asked.emplace_back("--windows");
  if (options.has_several_rooms()) asked.emplace_back("several --rooms");
  if (asked.size() > 1) throw UsageError(fmt::format("{} does not go with {}", asked[0], asked[1]));
  if (asked.empty()) return;
  if (options.draws()) throw UsageError(fmt::format("-o does not go with {}", asked[0]));
  if (!options.within.empty()) throw UsageError(fmt::format("--within does not go with {}", asked[0]));
}

void require_consistent(const VaryOptions& options) {
  require_one_comparison(options);
  std::vector<std::string> inputs = {options.file};
  if (!options.beside.empty()) inputs.push_back(options.beside);
  if (options.has_table()) inputs.push_back(options.arrivals);
  require_one_stdin(inputs);
  if (options.draws()) {
    if (!names_picture(options.output)) {
      throw UsageError(
          fmt::format("-o: found \"{}\", expected a name that ends in .svg, .png or .pdf", options.output));
    }
    if (options.json) throw UsageError("-o does not go with --json");
    require_apart(inputs, {options.output});
    require_writable(options.output);
  }
  if (options.copies < 2 || options.copies > vary::kMostCopies) {
    throw UsageError(fmt::format("--copies: found {}, expected 2 to {}", options.copies, vary::kMostCopies));
  }
  if (options.data_sets && (*options.data_sets < kFewestDataSets || *options.data_sets > kMostDataSets)) {
    throw UsageError(
        fmt::format("--data-sets: found {}, expected {} to {}", *options.data_sets, kFewestDataSets, kMostDataSets));
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

// "takt: a.json, strict: why"; the status of that.
int tell_end(Streams& streams, const std::string& file, const std::string& label, const std::string& why) {
  tell(streams, fmt::format("{}, {}: {}", display_name(file), label, why));
  return kLimit;
}

// What ended before all was played that was asked for; the status where something did.
int tell_of_end(const PlayedAmount& amount, const VaryQuestion& question, const std::string& file,
                const std::string& label, Streams& streams) {
  const std::string why = end_words(question, amount);
  return why.empty() ? kAnswered : tell_end(streams, file, label, why);
}

void draw(const VariedInstance& result, const std::string& path, Streams& streams) {
  if (result.rates.empty()) {
    return tell(streams, fmt::format("{}: nothing was drawn: there are no latencies", display_name(result.file)));
  }
  write_file(path, picture_bytes(plot_svg(vary_plot(result)), path));
  fmt::print(streams.out, "wrote {}\n", display_name(path));
}

// A question with its limits and its progress, while it is answered.
class AskedQuestion {
 public:
  AskedQuestion(const VaryOptions& options, const tpn::Document& document, const std::optional<ArrivalTable>& table,
                const std::string& label, Streams& streams)
      : search_(options.time_limit), progress_(streams), question_(question_of(options, document, table)) {
    question_.settings.deadline = search_.deadline();
    question_.settings.on_copies = [this, of = printable(display_name(options.file)), label](std::uint64_t copies) {
      progress_.show(fmt::format("{}, {}: {} copies", of, label, copies));
    };
  }
  const VaryQuestion& question() const { return question_; }

 private:
  LimitedSearch search_;
  Progress progress_;
  VaryQuestion question_;
};

std::optional<ArrivalTable> table_of(const VaryOptions& options, const tpn::Document& document, Streams& streams) {
  if (!options.has_table()) return std::nullopt;
  return read_arrivals(read_text(options.arrivals, streams), options.arrivals, document, options.data_sets);
}

int vary_alone(const VaryOptions& options, const tpn::Document& document, Streams& streams) {
  require_no_ahead(options, document);
  const std::vector<tpn::Model> models = models_of(document, options.one_model());
  const auto table = table_of(options, document, streams);
  JsonResults results(models.size(), streams.out);
  int status = kAnswered;
  bool is_first = true;
  for (const tpn::Model& model : models) {
    const std::string label = tpn::label_of(model);
    const AskedQuestion asked(options, document, table, label, streams);
    const auto answer = vary_instance(options.file, document, model, asked.question());
    if (const auto* none = std::get_if<NotVaried>(&answer)) {
      status = tell_end(streams, options.file, label, none->reason);
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
    status = std::max({status, tell_of_growth(result, streams),
                       tell_of_end(result.amount, result.question, options.file, label, streams)});
  }
  if (options.json && !options.draws()) results.finish();
  return status;
}

// Which rates are beyond what any of the nets sustains; the status where one is.
int tell_of_growth(const VaryComparison& result, const std::string& label, Streams& streams) {
  const EstimateWords words(result.times);
  int status = kAnswered;
  for (std::size_t r = 0; r < result.gaps.size(); ++r) {
    if (std::ranges::any_of(result.nets, [r](const ComparedNet& net) { return net.at_rates[r].has_value(); })) continue;
    tell(streams, fmt::format("{}, {}: at {} latency grows without bound with all of them", display_name(result.file),
                              label, words.rate_at(result.gaps[r])));
    status = kNo;
  }
  return status;
}

int compare_nets(const VaryOptions& options, const tpn::Document& document, const std::vector<NetChoices>& comparisons,
                 Streams& streams) {
  const auto table = table_of(options, document, streams);
  JsonResults results(comparisons.size(), streams.out);
  int status = kAnswered;
  bool is_first = true;
  for (const NetChoices& choices : comparisons) {
    const AskedQuestion asked(options, document, table, choices.label, streams);
    const auto answer = compare_varied(choices.title, choices.nets, asked.question());
    if (const auto* none = std::get_if<NotVaried>(&answer)) {
      status = tell_end(streams, options.file, choices.label, none->reason);
      continue;
    }
    const auto& result = std::get<VaryComparison>(answer);
    if (options.json) {
      write_comparison_json(results.next(), result);
    } else {
      if (!is_first) streams.out << '\n';
      write_comparison_table(streams.out, result);
    }
    is_first = false;
    status = std::max({status, tell_of_growth(result, choices.label, streams),
                       tell_of_end(result.amount, result.question, options.file, choices.label, streams)});
  }
  if (options.json) results.finish();
  return status;
}

int vary_times(const VaryOptions& options, Streams& streams) {
  require_consistent(options);
  const tpn::Document document = read_instance(options.file, streams);
  require_law(options.law, document, options.file);
  if (!options.beside.empty()) {
    const tpn::Document other = read_instance(options.beside, streams);
    const auto choices = choices_beside(options.file, document, options.beside, other, options.one_model());
    return compare_nets(options, document, choices, streams);
  }
  if (!options.windows.empty()) {
    const auto windows = parse_ascending_integers(options.windows);
    const auto models = models_of(document, options.one_model());
    return compare_nets(options, document, choices_of_windows(options.file, document, models, windows), streams);
  }
  if (options.has_several_rooms()) {
    const auto rooms = parse_ascending_integers(options.rooms);
    return compare_nets(options, document, {choices_of_rooms(options.file, document, options.model.name, rooms)},
                        streams);
  }
  return vary_alone(options, document, streams);
}

// What is asked.
void add_question_options(CommandLine& line, VaryOptions& options) {
  line.option("--law", options.law,
              "distribution of every time, see below; its mean is the time in the file; default: the laws in the file")
      .check(law_text())
      .type_name("LAW");
  line.option("--rate", options.rates,
              "print latencies at this rate, such as 180/s; repeatable; default: 50, 70, 80, 90 and 95 % of the "
              "largest rate that the mapping sustains")
      .check(positive_rate())
      .type_name("RATE");
  line.option("--arrivals", options.arrivals,
              "periodic (evenly spaced), poisson (at random), or a CSV table with a column \"arrival\", or one column; "
              "--rate stretches its gaps to that mean rate")
      .check(arrival_kind())
      .shows_default()
      .type_name("KIND");
  line.option("--within", options.within,
              "find the largest rate at which this share of data sets stays at most this long: \"99% 150ms\"")
      .check(latency_limit())
      .type_name("LIMIT");
}

// What is compared.
void add_comparison_options(CommandLine& line, VaryOptions& options) {
  line.option("--rooms", options.rooms,
              "with --model bounded: room for K files before, and K behind, each computation; several, as in 1,2,4, "
              "are compared, with unlimited room as well")
      .check(ascending_integers())
      .type_name("K,...");
  line.option("--windows", options.windows,
              "compare limits on the data sets in the pipeline, as in 4,8,16, and no limit")
      .check(ascending_integers())
      .type_name("W,...");
  line.option("--beside", options.beside,
              "compare with this instance of the same stages: is the difference significant?")
      .offers_files()
      .type_name("OTHER");
}

// How much is played.
void add_play_options(CommandLine& line, VaryOptions& options) {
  line.option("--copies", options.copies, "independent plays, rounded up to a multiple of 16")
      .check(positive_integer())
      .shows_default()
      .type_name("N");
  line.option("--data-sets", options.data_sets,
              "data sets per copy; the first fifth is not measured; default: 4000, or the rows of a table of arrivals, "
              "all measured")
      .check(positive_integer())
      .type_name("N");
  line.option("--precision", options.precision,
              "add copies until every interval is this narrow, such as 1%; without --data-sets also make copies longer")
      .check(share())
      .type_name("SHARE");
  line.option("--seed", options.seed, "seed of the random numbers")
      .check(whole_number())
      .shows_default()
      .type_name("N");
  add_time_limit(line, options.time_limit, "", "takt prints the result of the copies so far");
}

}  // namespace

Action define_vary(CommandLine& line) {
  auto options = std::make_shared<VaryOptions>();
  line.positional("FILE", options->file, "an instance (JSON); - is standard input");
  add_model_option(line, options->model.name);
  add_question_options(line, *options);
  add_comparison_options(line, *options);
  add_play_options(line, *options);
  line.flag("--json", options->json, "print JSON");
  line.option("-o", options->output,
              "draw latencies over rates: .svg, .png or .pdf; two models make two files, such as OUT-strict.svg")
      .check(output_name())
      .type_name("OUT");
  line.footer(
      "Laws: constant, exponential, uniform:SPREAD (mean +- SPREAD, such as 20%), erlang:PHASES, gamma:CV,\n"
      "lognormal:CV, normal:CV (positive values only), pareto:EXPONENT; CV is standard deviation / mean.\n"
      "A law in the file: {\"mean\": \"20 ms\", \"law\": \"lognormal\", \"cv\": 0.5}, as a time, work or size. --law "
      "overrides it.\n"
      "Estimates have a 95 % interval; what is proved is marked exact. All rates and comparisons use the same random\n"
      "times, by stage and data set. Details: docs/vary.md.\n"
      "Exit status: 1 if latency grows without bound, or no rate keeps the limit of --within.\n"
      "\n"
      "Examples:\n"
      "  takt vary examples/example-a.json --model strict --law exponential\n"
      "  takt vary examples/video.json --model overlap --law erlang:4 --rate 100/s --rate 120/s\n"
      "  takt vary examples/video.json --model overlap --law erlang:4 --within \"99% 70ms\"\n"
      "  takt vary examples/example-a.json --law exponential --rooms 1,2,4\n"
      "  takt vary examples/video.json --law erlang:4 --arrivals examples/video-arrivals.csv");
  return [options](Streams& streams) { return vary_times(*options, streams); };
}

}  // namespace takt::tools
