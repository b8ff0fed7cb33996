// A program outside the repository that uses an installed takt: evaluates an instance, proves the answer.
#include <iostream>
#include <takt/evaluators/evaluate.hpp>
#include <takt/evaluators/proof/certify.hpp>
#include <takt/evaluators/proof/check.hpp>
#include <takt/heuristics/registry.hpp>
#include <takt/tpn/reader.hpp>
#include <variant>

// Two processors share a stage; the one that sends to both is the bottleneck: (2 + 4 + 2 + 6) / 2 = 7.
constexpr const char* kInstance = R"({
  "application": {"stages": [{"name": "split"}, {"name": "work"}]},
  "platform": {
    "processors": [{"name": "P0", "time": 2}, {"name": "P1", "time": 5}, {"name": "P2", "time": "7/2"}],
    "links": [{"from": "P0", "to": "P1", "time": 4}, {"from": "P0", "to": "P2", "time": 6}]
  },
  "mapping": [{"stages": ["split"], "processors": ["P0"]}, {"stages": ["work"], "processors": ["P1", "P2"]}]
})";

int main() {
  namespace tpn = takt::tpn;
  namespace evaluators = takt::evaluators;
  const tpn::Document document = tpn::read_document(kInstance, "instance.json");
  const auto net = std::get<tpn::FoldedNet>(tpn::fold(document, tpn::Model::kStrict));
  const evaluators::Evaluation evaluation = evaluators::evaluate(net);
  const auto certificate = std::get<evaluators::Certificate>(evaluators::certify(net, evaluation));
  const auto verdict = evaluators::check(document, certificate);
  std::cout << evaluation.upper.to_string() << ' '
            << (std::holds_alternative<evaluators::Proven>(verdict) ? "proved" : "not proved")
            << (takt::heuristics::find_heuristic("polish") != nullptr ? ", polish is there" : "") << '\n';
}
