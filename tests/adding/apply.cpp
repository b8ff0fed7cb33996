// apply DOCUMENT PATH TEXT OUTPUT: writes to OUTPUT what TEXT is after the document's diffs of the file PATH.
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "tests/house/additions.hpp"

namespace {

std::string read(const char* path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const auto changed = takt::house::apply_diffs(read(argv[1]), argv[2], read(argv[3]));
  if (!changed) {
    std::cerr << argv[1] << ": no diff of " << argv[2] << ", or one that does not fit\n";
    return 1;
  }
  std::ofstream(argv[4], std::ios::binary) << *changed;
  return 0;
}
