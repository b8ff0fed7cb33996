// Tests of the engine on a virtual clock: what it does, and when, is what the net's play says.
#include "live/rehearsal/rehearsal.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "evaluators/evaluate.hpp"
#include "evaluators/insight/completion.hpp"
#include "evaluators/play/play.hpp"
#include "tests/live/measurement/plays.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/host_documents.hpp"
#include "tests/support/named_ends.hpp"
#include "tests/support/random_documents.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/capabilities.hpp"
#include "tpn/errors.hpp"
#include "tpn/hosts.hpp"
#include "tpn/models.hpp"
#include "tpn/window.hpp"
#include "tpn/workflow.hpp"
#include "tpn/writer.hpp"

namespace takt::live {

namespace {

using evaluators::Firing;

std::vector<Firing> played(const tpn::Document& instance, const tpn::Model& model, std::uint64_t window,
                           std::uint64_t data_sets) {
  const tpn::FoldedNet net = with_window(support::net_of(instance, model), window);
  std::vector<Firing> firings;
  evaluators::play(net, data_sets, [&](const Firing& firing) {
    firings.push_back(firing);
    firings.back().operation.data_set = net.pipeline.data_set_of(firing.operation);
    return true;
  });
  // Nets count rounds, traces data sets.
  std::ranges::sort(firings, {}, &Firing::operation);
  return firings;
}

bool same(const Firing& a, const Firing& b) {
  return a.operation == b.operation && a.start == b.start && a.end == b.end;
}

// What a stage makes of the files that it takes.
std::string stage_text(std::size_t stage, std::uint64_t data_set, const std::string& bytes,
                       const std::vector<InputFile>& inputs) {
  std::string text = std::to_string(stage) + " of " + std::to_string(data_set) + ": " + bytes;
  for (const InputFile& input : inputs) text += input.stage + " " + input.bytes + ";";
  return std::to_string(std::hash<std::string>()(text));
}

void act(std::size_t stage, Packet& packet) {
  packet.bytes = stage_text(stage, packet.data_set, packet.bytes, packet.inputs);
}

std::string sized(const std::string& text) {
  std::string record;
  for (std::size_t k = 0; k < 8; ++k) record += static_cast<char>(text.size() >> (8 * k) & 0xFF);
  return record + text;
}

// The result of a data set of such stages, straight from the application.
std::string expected_text(const tpn::Application& application, std::uint64_t data_set) {
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < application.stages.size(); ++k) {
    std::vector<InputFile> inputs;
    for (const std::size_t of : tpn::stages_before(application, k))
      inputs.push_back({application.stages[of].name, texts[of]});
    const bool is_single = inputs.size() == 1;
    texts.push_back(
        stage_text(k, data_set, is_single ? inputs.front().bytes : "", is_single ? std::vector<InputFile>() : inputs));
  }
  const std::vector<bool> exits = tpn::exit_stages(application);
  if (std::ranges::count(exits, true) == 1)
    return texts[static_cast<std::size_t>(std::ranges::find(exits, true) - exits.begin())];
  std::string all;
  for (std::size_t k = 0; k < texts.size(); ++k)
    if (exits[k]) all += sized(application.stages[k].name) + sized(texts[k]);
  return all;
}

// Where the rehearsal takes another way than the play; "" where it takes none. Nothing if it cannot take place.
std::optional<std::string> difference(const tpn::Document& instance, const RehearsalTerms& terms) {
  const std::uint64_t data_sets = terms.coordination.data_sets;
  const auto run = rehearse(instance, terms);
  if (!run) return std::nullopt;
  const std::vector<Firing> expected = played(instance, terms.model, terms.coordination.window, data_sets);
  if (run->trace.size() != expected.size()) return "another number of operations";
  if (run->results.size() != data_sets) return "another number of results";
  if (terms.action) {
    for (std::uint64_t j = 0; j < data_sets; ++j)
      if (run->results[j] != expected_text(instance.application, j)) return "another result of " + std::to_string(j);
  }
  // The first in time: others follow from it.
  const Firing* at = nullptr;
  const Firing* with = nullptr;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Firing& found = run->trace[i];
    const auto begin_of = [](const Firing& a, const Firing& b) { return std::min(a.start, b.start); };
    if (same(found, expected[i]) || (at != nullptr && begin_of(*at, *with) <= begin_of(found, expected[i]))) continue;
    at = &found;
    with = &expected[i];
  }
  if (at == nullptr) return "";
  return "data set " + std::to_string(at->operation.data_set) + ", column " + std::to_string(at->operation.column) +
         ": " + at->start.to_string() + " to " + at->end.to_string() + ", expected " + with->start.to_string() +
         " to " + with->end.to_string();
}

