// The JSON tree: places, exact numbers, and every way a text can fail to be JSON.
#include "tpn/json.hpp"

#include <catch2/catch.hpp>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/tpn/files.hpp"

namespace takt::tpn::json {
namespace {

using maxplus::Integer;
using maxplus::parse_decimal;
using maxplus::parse_fraction;
using maxplus::Rational;

std::string error_of(const std::string& text) {
  return testing::message_of([&] { parse(text, "f"); });
}

TEST_CASE("every value and key knows its line and column") {
  const Tree tree = parse("{\"a\": [1,\r\n  -2.50e+1 , \"x\\ny\"],\n \"\xC3\xA4\" :true, \"c\":{ \"d\" :null}}", "f");
  const Value& root = tree.root;
  REQUIRE(root.kind == Kind::object);
  CHECK(root.position == Position{1, 1});
  REQUIRE(root.keys.size() == 3);
  CHECK(root.keys[0].position == Position{1, 2});
  CHECK(root.keys[1].name == "\xC3\xA4");
  CHECK(root.keys[1].position == Position{3, 2});
  CHECK(root.keys[2].position == Position{3, 14});

  const Value& array = *find(root, "a");
  CHECK(array.position == Position{1, 7});
  REQUIRE(array.items.size() == 3);
  CHECK(array.items[0].position == Position{1, 8});
  CHECK(array.items[1].position == Position{2, 3});
  CHECK(array.items[1].text == "-2.50e+1");
  CHECK(array.items[2].position == Position{2, 14});
  CHECK(array.items[2].text == "x\ny");
  CHECK(root.items[1].boolean);
  CHECK(root.items[1].position == Position{3, 8});
  CHECK(find(root.items[2], "d")->kind == Kind::null);
  CHECK(find(root.items[2], "d")->position == Position{3, 25});
  CHECK(find(root, "e") == nullptr);
}

TEST_CASE("commas, colons, brackets and quotes within texts do not move the places") {
  const Tree tree = parse(R"(["a,b:]\"\\", "\u00e4{", 7])", "f");
  REQUIRE(tree.root.items.size() == 3);
  CHECK(tree.root.items[0].text == "a,b:]\"\\");
  CHECK(tree.root.items[1].position == Position{1, 15});
  CHECK(tree.root.items[2].position == Position{1, 26});
}

TEST_CASE("a byte order mark is skipped, a second one is not") {
  CHECK(parse("\xEF\xBB\xBF[1]", "f").root.items[0].position == Position{1, 2});
  CHECK(error_of("\xEF\xBB\xBF\xEF\xBB[1]").starts_with("f:1:"));
  CHECK(error_of("\xEF\xBB\xBF") == "f:1:1: found an empty file, expected a JSON document");
}

TEST_CASE("numbers beyond doubles and 64 bits keep their text") {
  const std::string digits(900, '9');
  const Tree tree = parse("[" + digits + ", " + digits + "e300, 1e-999999999, 18446744073709551616]", "f");
  CHECK(tree.root.items[0].text == digits);
  CHECK(tree.root.items[1].text == digits + "e300");
  CHECK(tree.root.items[2].text == "1e-999999999");
  CHECK(as_number(tree, tree.root.items[3], Bound::positive) == Rational(Integer("18446744073709551616")));
}

