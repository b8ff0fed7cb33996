// Greedy steps, the ones that take most first, again and again until none is left.
#include "tests/evaluators/fuzz/shrink.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tests/support/typed_documents.hpp"
#include "tpn/errors.hpp"
#include "tpn/models.hpp"
#include "tpn/reader.hpp"
#include "tpn/turns.hpp"
#include "tpn/validate.hpp"
#include "tpn/writer.hpp"

namespace takt::support {

namespace {

using maxplus::Integer;
using maxplus::Rational;

template <typename List>
void erase_at(List& list, std::size_t index) {
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(index));
}

bool is_valid(const tpn::Document& document) {
  try {
    tpn::validate(document);
    return true;
  } catch (const tpn::InvalidInstance&) {
    return false;
  }
}

// Whether it can be a file of its own, which gives back the same net.
bool can_be_kept(const tpn::Document& document) {
  try {
    return tpn::read_document(tpn::write_document(document), "shrunk") == document;
  } catch (const tpn::InvalidInstance&) {
    return false;  // a segment may name a host that a lone processor is not written with
  }
}

// One stage for each part, and times of their own for the processors and links that are used, in place of all that they
// come from. Where parts give a processor different times, or a link, the longest.
class Flattener {
 public:
  Flattener(const tpn::Document& document, const tpn::Pipeline& pipeline) : flat_(document), pipeline_(pipeline) {
    flat_.application.stages.clear();
    flat_.application.input.reset();
    for (tpn::Processor& processor : flat_.platform.processors)
      processor = {.name = processor.name, .speed = {}, .time = Rational()};
    flat_.platform.defaults = {};
    flat_.platform.links.clear();
    flat_.platform.types.clear();
    flat_.platform.type_links.clear();
    for (auto* end : {&flat_.platform.source, &flat_.platform.sink})
      if (*end) end->emplace();
  }

  tpn::Document flatten() {
    for (std::size_t i = 0; i < flat_.mapping->size(); ++i) {
      flat_.application.stages.emplace_back().name = "S" + std::to_string(i);
      (*flat_.mapping)[i].first_stage = (*flat_.mapping)[i].last_stage = i;
    }
    for (const tpn::ColumnIndex c : pipeline_.all_columns()) flatten_column(c);
    return std::move(flat_);
  }

 private:
  static void raise(std::optional<Rational>& time, const Rational& other) {
    if (!time || *time < other) time = other;
  }

  void flatten_column(tpn::ColumnIndex c) {
    const tpn::Column& column = pipeline_.columns[c];
    const tpn::NetPart& part = pipeline_.parts[column.part];
    const std::size_t turns = std::lcm(column.sender_offset.size(), column.receiver_offset.size());
    for (std::size_t j = 0; j < turns; ++j) {
      const Rational time = pipeline_.duration({j, c});
      const std::size_t here = part.processor_at(j);
      if (column.kind == tpn::ColumnKind::compute) {
        if (part.role == tpn::PartRole::mapped) raise(flat_.platform.processors[here].time, time);
        continue;
      }
      const tpn::NetPart& next = pipeline_.parts[column.receiver];
      const std::size_t there = next.processor_at(j);
      if (part.role == tpn::PartRole::source) {
        raise_end(*flat_.platform.source, there, time);
      } else if (next.role == tpn::PartRole::sink) {
        raise_end(*flat_.platform.sink, here, time);
      } else if (here != there) {
        raise_link(here, there, time);
      }
    }
  }

  static void raise_end(tpn::Endpoint& end, std::size_t processor, const Rational& time) {
    auto link = std::ranges::find(end.links, processor, &tpn::EndpointLink::processor);
    if (link == end.links.end()) link = end.links.insert(link, {processor, {}});
    raise(link->timing.time, time);
  }

  void raise_link(std::size_t from, std::size_t to, const Rational& time) {
    auto& links = flat_.platform.links;
    auto link = std::ranges::find_if(links, [&](const tpn::Link& l) { return l.from == from && l.to == to; });
    if (link == links.end()) link = links.insert(link, {from, to, {}, true});
    raise(link->timing.time, time);
  }

  tpn::Document flat_;
  const tpn::Pipeline& pipeline_;
};

class Shrinker {
 public:
  Shrinker(FuzzNet net, const std::function<bool(const FuzzNet&)>& still_fails, std::size_t most_tries)
      : net_(std::move(net)), still_fails_(still_fails), tries_left_(most_tries) {}

