// Names of processors, those of cores that a document names at once together.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tpn/document.hpp"

namespace takt::tools {

/// Processors of one line, or of one phrase: one, or all cores of an entry of the document.
struct NamedProcessors {
  std::string name;       // the processor's, or the entry's
  std::size_t count = 1;  // of cores
  std::string first;      // the processor's, or the first core's
  std::string last;
};

/// Which processors of a platform are cores that the document names at once.
class CoreNames {
 public:
  explicit CoreNames(const tpn::Platform& platform);

  /// The processors, which are all different, in their order: the cores of an entry, where all of them are there, at
  /// the place of the first. Indices beyond the platform's are left alone: their names are `names`'.
  std::vector<NamedProcessors> together(const std::vector<std::size_t>& processors,
                                        const std::vector<std::string>& names) const;

 private:
  struct Cores {
    std::string name;
    std::size_t first = 0;
    std::size_t count = 1;
  };

  std::vector<Cores> entries_;
  std::vector<std::size_t> entry_of_;  // by processor; empty if each stands alone
};

}  // namespace takt::tools
