// Transfers that are ahead, in documents and as rounds of a net.
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tests/tpn/files.hpp"
#include "tpn/capacity.hpp"
#include "tpn/errors.hpp"
#include "tpn/folded_net.hpp"
#include "tpn/models.hpp"
#include "tpn/reader.hpp"
#include "tpn/writer.hpp"

namespace takt::tpn {
namespace {

const std::string kChain = R"({
  "application": {"input": 1, "stages": [{"name": "a", "work": 1, "output": 1}, {"name": "b", "work": 1, "output": 1}]},
  "platform": {"processors": [{"name": "P", "speed": 1}, {"name": "Q", "speed": 1}], "bandwidth": 1, "source": {}},
  "mapping": [
    {"stages": ["a"], "processors": ["P", "Q"]},
    {"stages": ["b"], "processors": ["P"]}
  ],
  "transfers": [{"from": 0, "to": 1, "ahead": 2}, {"from": "source", "to": 0}]
})";

TEST_CASE("transfers are written as they were read") {
  const Document document = read_document(kChain, "f");
  REQUIRE(document.transfers == std::vector<PartTransfer>{{0, 1, 2}, {std::nullopt, 0, 0}});
  const std::string text = write_document(document);
  CHECK(text.find(R"(    {"from": 0, "to": 1, "ahead": 2},
    {"from": "source", "to": 0}
)") != std::string::npos);
  CHECK(read_document(text, "g") == document);
}

TEST_CASE("what is wrong about a transfer is told by place, what was found and what was expected") {
  const std::string one = R"({"from": 0, "to": 1, "ahead": 2})";
  const std::vector<std::pair<std::pair<std::string, std::string>, std::string>> wrong = {
      {{one, R"({"from": 0, "to": 2})"}, "f:8:35: /transfers/0/to: found part 2, expected a part from 0 to 1"},
      {{one, R"({"from": 1, "to": 0})"},
       "f:8:17: /transfers/0: found a transfer from part 1 to part 0, expected one from a part to the next, or from "
       "the "
       "source to part 0"},
      {{one, R"({"from": 1, "to": "sink"})"},
       "f:8:17: /transfers/0: found a transfer from part 1 to the sink, expected one from a part to the next, or from "
       "the "
       "source to part 0"},
      {{one, R"({"from": 0, "to": 1}, {"from": 0, "to": 1})"},
       "f:8:39: /transfers/1: found a transfer from part 0 to part 1 a second time, expected it once"},
      {{one, R"({"from": "a", "to": 1})"},
       R"(f:8:26: /transfers/0/from: found the text "a", expected the number of a part of the mapping, from 0, or "source")"},
      {{one, R"({"from": 0})"}, R"(f:8:17: /transfers/0: found a transfer without "to", expected the key "to")"},
      {{one, R"({"from": 0, "to": 1, "ahead": 1001})"},
       "f:8:47: /transfers/0/ahead: found the number 1001, expected a whole number from 0 to 1000"},
      {{one, R"({"from": 0, "to": 1, "ahead": -1})"},
       "f:8:47: /transfers/0/ahead: found the number -1, expected a whole number of at least 0"},
      {{one, R"({"from": 0, "to": 1, "later": 1})"}, ""},
      {{R"(  "mapping": [
    {"stages": ["a"], "processors": ["P", "Q"]},
    {"stages": ["b"], "processors": ["P"]}
  ],
)",
        ""},
       R"(f:4:16: /transfers: found transfers without a mapping, expected "mapping" beside them)"},
  };
  for (const auto& [change, message] : wrong) {
    CAPTURE(change.second);
    if (message.empty()) {
      CHECK_THAT(testing::message_of_changed(kChain, change.first, change.second), Catch::Contains("later"));
    } else {
      CHECK(testing::message_of_changed(kChain, change.first, change.second) == message);
    }
  }
}

TEST_CASE("in rounds columns are shifted, sequences begin later, and flows have heights") {
  const Document document = read_document(kChain, "f");
  const auto net = std::get<FoldedNet>(fold(document, Model::kOverlap));
  const Pipeline& pipeline = net.pipeline;
  std::vector<std::uint64_t> shifts;
  for (const Column& column : pipeline.columns) shifts.push_back(column.shift);
  // source, its transfer, part 0, its transfer, part 1
  CHECK(shifts == std::vector<std::uint64_t>{0, 0, 0, 0, 2});
  CHECK(pipeline.is_shifted());
  CHECK(pipeline.data_set_of({5, ColumnIndex(4)}) == 3);
  CHECK(pipeline.data_set_of({0, ColumnIndex(4)}, 2) == 0);
  CHECK(pipeline.processors[pipeline.sender_of({1, ColumnIndex(3)})] == "Q");
  CHECK(pipeline.is_internal(ColumnIndex(3), 0));
  for (const Dependence& d : net.dependences) {
    if (d.kind != ConstraintKind::flow) continue;
    CHECK(d.height == (d.to == ColumnIndex(4) ? 2 : 0));
  }
}

TEST_CASE("room for fewer files than a transfer is ahead, and a window that delivers nothing, are refused") {
  const Document document = read_document(kChain, "f");
  CHECK_THROWS_WITH(
      fold(document, bounded_model(1)),
      Catch::EndsWith(
          "found a transfer to \"P\" that is 2 ahead, with room for 1 file, expected room for 2 files, or fewer "
          "data sets ahead"));
  CHECK_NOTHROW(fold(document, bounded_model(2)));
  const auto with_window = [&](std::uint64_t window) {
    return with_capacity(std::get<FoldedNet>(fold(document, Model::kOverlap)), {.buffers = {}, .window = window});
  };
  CHECK_THROWS_WITH(
      with_window(2),
      Catch::EndsWith(
          "found a window of 2 data sets, with transfers that are 2 ahead in all, expected a window of 3 or more"));
  CHECK_NOTHROW(with_window(3));
}

}  // namespace
}  // namespace takt::tpn