std::optional<std::string> difference(const tpn::Document& instance, const tpn::Model& model, EngineTerms engine,
                                      std::uint64_t window, std::uint64_t data_sets) {
  return difference(instance, {model, engine, {.first_data_set = 0, .data_sets = data_sets, .window = window}});
}

// Some ahead, some with room.
void add_transfers(tpn::Document& document, support::Draw& draw) {
  for (const tpn::FileRoute& route :
       tpn::routes_of(document.application, *document.mapping, tpn::outer_ends(document.platform))) {
    tpn::PartTransfer transfer{route.from, route.to};
    if (draw.coin()) transfer.ahead = draw.count(1, 3);
    if (draw.one_in(3) && route.to) transfer.room = transfer.ahead + draw.count(1, 3);
    document.transfers.push_back(transfer);
  }
}

bool delivers_side_by_side(const tpn::Platform& platform) {
  return platform.sink && std::ranges::any_of(platform.sink->in_turn(),
                                              [](const tpn::Endpoint& end) { return end.ports != tpn::kOnePort; });
}

// When so many data sets are done if there are no others.
evaluators::CompletionTime completion_of(const tpn::FoldedNet& net, std::uint64_t data_sets) {
  const std::vector<maxplus::Integer> counts = {maxplus::Integer(static_cast<unsigned long>(data_sets))};
  return evaluators::completions_of(net, counts).times.front();
}

Rational exact_completion_of(const tpn::FoldedNet& net, std::uint64_t data_sets) {
  const auto completion = completion_of(net, data_sets);
  REQUIRE(completion.exact());
  return completion.lower;
}

// How many rehearsals there are by both models, these windows and all anchors, each of which is to be as the net plays.
std::size_t check_all(const tpn::Document& instance, std::initializer_list<std::uint64_t> windows,
                      std::uint64_t data_sets, const StageAction& action = {}) {
  std::size_t rehearsed = 0;
  for (const tpn::Model& model : tpn::default_models()) {
    for (const std::uint64_t window : windows) {
      for (const Anchor anchor : {Anchor::agreed, Anchor::logical, Anchor::observed}) {
        CAPTURE(tpn::name_of(model), window, static_cast<int>(anchor), tpn::write_document(instance));
        RehearsalTerms terms{model, {.anchor = anchor}, {.data_sets = data_sets, .window = window}};
        terms.action = action;
        const auto found = difference(instance, terms);
        REQUIRE(found);
        CHECK(*found == "");
        ++rehearsed;
      }
    }
  }
  return rehearsed;
}

}  // namespace

TEST_CASE("on a virtual clock every example runs as its net plays, whatever the window and the anchor") {
  std::size_t seen = 0;
  std::vector<std::string> paths = {"tests/data/run-hosts.json"};
  for (const auto& entry : std::filesystem::directory_iterator(TAKT_SOURCE_DIR "/examples")) {
    if (entry.path().extension() == ".json") paths.push_back("examples/" + entry.path().filename().string());
  }
  for (const std::string& path : paths) {
    const tpn::Document instance = support::document_of(path);
    if (!instance.mapping || tpn::why_refused(kRunsTake, instance)) continue;
    INFO(path);
    const tpn::Pipeline pipeline = std::get<tpn::Pipeline>(tpn::make_pipeline(instance));
    const std::uint64_t narrow = tpn::too_narrow_window(pipeline);
    check_all(instance, {0, narrow + 1, narrow + 2, narrow + 5}, tpn::with_whole_batches(pipeline, 30, 2000).value());
    ++seen;
  }
  CHECK(seen >= 2);
}

