// Lays out a transfer's table as tpn::make_pipeline does, without a document.
#include "tests/support/random_columns.hpp"
#include "tests/support/draw.hpp"

#include <numeric>
#include <string>
#include <utility>

namespace takt::support {

namespace {

tpn::Column idle_computation(tpn::PartIndex part, std::size_t processors) {
  tpn::Column column;
  column.part = column.receiver = part;
  column.period = processors;
  column.sender_offset.resize(processors);
  std::iota(column.sender_offset.begin(), column.sender_offset.end(), std::size_t{0});
  column.receiver_offset = {0};
  column.table = tpn::DurationTable(std::vector<std::int64_t>(processors, 0));
  return column;
}

}  // namespace

std::vector<std::int64_t> uniform_durations(std::size_t count, std::int64_t low, std::int64_t high,
                                            std::uint64_t seed) {
  Draw draw(seed);
  std::vector<std::int64_t> durations(count);
  for (std::int64_t& d : durations) d = draw.between(low, high);
  return durations;
}

tpn::Pipeline column_pipeline(std::size_t senders, std::size_t receivers, std::int64_t low, std::int64_t high,
                              std::uint64_t seed) {
  const std::size_t g = std::gcd(senders, receivers);
  const std::size_t block = (senders / g) * (receivers / g);  // one for each residue modulo g
  tpn::Pipeline pipeline;
  pipeline.rows = maxplus::Integer(std::lcm(senders, receivers));
  for (std::size_t part = 0; part < 2; ++part) {
    tpn::NetPart here;
    here.mapping_part = here.first_stage = here.last_stage = part;
    for (std::size_t k = 0; k < (part == 0 ? senders : receivers); ++k) {
      here.sequence.push_back(pipeline.processors.size());
      pipeline.processors.push_back("P" + std::to_string(pipeline.processors.size()));
    }
    pipeline.parts.push_back(std::move(here));
  }
  tpn::Column transfer;
  transfer.kind = tpn::ColumnKind::transfer;
  transfer.receiver = tpn::PartIndex(1);
  transfer.period = std::lcm(senders, receivers);
  for (std::size_t a = 0; a < senders; ++a) {
    transfer.sender_offset.push_back(a % g * block + a / g * (receivers / g));
  }
  for (std::size_t b = 0; b < receivers; ++b) transfer.receiver_offset.push_back(b / g);
  transfer.table = tpn::DurationTable(uniform_durations(g * block, low, high, seed));
  pipeline.columns.push_back(idle_computation(tpn::PartIndex(0), senders));
  pipeline.columns.push_back(std::move(transfer));
  pipeline.columns.push_back(idle_computation(tpn::PartIndex(1), receivers));
  tpn::connect(pipeline);
  return pipeline;
}

}  // namespace takt::support
