// The rule of tests that no load moves, on the tests themselves and on planted breaches.
#include "tests/house/clock_rules.hpp"

#include <catch2/catch.hpp>

namespace takt::house {

TEST_CASE("no test outside the label timed sleeps, reads a clock or tries again", "[house]") {
  const auto files = read_tests(TAKT_SOURCE_DIR);
  REQUIRE(files.size() > 300);
  for (const std::string& line : clock_violations(files)) FAIL_CHECK(line);
}

TEST_CASE("test cases stand where ctest looks for them, in *_test.cpp", "[house]") {
  for (const SourceFile& file : read_tests(TAKT_SOURCE_DIR)) {
    CAPTURE(file.path);
    CHECK((file.path.ends_with("_test.cpp") || file.text.find("\nTEST_CASE(") == std::string::npos));
  }
}

TEST_CASE("a test that waits for a time is reported with its line", "[house]") {
  const std::vector<std::string> breaches = {"std::this_thread::sleep_for(step);",
                                             "  time.sleep(0.01)",
                                             "auto end = std::chrono::steady_clock::now() + x;",
                                             "end = time.monotonic() + 5",
                                             "run(\"sleep 0.4; cat\")",
                                             "'while :; do sleep 1; done'",
                                             "for attempt in range(3):",
                                             "REPEATS = 3"};
  for (const std::string& line : breaches) {
    CAPTURE(line);
    CHECK(clock_violations({{"tests/tools/some_test.cpp", "// A test.\n" + line + "\n"}}).size() == 1);
    CHECK(clock_violations({{"tests/timed/some_test.py", line}}).empty());
    CHECK(clock_violations({{"tests/live/some_timed_test.cpp", line}}).empty());
  }
  CHECK(
      clock_violations({{"tests/live/some_test.cpp", "\"exec sleep 1000\"; nothing.asleep(3); oversleep 5"}}).empty());
  CHECK(clock_violations({{"tests/a_test.py", "import time\n\ntime.sleep(1)"}}).front() ==
        "tests/a_test.py:3: a test waits for an event, not for a time");
}

}  // namespace takt::house
