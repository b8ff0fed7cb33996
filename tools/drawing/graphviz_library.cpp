// What is looked up in libgvc is found in the libraries that it needs as well, libcgraph among them.
#include "tools/drawing/graphviz_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include "tools/command.hpp"

#ifdef __SANITIZE_ADDRESS__
// What LeakSanitizer must not mind: the layout and the fonts of Graphviz are never freed in full.
extern "C" const char* __lsan_default_suppressions();   // NOLINT: its name for it
extern "C" const char* __lsan_default_suppressions() {  // NOLINT
  return "leak:libgvc\nleak:libgvplugin\nleak:libpango\nleak:libfontconfig\n";
}
extern "C" const char* __lsan_default_options();                                    // NOLINT
extern "C" const char* __lsan_default_options() { return "print_suppressions=0"; }  // NOLINT
#endif

namespace takt::tools {

namespace {

constexpr const char* kLibrary = "libgvc.so.6";

void* open_library() {
  void* library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  if (library != nullptr) return library;
  throw FileError(
      fmt::format("drawings of nets and graphs in DOT need {} (Debian's libgvc6), which cannot be loaded", kLibrary));
}

template <typename Symbol>
void find(void* library, Symbol*& symbol, const char* name) {
  symbol = reinterpret_cast<Symbol*>(dlsym(library, name));  // NOLINT(*-reinterpret-cast): as POSIX has it
  if (symbol == nullptr) throw FileError(fmt::format("{} has no {}, which drawings need", kLibrary, name));
}

Graphviz load() {
  void* const library = open_library();
  Graphviz found;
#define TAKT_FIND(name) find(library, found.name, #name)
  TAKT_FIND(agattr);
  TAKT_FIND(agclose);
  TAKT_FIND(agedge);
  TAKT_FIND(agerrors);
  TAKT_FIND(agfstnode);
  TAKT_FIND(agfstout);
  TAKT_FIND(agget);
  TAKT_FIND(agisdirected);
  TAKT_FIND(agmemread);
  TAKT_FIND(agnameof);
  TAKT_FIND(agnode);
  TAKT_FIND(agnxtnode);
  TAKT_FIND(agnxtout);
  TAKT_FIND(agopen);
  TAKT_FIND(agreseterrors);
  TAKT_FIND(agsafeset);
  TAKT_FIND(agseterrf);
  TAKT_FIND(agstrdup_html);
  TAKT_FIND(agstrfree);
  TAKT_FIND(agwrite);
  TAKT_FIND(gvContext);
  TAKT_FIND(gvFreeContext);
  TAKT_FIND(gvFreeLayout);
  TAKT_FIND(gvFreeRenderData);
  TAKT_FIND(gvLayout);
  TAKT_FIND(gvRenderData);
  TAKT_FIND(Agdirected);
  TAKT_FIND(Agstrictdirected);
  TAKT_FIND(AgIoDisc);
#undef TAKT_FIND
  return found;
}

}  // namespace

const Graphviz& graphviz() {
  static const Graphviz kLoaded = load();
  return kLoaded;
}

}  // namespace takt::tools
