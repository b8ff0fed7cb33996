// Draws documents from streams of random numbers, which are the same everywhere.
#include "tests/support/random_documents.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/typed_documents.hpp"

#include <algorithm>
#include <array>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <set>
#include <utility>

namespace takt::support {

namespace {

using maxplus::Rational;

bool has(Kind kind, Kind feature) {
  constexpr Kind kWithStageTimes[] = {Kind::intervals, Kind::several_parts, Kind::endpoints};
  return kind == feature || kind == Kind::everything ||
         (kind == Kind::stage_times && std::ranges::find(kWithStageTimes, feature) != std::end(kWithStageTimes));
}

// Of stages on processors without a fixed time: about half of them, and all on processors that lose their speed. A
// stage that no speed needs loses its work.
void add_stage_times(tpn::Document& document, Draw& draw) {
  std::vector<tpn::Processor>& processors = document.platform.processors;
  for (tpn::Processor& processor : processors) {
    if (processor.speed && draw.one_in(3)) processor.speed.reset();
  }
  for (tpn::Stage& stage : document.application.stages) {
    bool needs_work = false;
    for (std::size_t p = processors.size(); p-- > 0;) {
      if (processors[p].time) continue;
      if (!processors[p].speed || draw.one_in(2)) {
        stage.times.push_back({p, draw.one_in(12) ? Rational() : draw.fraction(20, 3)});
      } else {
        needs_work = true;
      }
    }
    if (!needs_work) stage.work.reset();
  }
}

void add_platform(tpn::Document& document, Kind kind, std::size_t processors, Draw& draw) {
  const bool by_rate = has(kind, Kind::intervals) || has(kind, Kind::endpoints);
  const int denominator = has(kind, Kind::fractional) ? 7 : 1;
  const auto time = [&] { return draw.one_in(12) ? Rational() : draw.fraction(20, denominator); };
  tpn::Platform& platform = document.platform;
  for (std::size_t p = 0; p < processors; ++p) {
    tpn::Processor processor{.name = "P" + std::to_string(p), .speed = {}, .time = {}};
    if (by_rate && !draw.one_in(5)) {
      processor.speed = draw.fraction(4, 3);
    } else {
      processor.time = time();
    }
    platform.processors.push_back(std::move(processor));
  }
  if (by_rate) {
    platform.defaults.bandwidth = draw.fraction(5, 2);
    if (draw.one_in(2)) platform.defaults.latency = draw.fraction(3, 5);
  }
  for (std::size_t from = 0; from < processors; ++from) {
    for (std::size_t to = from + 1; to < processors; ++to) {
      if (by_rate && draw.one_in(2)) continue;
      tpn::Link link{from, to, {}, false};
      if (by_rate && draw.one_in(2)) {
        link.timing.bandwidth = draw.fraction(5, 2);
      } else {
        link.timing.time = time();
      }
      platform.links.push_back(link);
      if (!draw.one_in(4)) continue;
      std::swap(link.from, link.to);
      link.directed = true;
      platform.links.push_back(link);
      platform.links.back().timing = {.bandwidth = {}, .latency = {}, .time = time()};
    }
  }
  if (has(kind, Kind::endpoints)) {
    if (!draw.one_in(4)) {
      platform.source.emplace();
      if (draw.one_in(2)) platform.source->timing.bandwidth = draw.fraction(5, 2);
      if (draw.one_in(2)) {
        platform.source->links.push_back({draw.index(processors), {.bandwidth = {}, .latency = {}, .time = time()}});
      }
    }
    if (!draw.one_in(4)) {
      platform.sink.emplace();
      if (draw.one_in(2)) platform.sink->timing.latency = draw.fraction(3, 5);
    }
  }
}

// What dealt nets have been drawn from since they were first measured: their names in docs/benchmarks.md stay true.
class DealtDraw {
 public:
  explicit DealtDraw(std::uint64_t seed) : engine_(seed) {}

  int whole(int low, int high) { return boost::random::uniform_int_distribution<int>(low, high)(engine_); }
  std::size_t index(std::size_t count) {
    return boost::random::uniform_int_distribution<std::size_t>(0, count - 1)(engine_);
  }
  void shuffle(std::vector<std::size_t>& items) {
    for (std::size_t k = items.size(); k > 1; --k) std::swap(items[k - 1], items[index(k)]);
  }

