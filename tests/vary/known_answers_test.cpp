// Queues with answers in closed form: within intervals of 99.9 % that are narrower than 1 %.
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "tests/support/seeds.hpp"
#include "tests/vary/known_nets.hpp"

namespace takt::vary {
namespace {

const Law kExponential{LawKind::exponential};
constexpr double kSure = 0.999;

// Copies and data sets enough for 1 %; settled by then.
VarySettings settings_of(std::uint64_t data_sets, ArrivalKind kind = ArrivalKind::poisson) {
  VarySettings settings;
  settings.copies = 64;
  settings.data_sets = data_sets;
  settings.arrivals = {kind};
  settings.confidence = kSure;
  return settings;
}

void check_within(const Figure& figure, double wanted) {
  INFO("wanted " << wanted << ", found " << figure.value << " +- " << figure.margin);
  CHECK(std::abs(figure.value - wanted) <= figure.margin);
  CHECK(figure.margin <= 0.01 * wanted);
}

struct KnownLatencies {
  double mean = 0;
  std::vector<double> within;  // 50, 95, 99 %
};

void check_latencies(const KnownNet& net, double rate, ArrivalKind kind, const KnownLatencies& wanted,
                     std::uint64_t data_sets) {
  const std::vector<double> shares = {0.5, 0.95, 0.99};
  const ScenarioFigures figures = figures_at(net.played(), 1 / rate, settings_of(data_sets, kind), shares);
  check_within(*figures.mean, wanted.mean);
  for (std::size_t i = 0; i < wanted.within.size(); ++i) {
    INFO("share " << shares[i]);
    check_within(figures.within[i], wanted.within[i]);
  }
}

// Of a latency that is exponential.
KnownLatencies exponential_latency(double rate) {
  return {1 / rate, {std::log(2.0) / rate, std::log(20.0) / rate, std::log(100.0) / rate}};
}

void check_period(const KnownNet& net, double wanted, std::uint64_t data_sets) {
  check_within(figures_at(net.played(), {}, settings_of(data_sets)).period, wanted);
}

// The root s below 1 of s = map(s).
template <typename Map>
double root_of(Map map) {
  double s = 0.5;
  for (int i = 0; i < 10'000; ++i) s = map(s);
  return s;
}

}  // namespace

TEST_CASE("M/M/1: one processor, exponential times, Poisson arrivals") {
  const KnownNet net(chain_text({"1"}, {1}), tpn::Model::kOverlap, kExponential);
  check_latencies(net, 0.7, ArrivalKind::poisson, exponential_latency(0.3), 400'000);
}

TEST_CASE("D/M/1: one processor, exponential times, periodic arrivals") {
  const KnownNet net(chain_text({"1"}, {1}), tpn::Model::kOverlap, kExponential);
  const double s = root_of([](double at) { return std::exp(-(1 - at) / 0.7); });
  check_latencies(net, 0.7, ArrivalKind::periodic, exponential_latency(1 - s), 250'000);
}

TEST_CASE("E3/M/1: three processors in turn, exponential times, Poisson arrivals") {
  const KnownNet net(chain_text({"1"}, {3}), tpn::Model::kOverlap, kExponential);
  const double s = root_of([](double at) { return std::pow(2.1 / (2.1 + 1 - at), 3); });
  check_latencies(net, 2.1, ArrivalKind::poisson, exponential_latency(1 - s), 200'000);
}

TEST_CASE("M/D/1: one processor, constant times, Poisson arrivals") {
  const KnownNet net(chain_text({"1"}, {1}), tpn::Model::kOverlap, {});
  check_latencies(net, 0.7, ArrivalKind::poisson, {13.0 / 6, {}}, 100'000);
}

TEST_CASE("a tandem of two exponential servers: two independent latencies") {
  const KnownNet net(chain_text({"1", "4/5"}, {1, 1}), tpn::Model::kOverlap, kExponential);
  // P(sum > t) = (b e^(-a t) - a e^(-b t)) / (b - a).
  constexpr double kFirst = 0.3;
  constexpr double kSecond = 0.55;
  const auto at = [&](double share) {
    double low = 0;
    double high = 200;
    for (int i = 0; i < 200; ++i) {
      const double t = (low + high) / 2;
      const double beyond = (kSecond * std::exp(-kFirst * t) - kFirst * std::exp(-kSecond * t)) / (kSecond - kFirst);
      (beyond > 1 - share ? low : high) = t;
    }
    return low;
  };
  check_latencies(net, 0.7, ArrivalKind::poisson, {1 / kFirst + 1 / kSecond, {at(0.5), at(0.95), at(0.99)}}, 200'000);
}

TEST_CASE("a torus of exponential transfers has the period (u + v - 1) / (u v)") {
  for (const auto& [senders, receivers] : {std::pair(2, 3), {1, 1}, {3, 4}, {5, 2}}) {
    const KnownNet net(chain_text({"0", "0"}, {senders, receivers}, {"1"}), tpn::Model::kOverlap, kExponential);
    INFO(senders << " senders, " << receivers << " receivers");
    check_period(net, static_cast<double>(senders + receivers - 1) / (senders * receivers), 4000);
  }
}

TEST_CASE("of several tori the slowest decides") {
  // 2 senders and 4 receivers are two tori of 1 x 2; the second sender's transfers take 3 times as long.
  std::string text = chain_text({"0", "0"}, {2, 4}, {"1"});
  std::string links;
  for (int receiver = 0; receiver < 4; ++receiver) {
    links += (links.empty() ? "" : ",") + (R"({"from":"P0_1","to":"P1_)" + std::to_string(receiver) + R"(","time":3})");
  }
  text.insert(text.find("\"bandwidth\""), "\"links\":[" + links + "],");
  const KnownNet net(text, tpn::Model::kOverlap, kExponential);
  check_period(net, 3 * 1.0 / 2, 4000);
}

TEST_CASE("a STRICT pair waits for the longer of two exponential times") {
  const KnownNet net(chain_text({"1", "1"}, {1, 1}), tpn::Model::kStrict, kExponential);
  check_period(net, 1.5, 4000);
}

TEST_CASE("fork and join of two exponential servers, Poisson arrivals") {
  const std::string text = R"({"application":{"stages":[
      {"name":"fork","work":0,"output":0},{"name":"a","work":1,"output":0,"after":["fork"]},
      {"name":"b","work":1,"output":0,"after":["fork"]},{"name":"join","work":0,"after":["a","b"]}]},
    "platform":{"processors":[{"name":"P0","speed":1},{"name":"P1","speed":1},{"name":"P2","speed":1},
      {"name":"P3","speed":1}],"bandwidth":1},
    "mapping":[{"stages":["fork"],"processors":["P0"]},{"stages":["a"],"processors":["P1"]},
      {"stages":["b"],"processors":["P2"]},{"stages":["join"],"processors":["P3"]}]})";
  const KnownNet net(text, tpn::Model::kOverlap, kExponential);
  constexpr double kRate = 0.6;
  check_latencies(net, kRate, ArrivalKind::poisson, {(12 - kRate) / 8 / (1 - kRate), {}}, 60'000);
}

TEST_CASE("intervals hold what they are of about as often as they say") {
  const KnownNet net(chain_text({"1"}, {1}), tpn::Model::kOverlap, kExponential);
  const std::uint64_t seeds = support::draws(1200);
  const std::vector<double> shares = {0.5, 0.95};
  const std::vector<double> wanted = {std::log(2.0) / 0.5, std::log(20.0) / 0.5};
  std::vector<std::uint64_t> held(3, 0);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    VarySettings settings;
    settings.seed = seed;
    settings.copies = 16;
    settings.data_sets = 5000;
    settings.arrivals = {ArrivalKind::poisson};
    const ScenarioFigures found = figures_at(net.played(), 2.0, settings, shares);
    held[0] += std::abs(found.mean->value - 2) <= found.mean->margin ? 1 : 0;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      held[i + 1] += std::abs(found.within[i].value - wanted[i]) <= found.within[i].margin ? 1 : 0;
    }
  }
  const double allowed = support::makes_all_draws() ? 0.02 : 0.05;
  for (const std::uint64_t count : held) {
    CHECK(std::abs(static_cast<double>(count) / static_cast<double>(seeds) - 0.95) <= allowed);
  }
}

}  // namespace takt::vary
