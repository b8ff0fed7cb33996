// A run's processes as an MPI job.
#pragma once

#include <memory>

#include "live/rank/job.hpp"

namespace takt::live {

/// Calls MPI_Init; the end of the job calls MPI_Finalize.
std::unique_ptr<Job> join_mpi_job(int* argc, char*** argv);

}  // namespace takt::live
