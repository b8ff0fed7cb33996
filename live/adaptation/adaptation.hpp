// The adaptive half of a coordinator: hears what computations take, and says when a run goes on with which mapping.
//
// Two rules do so: that of the paper (paper_adaptation.hpp), for its experiments, and a safe one (safe_adaptation.hpp),
// which is what users get.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "live/adaptation/monitor.hpp"
#include "live/adaptation/remapping.hpp"
#include "live/adaptation/run_log.hpp"
#include "live/engine/messages.hpp"

namespace takt::live {

/// The rule by which a run decides that a processor has changed, and what follows.
enum class AdaptationRule { paper, safe };

/// What a safe rule knows and may do.
struct SafeTerms {
  std::vector<std::vector<double>> normal;  // rows: what each stage took for one data set before the run, in ticks of
                                            // its time on the first processor
  bool times_under_way = true;              // where the clocks of ranks can be compared: not with Anchor::logical
  bool has_shadows = true;                  // processors may repeat what others compute
  std::optional<double> shadow_share;       // of the time that shadows may take, where processors share cores
};

struct AdaptationTerms {
  AdaptationRule rule = AdaptationRule::paper;
  RemappingTerms remapping;
  MonitorTerms monitor;  // of the paper's
  SafeTerms safe;        // of the safe one
  SwitchKind kind = SwitchKind::roll;
  std::set<std::size_t> gone;   // processors that no new mapping may use
  bool logs_all_times = false;  // every computation is a measurement point; else those that call for a decision
};

/// Processor `to` is to repeat what processor `from` computes.
struct ShadowWish {
  std::size_t from = 0;
  std::size_t to = 0;
};

/// The computation of a part of a data set, from start to end.
struct Computed {
  std::size_t processor = 0;
  std::size_t part = 0;
  std::uint64_t data_set = 0;
  Ticks start = 0;
  Ticks end = 0;
  StageTimes stages{};  // in proportion what its stages took; empty: not known
};

class Adaptation {
 public:
  Adaptation() = default;
  Adaptation(const Adaptation&) = delete;
  Adaptation& operator=(const Adaptation&) = delete;
  virtual ~Adaptation() = default;

  virtual SwitchKind kind() const = 0;

  /// The mapping with which the run begins. It can be carried out. Mappings that follow keep to the processors that
  /// take part. Times are of the run's clock.
  virtual void begin(std::uint64_t data_set, const tpn::Mapping& mapping, std::span<const std::size_t> processors,
                     Ticks now) = 0;

  /// These throw std::runtime_error where the processor does not have that part of that data set.
  virtual void begun(std::size_t processor, std::size_t part, std::uint64_t data_set, Ticks start) = 0;
  virtual void computed(const Computed& computed) = 0;

  /// Whether a new mapping is called for, from this data set on, which has not been let in; `decide` must follow some
  /// time.
  virtual bool is_called_for(std::uint64_t data_set, Ticks now) = 0;
  /// When it may, though nobody says anything more.
  virtual std::optional<Ticks> next() const = 0;

  /// How many times as long as the instance says each processor is believed to take; empty if nothing is known yet.
  virtual std::vector<Rational> beliefs(Ticks now) const = 0;

  /// The mapping from this data set on, behind all that were let in; nothing if the present one stays.
  virtual std::optional<tpn::Mapping> decide(std::uint64_t data_set, Ticks now) = 0;

  /// A shadow that is wanted now; one of these calls must follow for its processors.
  virtual std::optional<ShadowWish> wished_shadow(std::uint64_t /*data_set*/, Ticks /*now*/) { return std::nullopt; }
  /// What is repeated. Throws as `begun` does.
  virtual void lent(const ShadowWish& /*wish*/, std::size_t /*part*/, std::uint64_t /*data_set*/) {}
  /// There is nothing to repeat, or it is too large to be handed over.
  virtual void not_lent(const ShadowWish& /*wish*/) {}
  /// What it took; an end before the start: it says nothing.
  virtual void shadowed(const Computed& /*shadow*/) {}
};

/// By the rule of the terms. Keeps references to the problem and the log.
std::unique_ptr<Adaptation> make_adaptation(const tpn::Document& problem, const Rational& ticks_per_unit,
                                            AdaptationTerms terms, RunLog& log);

}  // namespace takt::live
