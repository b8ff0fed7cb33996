// Messages are matched by a probe, for their sizes are the sender's.
#include "live/mpi/mpi_transport.hpp"

#include <fmt/format.h>

#include <climits>
#include <set>
#include <stdexcept>
#include <utility>

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

MpiTransport::MpiTransport(TransportTerms terms) : terms_(std::move(terms)) {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  processors_.resize(static_cast<std::size_t>(size));
  for (std::size_t p = 0; p < terms_.ranks.size(); ++p) {
    if (terms_.ranks[p] >= 0) processors_[static_cast<std::size_t>(terms_.ranks[p])] = p;
  }
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

std::optional<MpiTransport::Incoming> MpiTransport::begin_to_receive(int from, int tag) {
  int is_there = 0;
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Status status;
  MPI_Improbe(from, tag, MPI_COMM_WORLD, &is_there, &message, &status);
  if (is_there == 0) return std::nullopt;
  int bytes = 0;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  Incoming incoming{std::string(static_cast<std::size_t>(bytes), '\0'), MPI_REQUEST_NULL, status.MPI_SOURCE, tag};
  MPI_Imrecv(incoming.message.data(), bytes, MPI_BYTE, &message, &incoming.request);
  return incoming;
}

// The sender may wait for that.
void MpiTransport::end_receiving(int from) {
  if (terms_.rings_senders && terms_.bells != nullptr) terms_.bells->ring(from);
}

std::optional<std::string> MpiTransport::receive(std::size_t from, int tag) {
  const std::pair key(from, tag);
  auto found = incoming_.find(key);
  if (found == incoming_.end()) {
    std::optional<Incoming> incoming = begin_to_receive(terms_.ranks[from], tag);
    if (!incoming) return std::nullopt;
    found = incoming_.emplace(key, std::move(*incoming)).first;
  }
  if (!is_done(found->second.request)) {
    // Memory that one rank cannot read of another goes through what they share, piece by piece.
    if (terms_.bells != nullptr) terms_.bells->ring(terms_.ranks[from]);
    return std::nullopt;
  }
  auto whole = incoming_.extract(found);
  end_receiving(terms_.ranks[from]);
  return std::move(whole.mapped().message);
}

// What is not whole yet keeps later messages of its sender back, not those of others.
std::optional<std::pair<std::size_t, std::string>> MpiTransport::receive_any(int tag) {
  std::set<int> kept_back;
  for (auto at = from_any_.begin();; ++at) {
    if (at == from_any_.end()) {
      std::optional<Incoming> incoming = begin_to_receive(MPI_ANY_SOURCE, tag);
      if (!incoming) return std::nullopt;
      at = from_any_.insert(at, std::move(*incoming));
    }
    if (at->tag != tag || kept_back.contains(at->from)) continue;
    if (!is_done(at->request)) {
      if (terms_.bells != nullptr) terms_.bells->ring(at->from);
      kept_back.insert(at->from);
      continue;
    }
    end_receiving(at->from);
    std::pair whole(processors_[static_cast<std::size_t>(at->from)], std::move(at->message));
    from_any_.erase(at);
    return whole;
  }
}

bool MpiTransport::is_sending() const {
  constexpr std::size_t kSmall = 4096;  // goes at once, whatever the network
  const auto is_large = [](const Outgoing& outgoing) { return outgoing.message.size() > kSmall; };
  return std::ranges::any_of(outgoing_, is_large) ||
         std::ranges::any_of(watched_, [&](const auto& watched) { return is_large(watched.second); });
}

}  // namespace takt::live
