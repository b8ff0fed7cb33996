// A plan carried out by actors of SimGrid's S4U: when each operation ends. It shares nothing with takt.
//
// STRICT: an actor per processor. OVERLAP: three, for receptions, computations and sendings, which tell each other by
// semaphores what is there. An actor does its operations by data set, then column, one at a time. A tick is a second,
// processors do one flop per second, a byte takes a second: whole numbers of ticks are exact in doubles. A transfer is
// a message through a mailbox, which begins when both are there; each ordered pair of processors has a link of its
// own that transfers do not share (FATPIPE), so none is slowed by another.
//
// References. [casanova2014simgrid]
//
// Usage: s4u_peer PLAN [SimGrid options]   prints "data_set column end" for every operation, in seconds
#include <cstdio>
#include <exception>
#include <map>
#include <simgrid/s4u.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/peers/plan.hpp"

namespace {

namespace sg4 = simgrid::s4u;
using takt::peers::Plan;
using takt::peers::PlanColumn;
using takt::peers::PlanOperation;

using Ends = std::vector<std::vector<double>>;  // by column, then data set

class Stand {
 public:
  Stand(const Plan& plan, Ends& ends) : plan_(plan), ends_(ends) {
    for (std::size_t p = 0; p < plan.processors; ++p) {
      auto& here = there_.emplace_back();
      for (std::size_t c = 0; c < plan.columns.size(); ++c) here.push_back(sg4::Semaphore::create(0));
    }
  }

  /// What one actor of a processor does.
  void work(std::size_t processor, bool receives, bool computes, bool sends) const {
    for (std::uint64_t j = 0; j < plan_.data_sets; ++j) {
      for (std::size_t c = 0; c < plan_.columns.size(); ++c) {
        const PlanColumn& column = plan_.columns[c];
        const PlanOperation& operation = column.on(j);
        if (column.computes) {
          if (computes && operation.from == processor) compute(c, j);
        } else if (column.is_transfer_on(j)) {
          if (sends && operation.from == processor) send(c, j);
          if (receives && operation.to == processor) receive(c, j);
        } else if (computes && operation.from == processor) {
          ends_[c][j] = sg4::Engine::get_clock();
        }
      }
    }
  }

 private:
  void compute(std::size_t c, std::uint64_t j) const {
    const PlanOperation& operation = plan_.columns[c].on(j);
    if (c > 0 && plan_.columns[c - 1].is_transfer_on(j)) await(operation.from, c - 1);
    if (operation.ticks > 0) sg4::this_actor::execute(static_cast<double>(operation.ticks));
    ends_[c][j] = sg4::Engine::get_clock();
    if (c + 1 < plan_.columns.size() && plan_.columns[c + 1].is_transfer_on(j)) tell(operation.from, c);
  }

  void send(std::size_t c, std::uint64_t j) const {
    const PlanOperation& operation = plan_.columns[c].on(j);
    await(operation.from, c - 1);
    mailbox(c, operation)->put(new std::uint64_t(j), operation.ticks);
  }

  void receive(std::size_t c, std::uint64_t j) const {
    const PlanOperation& operation = plan_.columns[c].on(j);
    const auto found = mailbox(c, operation)->get_unique<std::uint64_t>();
    if (*found != j) throw std::logic_error("a data set has overtaken another");
    ends_[c][j] = sg4::Engine::get_clock();
    tell(operation.to, c);
  }

  // The processor's other actor has done the column on one data set more. In STRICT, itself.
  void tell(std::size_t processor, std::size_t column) const { there_[processor][column]->release(); }
  void await(std::size_t processor, std::size_t column) const { there_[processor][column]->acquire(); }

  static sg4::Mailbox* mailbox(std::size_t c, const PlanOperation& operation) {
    return sg4::Mailbox::by_name(std::to_string(c) + ":" + std::to_string(operation.from) + ":" +
                                 std::to_string(operation.to));
  }

  const Plan& plan_;
  Ends& ends_;
  std::vector<std::vector<sg4::SemaphorePtr>> there_;  // by processor and column
};

std::vector<sg4::Host*> hosts_of(const Plan& plan) {
  auto* zone = sg4::create_full_zone("zone");
  std::vector<sg4::Host*> hosts;
  for (std::size_t p = 0; p < plan.processors; ++p) hosts.push_back(zone->create_host("p" + std::to_string(p), 1.0));
  std::map<std::pair<std::size_t, std::size_t>, bool> linked;
  for (const PlanColumn& column : plan.columns) {
    for (const PlanOperation& operation : column.operations) {
      if (operation.from == operation.to || linked[{operation.from, operation.to}]) continue;
      linked[{operation.from, operation.to}] = true;
      auto* link = zone->create_link(std::to_string(operation.from) + ">" + std::to_string(operation.to), 1.0);
      link->set_latency(0)->set_sharing_policy(sg4::Link::SharingPolicy::FATPIPE)->seal();
      zone->add_route(hosts[operation.from]->get_netpoint(), hosts[operation.to]->get_netpoint(), nullptr, nullptr,
                      {sg4::LinkInRoute(link)}, false);
    }
  }
  zone->seal();
  return hosts;
}

void run(const Plan& plan, const sg4::Engine& engine) {
  Ends ends(plan.columns.size(), std::vector<double>(plan.data_sets, -1));
  const auto hosts = hosts_of(plan);
  const Stand stand(plan, ends);
  for (std::size_t p = 0; p < plan.processors; ++p) {
    if (plan.strict) {
      sg4::Actor::create("all", hosts[p], [&stand, p] { stand.work(p, true, true, true); });
    } else {
      sg4::Actor::create("in", hosts[p], [&stand, p] { stand.work(p, true, false, false); });
      sg4::Actor::create("compute", hosts[p], [&stand, p] { stand.work(p, false, true, false); });
      sg4::Actor::create("out", hosts[p], [&stand, p] { stand.work(p, false, false, true); });
    }
  }
  engine.run();
  for (std::uint64_t j = 0; j < plan.data_sets; ++j) {
    for (std::size_t c = 0; c < plan.columns.size(); ++c) {
      std::printf("%llu %zu %.17g\n", static_cast<unsigned long long>(j), c, ends[c][j]);
    }
  }
}

}  // namespace

int main(int argc, char** argv) try {
  const sg4::Engine engine(&argc, argv);
  // A transfer takes its bytes over its bandwidth, whatever TCP would add.
  for (const char* setting : {"network/model:CM02", "network/crosstraffic:0", "network/TCP-gamma:0",
                              "network/weight-S:0", "network/latency-factor:1", "network/bandwidth-factor:1"}) {
    sg4::Engine::set_config(setting);
  }
  if (argc != 2) {
    std::fputs("usage: s4u_peer PLAN [SimGrid options]\n", stderr);
    return 2;
  }
  run(takt::peers::read_plan(argv[1]), engine);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "s4u_peer: %s\n", error.what());
  return 1;
}
