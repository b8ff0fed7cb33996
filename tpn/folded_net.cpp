// From a document to columns with integer durations, and to a folded net.
#include "tpn/folded_net.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "tpn/capabilities.hpp"
#include "tpn/chain.hpp"
#include "tpn/column_period.hpp"
#include "tpn/hosts.hpp"
#include "tpn/models.hpp"
#include "tpn/problem_view.hpp"
#include "tpn/rates.hpp"
#include "tpn/segments.hpp"
#include "tpn/workflow.hpp"

namespace takt::tpn {

namespace {

// A column whose durations are still fractions.
struct TimedColumn {
  Column column;
  std::vector<Rational> times;  // as Column::table
};

// Numbers the distinct processors of a sequence in order of appearance.
std::size_t local_index(std::map<std::size_t, std::size_t>& seen, std::size_t processor) {
  return seen.try_emplace(processor, seen.size()).first->second;
}

TimedColumn compute_column(const Pipeline& pipeline, PartIndex part, const Timing& timing) {
  const NetPart& here = pipeline.parts[part];
  TimedColumn result;
  result.column.kind = ColumnKind::compute;
  result.column.part = result.column.receiver = part;
  result.column.receiver_offset = {0};
  std::map<std::pair<std::size_t, std::uint64_t>, std::size_t> seen;
  for (std::size_t entry = 0; entry < here.sequence.size(); ++entry) {
    const std::size_t processor = here.sequence[entry];
    const std::uint64_t size = here.computed_at(entry);
    const std::size_t index = seen.try_emplace({processor, size}, seen.size()).first->second;
    result.column.sender_offset.push_back(index);
    if (index < result.times.size()) continue;
    const bool computes = here.role == PartRole::mapped && size > 0;
    result.times.push_back(computes ? timing.computation(here.first_stage, here.last_stage, processor, size)
                                    : Rational());
  }
  return result;
}

}  // namespace

Rational transfer_time(const Pipeline& pipeline, const Column& transfer, std::size_t from, std::size_t to,
                       const Timing& timing) {
  if (from == to) return {};
  const NetPart& sender = pipeline.parts[transfer.part];
  const NetPart& receiver = pipeline.parts[transfer.receiver];
  // Several stand one behind the other, each once.
  if (sender.role == PartRole::source) return timing.from_source(to, from - sender.sequence.front());
  if (receiver.role == PartRole::sink) return timing.to_sink(transfer.files, from, to - receiver.sequence.front());
  return timing.transfer(transfer.files, from, to);
}

std::uint64_t NetPart::computed_at(std::uint64_t data_set) const {
  if (to_batch_end.empty()) return 1;
  const std::size_t entry = data_set % to_batch_end.size();
  if (to_batch_end[entry] != 0) return 0;
  std::uint64_t size = 1;
  while (size <= entry && to_batch_end[entry - size] == size) ++size;
  return size;
}

std::optional<std::uint64_t> with_whole_batches(const Pipeline& pipeline, std::uint64_t data_sets, std::uint64_t most) {
  for (bool is_whole = data_sets == 0; !is_whole;) {
    is_whole = true;
    for (const NetPart& part : pipeline.parts) {
      const std::uint64_t end = part.computed_with(data_sets - 1) + 1;
      is_whole = is_whole && end == data_sets;
      data_sets = end;
    }
    if (data_sets > most) return std::nullopt;
  }
  return data_sets;
}

std::uint64_t whole_batches_within(const Pipeline& pipeline, std::uint64_t data_sets) {
  for (bool is_whole = false; data_sets > 0 && !is_whole;) {
    is_whole = true;
    for (const NetPart& part : pipeline.parts) {
      // Back to where the batch of the last one begins.
      while (data_sets > 0 && part.computed_with(data_sets - 1) + 1 != data_sets) {
        is_whole = false;
        --data_sets;
      }
    }
  }
  return data_sets;
}

std::uint64_t NetPart::largest_batch() const {
  return to_batch_end.empty() ? 1 : *std::ranges::max_element(to_batch_end) + 1;
}

namespace {

// What is missing of its times if the deadline passes does not count.
TimedColumn transfer_column(const Pipeline& pipeline, const PartEdge& edge, const Timing& timing,
                            maxplus::DeadlineWatch& watch) {
  const auto& senders = pipeline.parts[edge.sender].sequence;
  const auto& receivers = pipeline.parts[edge.receiver].sequence;
  const std::size_t g = std::gcd(senders.size(), receivers.size());
  TimedColumn result;
  result.column.kind = ColumnKind::transfer;
  result.column.part = edge.sender;
  result.column.receiver = edge.receiver;
  result.column.files = edge.files;
  result.column.sender_offset.resize(senders.size());
  result.column.receiver_offset.resize(receivers.size());
  for (std::size_t residue = 0; residue < g; ++residue) {
    const std::size_t base = result.times.size();
    std::map<std::size_t, std::size_t> from;
    std::map<std::size_t, std::size_t> to;
    for (std::size_t b = residue; b < receivers.size(); b += g) {
      result.column.receiver_offset[b] = local_index(to, receivers[b]);
    }
    for (std::size_t a = residue; a < senders.size(); a += g) {
      result.column.sender_offset[a] = base + local_index(from, senders[a]) * to.size();
    }
    result.times.resize(base + from.size() * to.size());
    for (const auto& [sender, row] : from) {
      if (watch.has_passed(static_cast<double>(to.size()))) return result;
      for (const auto& [receiver, cell] : to) {
        result.times[base + row * to.size() + cell] = transfer_time(pipeline, result.column, sender, receiver, timing);
      }
    }
  }
  return result;
}

// Entries of the tables of transfers between parts of a mapping: for each residue modulo the gcd of two sequences'
// lengths, the different processors of one times those of the other.
Integer count_meetings(std::span<const Part> mapping, std::span<const FileRoute> routes) {
  Integer meetings = 0;
  for (const FileRoute& route : routes) {
    if (!route.from || !route.to) continue;
    const auto& senders = mapping[*route.from].processors;
    const auto& receivers = mapping[*route.to].processors;
    const std::size_t g = std::gcd(senders.size(), receivers.size());
    const auto distinct_by_residue = [g](const std::vector<std::size_t>& sequence) {
      std::vector<std::set<std::size_t>> distinct(g);
      for (std::size_t entry = 0; entry < sequence.size(); ++entry) distinct[entry % g].insert(sequence[entry]);
      return distinct;
    };
    const auto from = distinct_by_residue(senders);
    const auto to = distinct_by_residue(receivers);
    for (std::size_t residue = 0; residue < g; ++residue) {
      meetings += Integer(from[residue].size()) * to[residue].size();
    }
  }
  return meetings;
}

struct KindTraits {
  std::string_view name;
  bool receives = false;
  bool computes = false;
  bool sends = false;
};

// In the order of ConstraintKind.
constexpr std::array<KindTraits, kConstraintKinds> kKindTraits = {{{"flow"},
                                                                   {"processor", true, true, true},
                                                                   {"compute", false, true, false},
                                                                   {"in-port", true, false, false},
                                                                   {"out-port", false, false, true},
                                                                   {"port", true, false, true},
                                                                   {"room"},
                                                                   {"window"},
                                                                   {"segment"}}};

const KindTraits& traits_of(ConstraintKind kind) { return kKindTraits[static_cast<std::size_t>(kind)]; }

TooLarge out_of_time() { return {LimitKind::building_time, 0, 0}; }

// Behind the hosts, each direction on its own where it is one.
void add_segments(const Platform& platform, Pipeline& pipeline) {
  PortTable& table = pipeline.ports;
  table.first_segment = pipeline.processors.size();
  if (platform.segments.empty()) return;
  const SegmentIndex index(platform);
  for (std::size_t s = 0; s < platform.segments.size(); ++s) {
    const NetworkSegment& segment = platform.segments[s];
    SegmentWay way;
    way.is_both = !segment.duplex;
    for (std::size_t machine = 0; machine < table.first_host; ++machine) {
      way.from.push_back(index.side(s, machine) == SegmentSide::first);
      way.to.push_back(index.side(s, machine) == SegmentSide::second);
    }
    for (const std::string& name : names_of_ways(segment)) {
      pipeline.processors.push_back(name);
      table.owner.push_back(table.owner.size());
      table.count.push_back(segment.ports);
      table.segments.push_back(way);
      std::swap(way.from, way.to);
    }
  }
}

// Hosts behind all processors, and how many files each passes at once.
void add_ports(const Platform& platform, Pipeline& pipeline) {
  if (!has_other_ports(platform) && platform.segments.empty()) return;
  const HostIndex hosts(platform);
  PortTable& table = pipeline.ports;
  table.first_end = platform.processors.size();
  table.first_host = pipeline.processors.size();
  table.owner.resize(table.first_host);
  std::iota(table.owner.begin(), table.owner.end(), std::size_t{0});
  for (const Processor& processor : platform.processors) table.count.push_back(processor.ports);
  for (const auto* const end : {&platform.source, &platform.sink}) {
    if (!*end) continue;
    for (const Endpoint& one : (*end)->in_turn()) table.count.push_back(one.ports);
  }
  table.copies.assign(table.first_host, false);
  for (std::size_t p = 0; p < platform.processors.size(); ++p) {
    const std::size_t first = hosts.first_of(p);
    if (hosts.size_of(p) == 1) continue;
    if (first == p) {
      table.owner[p] = pipeline.processors.size();
      pipeline.processors.push_back(host_name(platform.processors[p]));
      table.owner.push_back(table.owner[p]);
      table.count.push_back(platform.processors[p].ports);
      table.copies.push_back(platform.processors[p].memory_bandwidth.has_value());
    } else {
      table.owner[p] = table.owner[first];
    }
  }
  add_segments(platform, pipeline);
}

// As NetPart::to_batch_end.
std::vector<std::uint64_t> batch_ends(const Part& part) {
  if (part.batches.empty()) return {};
  std::vector<std::uint64_t> left(part.processors.size(), 0);
  for (const Batch& batch : part.batches)
    for (std::uint64_t k = 0; k < batch.size; ++k) left[batch.first + k] = batch.size - 1 - k;
  return left;
}

// The pipeline's processors and parts, both ends of the world included.
Pipeline pipeline_of_parts(const Document& document, std::span<const Part> mapping) {
  Pipeline pipeline;
  for (const Processor& processor : document.platform.processors) pipeline.processors.push_back(processor.name);
  const auto add_endpoint = [&](PartRole role, const Endpoint& endpoint, const char* name) {
    NetPart& part = pipeline.parts.emplace_back();
    part.role = role;
    for (const Endpoint& one : endpoint.in_turn()) {
      part.sequence.push_back(pipeline.processors.size());
      pipeline.processors.push_back(one.name.empty() ? name : one.name);
    }
  };
  if (document.platform.source) add_endpoint(PartRole::source, *document.platform.source, "source");
  for (std::size_t i = 0; i < mapping.size(); ++i) {
    const Part& part = mapping[i];
    pipeline.parts.push_back({.role = PartRole::mapped,
                              .mapping_part = i,
                              .first_stage = part.first_stage,
                              .last_stage = part.last_stage,
                              .sequence = part.processors,
                              .to_batch_end = batch_ends(part)});
  }
  if (document.platform.sink) add_endpoint(PartRole::sink, *document.platform.sink, "sink");
  add_ports(document.platform, pipeline);
  return pipeline;
}

// The same by parts of the pipeline, the ends of the world among them.
std::vector<PartEdge> edges_of(const Pipeline& pipeline, const std::vector<FileRoute>& routes) {
  std::vector<PartIndex> mapped;
  PartIndex source;
  PartIndex sink;
  for (const PartIndex part : pipeline.all_parts()) {
    const PartRole role = pipeline.parts[part].role;
    if (role == PartRole::mapped) mapped.push_back(part);
    if (role == PartRole::source) source = part;
    if (role == PartRole::sink) sink = part;
  }
  std::vector<PartEdge> edges;
  edges.reserve(routes.size());
  for (const FileRoute& route : routes)
    edges.push_back({route.from ? mapped[*route.from] : source, route.to ? mapped[*route.to] : sink, route.files});
  return edges;
}

// The common denominator of all times; a limit where durations over it would be too long together.
std::variant<Integer, TooLarge> common_scale(const std::vector<TimedColumn>& columns, maxplus::DeadlineWatch& watch) {
  Integer times = 0;
  for (const TimedColumn& timed : columns) times += timed.times.size();
  Integer scale = 1;
  for (const TimedColumn& timed : columns) {
    for (const Rational& time : timed.times) {
      if (mpz_divisible_p(scale.get_mpz_t(), time.denominator().get_mpz_t()) != 0) continue;
      scale = lcm(scale, time.denominator());
      const std::size_t words = mpz_size(scale.get_mpz_t());
      if (words > 1 && words * times > kDefaultDurationWords)
        return TooLarge{LimitKind::duration_words, words * times, kDefaultDurationWords};
      if (watch.has_passed(static_cast<double>(words))) return out_of_time();
    }
  }
  return scale;
}

// Puts the columns into the pipeline, their durations as integers over one scale; the limit that forbids it, if any.
std::optional<TooLarge> add_columns(std::vector<TimedColumn> columns, Pipeline& pipeline,
                                    maxplus::DeadlineWatch& watch) {
  auto scale = common_scale(columns, watch);
  if (const auto* too_large = std::get_if<TooLarge>(&scale)) return *too_large;
  pipeline.scale = std::get<Integer>(std::move(scale));
  for (TimedColumn& timed : columns) {
    std::vector<Integer> durations;
    durations.reserve(timed.times.size());
    for (const Rational& time : timed.times) {
      if (watch.has_passed()) return out_of_time();
      durations.emplace_back(time.numerator() * (pipeline.scale / time.denominator()));
    }
    timed.column.table = DurationTable(std::move(durations));
    timed.times = {};
    if (watch.has_passed(static_cast<double>(timed.column.table.size()))) return out_of_time();
    timed.column.period = minimal_period(timed.column);
    pipeline.columns.push_back(std::move(timed.column));
  }
  return std::nullopt;
}

}  // namespace

std::optional<SharedOwner> shared_owner(const Pipeline& pipeline) {
  std::unordered_map<std::size_t, PartIndex> served;
  for (const PartIndex part : pipeline.all_parts()) {
    for (const std::size_t processor : pipeline.parts[part].sequence) {
      const std::size_t owner = pipeline.port_owner(processor);
      const PartIndex first = served.emplace(owner, part).first->second;
      if (first != part) return SharedOwner{owner, first, part};
    }
  }
  return std::nullopt;
}

std::string_view name_of(ConstraintKind kind) { return traits_of(kind).name; }

bool handles_receptions(ConstraintKind kind) { return traits_of(kind).receives; }
bool handles_computations(ConstraintKind kind) { return traits_of(kind).computes; }
bool handles_sendings(ConstraintKind kind) { return traits_of(kind).sends; }
bool is_port(ConstraintKind kind) {
  return !handles_computations(kind) && (handles_receptions(kind) || handles_sendings(kind));
}

bool can_be_several(ConstraintKind kind) { return is_port(kind) || kind == ConstraintKind::segment; }
bool is_resource(ConstraintKind kind) { return can_be_several(kind) || handles_computations(kind); }

std::string resource_name(ConstraintKind kind, const std::string& owner) {
  const bool is_all = kind == ConstraintKind::processor || kind == ConstraintKind::segment;
  return is_all ? owner : owner + " " + std::string(name_of(kind));
}

std::string name_of(const Resource& resource, const Pipeline& pipeline) {
  return resource_name(resource.kind, pipeline.processors[resource.processor]);
}

bool natural_less(std::string_view a, std::string_view b) {
  const auto number_at = [&](std::string_view text, std::size_t from) {
    const auto first =
        std::find_if(text.begin() + static_cast<std::ptrdiff_t>(from), text.end(), [](char c) { return c != '0'; });
    const auto last = std::find_if_not(first, text.end(), maxplus::is_digit);
    return std::pair(
        text.substr(static_cast<std::size_t>(first - text.begin()), static_cast<std::size_t>(last - first)),
        static_cast<std::size_t>(last - text.begin()));
  };
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (maxplus::is_digit(a[i]) && maxplus::is_digit(b[j])) {
      const auto [left, left_end] = number_at(a, i);
      const auto [right, right_end] = number_at(b, j);
      if (left.size() != right.size()) return left.size() < right.size();
      if (left != right) return left < right;
      i = left_end;
      j = right_end;
    } else {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i;
      ++j;
    }
  }
  if (i < a.size() || j < b.size()) return i == a.size();
  return a < b;
}

