// Ports and cores, and one more of them: held to the reader of documents in which somebody wrote the larger number.
#include "tpn/counts.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

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

// Nothing where the reader refuses it.
std::optional<Document> with_larger_numbers(const Document& document, const std::vector<DocumentCount>& counts) {
  ordered_json text = ordered_json::parse(write_document(document));
  for (const DocumentCount& count : counts) text[ordered_json::json_pointer(count.pointer)] = count.value + 1;
  try {
    return read_document(text.dump(), "changed");
  } catch (const InvalidInstance&) {
    return std::nullopt;
  }
}

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
  for (std::uint64_t seed = 1; seed <= support::seeds_or("TAKT_COUNT_SEEDS", 10); ++seed) {
    CAPTURE(seed);
    require_counts(support::host_document(seed), tally);
    require_counts(support::ahead_document(seed), tally);
    for (const support::Kind kind : support::kKinds) {
      CAPTURE(static_cast<int>(kind));
      require_counts(support::random_document(kind, seed), tally);
      require_counts(support::with_random_types(support::random_document(kind, seed), seed), tally);
    }
  }
  CHECK(tally.ports > 100);
  CHECK(tally.cores > 100);
  CHECK(tally.together > 30);
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

}  // namespace
}  // namespace takt::tpn
