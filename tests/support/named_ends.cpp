// End by end, each with what it draws.
#include "tests/support/named_ends.hpp"

#include <string>

#include "tests/support/draw.hpp"
#include "tpn/hosts.hpp"

namespace takt::support {

namespace {

tpn::Endpoint drawn_end(const tpn::Platform& platform, EndPorts ports, Draw& draw) {
  tpn::Endpoint end;
  // A time for all links, or a bandwidth, which may be less than a processor's.
  if (draw.coin()) {
    end.timing.time = draw.whole(0, 9);
  } else {
    end.timing.bandwidth = draw.whole(1, 5);
  }
  if (ports == EndPorts::any && draw.coin()) end.ports = draw.one_in(4) ? tpn::kUnlimitedPorts : draw.count(2, 3);
  const tpn::HostIndex hosts(platform);
  for (std::size_t p = 0; p < platform.processors.size(); ++p) {
    if (hosts.first_of(p) != p || !draw.one_in(3)) continue;
    tpn::EndpointLink link{p, {}};
    link.timing.time = draw.whole(0, 12);
    end.links.push_back(link);
  }
  return end;
}

void name_ends(std::optional<tpn::Endpoint>& end, const char* name, const tpn::Platform& platform, EndPorts ports,
               Draw& draw) {
  end.emplace();
  const std::size_t count = draw.count(1, 4);
  for (std::size_t k = 0; k < count; ++k) {
    tpn::Endpoint one = drawn_end(platform, ports, draw);
    one.name = name + std::to_string(k);
    end->named.push_back(one);
  }
}

}  // namespace

tpn::Endpoint alike_ends(const tpn::Endpoint& end, const std::string& name, std::size_t count) {
  tpn::Endpoint all;
  for (std::size_t k = 0; k < count; ++k) {
    all.named.push_back(end);
    all.named.back().name = name + std::to_string(k);
  }
  return all;
}

tpn::Document with_named_ends(tpn::Document document, std::uint64_t seed, EndPorts ports) {
  Draw draw(seed);
  tpn::Platform& platform = document.platform;
  const std::size_t which = draw.count(0, 2);
  if (which != 0) name_ends(platform.source, "camera", platform, ports, draw);
  if (which != 1) name_ends(platform.sink, "disk", platform, ports, draw);
  if (!document.application.input) document.application.input = draw.whole(1, 12);
  auto& output = document.application.stages.back().output;
  if (!output) output = draw.whole(1, 12);
  return document;
}

}  // namespace takt::support
