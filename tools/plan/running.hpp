// A mapping that runs, and what has to change for a plan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "plan/catalogue.hpp"
#include "plan/plan.hpp"
#include "tools/plan/planning.hpp"
#include "tpn/document.hpp"

namespace takt::tools {

/// The machines of a running mapping, by type of a catalogue.
struct RunningMachines {
  /// The machines of one type that serve the same stages and no others, by name, in the order of their turns.
  struct Part {
    std::size_t first_stage = 0;
    std::size_t last_stage = 0;
    std::size_t type = 0;
    std::vector<std::string> names;
  };
  std::vector<Part> parts;
  std::vector<std::vector<std::string>> all;  // by type, those without a part included
  std::vector<std::uint64_t> idle;            // by type, how many serve none

  /// For a wish: what each part has, with machines that stand by for it.
  RunningPlan plan(const plan::Catalogue& catalogue) const;
};

/// Of a mapped document, read from that file, whose stages are the catalogue's and whose processors have types;
/// machines of types that the catalogue lacks are left out. Throws FileError.
RunningMachines running_machines(const tpn::Document& document, const std::string& file,
                                 const plan::Catalogue& catalogue);

/// Gives the machines of a plan's mapped document the names of those that run: those that stay keep theirs, others get
/// those of machines of their type that leave their part, and new ones names that no machine has.
void keep_names(tpn::Document& mapped, const plan::TypedPlan& parts, const RunningMachines& running);

}  // namespace takt::tools