TEST_CASE("on a virtual clock random mappings of every kind run as their nets play") {
  std::size_t rehearsed = 0;
  for (std::uint64_t seed = 1; seed <= support::draws(25); ++seed) {
    for (const support::Kind kind : support::kKinds) {
      const tpn::Document instance = support::random_document(kind, seed);
      for (const tpn::Model& model : tpn::default_models()) {
        for (const std::uint64_t window : {std::uint64_t{0}, 1 + seed % 7}) {
          const auto found = difference(instance, model, {}, window, 40);
          INFO("seed " << seed << ", kind " << static_cast<int>(kind) << ", window " << window);
          if (!found) continue;
          CHECK(*found == "");
          ++rehearsed;
        }
      }
    }
  }
  CHECK(rehearsed > 0);
}

TEST_CASE(
    "on a virtual clock processors that share ports, and sources and sinks that take turns, run as their nets play") {
  std::size_t rehearsed = 0;
  for (std::uint64_t seed = 1; seed <= support::draws(40); ++seed) {
    const tpn::Document hosts = support::host_document(seed);
    CAPTURE(seed);
    rehearsed += check_all(seed % 2 == 0 ? support::with_named_ends(hosts, seed, support::EndPorts::any) : hosts,
                           {0, 1 + seed % 7}, 40);
  }
  CHECK(rehearsed > 0);
}

TEST_CASE("on a virtual clock transfers hold the segments of the network that they use, as their nets play") {
  std::size_t rehearsed = 0;
  std::size_t at_ports = 0;
  for (std::uint64_t seed = 1; seed <= support::draws(80); ++seed) {
    const tpn::Document instance = support::segment_document(seed);
    if (tpn::why_refused(kRunsTake, instance)) continue;
    const std::uint64_t narrow = tpn::too_narrow_window(std::get<tpn::Pipeline>(tpn::make_pipeline(instance)));
    CAPTURE(seed);
    const std::size_t count = check_all(instance, {0, narrow + 1 + seed % 7}, 40);
    rehearsed += count;
    at_ports += tpn::has_other_ports(instance.platform) ? count : 0;
  }
  CAPTURE(rehearsed, at_ports);
  CHECK(rehearsed > support::draws(300));
  CHECK(at_ports > support::draws(100));
}

TEST_CASE("on a virtual clock batches run as their nets play, and a last one that is cut takes no longer") {
  std::size_t whole = 0;
  std::size_t cut = 0;
  std::size_t at_ports = 0;
  for (std::uint64_t seed = 1; seed <= support::draws(120); ++seed) {
    const tpn::Document instance = support::batch_document(seed);
    if (tpn::why_refused(kRunsTake, instance)) continue;
    for (const tpn::Model& model : tpn::default_models()) {
      CAPTURE(seed, tpn::name_of(model), tpn::write_document(instance));
      const tpn::FoldedNet net = support::net_of(instance, model);
      const std::uint64_t window = tpn::too_narrow_window(net.pipeline) + 1 + seed % 4;
      const auto whole_count = tpn::with_whole_batches(net.pipeline, 30, 2000);
      for (const std::uint64_t limit : {std::uint64_t{0}, window}) {
        // A window counts data sets in order; a net's does not where several ports deliver side by side.
        if (limit > 0 && delivers_side_by_side(instance.platform)) continue;
        const EngineTerms engine{seed % 2 == 0 ? Anchor::logical : Anchor::agreed, LinkUse::emulated};
        if (whole_count) {
          const auto found = difference(instance, model, engine, limit, *whole_count);
          REQUIRE(found);
          CHECK(*found == "");
          ++whole;
          at_ports += tpn::has_other_ports(instance.platform) ? 1 : 0;
        }
        // Any number of data sets: all are delivered, no sooner and no later than the net can say.
        const std::uint64_t data_sets = 1 + seed % 29;
        const auto run =
            rehearse(instance, {model, engine, {.first_data_set = 0, .data_sets = data_sets, .window = limit}});
        REQUIRE(run);
        CHECK(run->deliveries.size() == data_sets);
        const auto time = completion_of(with_window(net, limit), data_sets);
        CHECK(run->end >= time.lower);
        CHECK(run->end <= time.upper);
        if (!time.exact()) ++cut;
      }
    }
  }
  CAPTURE(whole, cut, at_ports);
  CHECK(whole > support::draws(200));
  CHECK(cut > support::draws(100));
  CHECK(at_ports > support::draws(50));
}

