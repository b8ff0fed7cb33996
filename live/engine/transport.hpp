// Messages between the ranks of a run, and its clock: what an engine needs of the world.
//
// A rank is addressed by its processor, an index into tpn::Pipeline::processors; the coordinator has the index behind
// the last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "live/engine/route.hpp"

namespace takt::live {

/// How a message is sent: its receiver is woken; or likewise, and the sender hears when it has been received; or the
/// receiver sees it when it is awake for something else.
enum class Delivery { prompt, watched, quiet };

/// The end of a run's world that one rank has.
class Transport {
 public:
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport() = default;

  virtual Ticks now() = 0;

  /// Sends a message and returns at once; messages of one sender, receiver and tag arrive in order. The number is for
  /// `is_taken`, where it is watched.
  virtual std::uint64_t send(std::size_t to, int tag, std::string message, Delivery delivery) = 0;
  /// Whether a watched message has been received; once it has, the number means nothing any more.
  virtual bool is_taken(std::uint64_t number) = 0;

  /// The next message of a sender and tag, where it is there. A message is on its way, and its sender's, until its
  /// receiver asks for it.
  virtual std::optional<std::string> receive(std::size_t from, int tag) = 0;
  /// The next message of a tag from any rank: the sender, and the message. Only for tags that `receive` does not take.
  virtual std::optional<std::pair<std::size_t, std::string>> receive_any(int tag) = 0;
};

/// What a step of a rank has come to.
struct StepResult {
  bool has_moved = false;     // something happened; there may be more
  std::optional<Ticks> next;  // if not: when something happens by itself

  void wait_for(Ticks moment) {
    if (!next || moment < *next) next = moment;
  }
  void add(const StepResult& other) {
    has_moved = has_moved || other.has_moved;
    if (other.next) wait_for(*other.next);
  }
};

}  // namespace takt::live
