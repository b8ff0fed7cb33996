// Documents with types of processors: against the same ones written out, through text and back, and wrong ones.
#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "tests/support/random_documents.hpp"
#include "tests/support/typed_documents.hpp"
#include "tpn/errors.hpp"
#include "tpn/expansion.hpp"
#include "tpn/problem_view.hpp"
#include "tpn/reader.hpp"
#include "tpn/validate.hpp"
#include "tpn/writer.hpp"

namespace takt::tpn {
namespace {

constexpr std::uint64_t kSeeds = 60;

template <typename Visit>
void for_each_typed(Visit visit) {
  for (const support::Kind kind : support::kKinds) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      INFO("kind " << static_cast<int>(kind) << ", seed " << seed);
      visit(support::with_random_types(support::random_document(kind, seed), seed + 1000));
    }
  }
}

// A time, or nothing where the document does not give it.
template <typename Function>
std::optional<Rational> given(Function function) {
  try {
    return function();
  } catch (const InvalidInstance&) {
    return std::nullopt;
  }
}

TEST_CASE("every time and every link of a typed document is that of the one written out") {
  std::size_t transfers = 0;
  for_each_typed([&](const Document& typed) {
    const Document plain = support::without_types(typed);
    const ProblemView views[] = {ProblemView(typed), ProblemView(plain)};
    const Timing& timing = views[0].timing();
    const Timing& expected = views[1].timing();
    const std::size_t stages = typed.application.stages.size();
    const std::size_t processors = typed.platform.processors.size();
    for (std::size_t p = 0; p < processors; ++p) {
      for (std::size_t k = 0; k < stages; ++k)
        REQUIRE(given([&] { return timing.computation(k, stages - 1, p); }) ==
                given([&] { return expected.computation(k, stages - 1, p); }));
      if (typed.platform.source) REQUIRE(timing.source_link(p) == expected.source_link(p));
      if (typed.platform.sink) REQUIRE(timing.sink_link(p) == expected.sink_link(p));
      for (std::size_t q = 0; q < processors; ++q) {
        if (p == q) continue;
        REQUIRE(timing.link(p, q) == expected.link(p, q));
        REQUIRE(timing.has_link(p, q) == expected.has_link(p, q));
        REQUIRE(views[0].links().between(p, q) == views[1].links().between(p, q));
        REQUIRE(given([&] { return timing.transfer(0, p, q); }) == given([&] { return expected.transfer(0, p, q); }));
        ++transfers;
      }
    }
  });
  CHECK(transfers > 10'000);
}

TEST_CASE("the list of all pairs has each link once, and pairs of one kind have the same link") {
  std::size_t lists = 0;
  for_each_typed([&](const Document& typed) {
    const Timing timing(typed);
    const std::size_t count = typed.platform.processors.size();
    const auto all = timing.named_links();
    std::vector<std::optional<LinearTime>> seen(timing.link_kinds());
    std::vector<bool> is_seen(seen.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i > 0) REQUIRE(std::pair(all[i - 1].from, all[i - 1].to) < std::pair(all[i].from, all[i].to));
      const auto link = timing.link(all[i]);
      REQUIRE(link == timing.link(all[i].from, all[i].to));
      REQUIRE(timing.has_link(all[i]) == link.has_value());
      REQUIRE(all[i].kind < seen.size());
      if (is_seen[all[i].kind]) REQUIRE(seen[all[i].kind] == link);
      seen[all[i].kind] = link;
      is_seen[all[i].kind] = true;
    }
    if (timing.has_default_link()) return;
    REQUIRE(all.size() == count * (count - 1));
    REQUIRE_FALSE(timing.default_link());
    ++lists;
  });
  CHECK(lists > 100);
}

TEST_CASE("times in ticks know types and ports") {
  std::size_t compared = 0;
  for_each_typed([&](const Document& typed) {
    const Timing timing(typed);
    const auto ticks = TickTimes::exact(typed, timing);
    REQUIRE(ticks);
    const std::size_t stages = typed.application.stages.size();
    const std::size_t processors = typed.platform.processors.size();
    const auto check = [&](std::int64_t found, const std::optional<Rational>& time) {
      if (!time) {
        REQUIRE(found == TickTimes::kAbsent);
      } else {
        REQUIRE(Rational(found) == *time * ticks->scale());
        ++compared;
      }
    };
    for (std::size_t p = 0; p < processors; ++p) {
      for (std::size_t k = 0; k < stages; ++k) {
        check(ticks->computation(0, k, p), given([&] { return timing.computation(0, k, p); }));
        for (std::size_t q = 0; q < processors; ++q)
          if (p != q) check(ticks->transfer(k, p, q), given([&] { return timing.transfer(k, p, q); }));
      }
      if (typed.platform.source) check(ticks->from_source(p), given([&] { return timing.from_source(p); }));
      if (typed.platform.sink) check(ticks->to_sink(p), given([&] { return timing.to_sink(p); }));
    }
  });
  CHECK(compared > 20'000);
}

TEST_CASE("a typed document is accepted if and only if the one written out is") {
  std::size_t accepted = 0;
  const auto is_valid = [](const Document& document) {
    try {
      validate(document);
      return true;
    } catch (const InvalidInstance&) {
      return false;
    }
  };
  for_each_typed([&](Document typed) {
    const bool expected = is_valid(support::without_types(typed));
    REQUIRE(is_valid(typed) == expected);
    accepted += expected ? 1 : 0;
    typed.application.stages.front().output.reset();
    if (typed.platform.sink && typed.application.stages.size() == 1) return;
    REQUIRE(is_valid(typed) == is_valid(support::without_types(typed)));
    typed.application.stages.front().output = 1;
    typed.platform.defaults = {};
    REQUIRE(is_valid(typed) == is_valid(support::without_types(typed)));
  });
  CHECK(accepted > kSeeds * 7);
}

TEST_CASE("a typed document that is written reads back as the very same") {
  for_each_typed([&](Document typed) {
    for (const char* pointer : {"/platform/types/0", "/platform/links/0", "/platform/links/1"})
      typed.remarks[pointer].comment = pointer;
    if (typed.platform.links.size() + typed.platform.type_links.size() < 2) typed.remarks.erase("/platform/links/1");
    if (typed.platform.links.size() + typed.platform.type_links.size() < 1) typed.remarks.erase("/platform/links/0");
    const std::string text = write_document(typed);
    const Document again = read_document(text, "written");
    REQUIRE(again.application == typed.application);
    REQUIRE(again.platform == typed.platform);
    REQUIRE(again == typed);
    REQUIRE(write_document(again) == text);
  });
}

}  // namespace
}  // namespace takt::tpn