  FuzzNet shrink() {
    do {
      has_shrunk_ = false;
      if (!is_flat_) flatten();
      drop_limits();
      drop_transfers();
      drop_segments();
      drop_batches();
      drop_forks();
      drop_platform_features();
      drop_parts();
      drop_stages();
      drop_turns();
      drop_processors();
      drop_links();
      simplify_stages();
      simplify_model();
      simplify_numbers();
    } while (has_shrunk_ && tries_left_ > 0);
    try_change([](FuzzNet& net) { rename(net.document); });
    return std::move(net_);
  }

 private:
  // Keeps the change if the net still fails; false also where it changes nothing.
  template <typename Change>
  bool try_change(Change change) {
    if (tries_left_ == 0) return false;
    FuzzNet candidate = net_;
    change(candidate);
    if (candidate.document == net_.document && candidate.window == net_.window &&
        candidate.buffers.size() == net_.buffers.size() &&
        std::ranges::equal(candidate.buffers, net_.buffers, {}, &FuzzBuffer::room, &FuzzBuffer::room)) {
      return false;
    }
    if (!is_valid(candidate.document)) return false;
    --tries_left_;
    if (!still_fails_(candidate) || !can_be_kept(candidate.document)) return false;
    net_ = std::move(candidate);
    has_shrunk_ = true;
    return true;
  }

  // Of a list that the change may shorten: change(net, i) for each i from the last to the first.
  template <typename Size, typename Change>
  void try_each(Size size, Change change) {
    for (std::size_t i = size(); i-- > 0;) {
      if (i < size()) try_change([&](FuzzNet& net) { change(net, i); });
    }
  }

  // Item after item of list(net), from the last to the first.
  template <typename List>
  void drop_each(List list) {
    try_each([&] { return list(net_).size(); }, [&](FuzzNet& net, std::size_t i) { erase_at(list(net), i); });
  }
  // change(item) for each item of list(net).
  template <typename List, typename Change>
  void change_each(List list, Change change) {
    try_each([&] { return list(net_).size(); }, [&](FuzzNet& net, std::size_t i) { change(list(net)[i]); });
  }
  static std::vector<tpn::Stage>& stages_of(FuzzNet& net) { return net.document.application.stages; }
  static tpn::Mapping& mapping_of(FuzzNet& net) { return *net.document.mapping; }

  void flatten() {
    const auto pipeline = tpn::make_pipeline(net_.document);
    if (const auto* fits = std::get_if<tpn::Pipeline>(&pipeline))
      is_flat_ = try_change([&](FuzzNet& net) { net.document = Flattener(net.document, *fits).flatten(); });
  }

  void drop_limits() {
    try_change([](FuzzNet& net) {
      net.window = 0;
      net.buffers.clear();
    });
    try_change([](FuzzNet& net) { net.window = 0; });
    try_change([](FuzzNet& net) { net.buffers.clear(); });
    const auto buffers = [](FuzzNet & net) -> auto& { return net.buffers; };
    drop_each(buffers);
    change_each(buffers, [](FuzzBuffer& buffer) { buffer.room = 1; });
    while (net_.window > 1 && try_change([](FuzzNet& net) { --net.window; })) continue;
  }

  void drop_platform_features() {
    if (!net_.document.platform.types.empty())
      try_change([](FuzzNet& net) { net.document = without_types(net.document); });
    try_change([](FuzzNet& net) {
      net.document.platform.source.reset();
      std::erase_if(net.document.transfers, [](const tpn::PartTransfer& transfer) { return !transfer.from; });
    });
    try_change([](FuzzNet& net) {
      net.document.platform.sink.reset();
      std::erase_if(net.document.transfers, [](const tpn::PartTransfer& transfer) { return !transfer.to; });
    });
    try_change([](FuzzNet& net) { net.document.application.input.reset(); });
    try_change([](FuzzNet& net) { net.document.platform.currency.clear(); });
    try_change([](FuzzNet& net) { net.document.platform.type_links.clear(); });
    for (auto optional : {&tpn::LinkTiming::latency, &tpn::LinkTiming::bandwidth})
      try_change([&](FuzzNet& net) { (net.document.platform.defaults.*optional).reset(); });
    // A fixed time for all links in place of bandwidth and latency.
    try_change([](FuzzNet& net) {
      tpn::LinkTiming& timing = net.document.platform.defaults;
      if (timing.bandwidth || timing.latency) timing = {.bandwidth = {}, .latency = {}, .time = Rational(1)};
    });
  }

