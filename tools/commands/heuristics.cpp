// takt heuristics: what each mapping heuristic is.
#include "heuristics/heuristic.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>

#include "heuristics/registry.hpp"
#include "tools/command.hpp"
#include "tools/files.hpp"
#include "tools/heuristic_options.hpp"
#include "tools/table.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

namespace {

using heuristics::Heuristic;
using nlohmann::ordered_json;

struct HeuristicsOptions {
  bool json = false;
};

std::string models_text(const Heuristic& heuristic) {
  const std::string own(tpn::name_of(heuristic.model));
  return heuristic.model_use != heuristics::ModelUse::none ? own + ", or --model" : own;
}

ordered_json to_json(const Heuristic& heuristic) {
  ordered_json json;
  json["name"] = heuristic.name;
  json["summary"] = heuristic.summary;
  json["mapping_class"] = heuristics::name_of(heuristic.mapping_class);
  json["communication_model"] = tpn::name_of(heuristic.model);
  json["takes_model"] = heuristic.model_use != heuristics::ModelUse::none;
  json["communication"] = heuristic.communication;
  json["optimality"] = heuristic.optimality;
  json["cost"] = heuristic.cost;
  json["source"] = heuristic.source;
  json["options"] = ordered_json::array();
  for (const heuristics::Option& option : heuristic.options) {
    ordered_json& entry = json["options"].emplace_back();
    entry["name"] = option.name;
    entry["help"] = option.help;
    entry["default"] = value_text(option.standard);
    if (!option.choices.empty()) entry["choices"] = option.choices;
  }
  return json;
}

void write_listing(std::ostream& out) {
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
    write_listing(streams.out);
    return kAnswered;
  }
  auto objects = ordered_json::array();
  for (const Heuristic& heuristic : heuristics::heuristics()) objects.push_back(to_json(heuristic));
  streams.out << json_text(objects);
  return kAnswered;
}

}  // namespace

Action define_heuristics(CLI::App& app) {
  auto options = std::make_shared<HeuristicsOptions>();
  app.add_flag("--json", options->json, "print JSON: an array of objects")->disable_flag_override();
  app.footer(
      "Mapping classes: one-to-one, a stage a processor; interval, consecutive stages a processor; replicated, parts\n"
      "on several processors in turn; divided, in unequal shares, a processor in several parts.\n"
      "\n"
      "Example:\n"
      "  takt heuristics");
  return [options](Streams& streams) { return list(*options, streams); };
}

}  // namespace takt::tools