TransferEnds ends_of(const Pipeline& pipeline, ColumnIndex transfer) {
  const auto number_of = [&](PartIndex index) {
    const NetPart& part = pipeline.parts[index];
    return part.role == PartRole::mapped ? std::optional(part.mapping_part) : std::nullopt;
  };
  return {number_of(pipeline.columns[transfer].part), number_of(pipeline.columns[transfer].receiver)};
}

namespace {

std::map<TransferEnds, ColumnIndex> columns_of_transfers(const Pipeline& pipeline) {
  std::map<TransferEnds, ColumnIndex> found;
  for (const ColumnIndex c : pipeline.all_columns()) {
    if (pipeline.is_transfer(c)) found.insert_or_assign(ends_of(pipeline, c), c);
  }
  return found;
}

// What the document says of each transfer, by column; 0 of all others.
std::vector<std::uint64_t> by_column(const Pipeline& pipeline, std::span<const PartTransfer> transfers,
                                     std::uint64_t PartTransfer::*said) {
  std::vector<std::uint64_t> values(pipeline.columns.size(), 0);
  const auto columns = columns_of_transfers(pipeline);
  for (const PartTransfer& transfer : transfers) values[columns.at(ends_of(transfer))] = transfer.*said;
  return values;
}

bool says(const Document& document, std::uint64_t PartTransfer::*said) {
  return std::ranges::any_of(document.transfers, [&](const PartTransfer& t) { return t.*said != 0; });
}

}  // namespace