  static void erase_stages(tpn::Document& document, std::size_t first, std::size_t count) {
    auto& stages = document.application.stages;
    const auto begin = stages.begin() + static_cast<std::ptrdiff_t>(first);
    stages.erase(begin, begin + static_cast<std::ptrdiff_t>(count));
    if (!stages.empty()) stages.front().consumes = 1;
    for (tpn::Part& part : *document.mapping) {
      if (part.first_stage > first) part.first_stage -= std::min(count, part.first_stage - first);
      if (part.last_stage >= first + count) part.last_stage -= count;
    }
  }

  void drop_parts() {
    try_each([&] { return net_.document.mapping->size(); },
             [](FuzzNet& net, std::size_t i) {
               const tpn::Part part = (*net.document.mapping)[i];
               erase_at(*net.document.mapping, i);
               erase_stages(net.document, part.first_stage, part.last_stage - part.first_stage + 1);
               std::erase_if(net.buffers, [&](const FuzzBuffer& buffer) { return buffer.part == i; });
               for (FuzzBuffer& buffer : net.buffers) buffer.part -= buffer.part > i ? 1 : 0;
               erase_transfers_of(net.document.transfers, i);
             });
  }

  // Of a part that is erased, those before and behind it.
  static void erase_transfers_of(std::vector<tpn::PartTransfer>& transfers, std::size_t part) {
    std::erase_if(transfers,
                  [&](const tpn::PartTransfer& transfer) { return transfer.from == part || transfer.to == part; });
    for (tpn::PartTransfer& transfer : transfers) {
      if (transfer.from && *transfer.from > part) --*transfer.from;
      if (transfer.to && *transfer.to > part) --*transfer.to;
    }
  }

  void drop_transfers() {
    drop_each([](FuzzNet & net) -> auto& { return net.document.transfers; });
    for (std::size_t i = 0; i < net_.document.transfers.size(); ++i) {
      while (net_.document.transfers[i].ahead > 1 &&
             try_change([&](FuzzNet& net) { --net.document.transfers[i].ahead; })) {
      }
    }
  }

  void drop_forks() {
    for (std::size_t k = 0; k < stages_of(net_).size(); ++k) {
      try_change([&](FuzzNet& net) { stages_of(net)[k].after.reset(); });
      if (stages_of(net_)[k].after) drop_each([&](FuzzNet & net) -> auto& { return *stages_of(net)[k].after; });
    }
  }

  void drop_segments() {
    const auto segments = [](FuzzNet & net) -> auto& { return net.document.platform.segments; };
    drop_each(segments);
    for (std::size_t s = 0; s < segments(net_).size(); ++s)
      for (std::size_t set = 0; set < 2; ++set)
        drop_each([&](FuzzNet & net) -> auto& { return segments(net)[s].between[set]; });
    change_each(segments, [](tpn::NetworkSegment& segment) { segment.bandwidth.reset(); });
    change_each(segments, [](tpn::NetworkSegment& segment) { segment.ports = tpn::kOnePort; });
  }

  // All data sets of a part by themselves, or each batch as one turn.
  void drop_batches() {
    change_each(mapping_of, [](tpn::Part& part) { part.batches.clear(); });
    change_each(mapping_of, [](tpn::Part& part) {
      tpn::PartTurns turns = tpn::turns_of(part);
      std::ranges::fill(turns.sizes, 1);
      tpn::set_turns(part, turns);
    });
  }

  void drop_stages() {
    for (std::size_t p = 0; p < net_.document.mapping->size(); ++p) {
      for (;;) {
        const tpn::Part& part = (*net_.document.mapping)[p];
        if (part.first_stage == part.last_stage) break;
        const bool has_dropped = try_change([&](FuzzNet& net) { drop_stage(net.document, p, true); }) ||
                                 try_change([&](FuzzNet& net) { drop_stage(net.document, p, false); });
        if (!has_dropped) break;
      }
    }
  }

  static void drop_stage(tpn::Document& document, std::size_t p, bool is_first) {
    tpn::Mapping& mapping = *document.mapping;
    auto& stages = document.application.stages;
    erase_at(stages, is_first ? mapping[p].first_stage : mapping[p].last_stage);
    stages.front().consumes = 1;
    --mapping[p].last_stage;
    for (std::size_t i = p + 1; i < mapping.size(); ++i) {
      --mapping[i].first_stage;
      --mapping[i].last_stage;
    }
  }

