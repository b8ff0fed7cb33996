// takt generators: what each generator draws, and its parameters.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <memory>
#include <ostream>
#include <string>

#include "experiments/draws/generator.hpp"
#include "tools/frame/command_line.hpp"
#include "tools/frame/generator_options.hpp"
#include "tools/words/json_results.hpp"
#include "tools/words/table.hpp"

namespace takt::tools {

namespace {

using experiments::Generator;
using experiments::GeneratorParameter;

struct GeneratorsOptions {
  bool json = false;
};

void write_json(tpn::JsonWriter& json, const GeneratorParameter& parameter) {
  json.begin_object();
  json.member("name", parameter.name);
  json.member("help", parameter.help);
  json.member("value_kind", experiments::name_of(parameter.kind));
  json.member("default", parameter.standard);
  if (parameter.kind == experiments::ParameterKind::choice) {
    json.member("choices", parameter.choices);
  } else {
    write_count(json, parameter.is_above_least ? "above" : "least", parameter.least);
    write_count(json, "most", parameter.most);
  }
  json.end();
}

void write_json(tpn::JsonWriter& json, const Generator& generator) {
  json.begin_object();
  json.member("name", generator.name);
  json.member("summary", generator.summary);
  json.member("makes", experiments::name_of(generator.kind));
  json.member("source", generator.source);
  write_list(json, "parameters", generator.parameters,
             [&](const GeneratorParameter& parameter) { write_json(json, parameter); });
  json.end();
}

void write_generators(std::ostream& out) {
  Table table{{{"generator"}, {"draws"}, {"source"}}, {}};
  for (const Generator& generator : experiments::generators()) {
    table.rows.push_back({std::string(generator.name),
                          generator.kind == experiments::DrawnKind::instance ? "instances" : "problems",
                          std::string(generator.source)});
  }
  table.write(out);
  for (const Generator& generator : experiments::generators()) {
    fmt::print(out, "\n{}: {}\n", generator.name, generator.summary);
    parameter_table(generator).write(out);
  }
}

int list(const GeneratorsOptions& options, Streams& streams) {
  if (!options.json) {
    write_generators(streams.out);
    return kAnswered;
  }
  print_array(streams.out, experiments::generators(),
              [](tpn::JsonWriter& json, const Generator& generator) { write_json(json, generator); });
  return kAnswered;
}

}  // namespace

Action define_generators(CommandLine& line) {
  auto options = std::make_shared<GeneratorsOptions>();
  line.flag("--json", options->json, "print JSON: an array of objects");
  line.footer(
      "takt generate uses them. A range is a number, two ends (5..15, in steps of 1), or two ends and a step\n"
      "(\"0.01..10 by 0.01\"); each of its numbers is equally likely.\n"
      "\n"
      "Example:\n"
      "  takt generators");
  return [options](Streams& streams) { return list(*options, streams); };
}

}  // namespace takt::tools