std::vector<std::uint64_t> rooms_of_transfers(const Document& document, const Pipeline& pipeline) {
  return by_column(pipeline, document.transfers, &PartTransfer::room);
}

std::vector<std::uint64_t> ahead_of_transfers(const Document& document, const Pipeline& pipeline) {
  return by_column(pipeline, document.transfers, &PartTransfer::ahead);
}

namespace {

// A column's table by rounds: entry e of a sequence of data sets stands `shift` places later.
void rotate_entries(std::vector<std::size_t>& offsets, std::uint64_t shift) {
  std::rotate(offsets.begin(), offsets.end() - static_cast<std::ptrdiff_t>(shift % offsets.size()), offsets.end());
}

}  // namespace

Pipeline with_order(Pipeline pipeline, std::span<const ColumnIndex> transfers) {
  connect(pipeline);
  std::vector<std::size_t> missing;  // files, by part
  std::set<PartIndex> ready;
  for (const PartIndex part : pipeline.all_parts()) {
    missing.push_back(pipeline.parts[part].receptions.size());
    if (missing.back() == 0) ready.insert(part);
  }
  std::vector<Column> columns;
  std::vector<bool> has_computed(pipeline.parts.size(), false);
  const auto compute_until = [&](std::set<PartIndex>::iterator last) {
    for (auto part = ready.begin(); part != last; part = ready.erase(part)) {
      columns.push_back(std::move(pipeline.columns[pipeline.parts[*part].computation]));
      has_computed[*part] = true;
    }
  };
  for (const ColumnIndex x : transfers) {
    maxplus::expects(x < pipeline.columns.size() && pipeline.is_transfer(x), "an order is one of transfers");
    const PartIndex sender = pipeline.columns[x].part;
    const PartIndex receiver = pipeline.columns[x].receiver;
    compute_until(ready.upper_bound(sender));
    maxplus::expects(has_computed[sender], "a transfer stands behind those to its sender");
    maxplus::expects(missing[receiver] > 0, "a transfer stands in an order once");
    columns.push_back(std::move(pipeline.columns[x]));
    if (--missing[receiver] == 0) ready.insert(receiver);
  }
  compute_until(ready.end());
  maxplus::expects(columns.size() == pipeline.columns.size(), "all transfers stand in an order");
  pipeline.columns = std::move(columns);
  connect(pipeline);
  return pipeline;
}