 private:
  boost::random::mt19937_64 engine_;
};

tpn::Mapping deal(std::size_t parts, std::size_t processors, DealtDraw& draw) {
  maxplus::expects(parts > 0 && parts <= processors, "every part gets a processor");
  std::vector<std::size_t> order(processors);
  for (std::size_t p = 0; p < processors; ++p) order[p] = p;
  draw.shuffle(order);
  tpn::Mapping mapping;
  for (std::size_t i = 0; i < parts; ++i) mapping.push_back({i, i, {order[i]}});
  for (std::size_t k = parts; k < processors; ++k) mapping[draw.index(parts)].processors.push_back(order[k]);
  return mapping;
}

template <typename Source>
void add_stages_and_processors(tpn::Document& document, std::size_t stages, std::size_t processors, int low, int high,
                               Source& draw) {
  for (std::size_t s = 0; s < stages; ++s) document.application.stages.emplace_back().name = "S" + std::to_string(s);
  for (std::size_t p = 0; p < processors; ++p) {
    document.platform.processors.push_back(
        {.name = "P" + std::to_string(p), .speed = {}, .time = Rational(draw.whole(low, high))});
  }
}

void add_link(tpn::Document& document, std::size_t from, std::size_t to, int time) {
  tpn::Link link{from, to, {}, false};
  link.timing.time = Rational(time);
  document.platform.links.push_back(std::move(link));
}

}  // namespace

tpn::Document random_document(Kind kind, std::uint64_t seed) {
  if (kind == Kind::typed) return with_random_types(random_document(Kind::everything, seed), seed);
  Draw draw(seed);
  tpn::Document document;
  document.application.name = "random-" + std::to_string(seed);
  const bool shared = has(kind, Kind::several_parts);
  const int longest = shared || has(kind, Kind::repeated) ? 3 : 4;
  const int parts = draw.whole(1, 4);
  const std::size_t processors = shared ? draw.index(5) + 2 : static_cast<std::size_t>(parts * longest);
  add_platform(document, kind, processors, draw);
  if (document.platform.source || draw.one_in(4)) document.application.input = Rational(draw.whole(0, 20));

  std::vector<std::size_t> free(processors);
  for (std::size_t p = 0; p < processors; ++p) free[p] = p;
  draw.shuffle(free);
  document.mapping.emplace();
  for (int i = 0; i < parts; ++i) {
    tpn::Part part;
    part.first_stage = document.application.stages.size();
    const int stages = has(kind, Kind::intervals) ? draw.whole(1, 3) : 1;
    for (int s = 0; s < stages; ++s) {
      tpn::Stage stage{.name = "S" + std::to_string(document.application.stages.size()),
                       .work = Rational(draw.whole(0, 20)),
                       .output = Rational(draw.whole(0, 20))};
      document.application.stages.push_back(std::move(stage));
    }
    part.last_stage = document.application.stages.size() - 1;
    const int entries = draw.whole(1, longest);
    for (int e = 0; e < entries; ++e) {
      if (has(kind, Kind::repeated) && e > 0 && draw.one_in(2)) {
        part.processors.push_back(part.processors[draw.index(part.processors.size())]);
      } else if (shared) {
        part.processors.push_back(draw.index(processors));
      } else {
        part.processors.push_back(free.back());
        free.pop_back();
      }
    }
    document.mapping->push_back(std::move(part));
  }
  if (kind == Kind::stage_times) add_stage_times(document, draw);
  return document;
}

tpn::Document uniform_document(std::span<const std::size_t> replication, int low, int high, std::uint64_t seed,
                               const Rational& unit) {
  Draw draw(seed);
  return replicated_document(replication,
                             [&](std::size_t, std::size_t, std::size_t) { return unit * draw.whole(low, high); });
}

tpn::Document balanced_document(std::span<const std::size_t> replication, std::uint64_t seed) {
  Draw draw(seed);
  return replicated_document(replication, [&](std::size_t part, std::size_t from, std::size_t to) {
    if (from == to) return Rational(replication[part]) * draw.whole(1, 100);
    return Rational(std::min(replication[part], replication[part + 1])) * draw.whole(1, 1000);
  });
}

tpn::Mapping dealt_mapping(std::size_t parts, std::size_t processors, std::uint64_t seed) {
  DealtDraw draw(seed);
  return deal(parts, processors, draw);
}

tpn::Document dealt_document(std::size_t parts, std::size_t processors, int low, int high, std::uint64_t seed) {
  DealtDraw draw(seed);
  tpn::Document document;
  document.mapping = deal(parts, processors, draw);
  add_stages_and_processors(document, parts, processors, low, high, draw);
  for (std::size_t i = 0; i + 1 < parts; ++i) {
    for (const std::size_t from : (*document.mapping)[i].processors) {
      for (const std::size_t to : (*document.mapping)[i + 1].processors) {
        add_link(document, from, to, draw.whole(low, high));
      }
    }
  }
  return document;
}

tpn::Document complete_problem(std::size_t stages, std::size_t processors, int low, int high, std::uint64_t seed) {
  Draw draw(seed);
  tpn::Document document;
  add_stages_and_processors(document, stages, processors, low, high, draw);
  for (std::size_t from = 0; from < processors; ++from) {
    for (std::size_t to = from + 1; to < processors; ++to) add_link(document, from, to, draw.whole(low, high));
  }
  return document;
}

tpn::Document alike_document(std::uint64_t seed, bool shared) {
  Draw draw(seed);
  tpn::Document document;
  document.mapping.emplace();
  const std::size_t parts = 2 + draw.index(2);
  for (std::size_t i = 0; i < parts; ++i) {
    document.application.stages.emplace_back().name = "S" + std::to_string(i);
    tpn::Part part{i, i, {}};
    const std::size_t first = shared && draw.index(2) == 0 ? 0 : document.platform.processors.size();
    const std::size_t own = 1 + draw.index(5);
    for (std::size_t p = first; p < first + own; ++p) {
      part.processors.push_back(p);
      if (p < document.platform.processors.size()) continue;
      document.platform.processors.push_back(
          {.name = "P" + std::to_string(p), .speed = {}, .time = Rational(1 + draw.index(2))});
    }
    for (std::size_t turns = draw.index(3); turns > 0; --turns) part.processors.push_back(first + draw.index(own));
    const std::vector<std::size_t> once = part.processors;
    for (std::size_t again = draw.index(3); again > 0 && part.processors.size() <= 6; --again) {
      part.processors.insert(part.processors.end(), once.begin(), once.end());
    }
    document.mapping->push_back(std::move(part));
  }
  document.platform.defaults.time = 1;
  std::set<std::size_t> receivers;
  for (std::size_t slow = draw.index(4); slow > 0; --slow) {
    const auto& to = (*document.mapping)[1].processors;
    tpn::Link link{document.mapping->front().processors.front(), to[draw.index(to.size())], {}, false};
    link.timing.time = 2;
    if (link.from != link.to && receivers.insert(link.to).second) document.platform.links.push_back(std::move(link));
  }
  return document;
}

}  // namespace takt::support
