// Random mappings drawn and evaluated one after the other, as sweeps over millions of them do.
#pragma once

namespace takt::bench {

/// Registers draws_STAGESxPROCESSORS/WHO: the time of one draw of Table 2, period and largest cycle time under OVERLAP
/// and under STRICT. `tables` fills and evaluates tables of times, `documents` makes and validates documents and
/// evaluates their mappings, `fill` draws tables alone.
void add_draws();

}  // namespace takt::bench