Pipeline with_ahead(Pipeline pipeline, std::span<const std::uint64_t> ahead) {
  maxplus::expects(ahead.size() == pipeline.columns.size(), "each column is ahead by so many data sets");
  connect(pipeline);
  // Batches alone have shifted it already.
  for (Column& column : pipeline.columns) {
    rotate_entries(column.sender_offset, column.sender_offset.size() - column.shift % column.sender_offset.size());
    rotate_entries(column.receiver_offset,
                   column.receiver_offset.size() - column.shift % column.receiver_offset.size());
    column.shift = 0;
  }
  std::vector<Column>& columns = pipeline.columns;
  for (const ColumnIndex c : pipeline.all_columns()) {
    if (pipeline.is_transfer(c)) continue;
    const std::vector<ColumnIndex>& receptions = pipeline.parts[columns[c].part].receptions;
    for (const ColumnIndex x : receptions) {
      const NetPart& sender = pipeline.parts[columns[x].part];
      const std::uint64_t sent = columns[sender.computation].shift + sender.largest_batch() - 1;
      columns[c].shift = std::max(columns[c].shift, sent + ahead[x]);
    }
    for (const ColumnIndex x : receptions) columns[x].shift = columns[c].shift - ahead[x];
  }
  for (Column& column : columns) {
    rotate_entries(column.sender_offset, column.shift);
    rotate_entries(column.receiver_offset, column.shift);
  }
  return pipeline;
}

