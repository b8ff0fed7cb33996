// Tests of the engine on a virtual clock: what it does, and when, is what the net's play says.
#include "live/rehearsal/rehearsal.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <variant>
#include <vector>

#include "evaluators/play/play.hpp"
#include "tests/support/host_documents.hpp"
#include "tests/support/named_ends.hpp"
#include "tests/support/random_documents.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/capabilities.hpp"
#include "tpn/capacity.hpp"
#include "tpn/models.hpp"
#include "tpn/reader.hpp"

namespace takt::live {

namespace {

using evaluators::Firing;

std::vector<Firing> played(const tpn::Document& instance, const tpn::Model& model, std::uint64_t window,
                           std::uint64_t data_sets) {
  tpn::FoldedNet net = std::get<tpn::FoldedNet>(tpn::fold(instance, model));
  if (window > 0) net = std::get<tpn::FoldedNet>(tpn::with_capacity(std::move(net), {.buffers = {}, .window = window}));
  std::vector<Firing> firings;
  evaluators::play(net, data_sets, [&](const Firing& firing) {
    firings.push_back(firing);
    return true;
  });
  return firings;
}

bool same(const Firing& a, const Firing& b) {
  return a.operation == b.operation && a.start == b.start && a.end == b.end;
}

// Where the rehearsal takes another way than the play; "" where it takes none. Nothing where it cannot take place.
std::optional<std::string> difference(const tpn::Document& instance, const tpn::Model& model, EngineTerms engine,
                                      std::uint64_t window, std::uint64_t data_sets) {
  const auto run = rehearse(instance, {model, engine, {.first_data_set = 0, .data_sets = data_sets, .window = window}});
  if (!run) return std::nullopt;
  const std::vector<Firing> expected = played(instance, model, window, data_sets);
  if (run->trace.size() != expected.size()) return "another number of operations";
  if (run->results.size() != data_sets) return "another number of results";
  const auto [at, with] = std::mismatch(run->trace.begin(), run->trace.end(), expected.begin(), same);
  if (at == run->trace.end()) return "";
  return "data set " + std::to_string(at->operation.data_set) + ", column " + std::to_string(at->operation.column) +
         ": " + at->start.to_string() + " to " + at->end.to_string() + ", expected " + with->start.to_string() +
         " to " + with->end.to_string();
}

tpn::Document document_of(const std::filesystem::path& path) {
  std::ifstream stream(path);
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  return tpn::read_document(text, path.string(), std::nullopt, tpn::Catalogues::accepted);
}

}  // namespace

TEST_CASE("on a virtual clock every example runs as its net plays, whatever the window and the anchor") {
  std::size_t seen = 0;
  for (const auto& entry : std::filesystem::directory_iterator(TAKT_SOURCE_DIR "/examples")) {
    if (entry.path().extension() != ".json") continue;
    const tpn::Document instance = document_of(entry.path());
    if (!instance.mapping || tpn::why_refused(kRunsTake, instance)) continue;
    INFO(entry.path().string());
    for (const tpn::Model& model : tpn::default_models()) {
      for (const Anchor anchor : {Anchor::agreed, Anchor::logical, Anchor::observed}) {
        for (const std::uint64_t window : {0U, 1U, 2U, 5U}) {
          CHECK(difference(instance, model, {anchor, LinkUse::emulated}, window, 30) == "");
        }
      }
    }
    ++seen;
  }
  CHECK(seen >= 2);
}

TEST_CASE("on a virtual clock random mappings of every kind run as their nets play") {
  std::size_t rehearsed = 0;
  for (std::uint64_t seed = 1; seed <= support::seeds_or("TAKT_REHEARSAL_SEEDS", 25); ++seed) {
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
  for (std::uint64_t seed = 1; seed <= support::seeds_or("TAKT_REHEARSAL_SEEDS", 40); ++seed) {
    const tpn::Document hosts = support::host_document(seed);
    const tpn::Document instance =
        seed % 2 == 0 ? support::with_named_ends(hosts, seed, support::EndPorts::any) : hosts;
    for (const tpn::Model& model : tpn::default_models()) {
      for (const std::uint64_t window : {std::uint64_t{0}, 1 + seed % 7}) {
        for (const Anchor anchor : {Anchor::agreed, Anchor::logical, Anchor::observed}) {
          INFO("seed " << seed << ", " << tpn::name_of(model) << ", window " << window << ", anchor "
                       << static_cast<int>(anchor));
          const auto found = difference(instance, model, {anchor, LinkUse::emulated}, window, 40);
          REQUIRE(found);
          CHECK(*found == "");
          ++rehearsed;
        }
      }
    }
  }
  CHECK(rehearsed > 0);
}

}  // namespace takt::live
