// The takt program.
#include "tools/start.hpp"

int main(int argc, char** argv) { return takt::tools::start(argc, argv); }
