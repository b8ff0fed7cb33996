// takt loads: how long every resource is busy per data set, as CSV for spreadsheets.
#include <fmt/ostream.h>

#include <memory>
#include <ostream>
#include <string>
#include <variant>

#include "tools/answers/limit_words.hpp"
#include "tools/files/files.hpp"
#include "tools/frame/command_line.hpp"
#include "tools/frame/options.hpp"
#include "tpn/folded_net.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

namespace {

struct LoadsOptions {
  std::string file;
  ModelChoice model;
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
  for (const tpn::Model& model : models_of(document, options.model)) {
    const auto folded = tpn::fold(document, model);
    if (const auto* too_large = std::get_if<tpn::TooLarge>(&folded)) {
      streams.err << "takt: " << too_large_text(*too_large) << '\n';
      return kLimit;
    }
    write_loads(streams.out, std::get<tpn::FoldedNet>(folded));
  }
  return kAnswered;
}

}  // namespace

Action define_loads(CommandLine& line) {
  const auto options = std::make_shared<LoadsOptions>();
  line.positional("FILE", options->file, "an instance (JSON); - is standard input");
  add_model_options(line, options->model);
  return [options](Streams& streams) { return answer_loads(*options, streams); };
}

}  // namespace takt::tools
