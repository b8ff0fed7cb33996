// Ports and cores, and one more of them: held to the reader of documents in which somebody wrote the larger number.
#include "tpn/counts.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/draw.hpp"
#include "tests/support/host_documents.hpp"
#include "tests/support/random_documents.hpp"
#include "tests/support/seeds.hpp"
#include "tests/support/typed_documents.hpp"
#include "tpn/errors.hpp"
#include "tpn/reader.hpp"
#include "tpn/writer.hpp"

namespace takt::tpn {
namespace {

using nlohmann::ordered_json;

// Nothing if the reader refuses it.
std::optional<Document> with_numbers(const Document& document, const std::vector<DocumentCount>& counts) {
  ordered_json text = ordered_json::parse(write_document(document));
  for (const DocumentCount& count : counts) {
    ordered_json& number = text[ordered_json::json_pointer(count.pointer)];
    number = count.value;
    if (count.quantity == DocumentCount::Quantity::ports && count.value == kUnlimitedPorts) number = "unlimited";
  }
  try {
    return read_document(text.dump(), "changed");
  } catch (const InvalidInstance&) {
    return std::nullopt;
  }
}

std::optional<Document> with_larger_numbers(const Document& document, std::vector<DocumentCount> counts) {
  for (DocumentCount& count : counts) ++count.value;
  return with_numbers(document, counts);
}

// Of documents with hosts.
constexpr Document (*kMakers[])(std::uint64_t) = {support::host_document, support::ahead_document,
                                                  support::segment_document, support::batch_document};

struct CountTally {
  int ports = 0;
  int cores = 0;
  int together = 0;
  int refused = 0;
};

void require_one_more(const Document& document, const std::vector<DocumentCount>& counts, CountTally& tally) {
  CAPTURE(counts.front().pointer, counts.size());
  const auto changed = with_one_more(document, counts);
  const auto wanted = with_larger_numbers(document, counts);
  REQUIRE(changed.has_value() == wanted.has_value());
  if (!changed) {
    ++tally.refused;
    return;
  }
  ++(counts.front().quantity == DocumentCount::Quantity::ports ? tally.ports : tally.cores);
  if (counts.size() > 1) ++tally.together;
  REQUIRE(write_document(*changed) == write_document(*wanted));
  REQUIRE(changed->mapping == wanted->mapping);
  REQUIRE(changed->platform == wanted->platform);
}

void require_counts(const Document& written, CountTally& tally) {
  // As it is read: cores that a mapping names one by one, although they are all, are all.
  const Document document = read_document(write_document(written), "written");
  const std::vector<DocumentCount> counts = counts_of(document);
  for (const DocumentCount& count : counts) require_one_more(document, {count}, tally);
  for (const std::vector<std::size_t>& alike : alike_counts(document, counts)) {
    std::vector<DocumentCount> together;
    for (const std::size_t c : alike) together.push_back(counts[c]);
    REQUIRE(together.size() > 1);
    require_one_more(document, together, tally);
  }
}

TEST_CASE("one more is what a reader makes of the larger number") {
  CountTally tally;
  for (std::uint64_t seed = 1; seed <= support::draws(20); ++seed) {
    CAPTURE(seed);
    for (const auto make : kMakers) require_counts(make(seed), tally);
    for (const support::Kind kind : support::kKinds) {
      CAPTURE(static_cast<int>(kind));
      require_counts(support::random_document(kind, seed), tally);
      require_counts(support::with_random_types(support::random_document(kind, seed), seed), tally);
    }
  }
  CHECK(tally.ports > 20);
  CHECK(tally.cores > 20);
  CHECK(tally.together > 5);
}

struct OtherTally {
  int changed = 0;
  int fewer_cores = 0;
  int of_types = 0;
  int refused = 0;
};

void require_others(const Document& written, std::uint64_t seed, OtherTally& tally) {
  const Document document = read_document(write_document(written), "written");
  support::Draw draw(seed);
  for (DocumentCount count : all_counts_of(document)) {
    const bool is_of_cores = count.quantity == DocumentCount::Quantity::cores;
    const std::uint64_t before = count.value;
    count.value = is_of_cores ? draw.count(1, 6) : draw.count(0, 4);
    CAPTURE(count.pointer, before, count.value, write_document(document));
    const auto wanted = with_numbers(document, {count});
    if (!wanted) {
      REQUIRE_THROWS_AS(with_counts(document, {count}), InvalidInstance);
      ++tally.refused;
      continue;
    }
    const Document changed = with_counts(document, {count});
    REQUIRE(write_document(changed) == write_document(*wanted));
    REQUIRE(changed.mapping == wanted->mapping);
    REQUIRE(changed.platform == wanted->platform);
    ++tally.changed;
    if (is_of_cores && count.value < before) ++tally.fewer_cores;
    if (count.owner == DocumentCount::Owner::type) ++tally.of_types;
  }
}

TEST_CASE("any other number of ports or cores is what a reader makes of it") {
  OtherTally tally;
  for (std::uint64_t seed = 1; seed <= support::draws(20); ++seed) {
    CAPTURE(seed);
    for (const auto make : kMakers) require_others(make(seed), seed, tally);
    for (const support::Kind kind : support::kKinds)
      require_others(support::with_random_types(support::random_document(kind, seed), seed), seed, tally);
  }
  CAPTURE(tally.changed, tally.fewer_cores, tally.of_types, tally.refused);
  CHECK(tally.changed > 100);
  CHECK(tally.fewer_cores > 2);
  CHECK(tally.of_types > 5);
  CHECK(tally.refused > 0);
}

const std::string kCountedMachines = R"({
  "application": {"input": 1, "stages": [{"name": "a", "work": 1, "output": 1},
                                         {"name": "b", "work": 1, "output": 1, "replicable": false},
                                         {"name": "c", "work": 1, "output": 1}]},
  "platform": {
    "processors": [{"name": "n", "cores": 2, "speed": 1, "ports": 2}, {"name": "g", "host": "n", "speed": 2},
                   {"name": "P", "speed": 1}, {"name": "Q", "speed": 1, "ports": "unlimited"},
                   {"name": "R", "speed": 1}, {"name": "idle", "speed": 1}],
    "bandwidth": 1, "sources": [{"name": "door"}, {"name": "yard"}], "sink": {"ports": 3}},
  "mapping": [
    {"stages": ["a"], "processors": ["n", "Q"]},
    {"stages": ["b"], "processors": ["P"]},
    {"stages": ["c"], "processors": ["g", "R", "n.1"]}
  ]
})";

