// Messages and a clock within one process: messages take no time, and the clock goes on when nobody has anything to do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "live/engine/transport.hpp"

namespace takt::live {

/// Where the ranks of a run are that all live in one process.
class VirtualWorld {
 public:
  Ticks now() const { return now_; }
  /// Not before now.
  void advance_to(Ticks moment);

 private:
  friend class VirtualTransport;

  struct Letter {
    std::string message;
    std::uint64_t watched = 0;  // its number, or 0
  };

  Ticks now_ = 0;
  std::uint64_t numbers_ = 0;
  std::map<std::tuple<std::size_t, std::size_t, int>, std::deque<Letter>> letters_;  // from, to, tag
  std::set<std::uint64_t> watched_;                                                  // and not taken yet
};

/// A rank's end of it.
class VirtualTransport : public Transport {
 public:
  /// Keeps a reference.
  VirtualTransport(VirtualWorld& world, std::size_t self) : world_(world), self_(self) {}

  Ticks now() override { return world_.now(); }
  std::uint64_t send(std::size_t to, int tag, std::string message, Delivery delivery) override;
  bool is_taken(std::uint64_t number) override { return !world_.watched_.contains(number); }
  std::optional<std::string> receive(std::size_t from, int tag) override;
  /// Of the first sender that has one.
  std::optional<std::pair<std::size_t, std::string>> receive_any(int tag) override;

 private:
  VirtualWorld& world_;
  std::size_t self_;
};

}  // namespace takt::live
