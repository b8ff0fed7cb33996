// The takt program.
#include <iostream>
#include <string>
#include <vector>

#include "tools/command.hpp"

int main(int argc, char** argv) {
  return takt::tools::run(std::vector<std::string>(argv + 1, argv + argc), {std::cin, std::cout, std::cerr});
}
