// Advice that is followed: what people write as a sentence says gives the period that it promised.
#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

#include "tests/support/host_documents.hpp"
#include "tests/support/seeds.hpp"
#include "tests/tools/program.hpp"
#include "tools/command.hpp"
#include "tpn/models.hpp"
#include "tpn/writer.hpp"

namespace takt::testing {
namespace {

using nlohmann::ordered_json;

// "15 ms per data set", as the table has it.
std::string period_of(const ordered_json& document, const std::vector<std::string>& model) {
  const Outcome outcome = takt(appended({"evaluate", "-"}, model), document.dump());
  CAPTURE(document.dump(), outcome.err);
  REQUIRE(outcome.status == tools::kAnswered);
  std::smatch found;
  REQUIRE(std::regex_search(outcome.out, found, std::regex("\n  period +([^\n,]+)(, exactly [^\n]+)?\n")));
  return found[1];
}

class Followed {
 public:
  explicit Followed(std::vector<std::string> model) : model_(std::move(model)) {}

  // How many sentences of each kind there were.
  const std::map<std::string, int>& counts() const { return counts_; }

  void follow(const ordered_json& document) {
    const Outcome outcome = takt(appended({"evaluate", "-"}, model_), document.dump());
    CAPTURE(document.dump(), outcome.out);
    if (outcome.status == tools::kBadInput) return;  // room that is too small
    REQUIRE(outcome.status == tools::kAnswered);
    follow_ahead(document, outcome.out);
    follow_turns(document, outcome.out);
    follow_ports(document, outcome.out);
  }

 private:
  void expect(const char* kind, const ordered_json& changed, const std::string& promised) {
    ++counts_[kind];
    CAPTURE(kind, changed.dump());
    REQUIRE(period_of(changed, model_) == promised);
  }

  // As the JSON has it: all that is to be ahead, and its room.
  void follow_ahead(const ordered_json& document, const std::string& text) {
    std::smatch found;
    if (!std::regex_search(text, found, std::regex("\nWith ([^\n\\[]*) the period would be ([^,\n]*?)(,|\\.[ \n])")))
      return;
    const auto json =
        ordered_json::parse(takt(appended({"evaluate", "-", "--json"}, model_), document.dump()).out).at("ahead");
    ordered_json changed = document;
    if (!changed.contains("transfers")) changed["transfers"] = ordered_json::array();
    for (ordered_json& transfer : changed["transfers"]) transfer.erase("ahead");
    for (const ordered_json& told : json.at("transfers")) {
      ordered_json transfer = {{"from", told.at("sending_part")}, {"to", told.at("receiving_part")}};
      for (const ordered_json& said : document.value("transfers", ordered_json::array()))
        if (said.at("from") == transfer.at("from") && said.at("to") == transfer.at("to")) transfer = said;
      std::erase_if(changed["transfers"].get_ref<ordered_json::array_t&>(), [&](const ordered_json& said) {
        return said.at("from") == transfer.at("from") && said.at("to") == transfer.at("to");
      });
      transfer["ahead"] = told.at("ahead_by");
      changed["transfers"].push_back(transfer);
      if (told.contains("room") && transfer.contains("room")) REQUIRE(told.at("room") == transfer.at("room"));
    }
    expect("ahead", changed, found[2]);
    // With the rooms that are enough, and as it is written.
    for (std::size_t k = 0; k < json.at("transfers").size(); ++k) {
      const ordered_json& told = json.at("transfers").at(k);
      for (ordered_json& said : changed["transfers"])
        if (said.at("from") == told.at("sending_part") && said.at("to") == told.at("receiving_part") &&
            told.contains("room"))
          said["room"] = told.at("room");
    }
    expect("rooms", changed, found[2]);
    const TemporaryFolder folder;
    const std::string written = folder.path("ahead.json");
    const Outcome best = takt(appended({"evaluate", "-", "--ahead", "best", "-o", written}, model_), document.dump());
    REQUIRE(best.status == tools::kAnswered);
    REQUIRE(std::regex_search(best.out, found, std::regex("\n  period +([^\n,]+)(, exactly [^\n]+)?\n")));
    expect("best", ordered_json::parse(text_of(written)), found[1]);
  }

  void follow_turns(const ordered_json& document, const std::string& text) {
    std::smatch found;
    if (!std::regex_search(text, found,
                           std::regex("in turn\\. With (.*) the period would be ([^,\n]*?)(, exactly [^\n]*)?\\.\n")))
      return;
    const std::string promised = found[2];
    const std::string words = found[1];
    ordered_json changed = document;
    const std::regex part_words(R"((\[[^\]]*\]) for (\w+))");
    for (std::sregex_iterator part(words.begin(), words.end(), part_words), end; part != end; ++part) {
      for (ordered_json& mapped : changed.at("mapping"))
        if (mapped.at("stages").at(0) == (*part)[2].str()) mapped["processors"] = ordered_json::parse((*part)[1].str());
    }
    expect("turns", changed, promised);
  }

  void follow_ports(const ordered_json& document, const std::string& text) {
    const std::regex words(
        "If it (sends|takes) more, write \"ports\": (\\d+) in its (entry of )?\"(\\w+)\": the period is then "
        "([^,\n]*)(?:, exactly [^,\n]*)?, (as with|with) \"unlimited\" ?([^,\n]*?)(?:, exactly [^\n]*?)?\\.[ \n]");
    for (std::sregex_iterator found(text.begin(), text.end(), words), end; found != end; ++found) {
      if ((*found)[3].matched) continue;
      for (const bool is_unlimited : {false, true}) {
        ordered_json changed = document;
        ordered_json& ports = changed.at("platform").at((*found)[4].str())["ports"];
        if (is_unlimited) {
          ports = "unlimited";
        } else {
          ports = std::stoi((*found)[2].str());
        }
        const bool is_other = is_unlimited && (*found)[6].str() == "with";
        expect("ports", changed, is_other ? (*found)[7].str() : (*found)[5].str());
      }
    }
  }

  std::vector<std::string> model_;
  std::map<std::string, int> counts_;
};

TEST_CASE("an advice that is followed gives the period that it promises") {
  const std::vector<std::function<tpn::Document(std::uint64_t)>> kinds = {
      support::host_document, support::ahead_document, support::segment_document, support::workflow_document,
      support::ordered_document};
  std::map<std::string, int> counts;
  for (const std::vector<std::string>& model :
       std::vector<std::vector<std::string>>{{"--model", "overlap"}, {"--model", "strict"}}) {
    Followed followed(model);
    for (std::uint64_t seed = 1; seed <= support::draws(300); ++seed) {
      CAPTURE(seed, model);
      followed.follow(ordered_json::parse(tpn::write_document(kinds[seed % kinds.size()](seed))));
    }
    for (const auto& [kind, count] : followed.counts()) counts[kind] += count;
  }
  CHECK(counts["ahead"] > 0);
  CHECK(counts["turns"] + counts["ports"] > 0);
}

}  // namespace
}  // namespace takt::testing
