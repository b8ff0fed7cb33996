// Whether an answer on standard input is as a schema says. Usage: schema_checker FOLDER NAME; status 1 and why, if not.
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/answer_schemas.hpp"

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::string why;
  if (takt::testing::schemas::accepts(argv[1], argv[2], nlohmann::json::parse(std::cin), why)) return 0;
  std::cout << why;
  return 1;
}
