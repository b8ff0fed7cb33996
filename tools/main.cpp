// The takt program.
#include "tools/frame/start.hpp"

int main(int argc, char** argv) { return takt::tools::start(argc, argv); }
