// takt loads: how busy every resource is, as CSV for spreadsheets.
#include <fmt/ostream.h>
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <memory>
#include <ostream>
#include <string>
#include <variant>

#include "tools/command.hpp"
#include "tools/evaluation_output.hpp"
#include "tools/files.hpp"
#include "tools/options.hpp"
#include "tools/result.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

namespace {

struct LoadsOptions {
  std::string file;
  std::string model;
};

void write_loads(std::ostream& out, const tpn::FoldedNet& net) {
  for (const tpn::Resource& resource : net.resources) {
    fmt::print(out, "{},{},{},{}\n", tpn::name_of(net.model), net.pipeline.processors[resource.processor],
               tpn::name_of(resource.kind), resource.cycle_time.to_string());
  }
}

int answer_loads(const LoadsOptions& options, Streams& streams) {
  const tpn::Document document = read_instance(options.file, streams);
  streams.out << "model,processor,resource,cycle_time\n";
  for (const tpn::Model model : models_of(document, options.model)) {
    const auto folded = fold_instance(options.file, document, model);
    if (const auto* too_large = std::get_if<tpn::TooLarge>(&folded)) {
      streams.err << "takt: " << too_large_text(*too_large) << '\n';
      return kLimit;
    }
    write_loads(streams.out, std::get<Result>(folded).net);
  }
  return kAnswered;
}

}  // namespace

Action define_loads(CLI::App& app) {
  const auto options = std::make_shared<LoadsOptions>();
  app.add_option("FILE", options->file, "the instance")->required();
  add_model_option(app, options->model);
  return [options](Streams& streams) { return answer_loads(*options, streams); };
}

}  // namespace takt::tools
