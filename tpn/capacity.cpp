// Which buffers a pipeline has, and a net whose capacity has a limit.
#include "tpn/capacity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "tpn/circuits.hpp"
#include "tpn/folded_net.hpp"
#include "tpn/models.hpp"
#include "tpn/window.hpp"

namespace takt::tpn {

namespace {

// Whether a processor of `part` ever exchanges a file with another one of the part beside it.
bool crosses(const Pipeline& pipeline, const ServiceIndex& services, std::size_t processor, PartIndex part,
             PartIndex beside) {
  const std::vector<std::size_t>& others = pipeline.parts[beside].sequence;
  const std::size_t g = std::gcd(pipeline.parts[part].sequence.size(), others.size());
  return std::ranges::any_of(services.of(processor, part), [&](const ServiceIndex::Service& service) {
    for (std::size_t b = service.entry % g; b < others.size(); b += g) {
      if (!pipeline.is_free_between(processor, others[b])) return true;
    }
    return false;
  });
}

}  // namespace

std::string_view name_of(BufferSide side) { return side == BufferSide::in ? "in" : "out"; }

std::vector<Buffer> buffers_of(const Pipeline& pipeline) {
  const ServiceIndex services(pipeline);
  std::vector<Buffer> buffers;
  for (const PartIndex i : pipeline.all_parts()) {
    const NetPart& part = pipeline.parts[i];
    if (part.role != PartRole::mapped) continue;
    std::set<std::size_t> seen;
    for (const std::size_t p : part.sequence) {
      if (!seen.insert(p).second) continue;
      const auto add = [&](BufferSide side, const std::vector<ColumnIndex>& transfers) {
        for (const ColumnIndex transfer : transfers)
          if (crosses(pipeline, services, p, i, other_end(pipeline.columns[transfer], i)))
            buffers.push_back({p, i, side, 1, transfer});
      };
      add(BufferSide::in, part.receptions);
      add(BufferSide::out, part.sendings);
    }
  }
  return buffers;
}

std::vector<Buffer> buffers_with(const Pipeline& pipeline, std::span<const std::uint64_t> rooms) {
  std::vector<Buffer> buffers;
  for (Buffer& buffer : buffers_of(pipeline)) {
    if (buffer.side != BufferSide::in || rooms[buffer.transfer] == 0) continue;
    buffer.room = rooms[buffer.transfer];
    buffers.push_back(buffer);
  }
  return buffers;
}

std::optional<std::string> other_part_of(const Buffer& buffer, const Pipeline& pipeline) {
  const NetPart& part = pipeline.parts[buffer.part];
  if ((buffer.side == BufferSide::in ? part.receptions : part.sendings).size() < 2) return std::nullopt;
  const NetPart& other = pipeline.parts[other_end(pipeline.columns[buffer.transfer], buffer.part)];
  if (other.role == PartRole::mapped) return std::to_string(other.mapping_part);
  return other.role == PartRole::source ? "source" : "sink";
}

std::variant<FoldedNet, TooLarge> with_capacity(FoldedNet net, Capacity capacity, const maxplus::Deadline& deadline) {
  maxplus::expects(net.capacity.window == 0 || capacity.window == 0, "a net has one window");
  if (capacity.is_unlimited()) return net;
  DependenceList list(net.pipeline, kDefaultCircuitSteps, deadline);
  list.add_rooms(capacity.buffers);
  if (capacity.window > 0) list.add_window(capacity.window);
  if (list.too_large()) return *list.too_large();
  const std::vector<Dependence> further = list.take_dependences();
  if (list.too_large()) return *list.too_large();
  net.dependences.insert(net.dependences.end(), further.begin(), further.end());
  std::ranges::sort(net.dependences);
  net.dependences.erase(std::unique(net.dependences.begin(), net.dependences.end()), net.dependences.end());
  net.capacity.buffers.insert(net.capacity.buffers.end(), capacity.buffers.begin(), capacity.buffers.end());
  net.capacity.window = std::max(net.capacity.window, capacity.window);
  return net;
}

std::uint64_t too_narrow_window(const Pipeline& pipeline) {
  std::uint64_t narrow = 0;
  for (const PartIndex exit : pipeline.exits()) {
    const NetPart& part = pipeline.parts[exit];
    narrow = std::max(narrow, pipeline.columns[part.computation].shift + part.largest_batch() - 1);
  }
  return narrow;
}

std::string capacity_title(std::size_t buffers, std::uint64_t window) {
  std::string title;
  if (window > 0) title += fmt::format(", WINDOW OF {} DATA SET{}", window, window == 1 ? "" : "S");
  if (buffers > 0) title += fmt::format(", ROOM LIMITED IN {} PLACE{}", buffers, buffers == 1 ? "" : "S");
  return title;
}

}  // namespace takt::tpn
