// Runs of functions as MPI jobs.
#include "live/pipeline.hpp"

#include "live/mpi/mpi_job.hpp"
#include "live/rank/rank.hpp"

namespace takt::live {

int run(int argc, char** argv, const std::vector<NamedStage>& stages) {
  return run_rank(argc, argv, stages, join_mpi_job);
}

}  // namespace takt::live
