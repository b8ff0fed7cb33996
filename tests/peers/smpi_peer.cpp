// A plan under STRICT as blocking MPI code, for SimGrid's SMPI: smpicxx compiles it, smpirun simulates it.
//
// A rank is a processor. It does its operations by data set, then column: MPI_Recv, sleep, MPI_Ssend, nothing else. A
// tick is a second, as on the platform of simgrid_test.py a byte takes. SMPI adds kEnvelope bytes to each message,
// which are left out of what is sent; so a transfer takes as many ticks at least.
//
// References. [degomme2017smpi]
//
// Usage: smpi_peer PLAN ssend|send   prints "data_set end" for every data set, in seconds
//   send: MPI_Send in place of MPI_Ssend, which waits for nobody where messages are small
#include <mpi.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "tests/peers/plan.hpp"

namespace {

using takt::peers::Plan;
using takt::peers::PlanColumn;
using takt::peers::PlanOperation;

constexpr std::uint64_t kEnvelope = 16;
constexpr std::uint64_t kMostTicks = 2'000'000;

void transfer(const PlanOperation& operation, std::size_t rank, int tag, bool waits) {
  if (operation.from != rank && operation.to != rank) return;
  if (operation.ticks < kEnvelope || operation.ticks > kMostTicks)
    throw std::runtime_error("a transfer of another length");
  std::vector<char> file(operation.ticks - kEnvelope);
  const int size = static_cast<int>(file.size());
  if (operation.from == rank) {
    (waits ? MPI_Ssend : MPI_Send)(file.data(), size, MPI_CHAR, static_cast<int>(operation.to), tag, MPI_COMM_WORLD);
  } else {
    MPI_Recv(file.data(), size, MPI_CHAR, static_cast<int>(operation.from), tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

void work(const Plan& plan, std::size_t rank, bool waits) {
  const double begin = MPI_Wtime();
  for (std::uint64_t j = 0; j < plan.data_sets; ++j) {
    for (std::size_t c = 0; c < plan.columns.size(); ++c) {
      const PlanColumn& column = plan.columns[c];
      const PlanOperation& operation = column.on(j);
      if (column.is_transfer_on(j)) transfer(operation, rank, static_cast<int>(c), waits);
      if (!column.computes || operation.from != rank) continue;
      if (operation.ticks > 0) sleep(static_cast<unsigned>(operation.ticks));
      if (c + 1 < plan.columns.size()) continue;
      std::printf("%llu %.17g\n", static_cast<unsigned long long>(j), MPI_Wtime() - begin);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  try {
    if (argc != 3) throw std::runtime_error("usage: smpi_peer PLAN ssend|send");
    work(takt::peers::read_plan(argv[1]), static_cast<std::size_t>(rank), std::string(argv[2]) == "ssend");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "smpi_peer: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return 0;
}
