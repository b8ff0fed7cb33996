// Whole commands that people wait for, without the start of a process.
#pragma once

namespace takt::bench {

/// Registers them as CASE/takt: a report of example A, and a table of the sensitivities of 10 stages on 20 processors.
void add_commands();

}  // namespace takt::bench
