// takt generate: draws of a generator as documents.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "experiments/draws/generator.hpp"
#include "tools/files/files.hpp"
#include "tools/frame/command_line.hpp"
#include "tools/frame/generator_options.hpp"
#include "tools/frame/options.hpp"
#include "tools/words/number_words.hpp"
#include "tpn/visible.hpp"
#include "tpn/writer.hpp"

namespace takt::tools {

namespace {

using experiments::Arguments;
using experiments::Generator;

struct GenerateOptions {
  std::string generator;
  std::uint64_t seed = 1;
  std::uint64_t draw = 0;
  std::optional<std::uint64_t> draws;
  bool lines = false;
  std::vector<std::string> paired;
  std::optional<std::string> output;
  ParameterTexts texts;
};

void require_consistent(const GenerateOptions& options) {
  if (options.output && *options.output == "-") {
    throw UsageError("-o takes a file; documents go to standard output without it");
  }
  if (options.draws && !options.lines) throw UsageError("--draws goes with --lines, which makes a line of each draw");
  if (options.draws && *options.draws - 1 > std::numeric_limits<std::uint64_t>::max() - options.draw) {
    throw UsageError("--draw and --draws: found a last draw beyond 2^64 - 1");
  }
}

// Ends early where the stream does: a pipe that is closed, a disk that is full.
void write_draws(const GenerateOptions& options, const Arguments& arguments, std::ostream& out) {
  for (std::uint64_t i = 0; i < options.draws.value_or(1) && out; ++i) {
    const tpn::Document document =
        experiments::draw_document(arguments, options.seed, options.draw + i, options.paired);
    out << (options.lines ? tpn::write_document_line(document) : tpn::write_document(document));
  }
}

int generate(const GenerateOptions& options, Streams& streams) {
  const Generator& generator = generator_named(options.generator);
  require_consistent(options);
  require_parameters(generator, "--paired", options.paired);
  const Arguments arguments = arguments_for(generator, options.texts);
  if (!options.output) {
    write_draws(options, arguments, streams.out);
    return kAnswered;
  }
  write_file(*options.output, [&](std::ostream& file) { write_draws(options, arguments, file); });
  const std::uint64_t draws = options.draws.value_or(1);
  const std::string which = draws == 1 ? fmt::format("draw {}", options.draw)
                                       : fmt::format("draws {} to {}", options.draw, options.draw + (draws - 1));
  fmt::print(streams.out, "{}: {}, seed {}, {}\n", tpn::visible(*options.output), generator.name, options.seed, which);
  return kAnswered;
}

// The parameters of the generator that is named beside --help, else what generators there are.
std::string footer_of(const GenerateOptions& options) {
  std::ostringstream text;
  if (const Generator* generator = experiments::find_generator(options.generator)) {
    fmt::print(text, "{}: {}\n", generator->name, generator->summary);
    parameter_table(*generator).write(text);
  } else {
    text
        << "Generators (takt generate GENERATOR --help lists the parameters, which are options such as --stages 12):\n";
    for (const Generator& known : experiments::generators()) {
      fmt::print(text, "  {:<20}{}\n", known.name, known.summary);
    }
  }
  text << "\n"
          "A range is a number, two ends (5..15, in steps of 1), or two ends and a step (\"0.01..10 by 0.01\").\n"
          "The same seed, parameters and draw number always give the same draw.\n"
          "\n"
          "Examples:\n"
          "  takt generate replicated-mapping --stages 3 --processors 7 --draw 17 -o drawn.json\n"
          "  takt generate skeleton-pair --works 10..1000 --processors 100 --paired processors\n"
          "  takt generate replicated-mapping --lines --draws 1000";
  return text.str();
}

}  // namespace

Action define_generate(CommandLine& line) {
  auto options = std::make_shared<GenerateOptions>();
  line.positional("GENERATOR", options->generator, "a generator, see below").offers({generator_names()});
  line.option("--seed", options->seed, "seed of all random numbers")
      .check(whole_number())
      .shows_default()
      .type_name("N");
  line.option("--draw", options->draw, "number of the draw").check(whole_number()).shows_default().type_name("N");
  line.flag("--lines", options->lines, "JSON Lines: one document per line");
  line.option("--draws", options->draws, "with --lines: how many draws, from --draw on; default: 1")
      .check(positive_integer())
      .type_name("N");
  line.option("--paired", options->paired,
              "draws that differ only in this parameter use the same random numbers; repeatable")
      .type_name("NAME");
  line.option("-o", options->output, "write to this file; default: standard output")
      .check(output_name())
      .type_name("OUT");
  add_generator_options(line, options->texts);
  line.footer([options] { return footer_of(*options); });
  return [options](Streams& streams) { return generate(*options, streams); };
}

}  // namespace takt::tools
