// takt heuristics: what each mapping heuristic is.
#include "heuristics/heuristic.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <memory>
#include <ostream>
#include <string>

#include "heuristics/registry.hpp"
#include "tools/frame/command_line.hpp"
#include "tools/frame/heuristic_options.hpp"
#include "tools/words/json_results.hpp"
#include "tools/words/table.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

namespace {

using heuristics::Heuristic;

struct HeuristicsOptions {
  bool json = false;
};

std::string models_text(const Heuristic& heuristic) {
  const std::string own(tpn::name_of(heuristic.model));
  return heuristic.model_use != heuristics::ModelUse::none ? own + ", or --model" : own;
}

void write_json(tpn::JsonWriter& json, const heuristics::Option& option) {
  json.begin_object();
  json.member("name", option.name);
  json.member("help", option.help);
  json.member("default", value_text(option.standard));
  if (!option.choices.empty()) json.member("choices", option.choices);
  json.end();
}

void write_json(tpn::JsonWriter& json, const Heuristic& heuristic) {
  json.begin_object();
  json.member("name", heuristic.name);
  json.member("summary", heuristic.summary);
  json.member("mapping_class", heuristics::name_of(heuristic.mapping_class));
  json.member("model", tpn::name_of(heuristic.model));
  json.member("takes_model", heuristic.model_use != heuristics::ModelUse::none);
  json.member("communication", heuristic.communication);
  json.member("optimality", heuristic.optimality);
  json.member("complexity", heuristic.cost);
  json.member("source", heuristic.source);
  write_list(json, "options", heuristic.options, [&](const heuristics::Option& option) { write_json(json, option); });
  json.end();
}

void write_heuristics(std::ostream& out) {
  Table table{{{"heuristic"}, {"mapping"}, {"model"}, {"source"}}, {}};
  for (const Heuristic& heuristic : heuristics::heuristics()) {
    table.rows.push_back({std::string(heuristic.name), std::string(heuristics::name_of(heuristic.mapping_class)),
                          models_text(heuristic), std::string(heuristic.source)});
  }
  table.write(out);
  for (const Heuristic& heuristic : heuristics::heuristics()) {
    fmt::print(out,
               "\n{}: {}\n"
               "  communication: {}\n"
               "  optimality: {}\n"
               "  cost: {}\n",
               heuristic.name, heuristic.summary, heuristic.communication, heuristic.optimality, heuristic.cost);
  }
  out << "\nn stages, p processors. takt map --help lists their options.\n";
}

int list(const HeuristicsOptions& options, Streams& streams) {
  if (!options.json) {
    write_heuristics(streams.out);
    return kAnswered;
  }
  print_array(streams.out, heuristics::heuristics(),
              [](tpn::JsonWriter& json, const Heuristic& heuristic) { write_json(json, heuristic); });
  return kAnswered;
}

}  // namespace

Action define_heuristics(CommandLine& line) {
  auto options = std::make_shared<HeuristicsOptions>();
  line.flag("--json", options->json, "print JSON: an array of objects");
  line.footer(
      "Mapping classes:\n"
      "  one-to-one  one stage per processor\n"
      "  interval    consecutive stages on each processor\n"
      "  replicated  a part on several processors, in turn\n"
      "  divided     a part on processors with unequal shares; a processor may serve several parts\n"
      "\n"
      "Example:\n"
      "  takt heuristics");
  return [options](Streams& streams) { return list(*options, streams); };
}

}  // namespace takt::tools
