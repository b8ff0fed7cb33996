// Stages that take the files of several others: documents, messages, and what parts send each other.
#include "tpn/workflow.hpp"

#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/tpn/files.hpp"
#include "tpn/errors.hpp"
#include "tpn/folded_net.hpp"
#include "tpn/reader.hpp"
#include "tpn/validate.hpp"
#include "tpn/writer.hpp"

namespace takt::tpn {
namespace {

const std::string kDiamond = R"({
  "application": {"input": 8, "stages": [
    {"name": "a", "work": 1, "output": 1},
    {"name": "b", "work": 1, "output": 2, "after": ["a"]},
    {"name": "c", "work": 1, "output": 4, "after": ["a"]},
    {"name": "d", "work": 1, "output": 16, "after": ["c", "b"]}]},
  "platform": {"processors": [{"name": "P", "speed": 1}, {"name": "Q", "speed": 1}, {"name": "R", "speed": 1}], "bandwidth": 1,
    "source": {}, "sink": {}},
  "mapping": [
    {"stages": ["a", "b"], "processors": ["P"]},
    {"stages": ["c"], "processors": ["Q"]},
    {"stages": ["d"], "processors": ["R"]}
  ]
})";

TEST_CASE("whose files a stage takes is written as it was read") {
  const Document document = read_document(kDiamond, "f");
  REQUIRE(document.application.stages[3].after == std::vector<std::size_t>{2, 1});
  REQUIRE_FALSE(document.application.stages[0].after);
  const std::string text = write_document(document);
  CHECK(text.find(R"("after": ["c", "b"])") != std::string::npos);
  CHECK(read_document(text, "g") == document);
}

TEST_CASE("what is wrong about \"after\" is told by place, what was found and what was expected") {
  const std::string last = R"("after": ["c", "b"])";
  const std::vector<testing::WrongChange> wrong = {
      {{last, R"("after": ["x"])"},
       R"(f:6:54: /application/stages/3/after/0: found "x", which is no stage, expected the name of an earlier stage)"},
      {{last, R"("after": ["d"])"},
       R"(f:6:54: /application/stages/3/after/0: found "d", the stage itself, expected the name of an earlier stage)"},
      {{last, R"("after": ["c", "c"])"},
       R"(f:6:59: /application/stages/3/after/1: found "c" a second time, expected it once)"},
      {{last, R"("after": "c")"},
       R"(f:6:53: /application/stages/3/after: found the text "c", expected an array: names of earlier stages)"},
      {{last, R"("after": [7])"},
       R"(f:6:54: /application/stages/3/after/0: found the number 7, expected a text: the name of an earlier stage)"},
      {{R"("after": ["a"]},)", R"("after": ["c"]},)"},
       R"(f:4:53: /application/stages/1/after/0: found "c", which comes after "b", expected the name of an earlier )"
       "stage: a stage comes after those whose files it takes"},
      {{R"("output": 4,)", R"("output": 4, "produces": 2,)"},
       R"(f:5:55: /application/stages/2/produces: found the number 2, expected 1: a file for each firing, as stages )"
       R"(with "after" form no chain)"},
      {{R"("output": 4,)", ""},
       R"(f:5:5: /application/stages/2/output: found stage "c" without "output", expected its size, as "Q" sends it to )"
       R"("R" at a bandwidth)"},
      {{R"("mapping")", R"("transfers": [{"from": 1, "to": 0}], "mapping")"},
       "f:9:17: /transfers/0: found a transfer from part 1 to part 0, expected one of this workflow's: source to 0, 0 "
       "to 1, 0 to 2, 1 to 2, 2 to sink"},
  };
  testing::check_messages(kDiamond, wrong);
  Document built = read_document(kDiamond, "f");
  built.application.stages[1].after = std::vector<std::size_t>{1};
  CHECK_THROWS_AS(validate(built), InvalidInstance);
  built.application.stages[1].after = std::vector<std::size_t>{0, 0};
  CHECK_THROWS_AS(validate(built), InvalidInstance);
}

TEST_CASE("a part sends another one message, with the file of each stage that it takes once") {
  const Document document = read_document(kDiamond, "f");
  const Pipeline pipeline = std::get<Pipeline>(make_pipeline(document));
  struct Sent {
    std::size_t part;
    std::size_t receiver;
    std::vector<std::size_t> files;
    Rational time;
  };
  const std::vector<Sent> expected = {{0, 1, {}, 8}, {1, 2, {0}, 1}, {1, 3, {1}, 2}, {2, 3, {2}, 4}, {3, 4, {3}, 16}};
  std::size_t seen = 0;
  for (const ColumnIndex c : pipeline.all_columns()) {
    if (!pipeline.is_transfer(c)) continue;
    REQUIRE(seen < expected.size());
    const Column& column = pipeline.columns[c];
    CHECK(column.part.value() == expected[seen].part);
    CHECK(column.receiver.value() == expected[seen].receiver);
    CHECK(column.files == expected[seen].files);
    CHECK(pipeline.duration({0, c}) == expected[seen].time);
    ++seen;
  }
  CHECK(seen == expected.size());

  // Two stages of a part that take the same file get it once; two files are one message.
  Document joined = document;
  joined.mapping = Mapping{{0, 1, {0}}, {2, 3, {1}}};
  const auto routes = routes_of(joined.application, *joined.mapping, {});
  REQUIRE(routes.size() == 1);
  CHECK(routes[0].files == std::vector<std::size_t>{0, 1});
  joined.application.stages[3].after = std::vector<std::size_t>{0, 2};
  CHECK(routes_of(joined.application, *joined.mapping, {})[0].files == std::vector<std::size_t>{0});
  CHECK(exit_stages(joined.application) == std::vector<bool>{false, true, false, true});
}

TEST_CASE("a list of stages with \"after\" may be a chain, and pieces need not hang together") {
  Application application = read_document(kDiamond, "f").application;
  CHECK_FALSE(is_chain(application));
  for (std::size_t k = 1; k < 4; ++k) application.stages[k].after = std::vector<std::size_t>{k - 1};
  CHECK(is_chain(application));
  application.stages[0].after.emplace();
  CHECK(is_chain(application));
  application.stages[2].after.emplace();
  CHECK_FALSE(is_chain(application));
  const Mapping mapping = {{0, 0, {0}}, {1, 1, {1}}, {2, 2, {2}}, {3, 3, {0}}};
  const auto routes = routes_of(application, mapping, {true, true});
  std::vector<std::pair<std::optional<std::size_t>, std::optional<std::size_t>>> ends;
  for (const FileRoute& route : routes) ends.emplace_back(route.from, route.to);
  const auto outside = std::nullopt;
  CHECK(ends == std::vector<std::pair<std::optional<std::size_t>, std::optional<std::size_t>>>{
                    {outside, 0}, {outside, 2}, {0, 1}, {1, outside}, {2, 3}, {3, outside}});
}

}  // namespace
}  // namespace takt::tpn
