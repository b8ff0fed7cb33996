// What a rank and its keeper tell each other: datagrams of a socket between them.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "live/process/child_process.hpp"

namespace takt::live {

enum class KeeperOrder : std::uint8_t {
  start,     // texts: a command and variables; with the descriptors of its streams
  end,       // the program of this number
  folder,    // text: one that is removed at the end
  farewell,  // the rank ends as it should: what its functions have started stays
};
struct KeeperRequest {
  KeeperOrder order = KeeperOrder::start;
  std::uint64_t number = 0;
  std::vector<std::string> texts;  // without zeros in them
};

enum class KeeperNews : std::uint8_t { started, failed, ended };
struct KeeperAnswer {
  KeeperNews news = KeeperNews::started;
  std::uint64_t number = 0;
  std::int64_t value = 0;      // process, errno, status
  std::int64_t processor = 0;  // nanoseconds of a program that has ended
  std::int64_t waiting = -1;   // likewise, for a core; -1 if the system does not say
};

std::string encode(const KeeperRequest& request);
KeeperRequest decode_request(std::string_view bytes);

/// The life of a keeper, in the process that was forked for it: until the socket closes and all programs have ended.
/// `group` is the process group of the rank, 0 if it has none of its own.
void keep_programs(int socket, pid_t group);

}  // namespace takt::live
