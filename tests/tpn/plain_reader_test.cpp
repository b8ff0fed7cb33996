// Plain instances have the times of the documents that they are; what is no document is not plain.
#include "tpn/plain_reader.hpp"

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "tests/support/random_documents.hpp"
#include "tests/support/seeds.hpp"
#include "tests/tpn/files.hpp"
#include "tpn/errors.hpp"
#include "tpn/reader.hpp"
#include "tpn/timing.hpp"
#include "tpn/writer.hpp"

namespace takt::tpn {
namespace {

Rational time_of(std::int64_t ticks, const PlainReader& plain) { return Rational::fraction(ticks, plain.scale()); }

std::optional<Rational> rational(const std::optional<PlainNumber>& number) {
  if (!number) return std::nullopt;
  return Rational::fraction(number->numerator, number->denominator);
}

void require_same_transfers(const PlainReader& plain, const Document& document, const Timing& timing) {
  const Mapping& mapping = *document.mapping;
  std::size_t next = 0;
  for (std::size_t i = 0; i + 1 < mapping.size(); ++i) {
    const auto& senders = mapping[i].processors;
    const auto& receivers = mapping[i + 1].processors;
    const std::size_t classes = std::gcd(senders.size(), receivers.size());
    for (std::size_t a = 0; a < senders.size(); ++a) {
      for (std::size_t b = 0; b < receivers.size(); ++b, ++next) {
        const std::int64_t ticks = plain.transfers()[next];
        if (a % classes != b % classes) {
          REQUIRE(ticks == 0);
        } else {
          REQUIRE(time_of(ticks, plain) == timing.transfer(mapping[i].last_stage, senders[a], receivers[b]));
        }
      }
    }
  }
  REQUIRE(plain.transfers().size() == next);
  REQUIRE(plain.from_source().size() == (document.platform.source ? mapping.front().processors.size() : 0));
  for (std::size_t k = 0; k < plain.from_source().size(); ++k) {
    REQUIRE(time_of(plain.from_source()[k], plain) == timing.from_source(mapping.front().processors[k]));
  }
  REQUIRE(plain.to_sink().size() == (document.platform.sink ? mapping.back().processors.size() : 0));
  for (std::size_t k = 0; k < plain.to_sink().size(); ++k) {
    REQUIRE(time_of(plain.to_sink()[k], plain) == timing.to_sink(mapping.back().processors[k]));
  }
}

void require_same(const PlainReader& plain, const Document& document) {
  REQUIRE(document.mapping);
  const Timing timing(document);
  REQUIRE(plain.parts().size() == document.mapping->size());
  REQUIRE(plain.processors() == document.platform.processors.size());
  for (std::size_t p = 0; p < plain.processors(); ++p) {
    REQUIRE(plain.processor_name(p) == document.platform.processors[p].name);
  }
  std::size_t next = 0;
  for (std::size_t i = 0; i < plain.parts().size(); ++i) {
    const Part& part = (*document.mapping)[i];
    REQUIRE(plain.parts()[i].first_stage == part.first_stage);
    REQUIRE(plain.parts()[i].last_stage == part.last_stage);
    REQUIRE(plain.parts()[i].first_entry == next);
    REQUIRE(plain.parts()[i].length == part.processors.size());
    for (const std::size_t p : part.processors) {
      REQUIRE(plain.entries()[next] == p);
      REQUIRE(time_of(plain.computations()[next], plain) == timing.computation(part.first_stage, part.last_stage, p));
      ++next;
    }
  }
  REQUIRE(plain.computations().size() == next);
  require_same_transfers(plain, document, timing);
  REQUIRE(plain.model() == document.model);
  REQUIRE(rational(plain.predicted_period()) == document.predicted_period);
  REQUIRE(plain.heuristic().has_value() == document.heuristic.has_value());
  if (plain.heuristic()) REQUIRE(*plain.heuristic() == document.heuristic->name);
  REQUIRE(document.time_unit == TimeUnit::own);
}

Document drawn(support::Kind kind, std::uint64_t seed) {
  Document document = support::random_document(kind, seed);
  if (seed % 3 == 0) document.model = seed % 2 == 0 ? Model::kStrict : Model::kOverlap;
  if (seed % 4 == 1) document.predicted_period = Rational::fraction(static_cast<long>(seed), 7);
  if (seed % 5 == 2) {
    document.heuristic = {.name = "by hand", .seed = Rational(7), .options = {{"a", true}, {"b", Rational(3)}}};
  }
  return document;
}

TEST_CASE("a plain instance has the times of its document") {
  PlainReader plain;
  for (const support::Kind kind : support::kKinds) {
    int count = 0;
    constexpr int kSeeds = 60;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      const std::string text = write_document(drawn(kind, seed));
      INFO(text);
      if (!plain.read(text)) continue;
      ++count;
      require_same(plain, read_document(text, "f"));
    }
    using support::Kind;
    const bool is_for_others =
        kind == Kind::several_parts || kind == Kind::everything || kind == Kind::stage_times || kind == Kind::typed;
    CAPTURE(static_cast<int>(kind));
    if (!is_for_others) CHECK(count >= kSeeds / 2);
  }
}

TEST_CASE("the good documents of the source tree are plain or not, with the same times") {
  PlainReader plain;
  int count = 0;
  for (const auto& file : testing::good_documents()) {
    const std::string text = testing::contents(file);
    if (!plain.read(text)) continue;
    INFO(file.string());
    require_same(plain, read_document(text, "f"));
    ++count;
  }
  CHECK(count >= 5);
}

std::optional<Document> document_of(const std::string& text) {
  try {
    return read_document(text, "f");
  } catch (const ParseError&) {
    return std::nullopt;
  } catch (const InvalidInstance&) {
    return std::nullopt;
  }
}

// What a slip of a program, or of a person, makes of a text.
class Slips {
 public:
  explicit Slips(std::uint64_t seed) : random_(seed) {}

