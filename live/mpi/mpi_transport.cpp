// Messages are matched by a probe, for their sizes are the sender's.
#include "live/mpi/mpi_transport.hpp"

#include <fmt/format.h>

#include <climits>
#include <stdexcept>

namespace takt::live {

namespace {

// Beyond those of columns: nothing is ever sent with it. The standard grants tags up to 32767.
constexpr int kNoTag = 32767;

bool is_done(MPI_Request& request) {
  int flag = 0;
  MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  return flag != 0;
}

}  // namespace

int length_of(std::size_t bytes) {
  if (bytes > INT_MAX)
    throw std::runtime_error(fmt::format("found a file of {} bytes, expected less than 2^31", bytes));
  return static_cast<int>(bytes);
}

void MpiTransport::fetch() {
  int is_there = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, kNoTag, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
}

bool MpiTransport::has_sent_all() {
  std::erase_if(outgoing_, [](Outgoing& outgoing) { return is_done(outgoing.request); });
  return outgoing_.empty();
}

std::uint64_t MpiTransport::send(std::size_t to, int tag, std::string message, Delivery delivery) {
  const int length = length_of(message.size());
  has_sent_all();
  const bool is_watched = delivery == Delivery::watched;
  const std::uint64_t number = is_watched ? ++numbers_ : 0;
  Outgoing& outgoing = is_watched ? watched_[number] : outgoing_.emplace_back();
  outgoing.message = std::move(message);
  const auto post = is_watched ? MPI_Issend : MPI_Isend;
  post(outgoing.message.data(), length, MPI_BYTE, terms_.ranks[to], tag, MPI_COMM_WORLD, &outgoing.request);
  if (terms_.bells != nullptr && delivery != Delivery::quiet) terms_.bells->ring(terms_.ranks[to]);
  return number;
}

bool MpiTransport::is_taken(std::uint64_t number) {
  const auto found = watched_.find(number);
  if (found == watched_.end()) return true;
  if (!is_done(found->second.request)) return false;
  watched_.erase(found);
  return true;
}

std::optional<std::string> MpiTransport::receive(std::size_t from, int tag) {
  const std::pair key(from, tag);
  auto found = incoming_.find(key);
  if (found == incoming_.end()) {
    int is_there = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    MPI_Improbe(terms_.ranks[from], tag, MPI_COMM_WORLD, &is_there, &message, &status);
    if (is_there == 0) return std::nullopt;
    int bytes = 0;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    found = incoming_.emplace(key, Incoming{}).first;
    found->second.message.resize(static_cast<std::size_t>(bytes));
    MPI_Imrecv(found->second.message.data(), bytes, MPI_BYTE, &message, &found->second.request);
  }
  if (!is_done(found->second.request)) {
    // Memory that one rank cannot read of another goes through what they share, piece by piece.
    if (terms_.bells != nullptr) terms_.bells->ring(terms_.ranks[from]);
    return std::nullopt;
  }
  auto whole = incoming_.extract(found);
  if (terms_.rings_senders && terms_.bells != nullptr) terms_.bells->ring(terms_.ranks[from]);
  return std::move(whole.mapped().message);
}

}  // namespace takt::live