  void drop_turns() {
    for (std::size_t p = 0; p < mapping_of(net_).size(); ++p) {
      const auto sequence = [&](FuzzNet & net) -> auto& { return mapping_of(net)[p].processors; };
      const auto halve = [&](FuzzNet& net) { sequence(net).resize(sequence(net).size() / 2); };
      while (sequence(net_).size() > 1 && try_change(halve)) continue;
      drop_each(sequence);
    }
  }

  // Those that serve no part.
  void drop_processors() {
    try_each([&] { return net_.document.platform.processors.size(); },
             [](FuzzNet& net, std::size_t p) {
               for (const tpn::Part& part : *net.document.mapping)
                 if (std::ranges::count(part.processors, p) > 0) return;
               erase_processor(net, p);
             });
  }

  static void erase_processor(FuzzNet& net, std::size_t p) {
    tpn::Platform& platform = net.document.platform;
    const auto renumber = [&](std::size_t& processor) { processor -= processor > p ? 1 : 0; };
    erase_at(platform.processors, p);
    for (std::size_t i = platform.links.size(); i-- > 0;)
      if (platform.links[i].from == p || platform.links[i].to == p) erase_link(platform, i);
    for (tpn::Link& link : platform.links) {
      renumber(link.from);
      renumber(link.to);
    }
    for (auto* end : {&platform.source, &platform.sink}) {
      if (!*end) continue;
      std::vector<tpn::Endpoint*> all = {&**end};
      for (tpn::Endpoint& one : (*end)->named) all.push_back(&one);
      for (tpn::Endpoint* one : all) {
        std::erase_if(one->links, [&](const tpn::EndpointLink& link) { return link.processor == p; });
        for (tpn::EndpointLink& link : one->links) renumber(link.processor);
      }
    }
    for (tpn::Stage& stage : net.document.application.stages) {
      std::erase_if(stage.times, [&](const tpn::StageTime& own) { return own.processor == p; });
      for (tpn::StageTime& own : stage.times) renumber(own.processor);
    }
    for (tpn::Part& part : *net.document.mapping)
      for (std::size_t& processor : part.processors) renumber(processor);
    std::erase_if(net.buffers, [&](const FuzzBuffer& buffer) { return buffer.processor == p; });
    for (FuzzBuffer& buffer : net.buffers) renumber(buffer.processor);
  }

  static void erase_link(tpn::Platform& platform, std::size_t i) {
    erase_at(platform.links, i);
    for (tpn::TypeLink& link : platform.type_links) link.place -= link.place > i ? 1 : 0;
  }

  void drop_links() {
    const auto links = [](FuzzNet & net) -> auto& { return net.document.platform.links; };
    try_change([](FuzzNet& net) {
      net.document.platform.links.clear();
      for (tpn::TypeLink& link : net.document.platform.type_links) link.place = 0;
    });
    try_each([&] { return links(net_).size(); },
             [](FuzzNet& net, std::size_t i) { erase_link(net.document.platform, i); });
    change_each(links, [](tpn::Link& link) { link.directed = false; });
    drop_each([](FuzzNet & net) -> auto& { return net.document.platform.type_links; });
    for (const auto end : {&tpn::Platform::source, &tpn::Platform::sink}) {
      if (!(net_.document.platform.*end)) continue;
      // One in place of several by name.
      try_change([&](FuzzNet& net) {
        tpn::Endpoint& all = *(net.document.platform.*end);
        if (all.named.empty()) return;
        tpn::Endpoint first = all.named.front();
        first.name.clear();
        all = std::move(first);
      });
      try_each([&] { return (net_.document.platform.*end)->named.size(); },
               [&](FuzzNet& net, std::size_t i) {
                 auto& named = (net.document.platform.*end)->named;
                 if (named.size() > 1) erase_at(named, i);
               });
      drop_each([&](FuzzNet & net) -> auto& { return (net.document.platform.*end)->links; });
      try_change([&](FuzzNet& net) { (net.document.platform.*end)->timing = {}; });
    }
    // No time for all links by default.
    try_change([](FuzzNet& net) {
      tpn::Platform& platform = net.document.platform;
      if (platform.types.empty() && platform.defaults == tpn::LinkTiming{} &&
          std::erase_if(platform.links, [](const tpn::Link& link) { return link.timing.time == Rational(); }) > 0)
        platform.defaults.time = 0;
    });
    // Processors with a fixed time, links likewise.
    try_each([&] { return net_.document.platform.processors.size(); },
             [](FuzzNet& net, std::size_t p) {
               tpn::Processor& processor = net.document.platform.processors[p];
               if (!processor.time) processor.time = 1;
               processor.speed.reset();
               processor.bandwidth.reset();
               processor.memory.reset();
               processor.price = 1;
               for (tpn::Stage& stage : stages_of(net))
                 std::erase_if(stage.times, [&](const tpn::StageTime& own) { return own.processor == p; });
             });
    change_each(links, [](tpn::Link& link) {
      if (!link.timing.time) link.timing = {.bandwidth = {}, .latency = {}, .time = Rational(1)};
    });
  }

