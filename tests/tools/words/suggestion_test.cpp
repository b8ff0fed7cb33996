// What misspelt names are taken for.
#include "tools/words/suggestion.hpp"

#include <catch2/catch.hpp>

namespace takt::testing {
namespace {

using tools::suggestion;
using Names = std::vector<std::string>;

TEST_CASE("a name is suggested for another case, a beginning and a few edits") {
  const Names names = {"overlap", "strict", "bounded"};
  CHECK(suggestion("STRICT", names) == " (did you mean \"strict\"?)");
  CHECK(suggestion("str", names) == " (did you mean \"strict\"?)");
  CHECK(suggestion("strct", names) == " (did you mean \"strict\"?)");
  CHECK(suggestion("strictt", names) == " (did you mean \"strict\"?)");
  CHECK(suggestion("stritc", names) == " (did you mean \"strict\"?)");
  CHECK(suggestion("ovrelpa", names) == " (did you mean \"overlap\"?)");
  CHECK(suggestion("buonded!", names) == " (did you mean \"bounded\"?)");
}

TEST_CASE("nothing is suggested for what is far from every name, short or long") {
  const Names names = {"overlap", "strict", "bounded"};
  CHECK(suggestion("", names).empty());
  CHECK(suggestion("st", names).empty());
  CHECK(suggestion("fancy", names).empty());
  CHECK(suggestion("xxrict", names) == " (did you mean \"strict\"?)");
  CHECK(suggestion("xxxict", names).empty());
  CHECK(suggestion(std::string(1'000'000, 's'), names).empty());
  CHECK(suggestion("strict", {}).empty());
}

TEST_CASE("of two names as near none is suggested, and the nearer one otherwise") {
  CHECK(suggestion("bsx", {"bsl", "bsc"}).empty());
  CHECK(suggestion("bslx", {"bsl", "bsc"}) == " (did you mean \"bsl\"?)");
  CHECK(suggestion("chain", {"chain-dp", "chain-approx"}).empty());
  CHECK(suggestion("--model", {"--modell", "--model"}) == " (did you mean \"--model\"?)");
  CHECK(suggestion("--m", {"--method", "--model"}).empty());
}

}  // namespace
}  // namespace takt::testing
