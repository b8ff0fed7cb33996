// Whether a problem says all the works, times and sizes that some mapping could need.
#pragma once

#include "tpn/problem_view.hpp"

namespace takt::heuristics {

/// Throws tpn::InvalidInstance if a work is absent that a speed needs, or a stage's time on a processor that has
/// neither speed nor time.
void require_works(const tpn::ProblemView& problem);
/// The same, and where the size of a file is absent that a bandwidth needs: between any processors, or with an end.
void require_amounts(const tpn::ProblemView& problem);

/// Named links one sender after the other, those in a row that are alike at once: visit(the first, how many).
template <typename Visit>
void for_each_alike_link(const tpn::Timing& timing, const Visit& visit) {
  const auto links = timing.named_links();
  for (std::size_t k = 0; k < links.size();) {
    const std::size_t first = k;
    while (k < links.size() && links[k].from == links[first].from && links[k].link == links[first].link) ++k;
    visit(links[first], k - first);
  }
}

}  // namespace takt::heuristics
