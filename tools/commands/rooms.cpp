// takt rooms: how many files the buffers of a pipeline have to hold.
#include "evaluators/insight/rooms.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <variant>

#include "evaluators/evaluate.hpp"
#include "evaluators/proof/certify.hpp"
#include "tools/answers/limit_words.hpp"
#include "tools/answers/result.hpp"
#include "tools/answers/rooms_output.hpp"
#include "tools/files/files.hpp"
#include "tools/files/several_files.hpp"
#include "tools/frame/command_line.hpp"
#include "tools/frame/limited_search.hpp"
#include "tools/frame/options.hpp"
#include "tools/words/json_results.hpp"
#include "tpn/capabilities.hpp"
#include "tpn/models.hpp"
#include "tpn/writer.hpp"

namespace takt::tools {

namespace {

struct RoomsOptions {
  std::string file;
  std::optional<std::uint64_t> all;
  std::string certificate;
  bool json = false;
  std::optional<double> time_limit;
};

void require_consistent(const RoomsOptions& options) {
  if (options.all && *options.all > tpn::kMostRooms) {
    throw UsageError(fmt::format("--all: found {}, expected at most {}", *options.all, tpn::kMostRooms));
  }
  require_beside_result("--certificate", options.certificate, {options.file});
}

// What proves the period with all rooms together, unless one of them is not known.
std::optional<std::string> save_certificate(tpn::FoldedNet net, const evaluators::RoomsInsight& insight,
                                            const evaluators::Options& settings, const std::string& path) {
  if (!insight.is_complete()) return "the rooms are not known";
  auto limited = tpn::with_capacity(std::move(net), {.buffers = insight.together, .window = 0}, settings.deadline);
  if (const auto* too_large = std::get_if<tpn::TooLarge>(&limited)) return too_large_text(*too_large);
  const auto& limited_net = std::get<tpn::FoldedNet>(limited);
  const auto certificate = evaluators::certify(limited_net, evaluators::evaluate(limited_net, settings));
  if (const auto* too_large = std::get_if<tpn::TooLarge>(&certificate)) return too_large_text(*too_large);
  write_file(path, evaluators::write_certificate(std::get<evaluators::Certificate>(certificate)));
  return std::nullopt;
}

void write(const RoomsOptions& options, const evaluators::RoomsInsight& insight, const EvaluatedInstance& instance,
           Streams& streams) {
  const tpn::FoldedNet& net = instance.net;
  if (options.json) {
    return print_object(streams.out, [&](tpn::JsonWriter& json) {
      json.begin_object();
      json.member("file", options.file);
      tpn::write_model(json, net.model);
      write_time_unit(json, instance.times);
      write_rooms(json, insight, net.pipeline);
      json.end();
    });
  }
  fmt::print(streams.out, "{}, {}\n{}\n\n", display_name(options.file), tpn::title_of(net.model),
             rooms_sentence(insight, net.pipeline, instance.times));
  write_rooms(streams.out, insight, net.pipeline, instance.times);
}

int find_rooms(const RoomsOptions& options, Streams& streams) {
  require_consistent(options);
  const tpn::Document document = read_instance(options.file, streams);
  tpn::require_taken(evaluators::kRoomsTake, document);
  const tpn::Model& model = tpn::Model::kOverlap;
  const LimitedSearch search(options.time_limit, streams, display_name(options.file) + ", rooms");
  evaluators::Options settings;
  settings.deadline = search.deadline();
  auto folded = fold_instance(options.file, document, model, settings.deadline);
  if (const auto* too_large = std::get_if<tpn::TooLarge>(&folded))
    return tell_limit(streams, options.file, model, too_large_text(*too_large));
  const tpn::FoldedNet& net = std::get<EvaluatedInstance>(folded).net;
  const evaluators::RoomsInsight insight = evaluators::rooms_of(net, settings, options.all.value_or(0));
  write(options, insight, std::get<EvaluatedInstance>(folded), streams);
  if (options.certificate.empty()) return insight.is_complete() ? kAnswered : kLimit;
  const auto why_not = save_certificate(net, insight, settings, options.certificate);
  if (why_not) tell(streams, "no certificate was written: " + *why_not);
  return why_not ? kLimit : kAnswered;
}

}  // namespace

Action define_rooms(CommandLine& line) {
  auto options = std::make_shared<RoomsOptions>();
  line.positional("FILE", options->file, "an instance (JSON); - is standard input");
  line.option(
          "--all", options->all,
          fmt::format(
              "print the period with room for 1 to K files everywhere; default: until it no longer changes, at most {}",
              evaluators::kShownRooms))
      .check(positive_integer())
      .type_name("K");
  line.flag("--json", options->json, "print JSON in place of a table");
  line.option("--certificate", options->certificate,
              "write a proof of the period with all rooms together, for takt check")
      .check(output_name())
      .type_name("OUT");
  add_time_limit(line, options->time_limit, "", "takt prints what it has");
  line.footer(
      "The model is OVERLAP, whatever the file names. Its buffers are unlimited: takt finds how many files they must\n"
      "hold for the same period. A processor has room before (in) and behind (out) its computations of each part.\n"
      "\n"
      "Examples:\n"
      "  takt rooms examples/example-a.json\n"
      "  takt rooms examples/example-b.json --all 4 --json");
  return [options](Streams& streams) { return find_rooms(*options, streams); };
}

}  // namespace takt::tools
