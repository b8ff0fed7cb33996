// Problems to compare heuristics over: files, folders of them, JSON Lines, or draws of a generator.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/draws/generator.hpp"
#include "tools/command.hpp"
#include "tpn/document.hpp"

namespace takt::tools {

/// Problems by number, from 0; what a document says of a mapping is left out.
class ProblemSet {
 public:
  /// Of files; of folders those that end in .json or .jsonl, by name; of a file that ends in .jsonl, and of all where
  /// `lines`, a problem per line. "-" is standard input. All are read here: throws FileError, tpn::ParseError or
  /// tpn::InvalidInstance.
  static ProblemSet of_files(const std::vector<std::string>& paths, bool lines, Streams& streams);
  /// Draws 0, 1, ... of a generator.
  static ProblemSet of_draws(const experiments::Arguments& arguments, std::uint64_t seed, std::uint64_t draws);

  std::size_t size() const { return names_.size(); }
  /// "a.json", "many.jsonl:3", "draw 7".
  const std::string& name(std::size_t problem) const { return names_[problem]; }
  tpn::Document document(std::size_t problem) const { return documents_(problem); }

 private:
  ProblemSet() = default;

  std::vector<std::string> names_;
  std::function<tpn::Document(std::size_t)> documents_;
};

}  // namespace takt::tools
