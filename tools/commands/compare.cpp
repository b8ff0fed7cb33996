// takt compare: heuristics of a user's own beside those of takt, over a set of problems.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "heuristics/registry.hpp"
#include "tools/compare/comparison_output.hpp"
#include "tools/compare/contestants.hpp"
#include "tools/compare/problem_set.hpp"
#include "tools/files/files.hpp"
#include "tools/files/progress.hpp"
#include "tools/files/several_files.hpp"
#include "tools/frame/command_line.hpp"
#include "tools/frame/generator_options.hpp"
#include "tools/frame/heuristic_options.hpp"
#include "tools/frame/options.hpp"
#include "tools/words/suggestion.hpp"

namespace takt::tools {

namespace {

using maxplus::Rational;

constexpr double kTimeLimit = 30;

struct CompareOptions {
  std::vector<std::string> paths;
  bool lines = false;
  std::vector<std::string> mine;
  std::vector<std::string> servers;
  std::string heuristics;
  ModelChoice model;
  std::uint64_t seed = heuristics::kDefaultSeed;
  std::optional<double> time_limit;
  std::uint64_t jobs = 1;
  std::string factors = "1.01,1.05,1.1,1.25,1.5,2";
  bool json = false;
  bool csv = false;
  bool latex = false;
  bool times = false;
  std::string each;
  std::string generator;
  std::optional<std::uint64_t> draws;
  ParameterTexts parameters;
};

std::vector<std::string> words_of(const std::string& list) {
  std::vector<std::string> words;
  std::string_view rest = list;
  while (true) {
    const std::size_t comma = rest.find(',');
    words.emplace_back(rest.substr(0, comma));
    if (comma == std::string_view::npos) return words;
    rest.remove_prefix(comma + 1);
  }
}

// NAME=COMMAND, or a command alone, whose name is "mine", "mine-2", ...: a name has neither spaces nor slashes.
Contestant own_contestant(const std::string& text, std::size_t number, ProgramForm form) {
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  const bool is_named =
      equals != std::string::npos && !name.empty() && name.find_first_of(" \t/{}$'\"") == std::string::npos;
  if (is_named) return {name, nullptr, text.substr(equals + 1), form};
  return {number == 1 ? "mine" : fmt::format("mine-{}", number), nullptr, text, form};
}

bool is_class(const std::string& word) {
  return std::ranges::any_of(heuristics::heuristics(), [&](const heuristics::Heuristic& heuristic) {
    return heuristics::name_of(heuristic.mapping_class) == word;
  });
}

// The quick ones of a class of mappings, or of all.
std::vector<const heuristics::Heuristic*> quick_ones(const std::string& mapping_class = "") {
  std::vector<const heuristics::Heuristic*> found;
  for (const heuristics::Heuristic& heuristic : heuristics::heuristics()) {
    const bool is_meant = mapping_class.empty() || heuristics::name_of(heuristic.mapping_class) == mapping_class;
    if (heuristic.is_quick && is_meant) found.push_back(&heuristic);
  }
  return found;
}

std::vector<const heuristics::Heuristic*> takt_heuristics(const CompareOptions& options) {
  if (options.heuristics.empty()) return quick_ones();
  if (options.heuristics == "none") return {};
  std::vector<const heuristics::Heuristic*> found;
  for (const std::string& word : words_of(options.heuristics)) {
    if (is_class(word)) {
      for (const heuristics::Heuristic* heuristic : quick_ones(word)) found.push_back(heuristic);
    } else if (const heuristics::Heuristic* heuristic = heuristics::find_heuristic(word)) {
      found.push_back(heuristic);
    } else {
      throw UsageError(fmt::format("--heuristics: found \"{}\"{}, expected names or classes of heuristics, or none",
                                   word, suggestion(word, heuristic_names())));
    }
  }
  return found;
}

// Those of the user first.
std::vector<Contestant> contestants_of(const CompareOptions& options) {
  std::vector<Contestant> contestants;
  const auto add = [&](Contestant contestant) {
    if (std::ranges::find(contestants, contestant.name, &Contestant::name) != contestants.end()) {
      throw UsageError(
          fmt::format("found two heuristics by the name \"{}\", expected different names: --{} NAME=COMMAND",
                      contestant.name, contestant.form == ProgramForm::server ? "serve" : "mine"));
    }
    contestants.push_back(std::move(contestant));
  };
  std::size_t number = 0;
  for (const std::string& text : options.mine) add(own_contestant(text, ++number, ProgramForm::command));
  for (const std::string& text : options.servers) add(own_contestant(text, ++number, ProgramForm::server));
  for (const heuristics::Heuristic* heuristic : takt_heuristics(options)) {
    add({.name = std::string(heuristic->name), .heuristic = heuristic, .command = {}});
  }
  if (contestants.empty()) throw UsageError("found no heuristic to compare, expected one at least");
  return contestants;
}

std::vector<Rational> factors_of(const CompareOptions& options) {
  std::vector<Rational> factors;
  for (const std::string& word : words_of(options.factors)) {
    const auto factor = read_number(word);
    if (!factor || *factor < Rational(1)) {
      throw UsageError(fmt::format("--factors: found \"{}\", expected numbers of 1 and more between commas", word));
    }
    factors.push_back(*factor);
  }
  std::ranges::sort(factors);
  return factors;
}

void require_consistent(const CompareOptions& options) {
  if (static_cast<int>(options.json) + static_cast<int>(options.csv) + static_cast<int>(options.latex) > 1) {
    throw UsageError("found several of --json, --csv and --latex, expected one at most");
  }
  if (options.each == "-") throw UsageError("--each takes a file; standard output holds the comparison");
  constexpr std::uint64_t kMostJobs = 1024;
  if (options.jobs > kMostJobs) {
    throw UsageError(fmt::format("--jobs: found {}, expected at most {}", options.jobs, kMostJobs));
  }
  require_one_stdin(options.paths);
  if (options.generator.empty() == options.paths.empty()) {
    throw UsageError(options.paths.empty() ? "PROBLEM or --generator is required"
                                           : "--generator does not go with files");
  }
  if (!options.generator.empty()) return;
  if (options.draws) throw UsageError("--draws goes with --generator");
  if (!options.parameters.empty()) {
    throw UsageError(fmt::format("--{} goes with --generator", options.parameters.begin()->first));
  }
}

ProblemSet problems_of(const CompareOptions& options, Streams& streams) {
  for (const std::string& path : options.paths) {
    std::error_code unknown;
    if (heuristics::find_heuristic(path) == nullptr || std::filesystem::exists(path, unknown)) continue;
    throw UsageError(fmt::format(
        "found the heuristic \"{}\", expected a problem; --heuristics takes a list with commas, as in bsc,spl", path));
  }
  if (options.generator.empty()) return ProblemSet::of_files(options.paths, options.lines, streams);
  const auto arguments = arguments_for(generator_named(options.generator), options.parameters);
  constexpr std::uint64_t kDraws = 100;
  return ProblemSet::of_draws(arguments, options.seed, options.draws.value_or(kDraws));
}

// The model of all problems, where they have one.
std::optional<tpn::Model> common_model(const CompareOptions& options, const ProblemSet& problems) {
  std::optional<tpn::Model> common;
  for (std::size_t k = 0; k < problems.size(); ++k) {
    const tpn::Model model = contest_model(options.model, problems.document(k));
    if (common && *common != model) return std::nullopt;
    common = model;
  }
  return common;
}

void write(const CompareOptions& options, const ComparisonResult& result, Streams& streams) {
  if (options.json) return write_comparison_json(streams.out, result);
  if (options.csv) return write_comparison_csv(streams.out, result);
  if (options.latex) return write_comparison_latex(streams.out, result);
  write_comparison_table(streams.out, result);
}

// Whether a command of the user's has left a problem without a mapping.
bool has_own_failure(const ComparisonResult& result) {
  return std::ranges::any_of(result.contestants, [&](const Contestant& contestant) {
    const auto standing = std::ranges::find(result.standings, contestant.name, &Standing::name);
    return contestant.heuristic == nullptr && standing->solved < result.problems.size();
  });
}

int compare(const CompareOptions& options, Streams& streams) {
  require_consistent(options);
  ComparisonResult result{.files = options.paths,
                          .contestants = contestants_of(options),
                          .problems = {},
                          .standings = {},
                          .factors = factors_of(options),
                          .model = {},
                          .model_remark = {},
                          .shows_times = options.times};
  const ProblemSet problems = problems_of(options, streams);
  if (problems.size() == 0) throw FileError("found no problem, expected one at least");
  result.model = common_model(options, problems);
  if (result.model) result.model_remark = other_model_remark(problems.document(0), options.model);
  if (!options.each.empty()) {
    require_apart(options.paths, {options.each});
    require_writable(options.each);
  }
  {
    Progress progress(streams);
    const auto show = [&](std::size_t done) { progress.show(fmt::format("{} of {} problems", done, problems.size())); };
    const ContestSettings settings{options.model, options.seed, options.time_limit.value_or(kTimeLimit), options.jobs};
    result.problems = hold_contest(result.contestants, problems, settings, show);
  }
  std::vector<std::string> names;
  for (const Contestant& contestant : result.contestants) names.push_back(contestant.name);
  result.standings = standings_of(names, result.problems, result.factors);
  const bool is_whole = result.problems.size() == problems.size();
  if (!result.problems.empty()) write(options, result, streams);
  if (!options.each.empty()) {
    write_file(options.each, [&](std::ostream& file) { write_each_csv(file, result); });
  }
  if (!is_whole) {
    tell(streams, fmt::format("it was interrupted: {} of {} problems", result.problems.size(), problems.size()));
    return kLimit;
  }
  return has_own_failure(result) ? kNo : kAnswered;
}

// The heuristics, the problems and the limits of a comparison.
void add_contest(CommandLine& line, CompareOptions& options) {
  line.flag("--lines", options.lines, "every PROBLEM has one problem per line (JSON Lines)");
  line.option("--mine", options.mine,
              "a command that prints a mapping; it gets the path of the problem in place of {}, or without {} the "
              "problem on standard input; repeatable")
      .type_name("[NAME=]COMMAND");
  line.option("--serve", options.servers,
              "a command that keeps running: for each line with a problem (JSON) it prints a line with a mapping; "
              "repeatable")
      .type_name("[NAME=]COMMAND");
  line.option("--heuristics", options.heuristics,
              "heuristics of takt to compare with, or none; a class (one-to-one, interval, replicated, general, "
              "divided) stands for its quick heuristics; default: all quick ones")
      .type_name("A,B,...");
  add_model_options(line, options.model, "default: the problem's, else overlap");
  line.option("--seed", options.seed, "seed of random choices; your commands find it in TAKT_SEED")
      .check(whole_number())
      .shows_default()
      .type_name("N");
  add_time_limit(line, options.time_limit, "each run", fmt::format("the command is killed; default: {} s", kTimeLimit));
  line.option("--jobs", options.jobs, "number of problems at a time; default: 1")
      .check(positive_integer())
      .type_name("N");
}

}  // namespace

Action define_compare(CommandLine& line) {
  auto options = std::make_shared<CompareOptions>();
  line.optional_positional(
      "PROBLEM", options->paths,
      "problems: JSON files, .jsonl files with one problem per line, or folders of both; - is standard input");
  add_contest(line, *options);
  line.option("--factors", options->factors,
              "print the share of problems on which each heuristic is within these factors of the best")
      .shows_default()
      .type_name("F,G,...");
  line.option("--generator", options->generator,
              "draw problems with this generator, not from files; its parameters (takt generators) are options, such "
              "as --stages 12")
      .offers({generator_names()})
      .type_name("NAME");
  line.option("--draws", options->draws, "with --generator: number of problems, drawn with --seed; default: 100")
      .check(positive_integer())
      .type_name("N");
  line.flag("--json", options->json, "print JSON");
  line.flag("--csv", options->csv, "print CSV, one row per heuristic");
  line.flag("--latex", options->latex, "print a LaTeX table");
  line.flag("--times", options->times, "print how long each heuristic runs; these times vary from run to run");
  line.option("--each", options->each, "write every period to this file: CSV, one row per problem and heuristic")
      .check(output_name())
      .type_name("OUT");
  add_generator_options(line, options->parameters);
  line.footer(
      "Exit status 1 if a command of yours leaves a problem without a mapping.\n"
      "\n"
      "Examples:\n"
      "  takt compare examples/problems.jsonl --mine \"python3 examples/own_heuristic.py {}\"\n"
      "  takt compare examples/problems.jsonl --mine \"own=python3 examples/own_heuristic.py\" --heuristics bsc,spl "
      "--latex\n"
      "  takt compare examples/problems.jsonl --serve \"own=python3 examples/own_heuristic.py --lines\" --times\n"
      "  takt compare --generator skeleton-pair --stages 12 --draws 20 --heuristics interval");
  return [options](Streams& streams) { return compare(*options, streams); };
}

}  // namespace takt::tools
