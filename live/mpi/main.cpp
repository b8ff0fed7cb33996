// takt-live: one process of a run whose stages are emulated, or programs.
#include "live/pipeline.hpp"

int main(int argc, char** argv) { return takt::live::run(argc, argv, {}); }
