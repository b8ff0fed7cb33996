// Heuristics of a user's own in an experiment, run as programs.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "experiments/descriptions/description.hpp"
#include "experiments/studies/own_heuristics.hpp"
#include "tools/files/scratch_folder.hpp"
#include "tools/own/own_heuristic.hpp"

namespace takt::tools {

/// Runs the commands and servers that a description names, not its functions. It may be made before a fork, and asked
/// behind it.
class OwnPrograms : public experiments::OwnHeuristics {
 public:
  explicit OwnPrograms(const experiments::Description& description);

  /// Throws FileError if no process can be started.
  experiments::OwnResult ask(const experiments::ChosenHeuristic& chosen, const experiments::OwnTask& task) override;

 private:
  ScratchFolder folder_{"experiment"};
  std::map<std::string, OwnHeuristic> programs_;  // by command, a letter for its form before it
};

/// Those of a description; null if it names none. Throws UsageError if it names a function, which only the
/// program that has it can run.
std::shared_ptr<OwnPrograms> own_programs_of(const experiments::Description& description);

}  // namespace takt::tools
