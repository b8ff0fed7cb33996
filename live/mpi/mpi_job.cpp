// Each call of a job as one of MPI, by the rank's first thread.
#include "live/mpi/mpi_job.hpp"

#include <mpi.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

#include "live/mpi/mpi_transport.hpp"
#include "live/mpi/shared_bells.hpp"

#ifdef __SANITIZE_ADDRESS__
// Open MPI leaves memory behind, in modules that are unloaded when LeakSanitizer looks.
extern "C" int __lsan_is_turned_off();               // NOLINT: its name for it
extern "C" int __lsan_is_turned_off() { return 1; }  // NOLINT
#endif

namespace takt::live {

namespace {

MPI_Op operation_of(Reduction how) {
  if (how == Reduction::sum) return MPI_SUM;
  return how == Reduction::least ? MPI_MIN : MPI_MAX;
}

// Open MPI's ranks of one machine would listen for others on all its networks. What a user chose stays.
void close_networks() {
  const char* const all = std::getenv("OMPI_COMM_WORLD_SIZE");
  const char* const here = std::getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
  if (all == nullptr || here == nullptr || std::strcmp(all, here) != 0) return;
  setenv("OMPI_MCA_pml", "ob1", 0);
  setenv("OMPI_MCA_btl", "self,vader", 0);
}

class MpiJob : public Job {
 public:
  MpiJob(int* argc, char*** argv) {
    close_networks();
    int provided = 0;
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  ~MpiJob() override { MPI_Finalize(); }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void send(int to, std::span<const char> bytes) override {
    MPI_Send(bytes.data(), length_of(bytes.size()), MPI_BYTE, to, 0, MPI_COMM_WORLD);
  }
  void send_until_received(int to, std::span<const char> bytes) override {
    MPI_Ssend(bytes.data(), length_of(bytes.size()), MPI_BYTE, to, 0, MPI_COMM_WORLD);
  }
  void receive(int from, std::span<char> bytes) override {
    MPI_Recv(bytes.data(), length_of(bytes.size()), MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }

  void meet() override { MPI_Barrier(MPI_COMM_WORLD); }

  // Waiting in MPI's own calls takes a processor's time.
  void meet_at_rest() override {
    constexpr std::chrono::microseconds kLook{200};
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (int is_done = 0;;) {
      MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
      if (is_done != 0) return;
      std::this_thread::sleep_for(kLook);
    }
  }

  void broadcast(int from, std::span<char> bytes) override {
    MPI_Bcast(bytes.data(), length_of(bytes.size()), MPI_BYTE, from, MPI_COMM_WORLD);
  }

  void reduce(std::span<std::int64_t> numbers, Reduction how) override {
    const void* const mine = rank_ == 0 ? MPI_IN_PLACE : numbers.data();
    MPI_Reduce(mine, numbers.data(), length_of(numbers.size()), MPI_INT64_T, operation_of(how), 0, MPI_COMM_WORLD);
  }

  std::vector<int> machines() override {
    MPI_Comm near = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &near);
    int first = rank_;
    MPI_Bcast(&first, 1, MPI_INT, 0, near);
    MPI_Comm_free(&near);
    std::vector<int> firsts(static_cast<std::size_t>(size_));
    MPI_Allgather(&first, 1, MPI_INT, firsts.data(), 1, MPI_INT, MPI_COMM_WORLD);
    return firsts;
  }

  std::unique_ptr<Bells> make_bells() override { return SharedBells::make(); }
  std::unique_ptr<JobTransport> make_transport(TransportTerms terms) override {
    return std::make_unique<MpiTransport>(std::move(terms));
  }

  void abort(int status) override { MPI_Abort(MPI_COMM_WORLD, status); }

 private:
  int rank_ = 0;
  int size_ = 1;
};

}  // namespace

std::unique_ptr<Job> join_mpi_job(int* argc, char*** argv) { return std::make_unique<MpiJob>(argc, argv); }

}  // namespace takt::live