TEST_CASE("64 levels are read and one more is an error, however many follow") {
  const auto nested = [](std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); };
  CHECK_NOTHROW(parse(nested(64), "f"));
  const std::string expected = "f:1:65: found an array nested more than 64 levels deep, expected at most 64 levels";
  CHECK(error_of(nested(65)) == expected);
  CHECK(error_of(nested(100'000)) == expected);
  CHECK(error_of(std::string(100'000, '[')) == expected);

  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
  CHECK(error_of(objects) == "f:1:321: found an object nested more than 64 levels deep, expected at most 64 levels");
}

TEST_CASE("a text that is not JSON is refused where it goes wrong") {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "f:1:1: found an empty file, expected a JSON document"},
      {" \n ", "f:2:2: found an empty file, expected a JSON document"},
      {"[1,\n2", "f:2:2: found the end of the file, expected ',' or ']'"},
      {"[1,", "f:1:4: found the end of the file, expected a JSON value"},
      {"{", "f:1:2: found the end of the file, expected a key in double quotes"},
      {"{\"a\"", "f:1:5: found the end of the file, expected ':' between key and value"},
      {"{\"a\":", "f:1:6: found the end of the file, expected a JSON value"},
      {"{\"a\":1", "f:1:7: found the end of the file, expected ',' or '}'"},
      {"{\"a\":1,", "f:1:8: found the end of the file, expected a key in double quotes"},
      {"[1,,2]", "f:1:4: found ',', expected a JSON value"},
      {"[1:2]", "f:1:3: found ':', expected ',' or ']'"},
      {"[,1]", "f:1:2: found ',', expected a JSON value"},
      {"[1 2]", "f:1:4: found '2', expected ',' or ']'"},
      {"[\"a\" \"b\"]", "f:1:6: found '\"b\"', expected ',' or ']'"},
      {"[1}", "f:1:3: found '}', expected ',' or ']'"},
      {"{\"a\":1]", "f:1:7: found ']', expected ',' or '}'"},
      {"{1:2}", "f:1:2: found '1', expected a key in double quotes"},
      {"{\"a\" 1}", "f:1:6: found '1', expected ':' between key and value"},
      {"[1]\n]", "f:2:1: found ']', expected nothing behind the document"},
      {"[1] x", "f:1:5: found 'x', expected nothing behind the document"},
      {"nul", "f:1:1: found 'nul', expected a JSON value"},
      {"[truefalse]", "f:1:6: found 'false', expected ',' or ']'"},
      {"[NaN]", "f:1:2: found 'NaN', expected a JSON value"},
      {"[12abc]", "f:1:4: found 'abc', expected ',' or ']'"},
      {"[1.5.2]", "f:1:5: found '.2', expected ',' or ']'"},
      {"[-]", "f:1:2: found '-', expected a digit after '-'"},
      {"[1e+]", "f:1:2: found '1e+', expected a digit after exponent sign"},
      {"[1.]", "f:1:2: found '1.', expected a digit after '.'"},
      {"[1e]", "f:1:2: found '1e', expected a JSON value"},
      {"[012]", "f:1:3: found '12', expected ',' or ']'"},
      {"[+1]", "f:1:2: found '+1', expected a JSON value"},
      {"[\"abc", "f:1:2: found '\"abc', expected text that ends with a double quote"},
      {"[\"a\tb\"]", "f:1:2: found \"\\\"a\\tb\\\"\", expected text without line breaks and other control characters"},
      {"[\"\\x\"]", "f:1:2: found '\"\\x\"', expected one of \"\\/bfnrtu after a backslash"},
      {"[\"\\ud800\"]", "f:1:2: found '\"\\ud800\"', expected \\u followed by the four hex digits of a character"},
      {"[\"\\u12\"]", "f:1:2: found '\"\\u12\"', expected \\u followed by the four hex digits of a character"},
      {"[\"a\xC3", "f:1:4: found the byte 0xc3, expected UTF-8 text"},
      {"\xEF\xBB[1]", "f:1:1: found the byte 0xef, expected UTF-8 text"},
      {std::string("\xFF\xFE[\0]\0", 6), "f:1:1: found the byte 0xff, expected UTF-8 text, not UTF-16"},
      {"[\"\xFF\"]", "f:1:3: found the byte 0xff, expected UTF-8 text"},
      {"[1e5000]", "f:1:2: found the number 1e5000, expected a number with an exponent within +-300"},
      {std::string("[1]\0[", 5), "f:1:4: found a NUL byte, expected text"},
      {std::string("[\n1,\0", 5), "f:2:3: found a NUL byte, expected text"},
      {"{\"a\":1,\n\"b\":2,\"a\":3}", "f:2:7: found the key \"a\" a second time, expected it once, as on line 1"},
      {"{\"a\":{\"a\":1,\"\\u0061\":2}}", "f:1:13: found the key \"a\" a second time, expected it once, as on line 1"},
  };
  for (const auto& [text, expected] : cases) {
    CAPTURE(text);
    CHECK(error_of(text) == expected);
  }
}

TEST_CASE("a tree of a form ends where its reader refuses it") {
  const ValueForm text{.content = ValueForm::Content::text};
  const ValueForm texts{.content = ValueForm::Content::array, .items = &text};
  const std::vector<std::string_view> keys{"a", "b", "n"};
  const std::vector<ValueForm::Member> members{{"a", &texts}};
  const ValueForm object{.content = ValueForm::Content::object, .keys = keys, .members = members};

  const Tree whole = parse(R"({"b": "x", "a": ["p", "q"], "n": null})", "f", &object);
  CHECK(whole.root.keys.size() == 3);
  CHECK(find(whole.root, "a")->items.size() == 2);
  CHECK(find(whole.root, "b")->text == "x");

  const Tree item = parse(R"({"a": ["p", 0, "q", [1]], "b": 2})", "f", &object);
  CHECK(find(item.root, "a")->items.size() == 2);
  CHECK(find(item.root, "a")->items[1].position == Position{1, 13});
  CHECK(find(item.root, "b")->text == "2");

  const Tree member = parse(R"({"a": {"p": 1}, "b": [1, 2], "n": 3})", "f", &object);
  CHECK(find(member.root, "a")->kind == Kind::object);
  CHECK(find(member.root, "a")->keys.empty());
  CHECK(find(member.root, "b")->kind == Kind::array);
  CHECK(find(member.root, "b")->items.empty());
  CHECK(find(member.root, "n")->text == "3");

  const Tree unknown = parse(R"({"a": [], "c": [1, {"d": 2}], "b": 3})", "f", &object);
  REQUIRE(unknown.root.keys.size() == 2);
  CHECK(unknown.root.items.size() == 2);
  CHECK(unknown.root.keys[1].name == "c");
  CHECK(unknown.root.items[1].items.empty());

  const Tree root = parse("[1, [2], {\"a\": 3}]", "f", &object);
  CHECK(root.root.kind == Kind::array);
  CHECK(root.root.items.empty());
}

TEST_CASE("what a tree leaves out is JSON all the same, or refused") {
  const ValueForm object{.content = ValueForm::Content::object};
  for (const std::string text : {"[1,,2]", "[{\"a\":1,\"a\":2}]", "[[}", "[1", "[\"\\x\"]", "[1e5000]"}) {
    const std::string without = error_of(text);
    CHECK(without.starts_with("f:1:"));
    CHECK(testing::message_of([&] { parse(text, "f", &object); }) == without);
  }
  const std::string deep = std::string(65, '[') + std::string(65, ']');
  CHECK(testing::message_of([&] { parse(deep, "f", &object); }) == error_of(deep));
}

TEST_CASE("a long token is cut short in the message") {
  const std::string message = error_of("[" + std::string(100'000, 'x'));
  CHECK(message == "f:1:2: found '" + std::string(60, 'x') + "...', expected a JSON value");
}

TEST_CASE("an object's unknown and missing keys are named with what was expected") {
  const Tree tree = parse(R"({"a": {"wrok": 1}, "b/c~": [{"name": 2}]})", "f");
  const std::vector<std::string_view> allowed{"name", "work"};
  const Value& first = *find(tree.root, "a");
  const Value& second = find(tree.root, "b/c~")->items[0];
  CHECK(testing::message_of([&] { as_object(tree, first, "a stage", allowed); }) ==
        "f:1:8: /a/wrok: found the unknown key \"wrok\" (did you mean \"work\"?), expected \"name\" or \"work\" in a "
        "stage");
  CHECK(testing::message_of([&] { required(tree, first, "a stage", "name"); }) ==
        "f:1:7: /a: found a stage without \"name\", expected the key \"name\"");
  CHECK(testing::message_of([&] { as_string(tree, *find(second, "name"), "a name"); }) ==
        "f:1:38: /b~1c~0/0/name: found the number 2, expected a text: a name");
  CHECK(&as_object(tree, second, "a stage", allowed) == &second);
  CHECK(&required(tree, second, "a stage", "name") == find(second, "name"));
}

TEST_CASE("a value of another kind is described") {
  const Tree tree = parse(R"([null, false, 3, "t", [], {}])", "f");
  const auto& items = tree.root.items;
  CHECK(testing::message_of([&] { as_object(tree, items[0], "a stage"); }) ==
        "f:1:2: /0: found null, expected an object: a stage");
  CHECK(testing::message_of([&] { as_array(tree, items[1], "stages"); }) ==
        "f:1:8: /1: found false, expected an array: stages");
  CHECK(testing::message_of([&] { as_boolean(tree, items[2]); }) ==
        "f:1:15: /2: found the number 3, expected true or false");
  CHECK(testing::message_of([&] { as_array(tree, items[3], "stages"); }) ==
        "f:1:18: /3: found the text \"t\", expected an array: stages");
  CHECK(testing::message_of([&] { as_string(tree, items[4], "a name"); }) ==
        "f:1:23: /4: found an array, expected a text: a name");
  CHECK(testing::message_of([&] { as_number(tree, items[5], Bound::any); }) ==
        "f:1:27: /5: found an object, expected a number such as 12, 0.5 or \"7/2\"");
}

TEST_CASE("numbers are read exactly, from JSON numbers and from texts") {
  const Tree tree = parse(R"([0.1, "4/6", -3, "12", 1E2, -0, "-0", 1e-300])", "f");
  const std::vector<std::string> expected{"1/10", "2/3", "-3", "12", "100", "0", "0"};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(as_number(tree, tree.root.items[i], Bound::any).to_string() == expected[i]);
  }
  CHECK(as_number(tree, tree.root.items[7], Bound::positive).denominator().get_str().size() == 301);
}

TEST_CASE("a number out of bounds is refused, one on the bound is not") {
  const auto is_within = [](const Rational& number, Bound bound) { return !violation(number, bound).has_value(); };
  const Rational half = Rational::fraction(1, 2);
  CHECK(is_within(-1, Bound::any));
  CHECK(is_within(0, Bound::non_negative));
  CHECK_FALSE(is_within(-half, Bound::non_negative));
  CHECK(is_within(half, Bound::positive));
  CHECK_FALSE(is_within(0, Bound::positive));
  CHECK(is_within(0, Bound::whole));
  CHECK_FALSE(is_within(half, Bound::whole));
  CHECK_FALSE(is_within(-1, Bound::whole));
  CHECK(is_within(1, Bound::positive_whole));
  CHECK_FALSE(is_within(0, Bound::positive_whole));
  CHECK_FALSE(is_within(1 + half, Bound::positive_whole));
}

TEST_CASE("pointers lead to places and values to pointers") {
  const Tree tree = parse("{\"a\":\n {\"x/y\": [1,\n  {\"~\": 2}]}}", "f");
  const Value& inner = find(*find(tree.root, "a"), "x/y")->items[1].items[0];
  CHECK(pointer_of(tree, inner) == "/a/x~1y/1/~0");
  CHECK(position_of(tree, "/a/x~1y/1/~0") == Position{3, 9});
  CHECK(position_of(tree, "/a/x~1y/1/z/7") == Position{3, 3});
  CHECK(position_of(tree, "/a/x~1y/2") == Position{2, 10});
  CHECK(position_of(tree, "/b") == Position{1, 1});
  CHECK(position_of(tree, "") == Position{1, 1});
  CHECK(place(tree, {3, 9}) == "f:3:9");
}

TEST_CASE("numbers are written as people would, and read back the same") {
  const auto decimal = [](const std::string& text) { return std::get<Rational>(parse_decimal(text)); };
  const std::vector<std::pair<Rational, std::string>> cases{
      {0, "0"},
      {-7, "-7"},
      {9007199254740992, "9007199254740992"},
      {9007199254740993, "\"9007199254740993\""},
      {-9007199254740992, "-9007199254740992"},
      {Rational(Integer("9007199254741000")), "9007199254741e3"},
      {Rational::fraction(1, 10), "0.1"},
      {Rational::fraction(-61, 2), "-30.5"},
      {Rational::fraction(1, 3), "\"1/3\""},
      {Rational::fraction(-2, 3), "\"-2/3\""},
      {decimal("0.00001"), "0.00001"},
      {decimal("1e-30"), "1e-30"},
      {decimal("-25e-31"), "-25e-31"},
      {decimal("1e30"), "1e30"},
      {decimal("1e-300"), "1e-300"},
      {decimal("0.123456789012345"), "0.123456789012345"},
      {decimal("0.1234567890123456"), "\"19290123283179/156250000000000\""},
      {decimal("10.00000000000001"), "\"1000000000000001/100000000000000\""},
  };
  for (const auto& [number, text] : cases) {
    CAPTURE(text);
    REQUIRE(number_text(number) == text);
    const bool is_text = text.front() == '"';
    const auto read = is_text ? parse_fraction(text.substr(1, text.size() - 2)) : parse_decimal(text);
    CHECK(std::get<Rational>(read) == number);
  }
}

TEST_CASE("every number that can be read can be written, up to the limits and no further") {
  const std::string nines(998, '9');
  for (const std::string& text :
       {nines + ".91e300", nines + "91e-300", "0." + std::string(998, '0') + "1e-300", "0." + nines + "1e-300",
        nines + "91", "1" + std::string(999, '0') + "e300", "-0." + nines + "3e300"}) {
    CAPTURE(text);
    const Rational number = std::get<Rational>(parse_decimal(text));
    const auto written = number_text(number);
    REQUIRE(written.has_value());
    const bool is_text = written->front() == '"';
    const auto read = is_text ? parse_fraction(written->substr(1, written->size() - 2)) : parse_decimal(*written);
    CHECK(std::get<Rational>(read) == number);
  }
  Integer large;
  mpz_ui_pow_ui(large.get_mpz_t(), 10, 1299);
  CHECK(number_text(large).has_value());
  CHECK_FALSE(number_text(Integer(large * 10)).has_value());
  CHECK_FALSE(number_text(Integer(large + 1)).has_value());
  CHECK_FALSE(number_text(Rational::fraction(1, Integer(large * 30))).has_value());
}

TEST_CASE("texts are written as JSON, and not at all where they are not UTF-8") {
  CHECK(string_text("a\"\\\n\xC3\xA4/") == "\"a\\\"\\\\\\n\xC3\xA4/\"");
  CHECK_FALSE(string_text("\xFF").has_value());
  CHECK(quote(std::string(61, 'x')) == "\"" + std::string(60, 'x') + "...\"");
  CHECK(quote("\x1b[31m") == "\"\\u001b[31m\"");
  const std::vector<std::string_view> names{"a", "b", "c"};
  CHECK(one_of(names) == "\"a\", \"b\" or \"c\"");
}

TEST_CASE("items of an array that someone takes are handed over whole and in order, and not kept") {
  std::vector<std::string> taken;
  const std::function<void(const Value&)> take = [&](const Value& item) {
    const Value* const name = find(item, "n");
    taken.push_back((name == nullptr ? "-" : name->text) + " at " + std::to_string(item.position.line));
  };
  const ValueForm item{.content = ValueForm::Content::object};
  const ValueForm items{
      .content = ValueForm::Content::array, .items = &item, .keys = {}, .members = {}, .take_item = &take};
  const ValueForm::Member members[] = {{"a", &items}};
  const ValueForm root{.content = ValueForm::Content::object, .items = nullptr, .keys = {}, .members = members};
  const Tree tree = parse("{\"a\": [{\"n\": 1},\n {\"n\": 2}, {}],\n \"b\": 3}", "f", &root);
  CHECK(taken == std::vector<std::string>{"1 at 1", "2 at 2", "- at 2"});
  CHECK(find(tree.root, "a")->items.empty());
  CHECK(find(tree.root, "b")->text == "3");
  taken.clear();
  // What is no object is kept, and nothing behind it is handed over.
  const Tree other = parse("{\"a\": [{\"n\": 1}, 7, {\"n\": 2}]}", "f", &root);
  CHECK(taken.size() == 1);
  REQUIRE(find(other.root, "a")->items.size() == 1);
  CHECK(find(other.root, "a")->items[0].text == "7");
}

}  // namespace
}  // namespace takt::tpn::json
