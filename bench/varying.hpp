// Plays of nets whose times vary, by law.
#pragma once

namespace takt::bench {

/// vary_NET/LAW: operations of 16 copies and one arrival rate, on one thread; items are operations of a copy.
void add_varying();

}  // namespace takt::bench
