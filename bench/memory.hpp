// The largest memory of this process, which can start anew.
#pragma once

namespace takt::bench {

/// From here on, peak_memory counts from what is resident now. Freed memory is given back first.
void reset_peak_memory();

/// The largest memory resident since reset_peak_memory, in MiB; 0 if the system does not say.
double peak_memory();

}  // namespace takt::bench
