// Kinds of documents, then what happens to their times, their model, and limits to what is under way.
#include "tests/evaluators/fuzz/draw_fuzz_net.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "tests/support/draw.hpp"
#include "tests/support/host_documents.hpp"
#include "tests/support/random_documents.hpp"
#include "tests/support/typed_documents.hpp"
#include "tpn/models.hpp"

namespace takt::support {

namespace {

using maxplus::Integer;
using maxplus::Rational;

// The first are those of random_documents.hpp.
constexpr auto kFuzzKinds =
    std::to_array<std::string_view>({"plain",          "fractional",    "intervals",       "repeated",
                                     "several parts",  "ends",          "everything",      "stage times",
                                     "typed",          "alike",         "alike, shared",   "replicated",
                                     "balanced",       "long",          "equal links",     "hub",
                                     "edge of tables", "edge of ticks", "edge of 64 bits", "edge of 128 bits",
                                     "wraps",          "fine scales",   "many replicas",   "many rows",
                                     "hosts",          "ahead",         "segments",        "batches",
                                     "workflows"});

constexpr std::size_t kFirstEdge = 16;

tpn::Document replicated(Draw& draw, std::size_t least_parts, std::size_t most_parts, std::size_t most_entries) {
  std::vector<std::size_t> replication(draw.count(least_parts, most_parts));
  for (std::size_t& replicas : replication) replicas = draw.count(1, most_entries);
  const int low = draw.coin() ? 0 : draw.whole(1, 20);
  const int high = low + (draw.coin() ? draw.whole(0, 3) : draw.whole(1, 1000));
  return uniform_document(replication, low, high, draw.bits());
}

tpn::Document balanced(Draw& draw) {
  std::vector<std::size_t> replication(draw.count(2, 4));
  for (std::size_t& replicas : replication) replicas = draw.count(1, 6);
  return balanced_document(replication, draw.bits());
}

// One or two parts with long sequences, which say the same several times, or nearly.
tpn::Document long_sequences(Draw& draw) {
  const std::size_t parts = draw.count(1, 3);
  tpn::Document document = complete_problem(parts, draw.count(parts, 6), 0, draw.coin() ? 2 : 50, draw.bits());
  const std::size_t processors = document.platform.processors.size();
  document.mapping.emplace();
  for (std::size_t i = 0; i < parts; ++i) {
    tpn::Part part{i, i, {}};
    const std::size_t entries = draw.count(1, parts == 1 ? 40 : 12);
    const std::size_t pattern = draw.count(1, 6);
    for (std::size_t e = 0; e < entries; ++e) {
      const bool repeats = e >= pattern && !draw.one_in(8);
      part.processors.push_back(repeats ? part.processors[e - pattern] : draw.index(processors));
    }
    document.mapping->push_back(std::move(part));
  }
  return document;
}

// All links alike, or all but one.
tpn::Document equal_links(Draw& draw) {
  tpn::Document document = replicated(draw, 2, 4, 6);
  auto& platform = document.platform;
  platform.links.clear();
  platform.defaults.time = draw.whole(0, 30);
  if (draw.coin()) {
    tpn::Link link{document.mapping->front().processors.front(), (*document.mapping)[1].processors.front(), {}, false};
    link.timing.time = draw.whole(0, 60);
    platform.links.push_back(std::move(link));
  }
  return document;
}

// A processor that serves all parts, so that nearly everything is done one after the other.
tpn::Document with_a_hub(Draw& draw) {
  const std::size_t parts = draw.count(1, 4);
  const std::size_t processors = draw.count(2, 5);
  const int low = draw.coin() ? 0 : 20;
  tpn::Document document = complete_problem(parts, processors, low, draw.coin() ? low + 2 : low + 40, draw.bits());
  document.mapping.emplace();
  for (std::size_t i = 0; i < parts; ++i) {
    tpn::Part part{i, i, {}};
    const std::size_t entries = draw.count(1, parts <= 2 ? 17 : 6);
    for (std::size_t e = 0; e < entries; ++e) part.processors.push_back(draw.one_in(4) ? draw.index(processors) : 0);
    document.mapping->push_back(std::move(part));
  }
  return document;
}

// Times that occur again and again.
void make_ties(tpn::Document& document, Draw& draw, int highest) {
  for_each_number(document, [&](Rational& number, FuzzNumber kind) {
    number = kind == FuzzNumber::rate ? 1 : kind == FuzzNumber::time ? draw.whole(0, highest) : draw.whole(0, 1);
  });
}

void make_zeros(tpn::Document& document, Draw& draw) {
  for_each_number(document, [&](Rational& number, FuzzNumber kind) {
    if (kind != FuzzNumber::rate && !draw.one_in(6)) number = 0;
  });
}

Rational fuzz_power(const Rational& base, int exponent) {
  Rational power = 1;
  for (int k = 0; k < exponent; ++k) power *= base;
  for (int k = exponent; k < 0; ++k) power /= base;
  return power;
}

void mix_magnitudes(tpn::Document& document, Draw& draw) {
  const int digits = draw.whole(3, 30);
  for_each_number(document,
                  [&](Rational& number, FuzzNumber) { number *= fuzz_power(10, digits * draw.whole(-1, 1)); });
}

void make_coprime(tpn::Document& document, Draw& draw) {
  constexpr int kPrimes[] = {2, 3, 7, 11, 13, 101, 1009, 10007, 1'000'003};
  for_each_number(document, [&](Rational& number, FuzzNumber) {
    if (draw.coin()) number /= kPrimes[draw.index(std::size(kPrimes))];
  });
}

void spice_times(tpn::Document& document, Draw& draw) {
  const std::array<std::function<void()>, 6> ways = {[&] { make_ties(document, draw, 1); },
                                                     [&] { make_ties(document, draw, 3); },
                                                     [&] { make_zeros(document, draw); },
                                                     [&] { mix_magnitudes(document, draw); },
                                                     [&] { make_coprime(document, draw); },
                                                     [&] { document = stretched(document, fuzz_power(10, draw.whole(-40, 40))); }};
  const std::size_t way = draw.index(2 * ways.size());
  if (way < ways.size()) ways[way]();
}

tpn::Document draw_document(std::size_t kind, Draw& draw) {
  if (kind < std::size(kKinds)) {
    const bool is_typed = kKinds[kind] == Kind::typed;
    tpn::Document document = random_document(is_typed ? Kind::everything : kKinds[kind], draw.bits());
    spice_times(document, draw);
    return is_typed ? with_random_types(document, draw.bits()) : document;
  }
  const std::array<std::function<tpn::Document()>, 7> drawn = {
      [&] { return alike_document(draw.bits()); },
      [&] { return alike_document(draw.bits(), true); },
      [&] { return replicated(draw, 1, 4, draw.one_in(4) ? 9 : 5); },
      [&] { return balanced(draw); },
      [&] { return long_sequences(draw); },
      [&] { return equal_links(draw); },
      [&] { return with_a_hub(draw); }};
  tpn::Document document = drawn[kind - std::size(kKinds)]();
  spice_times(document, draw);
  return document;
}

tpn::Model draw_model(Draw& draw) {
  constexpr std::uint64_t kRooms[] = {1, 1, 2, 3, 7};
  const std::size_t kind = draw.index(3);
  if (kind == 2) return tpn::bounded_model(kRooms[draw.index(std::size(kRooms))]);
  return kind == 0 ? tpn::Model::kOverlap : tpn::Model::kStrict;
}

// A window in two of three cases, each buffer's room in one of three.
void add_limits(FuzzNet& net, Draw& draw) {
  const auto pipeline = tpn::make_pipeline(net.document);
  if (std::holds_alternative<tpn::TooLarge>(pipeline)) return;
  if (!draw.one_in(3)) net.window = draw.count(1, 5);
  for (const tpn::Buffer& place : tpn::buffers_of(std::get<tpn::Pipeline>(pipeline))) {
    if (!draw.one_in(3)) continue;
    const std::size_t part = std::get<tpn::Pipeline>(pipeline).parts[place.part].mapping_part;
    net.buffers.push_back({place.processor, part, place.side, draw.count(1, 3)});
  }
}

// Sums that methods bound: one duration, four times as often; one data set after the other, all operations of all rows,
// and what the busiest resource does in them.
std::vector<Integer> guarded_sums(const tpn::FoldedNet& net) {
  const tpn::Pipeline& pipeline = net.pipeline;
  Integer longest = 0;
  Integer in_sequence = 0;
  Integer all = 0;
  Integer column_total = 0;
  for (std::size_t c = 0; c < pipeline.columns.size(); ++c) {
    const tpn::Column& column = pipeline.columns[c];
    const Integer slowest = column.table.longest();
    longest = std::max(longest, slowest);
    in_sequence += slowest;
    Integer total = 0;
    for (std::uint64_t j = 0; j < column.period; ++j) total += column.duration(j);
    column_total = std::max(column_total, total);
    all += total * (pipeline.rows / column.period);
  }
  Rational busiest;
  for (const tpn::Resource& resource : net.resources) busiest = std::max(busiest, resource.cycle_time);
  const Rational of_rows = busiest * Rational(pipeline.rows * pipeline.scale);
  std::vector<Integer> sums{longest,
                            longest,
                            longest,
                            longest,
                            in_sequence,
                            all,
                            column_total,
                            of_rows.numerator(),
                            in_sequence * pipeline.rows};
  std::erase(sums, 0);
  return sums;
}

// Where some method changes the width of its numbers: widths of sums, in bits, some of them more often than others.
struct Edge {
  int lowest;
  int highest;
  std::array<int, 5> often;
};

// Of tables of durations; of ticks of mappings; of clocks, keys with the bits of their origins, and 64 bits; of 128.
constexpr std::array<Edge, 4> kEdges = {{{6, 40, {7, 8, 16, 31, 32}},
                                         {34, 52, {36, 40, 49, 50, 50}},
                                         {50, 66, {60, 61, 62, 63, 64}},
                                         {90, 130, {100, 124, 126, 127, 128}}}};

// Such that some sum of the net's durations, in ticks, comes to just below, at or just above a power of two; half the
// time some durations are a tick longer or shorter. A net without durations, or with long ones, stays as it is.
void stretch_to(const Edge& edge, FuzzNet& net, Draw& draw, bool by_longest = false) {
  const auto folded = fold_fuzz_net(net);
  if (std::holds_alternative<tpn::TooLarge>(folded)) return;
  const std::vector<Integer> sums = guarded_sums(std::get<tpn::FoldedNet>(folded));
  if (sums.empty()) return;
  const int bits = draw.coin() ? draw.whole(edge.lowest, edge.highest) : edge.often[draw.index(edge.often.size())];
  const Integer sum = by_longest ? sums.front() : sums[draw.index(sums.size())] * (draw.coin() ? 1 : draw.whole(1, 12));
  const Integer factor = (Integer(1) << static_cast<unsigned>(bits)) / sum + draw.whole(-1, 1);
  if (factor <= 0) return;
  net.document = stretched(std::move(net.document), factor);
  if (draw.coin()) return;
  const std::size_t often = draw.count(1, 4);
  for_each_number(net.document, [&](Rational& number, FuzzNumber kind) {
    if (kind == FuzzNumber::time && draw.one_in(often)) number += draw.whole(number < 1 ? 0 : -1, 1);
  });
}

// Times next to small multiples of a power of two, whose sums are small again where their highest bits are lost. Some
// are small in any case.
void make_wraps(tpn::Document& document, Draw& draw) {
  constexpr unsigned kBits[] = {16, 31, 32, 57, 58, 59, 59, 60, 60, 61, 61, 62, 62, 63, 64, 126, 127};
  const unsigned bits = kBits[draw.index(std::size(kBits))];
  const bool is_mixed = draw.coin();
  const int highest = draw.whole(1, 4);
  for_each_number(document, [&](Rational& number, FuzzNumber kind) {
    if (kind == FuzzNumber::rate) number = 1;
    if (kind != FuzzNumber::time) return;
    const int multiple = is_mixed && draw.coin() ? 0 : draw.whole(1, highest);
    number = Integer((Integer(1) << bits) * multiple + draw.whole(multiple == 0 ? 0 : -2, 9));
  });
}

// Times of a few ticks of up to a 64-bit number per time unit, or some times longer than all others.
void make_fine(tpn::Document& document, Draw& draw) {
  constexpr int kPrimes[] = {1, 1, 2, 3, 7, 101, 10'007, 1'000'003};
  const Integer ticks = (Integer(1) << static_cast<unsigned>(draw.whole(40, 63))) - draw.whole(1, 9);
  const bool has_long = draw.one_in(4);
  for_each_number(document, [&](Rational& number, FuzzNumber kind) {
    if (kind == FuzzNumber::rate) number = 1;
    if (kind == FuzzNumber::rate || (has_long && draw.one_in(6))) return;
    number = Rational::fraction(draw.whole(0, 30), ticks) * kPrimes[draw.index(std::size(kPrimes))];
  });
}

// Chains of many parts of a processor or two, or lengths that are powers of two.
tpn::Document wrapping_net(Draw& draw) {
  std::vector<std::size_t> replication(draw.coin() ? draw.count(8, 17) : draw.count(2, 4));
  const bool is_chain = replication.size() > 4;
  for (std::size_t& replicas : replication)
    replicas = is_chain ? (draw.one_in(8) ? 2 : 1) : std::size_t{1} << draw.count(0, 3);
  return uniform_document(replication, 0, 1, draw.bits());
}

// Two parts, or three, of replicas without a common divisor, more than lanes of a torus take at once.
tpn::Document many_replicas(Draw& draw) {
  std::vector<std::size_t> replication;
  if (draw.one_in(4)) replication.push_back(draw.count(1, 2));
  const std::size_t first = draw.count(16, 19);
  replication.push_back(first);
  replication.push_back(draw.one_in(4) ? 2 * first - 1 : first + 1);
  const int low = draw.coin() ? 0 : 900;
  return uniform_document(replication, low, 1000, draw.bits());
}

// Lengths whose least common multiple is some hundreds, now and then thousands; processors of their own, or shared.
tpn::Document many_rows(Draw& draw) {
  using Lengths = std::vector<std::size_t>;
  const Lengths hundreds[] = {{5, 7, 8}, {7, 1, 9, 5}, {8, 9, 7}, {16, 1, 17}, {13, 16}, {4, 5, 7}};
  const Lengths thousands[] = {{5, 7, 8, 9}, {1, 11, 13, 9}, {16, 9, 1, 17}, {13, 11, 16}};
  const Lengths& lengths =
      draw.one_in(40) ? thousands[draw.index(std::size(thousands))] : hundreds[draw.index(std::size(hundreds))];
  if (draw.coin()) return balanced_document(lengths, draw.bits());
  const int low = draw.coin() ? 0 : 900;
  if (draw.coin()) return uniform_document(lengths, low, 1000, draw.bits());
  tpn::Document document = complete_problem(lengths.size(), 5, low, 1000, draw.bits());
  document.mapping.emplace();
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    tpn::Part part{i, i, {}};
    for (std::size_t e = 0; e < lengths[i]; ++e) part.processors.push_back(draw.index(5));
    document.mapping->push_back(std::move(part));
  }
  return document;
}

// With fixed whole times: kinds below the edges.
tpn::Document draw_fixed(Draw& draw) {
  constexpr std::size_t kFixed[] = {0, 3, 4, 9, 11, 11, 12, 13, 14, 15, 15};
  return draw_document(kFixed[draw.index(std::size(kFixed))], draw);
}

// Now and then with times of one of the edges.
tpn::Document at_edges(tpn::Document document, Draw& draw) {
  if (!draw.one_in(4)) return document;
  const Integer factor = (Integer(1) << static_cast<unsigned>(draw.whole(20, 60))) + draw.whole(-1, 1);
  return stretched(std::move(document), factor);
}

// Processors that share ports; transfers that are ahead as well; wires that they share; processors that take batches;
// any of these whose stages take the files of several others.
constexpr std::array kOnHosts = {host_document, ahead_document, segment_document, batch_document, workflow_document};

// Room for more files than any transfer is ahead, or any batch has.
tpn::Model draw_model_of_rounds(Draw& draw) {
  if (draw.one_in(3)) return tpn::bounded_model(draw.count(10, 14));
  return draw.coin() ? tpn::Model::kOverlap : tpn::Model::kStrict;
}

// Of the kinds from "wraps" on.
tpn::Document draw_beyond(std::size_t kind, Draw& draw) {
  if (kind == 2) return many_replicas(draw);
  if (kind == 3) return many_rows(draw);
  if (kind > 3) return at_edges(kOnHosts[kind - 4](draw.bits()), draw);
  tpn::Document document = kind == 0 && draw.coin() ? wrapping_net(draw) : draw_fixed(draw);
  if (kind == 0) make_wraps(document, draw);
  if (kind == 1) make_fine(document, draw);
  return document;
}

}  // namespace

std::span<const std::string_view> fuzz_kinds() { return kFuzzKinds; }

FuzzNet draw_fuzz_net(std::size_t kind, std::uint64_t seed) {
  maxplus::expects(kind < kFuzzKinds.size(), "a kind of nets");
  // The bits of widths of narrow durations, and those of the ticks of mappings.
  constexpr Edge kReplicas{8, 58, {16, 16, 32, 32, 56}};
  constexpr Edge kRows{44, 50, {50, 50, 50, 50, 50}};
  constexpr std::size_t kFirstBeyond = kFirstEdge + kEdges.size();
  Draw draw(seed);
  FuzzNet net;
  net.document = kind < kFirstEdge     ? draw_document(kind, draw)
                 : kind < kFirstBeyond ? draw_fixed(draw)
                                       : draw_beyond(kind - kFirstBeyond, draw);
  const bool is_many = kind == kFirstBeyond + 2 || kind == kFirstBeyond + 3;
  // Circuits that are longer than any resource's own are commoner under STRICT; tori are of OVERLAP.
  net.document.model = kind == kFirstBeyond + 2 && draw.coin() ? tpn::Model::kOverlap
                       : kind >= kFirstBeyond + 5              ? draw_model_of_rounds(draw)
                       : kind >= kFirstEdge && draw.coin()     ? tpn::Model::kStrict
                                                               : draw_model(draw);
  if (kind >= kFirstBeyond + 5) return net;
  if (draw.one_in(is_many ? 12 : 4)) add_limits(net, draw);
  if (kind >= kFirstEdge && kind < kFirstBeyond) stretch_to(kEdges[kind - kFirstEdge], net, draw);
  if (is_many) stretch_to(kind == kFirstBeyond + 2 ? kReplicas : kRows, net, draw, draw.coin());
  return net;
}

}  // namespace takt::support