  std::string operator()(std::string text) {
    for (std::size_t k = below(2); k < 2; ++k) slip(text);
    return text;
  }

 private:
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }

  void slip(std::string& text) {
    static const std::string kBytes = std::string("{}[],:\"0123456789.-+eE\\/ \t\n\x7f\x80tfnPS\0", 35);
    static const std::vector<std::string> kWords =
        nlohmann::json::parse(R"(["null", "true", "1", "0", "01", "1.", "1e2",
        "-1", "\"1/2\"", "\"2/4\"", "\"1/0\"", "0.5", "1234567890123456", "9007199254740993", "\"//\":\"x\",",
        "\"$schema\":\"x\",", "\"time\":3,", "\"work\":3,", "\"P0\"", "\"P1\"", "\"source\":{\"time\":1},",
        "\"directed\":true,", "\"replicable\":false,", "\"latency\":1,", "\"S0\"", "\"4 ms\""])");
    if (text.empty()) return;
    const std::size_t at = below(text.size());
    const std::size_t length = below(40);
    switch (below(6)) {
      case 0:
        text[at] = kBytes[below(kBytes.size())];
        break;
      case 1:
        text.insert(at, 1, kBytes[below(kBytes.size())]);
        break;
      case 2:
        text.erase(at, below(3) == 0 ? length : 1);
        break;
      case 3:
        text.insert(below(text.size()), text.substr(at, length));
        break;
      case 4:
        replace_number(text, at, kWords[below(kWords.size())]);
        break;
      default:
        insert_member(text, at, kWords[below(kWords.size())]);
    }
  }

  static void replace_number(std::string& text, std::size_t at, const std::string& word) {
    const std::size_t first = text.find_first_of("0123456789", at);
    if (first == std::string::npos) return;
    text.replace(first, text.find_first_not_of("0123456789.", first) - first, word);
  }

  static void insert_member(std::string& text, std::size_t at, const std::string& word) {
    const std::size_t brace = text.find('{', at);
    if (brace != std::string::npos) text.insert(brace + 1, word);
  }

  std::mt19937_64 random_;
};

TEST_CASE("whatever becomes of a text: what is plain is a document with the same times") {
  PlainReader plain;
  int accepted = 0;
  int refused = 0;
  const std::uint64_t seeds = support::draws(1500);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const support::Kind kind = support::kKinds[seed % 6];
    const std::string good = nlohmann::ordered_json::parse(write_document(drawn(kind, seed / 6))).dump();
    const std::string text = Slips(seed)(good);
    const bool is_plain = plain.read(text);
    const std::optional<Document> document = document_of(text);
    if (!document) ++refused;
    if (!is_plain) continue;
    INFO(text);
    REQUIRE(document);
    require_same(plain, *document);
    ++accepted;
  }
  CHECK(accepted > static_cast<int>(seeds / 60));
  CHECK(refused > static_cast<int>(seeds / 4));
}

TEST_CASE("numbers at the ends of what is plain") {
  const auto with = [](const std::string& work, const std::string& speed) {
    return R"({"application":{"stages":[{"name":"S","work":)" + work +
           R"(}]},"platform":{"processors":[{"name":"P","speed":)" + speed +
           R"(}]},"mapping":[{"stages":["S"],"processors":["P"]}]})";
  };
  PlainReader plain;
  REQUIRE(plain.read(with("7", "2")));
  REQUIRE(plain.scale() == 2);
  REQUIRE(plain.computations()[0] == 7);
  REQUIRE(plain.read(with("0.125", "\"1/3\"")));
  REQUIRE(plain.scale() == 8);
  REQUIRE(plain.computations()[0] == 3);
  REQUIRE(plain.read(with("1099511627776", "1")));
  REQUIRE_FALSE(plain.read(with("1099511627777", "1")));
  REQUIRE(plain.read(with("1", "1099511627776")));
  REQUIRE_FALSE(plain.read(with("1", "1099511627777")));
  REQUIRE(plain.read(with("999999999999999", "999999999999999")));
  for (const char* not_plain : {"1000000000000000", "00", "-0", "1e1", "1.", ".5", "0.1234567890123456", "\"0/1\"",
                                "\"1/0\"", "\"01/2\"", "\"1\"", "\"1 /2\"", "1/2"}) {
    INFO(not_plain);
    REQUIRE_FALSE(plain.read(with(not_plain, "1")));
  }
  REQUIRE_FALSE(plain.read(with("1", "0")));
  REQUIRE_FALSE(plain.read(with("1", "1") + "x"));
  REQUIRE_FALSE(plain.read(with("1", "1") + std::string(1, '\0')));
  REQUIRE(plain.read(" " + with(" 1\t", "\n1\r") + " \n"));
}

}  // namespace
}  // namespace takt::tpn
