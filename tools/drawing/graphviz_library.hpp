// Graphviz' libraries, loaded when something is drawn: computing periods needs none of them.
#pragma once

#include <graphviz/cgraph.h>
#include <graphviz/gvc.h>

namespace takt::tools {

/// Those of their functions and constants that are used, by their names there.
struct Graphviz {
  // NOLINTBEGIN(readability-identifier-naming)
  decltype(&::agattr) agattr = nullptr;
  decltype(&::agclose) agclose = nullptr;
  decltype(&::agedge) agedge = nullptr;
  decltype(&::agerrors) agerrors = nullptr;
  decltype(&::agfstnode) agfstnode = nullptr;
  decltype(&::agfstout) agfstout = nullptr;
  decltype(&::agget) agget = nullptr;
  decltype(&::agisdirected) agisdirected = nullptr;
  decltype(&::agmemread) agmemread = nullptr;
  decltype(&::agnameof) agnameof = nullptr;
  decltype(&::agnode) agnode = nullptr;
  decltype(&::agnxtnode) agnxtnode = nullptr;
  decltype(&::agnxtout) agnxtout = nullptr;
  decltype(&::agopen) agopen = nullptr;
  decltype(&::agreseterrors) agreseterrors = nullptr;
  decltype(&::agsafeset) agsafeset = nullptr;
  decltype(&::agseterrf) agseterrf = nullptr;
  decltype(&::agstrdup_html) agstrdup_html = nullptr;
  decltype(&::agstrfree) agstrfree = nullptr;
  decltype(&::agwrite) agwrite = nullptr;
  decltype(&::gvContext) gvContext = nullptr;
  decltype(&::gvFreeContext) gvFreeContext = nullptr;
  decltype(&::gvFreeLayout) gvFreeLayout = nullptr;
  decltype(&::gvFreeRenderData) gvFreeRenderData = nullptr;
  decltype(&::gvLayout) gvLayout = nullptr;
  decltype(&::gvRenderData) gvRenderData = nullptr;
  const Agdesc_t* Agdirected = nullptr;
  const Agdesc_t* Agstrictdirected = nullptr;
  const Agiodisc_t* AgIoDisc = nullptr;
  // NOLINTEND(readability-identifier-naming)
};

/// Loads them the first time. Throws FileError, which names the library, where that fails.
const Graphviz& graphviz();

}  // namespace takt::tools