std::variant<Pipeline, TooLarge> make_pipeline(const Document& document, std::uint64_t max_meetings,
                                               const maxplus::Deadline& deadline) {
  maxplus::expects(document.mapping.has_value(), "a pipeline is made of a document with a mapping");
  require_single_files(document.application);
  auto made = make_pipeline(ProblemView(document), *document.mapping, max_meetings, deadline);
  auto* const pipeline = std::get_if<Pipeline>(&made);
  if (pipeline == nullptr) return made;
  if (!document.order.empty()) {
    const auto columns = columns_of_transfers(*pipeline);
    std::vector<ColumnIndex> order;
    for (const TransferEnds& ends : document.order) order.push_back(columns.at(ends));
    *pipeline = with_order(std::move(*pipeline), order);
  }
  if (!says(document, &PartTransfer::ahead)) return made;
  const std::vector<std::uint64_t> ahead = ahead_of_transfers(document, *pipeline);
  return with_ahead(std::move(*pipeline), ahead);
}

std::variant<Pipeline, TooLarge> make_pipeline(const ProblemView& problem, std::span<const Part> mapping,
                                               std::uint64_t max_meetings, const maxplus::Deadline& deadline) {
  const Timing& timing = problem.timing();
  const std::vector<FileRoute> routes =
      routes_of(problem.document().application, mapping, outer_ends(problem.document().platform));
  const Integer meetings = count_meetings(mapping, routes);
  if (meetings > max_meetings) return TooLarge{LimitKind::meetings, meetings, max_meetings};
  Pipeline pipeline = pipeline_of_parts(problem.document(), mapping);
  maxplus::DeadlineWatch watch(deadline, 10'000);
  std::vector<TimedColumn> columns;
  const std::vector<PartEdge> edges = edges_of(pipeline, routes);
  for (const PartIndex part : pipeline.all_parts()) {
    pipeline.rows = lcm(pipeline.rows, Integer(pipeline.parts[part].sequence.size()));
    columns.push_back(compute_column(pipeline, part, timing));
    for (const PartEdge& edge : edges_from(edges, part))
      columns.push_back(transfer_column(pipeline, edge, timing, watch));
  }
  if (watch.has_passed()) return out_of_time();
  if (const auto too_large = add_columns(std::move(columns), pipeline, watch)) return *too_large;
  connect(pipeline);
  if (std::ranges::any_of(mapping, [](const Part& part) { return !part.batches.empty(); })) {
    std::vector<std::uint64_t> not_ahead(pipeline.columns.size(), 0);
    return with_ahead(std::move(pipeline), std::move(not_ahead));
  }
  return pipeline;
}

void connect(Pipeline& pipeline) {
  std::vector<bool> has_computed(pipeline.parts.size(), false);
  for (NetPart& part : pipeline.parts) {
    part.receptions.clear();
    part.sendings.clear();
  }
  for (const ColumnIndex c : pipeline.all_columns()) {
    const Column& column = pipeline.columns[c];
    maxplus::expects(column.part < pipeline.parts.size() && column.receiver < pipeline.parts.size(),
                     "a column is one of the pipeline's parts");
    if (column.kind == ColumnKind::compute) {
      maxplus::expects(!has_computed[column.part] && column.receiver == column.part, "a part computes in one column");
      has_computed[column.part] = true;
      pipeline.parts[column.part].computation = c;
    } else {
      maxplus::expects(has_computed[column.part] && !has_computed[column.receiver],
                       "a transfer stands between its sender's computation and its receiver's");
      pipeline.parts[column.part].sendings.push_back(c);
      pipeline.parts[column.receiver].receptions.push_back(c);
    }
  }
  maxplus::expects(std::ranges::find(has_computed, false) == has_computed.end(), "every part computes");
}

std::vector<PartIndex> Pipeline::entries() const {
  std::vector<PartIndex> found;
  for (const PartIndex part : all_parts())
    if (parts[part].receptions.empty()) found.push_back(part);
  return found;
}

std::vector<PartIndex> Pipeline::exits() const {
  std::vector<PartIndex> found;
  for (const PartIndex part : all_parts())
    if (parts[part].sendings.empty()) found.push_back(part);
  return found;
}

ColumnIndex Pipeline::arrival() const {
  const std::vector<PartIndex> found = entries();
  maxplus::expects(found.size() == 1, "data sets arrive at one part");
  return parts[found.front()].computation;
}

ColumnIndex Pipeline::delivery() const {
  const std::vector<PartIndex> found = exits();
  maxplus::expects(found.size() == 1, "data sets are delivered by one part");
  return parts[found.front()].computation;
}

Integer repetition_of(const FoldedNet& net) {
  Integer rows = 1;
  for (const Column& column : net.pipeline.columns) rows = lcm(rows, Integer(column.period));
  for (const NetPart& part : net.pipeline.parts)
    if (!part.to_batch_end.empty()) rows = lcm(rows, Integer(part.to_batch_end.size()));
  std::uint64_t last = 1;
  for (const Dependence& d : net.dependences) {
    if (d.modulus != last) rows = lcm(rows, Integer(d.modulus));
    last = d.modulus;
  }
  return rows;
}

namespace {

std::variant<FoldedNet, TooLarge> fold_loads(const Document& document, const Model& model,
                                             const maxplus::Deadline& deadline) {
  require_taken({.rates = true}, document);
  auto pipeline = make_pipeline(ProblemView(document), *document.mapping, kDefaultMeetings, deadline);
  if (auto* too_large = std::get_if<TooLarge>(&pipeline)) return std::move(*too_large);
  auto folded = fold(std::get<Pipeline>(std::move(pipeline)), model, kDefaultCircuitSteps, deadline);
  auto* const net = std::get_if<FoldedNet>(&folded);
  if (net == nullptr) return folded;
  if (auto too_large = add_loads(document, *net)) return *std::move(too_large);
  return folded;
}

}  // namespace

std::variant<FoldedNet, TooLarge> fold(const Document& document, const Model& model, const maxplus::Deadline& deadline,
                                       RatedStages rated) {
  if (rated == RatedStages::as_loads && has_rates(document.application)) return fold_loads(document, model, deadline);
  auto pipeline = make_pipeline(document, kDefaultMeetings, deadline);
  if (auto* too_large = std::get_if<TooLarge>(&pipeline)) return std::move(*too_large);
  std::vector<Buffer> buffers;
  if (says(document, &PartTransfer::room)) {
    const Pipeline& made = std::get<Pipeline>(pipeline);
    buffers = buffers_with(made, rooms_of_transfers(document, made));
  }
  auto folded = fold(std::get<Pipeline>(std::move(pipeline)), model, kDefaultCircuitSteps, deadline);
  if (buffers.empty() || std::holds_alternative<TooLarge>(folded)) return folded;
  return with_capacity(std::get<FoldedNet>(std::move(folded)), {.buffers = std::move(buffers)}, deadline);
}

std::variant<FoldedNet, TooLarge> fold(Pipeline pipeline, const Model& model, std::uint64_t circuit_steps,
                                       const maxplus::Deadline& deadline) {
  connect(pipeline);
  DependenceList list(pipeline, circuit_steps, deadline);
  list.add_model(model);
  if (list.too_large()) return *list.too_large();
  FoldedNet net;
  net.model = model;
  net.dependences = list.take_dependences();
  if (list.too_large()) return *list.too_large();
  net.resources = list.take_resources();
  net.pipeline = std::move(pipeline);
  return net;
}

}  // namespace takt::tpn
