// Small nets whose queues are known in closed form.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tests/support/draw.hpp"
#include "tests/support/host_documents.hpp"
#include "tests/support/random_nets.hpp"
#include "tpn/reader.hpp"
#include "vary/vary.hpp"

namespace takt::vary {

/// Parts one after the other: of `works[k]`, on so many processors of speed 1, with files of `sizes[k]` between.
inline std::string chain_text(const std::vector<std::string>& works, const std::vector<int>& processors,
                              const std::vector<std::string>& sizes = {}) {
  std::string stages;
  std::string machines;
  std::string mapping;
  for (std::size_t k = 0; k < works.size(); ++k) {
    const std::string comma = k == 0 ? "" : ",";
    const std::string name = "S" + std::to_string(k);
    stages += comma + R"({"name":")" + name + R"(","work":")" + works[k] + "\"";
    if (k + 1 < works.size()) stages += ",\"output\":" + (sizes.empty() ? std::string("0") : sizes[k]);
    stages += "}";
    std::string names;
    for (int p = 0; p < processors[k]; ++p) {
      const std::string machine = "P" + std::to_string(k) + "_" + std::to_string(p);
      machines += (machines.empty() ? "" : ",") + (R"({"name":")" + machine + R"(","speed":1})");
      names += (p == 0 ? "\"" : ",\"") + machine + "\"";
    }
    mapping += comma + R"({"stages":[")" + name + R"("],"processors":[)" + names + "]}";
  }
  return R"({"application":{"stages":[)" + stages + R"(]},"platform":{"processors":[)" + machines +
         R"(],"bandwidth":1},"mapping":[)" + mapping + "]}";
}

/// One to four parts, each on one to four processors, times from 1 to 30.
inline tpn::Document random_mapping(std::uint64_t seed) {
  support::Draw draw(seed);
  std::vector<std::size_t> replication(draw.count(1, 4));
  for (std::size_t& count : replication) count = draw.count(1, 4);
  return support::uniform_document(replication, 1, 30, seed, maxplus::Rational::fraction(1, 6));
}

/// Mappings of chains and of workflows by turns: of seeds from 1 on.
inline tpn::Document random_pipeline(std::uint64_t seed) {
  return seed % 2 == 0 ? support::workflow_document(seed) : random_mapping(seed);
}

/// A document with its net, played by one law.
class KnownNet {
 public:
  KnownNet(const std::string& text, const tpn::Model& model, const Law& law)
      : document_(tpn::read_document(text, "known")),
        net_(support::net_of(document_, model)),
        played_(net_, times_of(document_, net_, law)) {}

  const tpn::Document& document() const { return document_; }
  const tpn::FoldedNet& net() const { return net_; }
  const PlayedNet& played() const { return played_; }

 private:
  tpn::Document document_;
  tpn::FoldedNet net_;
  PlayedNet played_;
};

/// The figures at one gap; without one, with all data sets there.
inline ScenarioFigures figures_at(const PlayedNet& net, std::optional<double> gap, const VarySettings& settings,
                                  const std::vector<double>& shares = {}) {
  const Scenario scenario{gap};
  return figures_of(net, std::span(&scenario, 1), shares, settings).value().scenarios.at(0);
}

/// The latencies at one gap, copy after copy.
inline std::vector<double> latencies_at(const PlayedNet& net, std::optional<double> gap, const VarySettings& settings) {
  const Scenario scenario{gap};
  return figures_of(net, std::span(&scenario, 1), {}, settings, true).value().scenarios.at(0).latencies;
}

}  // namespace takt::vary
