// Small numbers, many ties.
#include "tests/plan/rich_catalogues.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "tests/plan/random_catalogues.hpp"
#include "tests/support/draw.hpp"

namespace takt::plan {

namespace {

using support::Draw;

Rational time_of(Draw& draw) {
  if (draw.one_in(6)) return 0;
  return draw.one_in(3) ? draw.fraction(24, 4) : Rational(draw.whole(1, 12));
}

void add_stage_limits(tpn::Stage& stage, Draw& draw) {
  stage.replicable = !draw.one_in(5);
  stage.apart = draw.one_in(8);
  if (draw.one_in(3)) stage.memory = draw.whole(0, 6);
}

void add_stages(tpn::Document& document, const RichShape& shape, Draw& draw) {
  const std::size_t stages = draw.count(1, shape.most_stages);
  for (std::size_t k = 0; k < stages; ++k) {
    tpn::Stage& stage = document.application.stages.emplace_back();
    stage.name = "S" + std::to_string(k);
    stage.output = draw.whole(0, 6);
    const bool has_work = draw.one_in(3);
    if (has_work) stage.work = draw.whole(0, 12);
    for (std::size_t t = 0; t < document.platform.types.size(); ++t) {
      const tpn::ProcessorType& type = document.platform.types[t];
      if (type.time) continue;
      const bool is_missing = shape.limits && draw.one_in(10);
      if (is_missing || (has_work && type.speed && draw.coin())) continue;
      stage.type_times.push_back({t, time_of(draw)});
    }
    if (shape.limits) add_stage_limits(stage, draw);
  }
}

tpn::LinkTiming link_of(Draw& draw) {
  tpn::LinkTiming timing;
  if (draw.coin()) {
    timing.time = time_of(draw);
  } else {
    timing.bandwidth = draw.whole(1, 3);
    if (draw.one_in(3)) timing.latency = draw.whole(0, 2);
  }
  return timing;
}

void add_links(tpn::Platform& platform, const RichShape& shape, Draw& draw) {
  if (!shape.unequal_links || draw.one_in(4)) {
    platform.defaults = link_of(draw);
    return;
  }
  if (!draw.one_in(5)) platform.defaults.bandwidth = draw.whole(1, 3);
  for (std::size_t t = 0; t < platform.types.size(); ++t) {
    if (draw.one_in(4)) platform.types[t].bandwidth = draw.whole(1, 4);
    for (std::size_t u = t; u < platform.types.size(); ++u) {
      if (draw.one_in(3)) platform.type_links.push_back({t, u, link_of(draw)});
    }
  }
}

}  // namespace

tpn::Document rich_catalogue(const RichShape& shape, std::uint64_t seed) {
  Draw draw(seed);
  tpn::Document document;
  document.application.input = draw.whole(0, 4);
  const std::size_t types = draw.count(1, shape.most_types);
  for (std::size_t t = 0; t < types; ++t) {
    tpn::ProcessorType& type = document.platform.types.emplace_back();
    type.name = std::string(1, static_cast<char>('a' + t));
    type.price = draw.one_in(4) ? draw.fraction(20, 4) : Rational(draw.whole(draw.one_in(6) ? 0 : 1, 6));
    if (shape.fixed_times && draw.one_in(8)) {
      type.time = time_of(draw);
    } else if (draw.one_in(3)) {
      type.speed = draw.whole(1, 3);
    }
    if (shape.limits && draw.one_in(5)) type.memory = draw.whole(2, 12);
    if (shape.counts && !draw.one_in(3)) type.count = draw.whole(1, 3);
  }
  add_stages(document, shape, draw);
  add_links(document.platform, shape, draw);
  for (std::optional<tpn::Endpoint>* end : {&document.platform.source, &document.platform.sink}) {
    if (draw.one_in(3)) continue;
    end->emplace();
    if (draw.coin() || !document.platform.defaults.bandwidth) (*end)->timing = link_of(draw);
  }
  give_cores(document.platform, seed, shape.equal_cores);
  return document;
}

Rational telling_period(const Catalogue& catalogue, std::uint64_t seed) {
  Draw draw(seed ^ 0x5eedu);
  const Rational all = [&] {
    Rational sum;
    for (std::size_t k = 0; k < catalogue.stages.size(); ++k) {
      Rational least = 12;
      for (std::size_t t = 0; t < catalogue.types.size(); ++t) {
        if (catalogue.stage_time(k, t)) least = std::min(least, *catalogue.stage_time(k, t));
      }
      sum += least;
    }
    return sum;
  }();
  if (draw.one_in(3)) return Rational(draw.whole(1, 15));
  const Rational share = all / Rational(draw.whole(1, 4));
  if (share.sign() == 0) return draw.fraction(20, 3);
  return draw.coin() ? share : share * draw.fraction(8, 5);
}

}  // namespace takt::plan
