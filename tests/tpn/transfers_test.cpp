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

// Part 2 takes files of both others.
const std::string kTriangle = R"({
  "application": {"input": 1, "stages": [
    {"name": "a", "work": 1, "output": 1}, {"name": "b", "work": 1, "output": 1},
    {"name": "c", "work": 1, "output": 1, "after": ["a", "b"]}]},
  "platform": {"processors": [{"name": "P", "speed": 1}, {"name": "Q", "speed": 1}, {"name": "R", "speed": 1}],
    "bandwidth": 1, "source": {}, "sink": {}},
  "mapping": [
    {"stages": ["a"], "processors": ["P"]}, {"stages": ["b"], "processors": ["Q"]}, {"stages": ["c"], "processors": ["R"]}
  ],
  "transfers": [{"from": 0, "to": 2, "ahead": 1, "room": 2}],
  "order": [{"from": "source", "to": 0}, {"from": 0, "to": 2}, {"from": 0, "to": 1}, {"from": 1, "to": 2},
    {"from": 2, "to": "sink"}]
})";

TEST_CASE("an order and rooms are written as they were read") {
  const Document document = read_document(kTriangle, "f");
  REQUIRE(document.transfers == std::vector<PartTransfer>{{0, 2, 1, 2}});
  REQUIRE(document.order == std::vector<TransferEnds>{{std::nullopt, 0}, {0, 2}, {0, 1}, {1, 2}, {2, std::nullopt}});
  const std::string text = write_document(document);
  CHECK(text.find(R"({"from": 0, "to": 2, "ahead": 1, "room": 2})") != std::string::npos);
  CHECK(text.find(R"(  "order": [
    {"from": "source", "to": 0},
    {"from": 0, "to": 2},
)") != std::string::npos);
  CHECK(read_document(text, "g") == document);
  CHECK(read_document(write_document_line(document), "g") == document);
}

TEST_CASE("columns stand in the order of transfers, computations before the first that they or later parts send") {
  Document document = read_document(kTriangle, "f");
  const auto columns = [&] {
    std::vector<std::string> words;
    const Pipeline pipeline = std::get<Pipeline>(make_pipeline(document));
    for (const Column& column : pipeline.columns) {
      words.push_back(std::to_string(column.part.value()));
      if (column.kind == ColumnKind::transfer) words.back() += ">" + std::to_string(column.receiver.value());
    }
    return words;
  };
  using Words = std::vector<std::string>;
  CHECK(columns() == Words{"0", "0>1", "1", "1>3", "1>2", "2", "2>3", "3", "3>4", "4"});
  document.order.clear();
  CHECK(columns() == Words{"0", "0>1", "1", "1>2", "1>3", "2", "2>3", "3", "3>4", "4"});
}

TEST_CASE("what is wrong about an order, or a room, is told by place, what was found and what was expected") {
  const std::string first = R"({"from": "source", "to": 0}, {"from": 0, "to": 2}, {"from": 0, "to": 1})";
  const std::vector<testing::WrongChange> wrong = {
      {{first, R"({"from": "source", "to": 0}, {"from": 0, "to": 2})"},
       "/order: found no transfer from part 0 to part 1, expected all transfers of the mapping, each once"},
      {{first, R"({"from": "source", "to": 0}, {"from": 0, "to": 2}, {"from": 0, "to": 2})"},
       "/order/2: found a transfer from part 0 to part 2 a second time, expected it once"},
      {{first, R"({"from": 0, "to": 2}, {"from": "source", "to": 0}, {"from": 0, "to": 1})"},
       "/order/0: found a transfer from part 0 to part 2 before the one from the source to part 0, whose files part 0 "
       "needs first, expected every transfer to part 0 before those from it"},
      {{first, R"({"from": "source", "to": 1}, {"from": 0, "to": 2}, {"from": 0, "to": 1})"},
       "/order/0: found a transfer from the source to part 1, expected one of this workflow's: source to 0, 0 to 1, 0 "
       "to 2, 1 to 2, 2 to sink"},
      {{first, R"({"from": 3, "to": 1})"}, "/order/0/from: found part 3, expected a part from 0 to 2"},
      {{first, R"({"from": 0, "to": 1, "ahead": 1})"}, R"(/order/0/ahead: found the unknown key "ahead")"},
      {{R"("order": [)", R"("order": [], "heuristic": [)"},
       "/order: found an empty array, expected transfers, at least one"},
      {{R"("room": 2)", R"("room": 0)"}, "/transfers/0/room: found the number 0"},
      {{R"("room": 2)", R"("room": 1001)"},
       "/transfers/0/room: found the number 1001, expected a whole number from 1 to 1000"},
      {{R"("to": 2, "ahead": 1, "room": 2)", R"("to": 2}, {"from": 2, "to": "sink", "room": 2)"},
       "/transfers/1/room: found room at the sink, expected room at a part of the mapping"},
  };
  for (const auto& [change, message] : wrong) {
    CAPTURE(change.second);
    CHECK_THAT(testing::message_of_text(testing::replaced(kTriangle, change.first, change.second)),
               Catch::Contains(message));
  }
}

TEST_CASE("room of a document that is less than what is ahead is refused with the least that will do") {
  Document document = read_document(kTriangle, "f");
  CHECK(std::get<FoldedNet>(fold(document, Model::kStrict)).capacity.buffers.size() == 1);
  document.transfers[0].room = 1;
  CHECK_THROWS_WITH(
      fold(document, Model::kStrict),
      Catch::EndsWith("found a transfer to \"R\" that is 1 ahead, with room for 1 file, expected room for "
                      "2 files, or fewer data sets ahead"));
}

TEST_CASE("what is wrong about a transfer is told by place, what was found and what was expected") {
  const std::string one = R"({"from": 0, "to": 1, "ahead": 2})";
  const std::vector<testing::WrongChange> wrong = {
      {{one, R"({"from": 0, "to": 2})"}, "f:8:35: /transfers/0/to: found part 2, expected a part from 0 to 1"},
      {{one, R"({"from": 1, "to": 0})"},
       "f:8:17: /transfers/0: found a transfer from part 1 to part 0, expected one from a part to the next, or from "
       "the source to part 0"},
      {{one, R"({"from": 1, "to": "sink"})"},
       "f:8:17: /transfers/0: found a transfer from part 1 to the sink, expected one from a part to the next, or from "
       "the source to part 0"},
      {{one, R"({"from": 0, "to": 1}, {"from": 0, "to": 1})"},
       "f:8:39: /transfers/1: found a transfer from part 0 to part 1 a second time, expected it once"},
      {{one, R"({"from": "a", "to": 1})"},
       R"(f:8:26: /transfers/0/from: found the text "a", expected the number of a part of the mapping, from 0, or "source")"},
      {{one, R"({"from": 0})"}, R"(f:8:17: /transfers/0: found a transfer without "to", expected the key "to")"},
      {{one, R"({"from": 0, "to": 1, "ahead": 1001})"},
       "f:8:47: /transfers/0/ahead: found the number 1001, expected a whole number from 0 to 1000"},
      {{one, R"({"from": 0, "to": 1, "ahead": -1})"},
       "f:8:47: /transfers/0/ahead: found the number -1, expected a whole number of at least 0"},
      {{one, R"({"from": 0, "to": 1, "later": 1})"},
       R"(f:8:38: /transfers/0/later: found the unknown key "later", expected "from", "to", "ahead" or "room" in a transfer)"},
      {{R"(  "mapping": [
    {"stages": ["a"], "processors": ["P", "Q"]},
    {"stages": ["b"], "processors": ["P"]}
  ],
)",
        ""},
       R"(f:4:16: /transfers: found transfers without a mapping, expected "mapping" beside them)"},
  };
  testing::check_messages(kChain, wrong);
}

