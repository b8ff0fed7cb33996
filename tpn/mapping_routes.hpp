// The transfers of one mapping of a workflow after the other, without allocation once warm.
//
// Problem. A search asks which parts send each other what for millions of mappings; routes_of (tpn/workflow.hpp) makes
// lists of its own for each.
//
// Method. The senders of each stage's files are listed once. A mapping's transfers are those pairs with their parts, by
// sender and receiver.
//
// Invariant. The same transfers in the same order as routes_of.
//
// Cost. Linear in the stages and their files, except for sorting the transfers of one part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "tpn/document.hpp"
#include "tpn/workflow.hpp"

namespace takt::tpn {

class MappingRoutes {
 public:
  static constexpr std::uint32_t kOutside = std::numeric_limits<std::uint32_t>::max();

  struct Route {
    std::uint32_t from = kOutside;  // a part of the mapping; kOutside: the source
    std::uint32_t to = kOutside;    // kOutside: the sink
    std::uint32_t first_file = 0;
    std::uint32_t files = 0;  // none if it has the application's input
  };

  MappingRoutes(const Application& application, WorldEnds ends);

  /// Lists the transfers among these parts, which hold the first stages in order, maybe not all, and with the outside
  /// world. Spans of the mapping before are no longer valid.
  void list(std::span<const Part> mapping);

  /// By sender, the source first; then by receiver, the sink last.
  std::span<const Route> all() const { return routes_; }
  /// From the source.
  std::span<const Route> entering() const { return std::span(routes_).first(first_sent_.front()); }
  std::span<const Route> out_of(std::size_t part) const {
    return std::span(routes_).subspan(first_sent_[part], first_sent_[part + 1] - first_sent_[part]);
  }
  /// Numbers of routes, ascending.
  std::span<const std::uint32_t> into(std::size_t part) const {
    return std::span(received_).subspan(first_received_[part], first_received_[part + 1] - first_received_[part]);
  }
  /// The stages whose files it has, in ascending order.
  std::span<const std::size_t> files_of(const Route& route) const {
    return std::span(files_).subspan(route.first_file, route.files);
  }

 private:
  void list_sendings(const Part& part, std::uint32_t number);
  void list_receptions(std::size_t parts);

  WorldEnds ends_;
  std::vector<std::size_t> takers_;       // stages that take a stage's file, ascending
  std::vector<std::size_t> first_taker_;  // by stage and one more
  std::vector<std::size_t> entries_;      // stages that take no file
  std::vector<bool> is_exit_;             // by stage
  std::vector<std::uint32_t> part_of_;    // by stage; kOutside if it is in none
  std::vector<Route> routes_;
  std::vector<std::size_t> files_;
  std::vector<std::size_t> first_sent_;  // by part and one more
  std::vector<std::uint32_t> received_;
  std::vector<std::size_t> first_received_;                  // by part and one more
  std::vector<std::pair<std::uint32_t, std::size_t>> sent_;  // of one part: to whom, the file of which stage
};

}  // namespace takt::tpn