TEST_CASE("counts are those of what the mapping uses, at their places") {
  const Document document = read_document(kCountedMachines, "f");
  std::vector<std::string> told;
  for (const DocumentCount& count : counts_of(document)) {
    told.push_back(count.name + " " + std::to_string(count.value) + " " + std::string(name_of(count.quantity)) + " " +
                   count.pointer);
  }
  using Lines = std::vector<std::string>;
  CHECK(told == Lines{"door 1 port /platform/sources/0/ports", "yard 1 port /platform/sources/1/ports",
                      "n 2 port /platform/processors/0/ports", "P 1 port /platform/processors/2/ports",
                      "R 1 port /platform/processors/4/ports", "sink 3 port /platform/sink/ports",
                      "n 2 core /platform/processors/0/cores", "g 1 core /platform/processors/1/cores",
                      "P 1 core /platform/processors/2/cores", "Q 1 core /platform/processors/3/cores",
                      "R 1 core /platform/processors/4/cores"});
}

TEST_CASE("a core more is dealt to where the mapping names its machine, and nowhere else") {
  const Document document = read_document(kCountedMachines, "f");
  const std::vector<DocumentCount> counts = counts_of(document);
  const auto cores_of = [&](const std::string& name) {
    for (const DocumentCount& count : counts)
      if (count.name == name && count.quantity == DocumentCount::Quantity::cores) return std::vector{count};
    return std::vector<DocumentCount>{};
  };
  const auto changed = with_one_more(document, cores_of("n"));
  REQUIRE(changed);
  const auto names_in = [&](std::size_t part) {
    std::string names;
    for (const std::size_t p : (*changed->mapping)[part].processors)
      names += changed->platform.processors[p].name + " ";
    return names;
  };
  CHECK(names_in(0) == "n.1 Q n.2 n.3 ");
  CHECK(names_in(1) == "P ");
  CHECK(names_in(2) == "g R n.1 ");
  // A stage that is not replicable stays on one.
  CHECK_FALSE(with_one_more(document, cores_of("P")));
}

TEST_CASE("numbers that would leave a named core out are refused, with its name") {
  const Document document = read_document(kCountedMachines, "f");
  const auto cores = [&](std::uint64_t number) {
    for (DocumentCount count : all_counts_of(document)) {
      if (count.name != "n" || count.quantity != DocumentCount::Quantity::cores) continue;
      count.value = number;
      return std::vector{count};
    }
    return std::vector<DocumentCount>{};
  };
  CHECK_THROWS_WITH(with_counts(document, cores(1)),
                    "/mapping/2/processors: found the core \"n.1\", expected \"n\", which has one core then");
  Document named = document;
  (*named.mapping)[2].processors = {2, 4, 1};
  named = read_document(write_document(named), "f");
  CHECK(write_document(named).find("n.2") != std::string::npos);
  CHECK_NOTHROW(with_counts(named, cores(3)));
  Document more = with_counts(document, cores(5));
  CHECK((*more.mapping)[0].processors.size() == 6);
}

TEST_CASE("several numbers have a name together, of which two or three are told") {
  const auto count = [](const std::string& name, DocumentCount::Quantity quantity) {
    return DocumentCount{name, "/p", quantity, DocumentCount::Owner::machine, 0, 2};
  };
  const auto ports = DocumentCount::Quantity::ports;
  CHECK(name_of({count("a", DocumentCount::Quantity::cores)}) == "a cores");
  CHECK(name_of({count("a", ports), count("b", ports), count("c", ports)}) == "a, b, c ports");
  CHECK(name_of({count("a", ports), count("b", ports), count("c", ports), count("d", ports)}) ==
        "a, b and 2 more ports");
}

}  // namespace
}  // namespace takt::tpn