TEST_CASE("room behind a sender whose file waits for a branch that is ahead is refused in the sender's name") {
  const Document document = read_document(R"({
  "application": {"stages": [
    {"name": "a", "work": 1, "output": 1}, {"name": "b", "work": 1, "output": 1},
    {"name": "c", "work": 1, "output": 1, "after": ["a"]}, {"name": "d", "work": 1, "output": 1, "after": ["b", "c"]}]},
  "platform": {"processors": [{"name": "P", "speed": 1}, {"name": "Q", "speed": 1}, {"name": "R", "speed": 1},
    {"name": "S", "speed": 1}], "bandwidth": 1},
  "mapping": [{"stages": ["a"], "processors": ["P"]}, {"stages": ["b"], "processors": ["Q"]},
    {"stages": ["c"], "processors": ["R"]}, {"stages": ["d"], "processors": ["S"]}],
  "transfers": [{"from": 1, "to": 3, "ahead": 2, "room": 5}]
})",
                                          "f");
  CHECK_THROWS_WITH(fold(document, bounded_model(2)),
                    Catch::EndsWith("found a transfer from \"R\" that is 2 behind its computation, with room for "
                                    "2 files, expected room for 3 files, or fewer data sets ahead"));
  CHECK_NOTHROW(fold(document, bounded_model(3)));
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
