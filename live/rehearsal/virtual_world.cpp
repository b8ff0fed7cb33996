// Letters lie with the sender until the receiver asks for them.
#include "live/rehearsal/virtual_world.hpp"

#include "maxplus/contract.hpp"

namespace takt::live {

void VirtualWorld::advance_to(Ticks moment) {
  maxplus::expects(moment >= now_, "time goes on");
  now_ = moment;
}

std::uint64_t VirtualTransport::send(std::size_t to, int tag, std::string message, Delivery delivery) {
  const bool is_watched = delivery == Delivery::watched;
  const std::uint64_t number = is_watched ? ++world_.numbers_ : 0;
  if (is_watched) world_.watched_.insert(number);
  world_.letters_[{self_, to, tag}].push_back({std::move(message), number});
  return number;
}

std::optional<std::string> VirtualTransport::receive(std::size_t from, int tag) {
  const auto found = world_.letters_.find({from, self_, tag});
  if (found == world_.letters_.end()) return std::nullopt;
  VirtualWorld::Letter letter = std::move(found->second.front());
  found->second.pop_front();
  if (found->second.empty()) world_.letters_.erase(found);
  if (letter.watched != 0) world_.watched_.erase(letter.watched);
  return std::move(letter.message);
}

std::optional<std::pair<std::size_t, std::string>> VirtualTransport::receive_any(int tag) {
  for (const auto& [key, letters] : world_.letters_) {
    const auto [from, to, its_tag] = key;
    if (to == self_ && its_tag == tag) return std::pair(from, *receive(from, tag));
  }
  return std::nullopt;
}

}  // namespace takt::live