  void simplify_stages() {
    change_each(stages_of, [](tpn::Stage& stage) {
      stage.memory.reset();
      stage.apart = false;
      stage.replicable = true;
    });
    for (auto rate : {&tpn::Stage::consumes, &tpn::Stage::produces})
      change_each(stages_of, [&](tpn::Stage& stage) { stage.*rate = 1; });
    for (auto size : {&tpn::Stage::work, &tpn::Stage::output})
      change_each(stages_of, [&](tpn::Stage& stage) { (stage.*size).reset(); });
    for (std::size_t s = 0; s < stages_of(net_).size(); ++s)
      drop_each([&](FuzzNet & net) -> auto& { return stages_of(net)[s].times; });
    try_change([](FuzzNet& net) { net.document.application.name.clear(); });
  }

  void simplify_model() {
    const tpn::Model before = *net_.document.model;
    for (const tpn::Model& model : {tpn::Model::kOverlap, tpn::Model::kStrict, tpn::bounded_model(1)}) {
      if (model == before) return;
      if (try_change([&](FuzzNet& net) { net.document.model = model; })) return;
    }
    for (std::uint64_t rooms = 2; rooms < before.rooms(); ++rooms)
      if (try_change([&](FuzzNet& net) { net.document.model = tpn::bounded_model(rooms); })) return;
  }

  // All numbers, then each by itself.
  void simplify_numbers() {
    for (const int divisor : {1'000'000'000, 1000, 10, 2}) {
      const auto divide = [&](FuzzNet& net) {
        for_each_number(net.document, [&](Rational& number, FuzzNumber kind) {
          if (kind != FuzzNumber::rate) number = floor_of(number / divisor);
        });
      };
      while (try_change(divide)) continue;
    }
    std::size_t count = 0;
    for_each_number(net_.document, [&](Rational&, FuzzNumber) { ++count; });
    for (std::size_t i = 0; i < count; ++i) simplify_number(i);
  }

  static Rational floor_of(const Rational& number) {
    Integer floor;
    mpz_fdiv_q(floor.get_mpz_t(), number.numerator().get_mpz_t(), number.denominator().get_mpz_t());
    return floor;
  }

  Rational number_at(std::size_t index) {
    Rational value;
    std::size_t k = 0;
    for_each_number(net_.document, [&](Rational& number, FuzzNumber) {
      if (k++ == index) value = number;
    });
    return value;
  }

  bool try_number(std::size_t index, const Rational& value) {
    return try_change([&](FuzzNet& net) {
      std::size_t k = 0;
      for_each_number(net.document, [&](Rational& number, FuzzNumber) {
        if (k++ == index) number = value;
      });
    });
  }

  // 0, else 1, else whole; then down as far as it goes, in steps that halve.
  void simplify_number(std::size_t index) {
    const Rational before = number_at(index);
    if (before == 0 || try_number(index, 0)) return;
    if (before == 1 || try_number(index, 1)) return;
    if (!before.is_integer() && !try_number(index, floor_of(before))) try_number(index, floor_of(before) + 1);
    if (!number_at(index).is_integer()) return;
    for (Rational step = floor_of(number_at(index) / 2); step > 0; step = floor_of(step / 2)) {
      while (number_at(index) > step && try_number(index, number_at(index) - step)) continue;
    }
  }

  static void rename(tpn::Document& document) {
    for (std::size_t s = 0; s < document.application.stages.size(); ++s)
      document.application.stages[s].name = "S" + std::to_string(s);
    for (std::size_t p = 0; p < document.platform.processors.size(); ++p)
      document.platform.processors[p].name = "P" + std::to_string(p);
  }

  FuzzNet net_;
  const std::function<bool(const FuzzNet&)>& still_fails_;
  std::size_t tries_left_;
  bool has_shrunk_ = false;
  bool is_flat_ = false;
};

}  // namespace

FuzzNet shrink(FuzzNet net, const std::function<bool(const FuzzNet&)>& still_fails, std::size_t most_tries) {
  return Shrinker(std::move(net), still_fails, most_tries).shrink();
}

}  // namespace takt::support
