// A row for each freedom, and one for each prover.
#include "plan/claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "tpn/hosts.hpp"
#include "tpn/workflow.hpp"

namespace takt::plan {

namespace {

bool has_fixed_times(const tpn::Document& problem) {
  const auto is_fixed = [](const auto& time) { return time.fixed.sign() > 0; };
  return std::ranges::any_of(problem.application.stages, [&](const tpn::Stage& stage) {
    return std::ranges::any_of(stage.times, is_fixed) || std::ranges::any_of(stage.type_times, is_fixed);
  });
}

bool has_several_cores(const tpn::Document& problem) {
  const auto& types = problem.platform.types;
  return std::ranges::any_of(types, [](const tpn::ProcessorType& type) { return type.cores > 1; }) ||
         tpn::processor_groups(problem.platform).size() < problem.platform.processors.size();
}

bool has_parted_stages(const tpn::Document& problem) {
  return std::ranges::any_of(problem.application.stages, [](const tpn::Stage& stage) { return stage.partitions > 0; });
}

bool has_several_stages(const tpn::Document& problem) { return problem.application.stages.size() > 1; }
bool has_unlike_machines(const tpn::Document& problem) {
  return problem.platform.types.size() + problem.platform.processors.size() > 1;
}
bool is_branched(const tpn::Document& problem) { return !tpn::is_chain(problem.application); }
bool always(const tpn::Document&) { return true; }

struct FreedomRow {
  Freedom freedom;
  const char* name;
  const char* words;
  bool (*is_in)(const tpn::Document& problem);
};

constexpr std::array<FreedomRow, kFreedoms> kRows{{
    {Freedom::parts, "parts", "other parts", has_several_stages},
    {Freedom::machines, "machines", "other machines", always},
    {Freedom::unequal, "unequal_machines", "unequal machines in a part", has_unlike_machines},
    {Freedom::turns, "turns", "other turns", always},
    {Freedom::weights, "weighted_turns", "weighted turns", always},
    {Freedom::shared, "shared_machines", "a machine in several parts", has_several_stages},
    {Freedom::cores, "some_cores", "some cores of a machine", has_several_cores},
    {Freedom::partitions, "partitions", "other assignments of partitions", has_parted_stages},
    {Freedom::order, "transfer_order", "other orders of transfers", is_branched},
    {Freedom::ahead, "ahead", "transfers ahead", always},
    {Freedom::batches, "batches", "batches", has_fixed_times},
}};

// A class defines what its words say; what it leaves out beyond that is said behind them.
struct ProverRow {
  const char* noun;
  const char* words;
  Freedoms varied;
  Freedoms said;
};

constexpr Freedoms kNone{};
constexpr Freedoms kSaidOfClasses{Freedom::parts, Freedom::machines,   Freedom::unequal,
                                  Freedom::turns, Freedom::weights,    Freedom::shared,
                                  Freedom::cores, Freedom::partitions, Freedom::order};
constexpr Freedoms kAllButBatches{Freedom::parts,   Freedom::machines, Freedom::unequal, Freedom::turns,
                                  Freedom::weights, Freedom::shared,   Freedom::cores,   Freedom::partitions,
                                  Freedom::order,   Freedom::ahead};
constexpr Freedoms kAll{Freedom::parts,   Freedom::machines, Freedom::unequal, Freedom::turns,
                        Freedom::weights, Freedom::shared,   Freedom::cores,   Freedom::partitions,
                        Freedom::order,   Freedom::ahead,    Freedom::batches};
constexpr Freedoms kTypedVaried{Freedom::parts, Freedom::machines, Freedom::ahead};

// In the order of `Prover`.
constexpr std::array<ProverRow, 8> kProvers{{
    {"mapping", "", kAllButBatches, kNone},
    {"mapping", "", kAll, kNone},
    {"mapping", "", kAll, kNone},
    {"plan", "with these parts, one type each, each machine whole in one part, in round robin",
     Freedoms{Freedom::machines, Freedom::ahead}, kSaidOfClasses},
    {"plan", "with one type per part, each machine whole in one part, in round robin", kTypedVaried, kSaidOfClasses},
    {"plan", "with machines alike in times and price in each part, each in one part, in round robin", kTypedVaried,
     kSaidOfClasses},
    {"plan", "with any machines in a part, each machine whole in one part, in round robin",
     Freedoms{Freedom::parts, Freedom::machines, Freedom::unequal, Freedom::turns}, kSaidOfClasses},
    {"plan", "with any machines and turns in a part, each machine whole in one part",
     Freedoms{Freedom::parts, Freedom::machines, Freedom::unequal, Freedom::turns, Freedom::weights}, kSaidOfClasses},
}};

const ProverRow& row_of(Prover prover) { return kProvers[static_cast<std::size_t>(prover)]; }

}  // namespace

Freedoms freedoms_of(const tpn::Document& problem) {
  Freedoms result{};
  for (const FreedomRow& row : kRows)
    if (row.is_in(problem)) result.add(row.freedom);
  return result;
}

MappingClaim::MappingClaim(Prover prover, const Freedoms& usable) : prover_(prover), usable_(usable) {}

bool MappingClaim::is_of_any() const { return usable_.without(row_of(prover_).varied).is_empty(); }

// At most three; the JSON has all.
std::string MappingClaim::left_out_words() const {
  constexpr std::size_t kMost = 3;
  const ProverRow& prover = row_of(prover_);
  const Freedoms left_out = usable_.without(prover.varied).without(prover.said);
  std::vector<std::string> words;
  for (const FreedomRow& row : kRows)
    if (left_out.has(row.freedom) && words.size() < kMost) words.emplace_back(row.words);
  if (words.size() < 2) return words.empty() ? "" : words.front();
  const std::string last = words.back();
  words.pop_back();
  return fmt::format("{} or {}", fmt::join(words, ", "), last);
}

std::string MappingClaim::without() const {
  const std::string words = left_out_words();
  return words.empty() ? "" : " without " + words;
}

std::string MappingClaim::beyond() const {
  return is_of_any() ? "" : fmt::format(" With {} no bound is known.", left_out_words());
}

std::string MappingClaim::none_of(const std::string& plural) const {
  const ProverRow& prover = row_of(prover_);
  const std::string words = *prover.words != '\0' ? fmt::format(" {},", prover.words)
                            : is_of_any()         ? " of any kind"
                                                  : "";
  const std::string left_out = without();
  return fmt::format("no {}{}{}{}{}", prover.noun, plural, words, left_out,
                     *prover.words != '\0' && !left_out.empty() ? "," : "");
}

std::string MappingClaim::kind() const {
  const std::string left_out = without();
  return row_of(prover_).words + (left_out.empty() ? "" : "," + left_out);
}

std::string MappingClaim::none() const { return none_of(""); }

std::string MappingClaim::none_of_several() const { return none_of("s"); }

void MappingClaim::write(tpn::JsonWriter& json) const {
  const Freedoms& varied = row_of(prover_).varied;
  for (const bool is_varied : {true, false}) {
    json.key(is_varied ? "freedoms_varied" : "freedoms_left_out");
    json.begin_array(tpn::JsonLayout::line);
    for (const FreedomRow& row : kRows)
      if (usable_.has(row.freedom) && varied.has(row.freedom) == is_varied) json.value(row.name);
    json.end();
  }
}

}  // namespace takt::plan
