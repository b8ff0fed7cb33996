// How the program starts.
#pragma once

namespace takt::tools {

/// What main() does: GMP throws where memory is exhausted, signals leave no unfinished file, and the command line runs.
int start(int argc, char** argv);

}  // namespace takt::tools
