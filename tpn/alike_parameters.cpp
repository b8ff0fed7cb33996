// Parameters that are alike, in one: equal numbers of machines, or links, in the same place of the mapping.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "maxplus/contract.hpp"
#include "tpn/alike_names.hpp"
#include "tpn/hosts.hpp"
#include "tpn/parameters.hpp"

namespace takt::tpn {

namespace {

using AlikeLinks = Parameter::Links;
using AlikeQuantity = Parameter::Quantity;

std::vector<std::string> distinct(const std::vector<Parameter>& alike, std::string ParameterWords::*piece) {
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (const Parameter& one : alike)
    if (seen.insert(one.words.*piece).second) names.push_back(one.words.*piece);
  return names;
}

// "detect on gpu1, gpu2", "P0 -> P1, P2", else all names one by one.
std::string name_of_group(const std::vector<Parameter>& alike) {
  ParameterWords words = alike.front().words;
  const std::vector<std::string> first = distinct(alike, &ParameterWords::first);
  const std::vector<std::string> second = distinct(alike, &ParameterWords::second);
  if (first.size() * second.size() == alike.size()) {
    words.first = list_of_alike(first);
    words.second = list_of_alike(second);
    return words.joined();
  }
  std::vector<std::string> pairs;
  pairs.reserve(alike.size());
  for (const Parameter& one : alike) pairs.push_back(one.words.first + one.words.arrow + one.words.second);
  return words.before + list_of_alike(pairs) + words.after;
}

class AlikeSearch {
 public:
  explicit AlikeSearch(const Document& document)
      : document_(document), hosts_(document.platform), roles_(document.platform.processors.size()) {
    std::vector<std::map<std::size_t, std::size_t>> entries(roles_.size());  // by host and part
    for (std::size_t i = 0; i < document.mapping->size(); ++i)
      for (const std::size_t p : (*document.mapping)[i].processors) ++entries[hosts_.first_of(p)][i];
    std::map<std::map<std::size_t, std::size_t>, std::size_t> seen;
    for (std::size_t p = 0; p < roles_.size(); ++p)
      roles_[p] = seen.try_emplace(entries[hosts_.first_of(p)], seen.size()).first->second;
  }

  std::vector<Parameter> together(const std::vector<Parameter>& parameters) const {
    std::vector<Parameter> result;
    std::map<Key, std::size_t> places;
    for (const Parameter& parameter : parameters) {
      const auto roles = roles_of(parameter);
      if (!roles) {
        result.push_back(parameter);
        continue;
      }
      const bool is_of_stage =
          parameter.quantity == AlikeQuantity::stage_time || parameter.quantity == AlikeQuantity::stage_fixed;
      const std::size_t stage = is_of_stage ? parameter.index : 0;
      Key key{parameter.quantity, parameter.links, stage, *roles, parameter.words.arrow, parameter.value};
      const auto [place, is_new] = places.try_emplace(std::move(key), result.size());
      if (is_new) result.push_back(parameter);
      result[place->second].alike.push_back(parameter);
    }
    for (Parameter& parameter : result) {
      if (parameter.alike.size() > 1) parameter.name = name_of_group(parameter.alike);
      if (parameter.alike.size() == 1) parameter.alike.clear();
    }
    return result;
  }

 private:
  using Roles = std::pair<std::size_t, std::size_t>;
  using Key = std::tuple<AlikeQuantity, AlikeLinks, std::size_t, Roles, std::string, Rational>;

  // Of whose number it is; nothing if that is no processor's, and no link's between two.
  std::optional<Roles> roles_of(const Parameter& parameter) const {
    const Platform& platform = document_.platform;
    if (parameter.is_of_type) return std::nullopt;
    switch (parameter.quantity) {
      case AlikeQuantity::stage_time:
      case AlikeQuantity::stage_fixed: {
        const Stage& stage = document_.application.stages.at(parameter.index);
        return Roles{roles_[stage.times.at(parameter.inner).processor], 0};
      }
      case AlikeQuantity::processor_time:
      case AlikeQuantity::processor_speed:
      case AlikeQuantity::port_bandwidth:
      case AlikeQuantity::memory_bandwidth:
        return Roles{roles_.at(parameter.index), 0};
      case AlikeQuantity::segment_bandwidth:
      case AlikeQuantity::stage_work:
      case AlikeQuantity::stage_output:
      case AlikeQuantity::input:
        return std::nullopt;
      case AlikeQuantity::link_time:
      case AlikeQuantity::link_latency:
      case AlikeQuantity::link_bandwidth:
        break;
    }
    if (parameter.links == AlikeLinks::listed) return roles_of_link(platform.links.at(parameter.index), parameter);
    if (parameter.links == AlikeLinks::source_listed)
      return Roles{roles_[platform.source->in_turn()[parameter.inner].links.at(parameter.index).processor], 0};
    if (parameter.links == AlikeLinks::sink_listed)
      return Roles{roles_[platform.sink->in_turn()[parameter.inner].links.at(parameter.index).processor], 0};
    return std::nullopt;
  }

  // In the direction of the files, which the name has.
  std::optional<Roles> roles_of_link(const Link& link, const Parameter& parameter) const {
    const bool is_forth = machine_name(document_.platform, hosts_, link.from) == parameter.words.first;
    const std::size_t from = roles_[is_forth ? link.from : link.to];
    const std::size_t to = roles_[is_forth ? link.to : link.from];
    return Roles{from, to};
  }

  const Document& document_;
  HostIndex hosts_;
  std::vector<std::size_t> roles_;  // by processor: equal if their hosts serve the same parts with as many entries
};

}  // namespace

std::vector<Parameter> with_alike_together(const Document& document, const std::vector<Parameter>& parameters) {
  maxplus::expects(document.mapping.has_value(), "parameters are those of an instance");
  std::vector<Parameter> result = AlikeSearch(document).together(parameters);
  std::map<std::string, std::size_t> times;
  for (const Parameter& parameter : result) ++times[parameter.name];
  for (Parameter& parameter : result)
    if (times[parameter.name] > 1 && !parameter.alike.empty()) parameter.name += " (" + parameter.pointer + ")";
  return result;
}

}  // namespace takt::tpn