TEST_CASE(
    "a batch that the end of the input cuts takes its fixed time once, and the time of each data set that it has") {
  const tpn::Document instance = support::document_of("examples/batches.json");
  const auto run = [&](std::uint64_t data_sets) {
    const auto done =
        rehearse(instance, {tpn::Model::kOverlap, {}, {.first_data_set = 0, .data_sets = data_sets, .window = 0}});
    REQUIRE(done);
    CHECK(done->results.size() == data_sets);
    return done->end;
  };
  // 1.6 + 5 + 0.8 + (12 + 2) + 0.008 + 1; two are decoded side by side, and behind the batch go on one by one.
  CHECK(run(1) == Rational::fraction(22'408, 1'000'000));
  CHECK(run(2) == Rational::fraction(26'208, 1'000'000));
}

TEST_CASE("on a virtual clock random workflows run as their nets play, and every stage gets the files that it takes") {
  std::size_t rehearsed = 0;
  std::size_t of_several_ends = 0;
  for (std::uint64_t seed = 1; seed <= support::draws(150); ++seed) {
    const tpn::Document instance = support::workflow_document(seed);
    if (tpn::is_chain(instance.application) || tpn::why_refused(kRunsTake, instance)) continue;
    if (!instance.transfers.empty()) continue;  // below
    const auto pipeline = std::get<tpn::Pipeline>(tpn::make_pipeline(instance));
    const std::uint64_t narrow = tpn::too_narrow_window(pipeline);
    const auto data_sets = tpn::with_whole_batches(pipeline, 40, 400);
    if (!data_sets) continue;
    if (pipeline.entries().size() > 1 || pipeline.exits().size() > 1) ++of_several_ends;
    CAPTURE(seed);
    rehearsed += check_all(instance, {0, narrow + 1 + seed % 7}, *data_sets, act);
  }
  CHECK(rehearsed >= support::draws(300));
  CHECK(of_several_ends > 0);
}

TEST_CASE("a rehearsal of a workflow takes the exact period") {
  const tpn::Document instance = support::document_of("examples/video-analytics.json");
  for (const tpn::Model& model : tpn::default_models()) {
    const tpn::FoldedNet net = support::net_of(instance, model);
    const Rational period = evaluators::evaluate(net).upper;
    CHECK(period == (model == tpn::Model::kStrict ? Rational::fraction(137, 2) : Rational(52)));
    const auto run = rehearse(instance, {model, {}, {.first_data_set = 0, .data_sets = 200, .window = 0}});
    REQUIRE(run);
    CHECK(measure(net, run->trace).period == period);
  }
}

TEST_CASE("what is ahead runs as its net says, with room and orders of transfers") {
  std::size_t rehearsed = 0;
  std::size_t ahead = 0;
  std::size_t ahead_at_ports = 0;
  std::size_t rooms = 0;
  for (std::uint64_t seed = 1; seed <= support::draws(150); ++seed) {
    support::Draw draw(seed);
    // Hosts share ports; other processors have one each, or several.
    tpn::Document instance = draw.one_in(3) ? support::ordered_document(seed) : support::small_workflow(draw);
    if (instance.transfers.empty()) add_transfers(instance, draw);
    if (tpn::why_refused(kRunsTake, instance)) continue;
    for (const tpn::Model& model : tpn::default_models()) {
      CAPTURE(seed, tpn::name_of(model), tpn::write_document(instance));
      std::optional<tpn::FoldedNet> net;
      try {
        net = support::net_of(instance, model);
      } catch (const tpn::InvalidInstance&) {
        continue;  // too little room
      }
      if (net->pipeline.has_batches()) continue;  // above
      const bool is_ahead = net->pipeline.is_shifted();
      const std::uint64_t window = tpn::too_narrow_window(net->pipeline) + 1 + seed % 4;
      const tpn::FoldedNet windowed = with_window(*net, window);
      for (const std::uint64_t data_sets : {1U, 9U, 40U}) {
        RehearsalTerms terms{model,
                             {seed % 2 == 0 ? Anchor::logical : Anchor::agreed, LinkUse::emulated},
                             {.first_data_set = 0, .data_sets = data_sets, .window = 0}};
        const auto run = rehearse(instance, terms);
        REQUIRE(run);
        CHECK(run->deliveries.size() == data_sets);
        CHECK(run->end == exact_completion_of(*net, data_sets));
        terms.coordination.window = window;
        const auto under_window = rehearse(instance, terms);
        REQUIRE(under_window);
        CHECK(under_window->end == exact_completion_of(windowed, data_sets));
        ++rehearsed;
        ahead += is_ahead ? 1 : 0;
        ahead_at_ports += is_ahead && tpn::has_other_ports(instance.platform) ? 1 : 0;
        rooms += net->capacity.buffers.empty() ? 0 : 1;
      }
    }
  }
  CAPTURE(rehearsed, ahead, ahead_at_ports, rooms);
  CHECK(rehearsed > support::draws(100));
  CHECK(ahead > support::draws(30));
  CHECK(ahead_at_ports > support::draws(30));
  CHECK(rooms > support::draws(30));
}

TEST_CASE("what is advised at the overlay runs in the period that was advised, and is measured so") {
  tpn::Document instance = support::document_of("examples/video-analytics.json");
  instance.transfers = {{0, 3, 3, 4}};
  const tpn::FoldedNet net = support::net_of(instance, tpn::Model::kOverlap);
  CHECK(evaluators::evaluate(net).upper == Rational(25));
  const auto run = rehearse(instance, {tpn::Model::kOverlap, {}, {.first_data_set = 0, .data_sets = 200, .window = 0}});
  REQUIRE(run);
  const RunMeasurement measured = measure(net, run->trace);
  CHECK(measured.period == Rational(25));
  CHECK(measured.early == 0);
  CHECK(run->results.size() == 200);
}

TEST_CASE("a run that goes on where another ended takes nothing ahead of its first data set") {
  std::size_t ahead = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    support::Draw draw(seed);
    tpn::Document instance = support::small_workflow(draw);
    add_transfers(instance, draw);
    CAPTURE(seed, tpn::write_document(instance));
    for (const tpn::Model& model : tpn::default_models()) {
      try {
        const auto net = support::net_of(instance, model);
        const std::uint64_t window = tpn::too_narrow_window(net.pipeline) + 1 + seed % 3;
        RehearsalTerms terms{model, {}, {.first_data_set = 1 + seed % 9, .data_sets = 30, .window = window}};
        terms.action = act;
        const auto run = rehearse(instance, terms);
        REQUIRE(run);
        CHECK(run->next == 30);
        CHECK(run->results.size() == 30 - (1 + seed % 9));
        ahead += net.pipeline.is_shifted() ? 1 : 0;
      } catch (const tpn::InvalidInstance&) {  // too little room
      }
    }
  }
  CHECK(ahead > 30);
}

TEST_CASE("workflows are refused where turns change") {
  const tpn::Document instance = support::document_of("examples/video-analytics.json");
  RehearsalTerms terms{.engine = {.turns = TurnOrder::first_free},
                       .coordination = {.first_data_set = 0, .data_sets = 10, .window = 5}};
  CHECK_THROWS_WITH(rehearse(instance, terms),
                    Catch::Matchers::Contains("thumbnail") && Catch::Matchers::Contains("chains"));
}

}  // namespace takt::live
