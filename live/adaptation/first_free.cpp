// Files in the order of data sets; so whatever is late goes first.
#include "live/adaptation/first_free.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "tpn/links.hpp"
#include "tpn/visible.hpp"

namespace takt::live {

namespace {

bool are_linked(const tpn::ProblemView& problem, const tpn::NetPart& from, const tpn::NetPart& to, std::size_t sender,
                std::size_t receiver) {
  if (from.role == tpn::PartRole::source) return problem.links().from_source(receiver);
  if (to.role == tpn::PartRole::sink) return problem.links().to_sink(sender);
  return problem.links().between(sender, receiver);
}

}  // namespace

FirstFree::FirstFree(const tpn::ProblemView& problem, const tpn::Pipeline& pipeline, const Rational& ticks_per_unit)
    : problem_(problem), pipeline_(pipeline), ticks_per_unit_(ticks_per_unit), waiting_(pipeline.parts.size()) {
  if (const auto reason = why_not(problem, pipeline)) throw std::runtime_error(*reason);
}

std::optional<std::string> FirstFree::why_not(const tpn::ProblemView& problem, const tpn::Pipeline& pipeline) {
  std::set<std::size_t> seen;
  for (const tpn::NetPart& part : pipeline.parts) {
    const std::set<std::size_t> processors(part.sequence.begin(), part.sequence.end());
    for (const std::size_t processor : processors) {
      if (seen.insert(processor).second) continue;
      return fmt::format("{} serves several parts, whose data sets it would take in turn",
                         tpn::visible(problem.document().platform.processors.at(processor).name));
    }
  }
  return std::nullopt;
}

void FirstFree::let_in(std::uint64_t data_set) { waiting_.front().files.emplace(data_set, std::nullopt); }

void FirstFree::has_file(std::size_t part, std::uint64_t data_set, std::size_t sender) {
  const auto& sendings = pipeline_.parts.at(part).sendings;
  if (sendings.empty() ||
      !waiting_[pipeline_.columns[sendings.front()].receiver].files.emplace(data_set, sender).second) {
    throw std::runtime_error(
        fmt::format("data set {}: a file of part {} is offered twice, or to nobody", data_set, part));
  }
}

void FirstFree::is_free(std::size_t part, std::size_t processor) { waiting_.at(part).free.push_back(processor); }

// Nothing if they are not linked.
std::optional<Ticks> FirstFree::duration(std::size_t part, std::size_t sender, std::size_t receiver) const {
  const tpn::NetPart& to = pipeline_.parts[part];
  const tpn::Column& transfer = pipeline_.columns[to.receptions.front()];
  const tpn::NetPart& from = pipeline_.parts[transfer.part];
  if (!are_linked(problem_, from, to, sender, receiver)) return std::nullopt;
  const Rational time = tpn::transfer_time(pipeline_, transfer, sender, receiver, problem_.timing()) * ticks_per_unit_;
  const maxplus::Integer ticks = time.nearest();
  if (!ticks.fits_slong_p()) return std::nullopt;
  return Ticks{ticks.get_si()};
}

std::optional<FreeMove> FirstFree::next_move(std::size_t part) {
  Waiting& waiting = waiting_[part];
  for (const auto& [data_set, sender] : waiting.files) {
    for (const std::size_t receiver : waiting.free) {
      const auto time = sender ? duration(part, *sender, receiver) : std::optional<Ticks>(0);
      if (time) return FreeMove{part, data_set, sender, receiver, *time};
    }
  }
  return std::nullopt;
}

std::vector<FreeMove> FirstFree::moves() {
  std::vector<FreeMove> moves;
  for (std::size_t part = 0; part < waiting_.size(); ++part) {
    while (const auto move = next_move(part)) {
      Waiting& waiting = waiting_[part];
      waiting.files.erase(move->data_set);
      std::erase(waiting.free, move->receiver);
      moves.push_back(*move);
    }
  }
  return moves;
}

ComputationShares FirstFree::shares(std::span<const std::vector<Record>> records) const {
  ComputationShares shares;
  for (const tpn::NetPart& part : pipeline_.parts) {
    if (part.role != tpn::PartRole::mapped) continue;
    for (const std::size_t processor : part.sequence) {
      const auto [share, is_new] = shares.try_emplace(processor);
      if (!is_new || processor >= records.size()) continue;
      for (const Record& record : records[processor]) {
        if (pipeline_.columns[tpn::ColumnIndex(record.column)].kind != tpn::ColumnKind::compute) continue;
        ++share->second.data_sets;
        share->second.time += record.end - record.start;
      }
    }
  }
  return shares;
}

}  // namespace takt::live
