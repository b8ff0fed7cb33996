// Adapting at a bounded loss: takt's own rule.
//
// Problem. Where times vary by themselves, or data sets are long one after another, a rule that looks at few times maps
// anew again and again. No rule knows more than that something is unlikely. What may that cost?
//
// Method.
// 1. Change_watch.hpp bets that a processor has changed. A stake of A is reached at most t / A times in t times where
//    nothing has changed, whatever the law.
// 2. A stake of 5000 is an alarm. Before anything follows, another processor repeats what the processor computes: where
//    both take equally long the data was slow; else the quotient is the slowdown. Idle processors do that; where there
//    is none a busy one does; where the data was slow its time is charged to the budget.
// 3. Another mapping is taken where it is believed to take at most 9/10 of the present one's period and the stake is at
//    least 5000 x max(1, 20 x its loss): what it would lose of the present period had nothing changed.
// 4. A loss above 1 % is on probation: for 4 to 24 data sets, as many as the budget of 3 % of the data sets so far and
//    6 periods pays for. If fresh times of the processor have not confirmed the change by then (a stake of 50, or two
//    pairs), or four pairs refute it, the mapping before returns and its loss is charged.
// 5. Processors out of use repeat what others compute: always where they are believed slow, else once in 16 data sets.
//    A stake of 50 that they are fast again is enough, for the first mapping is what a run that does not adapt has.
//
// Hence a run without a load takes at most 1.03 times as long as without adapting, 6 periods, and a window for each
// switch, but for false confirmations: of probability at most 24 / 50 for each of at most 2 P t / (10^5 loss) switches
// in expectation, P processors and t data sets. The proof wants times that are exchangeable; pairs are for those that
// are not. tests/live/adaptation/safe_adaptation_check.cpp measures both.
//
// Trap. A heuristic's mapping for a processor that is as fast as usual again need not be the first one: where the first
// is as good it is taken.
#pragma once

#include <map>
#include <string>

#include "live/adaptation/adaptation.hpp"
#include "live/adaptation/change_watch.hpp"
#include "live/adaptation/shadow_book.hpp"
#include "live/adaptation/stage_scale.hpp"

namespace takt::live {

class SafeAdaptation : public Adaptation {
 public:
  /// Keeps references to the problem and the log.
  SafeAdaptation(const tpn::Document& problem, const Rational& ticks_per_unit, AdaptationTerms terms, RunLog& log);

  SwitchKind kind() const override { return terms_.kind; }
  void begin(std::uint64_t data_set, const tpn::Mapping& mapping, std::span<const std::size_t> processors,
             Ticks now) override;
  void begun(std::size_t processor, std::size_t part, std::uint64_t data_set, Ticks start) override;
  void computed(const Computed& computed) override;
  bool is_called_for(std::uint64_t data_set, Ticks now) override;
  std::optional<Ticks> next() const override;
  std::vector<Rational> beliefs(Ticks now) const override;
  std::optional<tpn::Mapping> decide(std::uint64_t data_set, Ticks now) override;
  std::optional<ShadowWish> wished_shadow(std::uint64_t data_set, Ticks now) override;
  void lent(const ShadowWish& wish, std::size_t part, std::uint64_t data_set) override;
  void not_lent(const ShadowWish& wish) override;
  void shadowed(const Computed& shadow) override;

 private:
  struct Followed {
    std::uint64_t from = 0;
    Route route;
  };
  // A switch that loses if nothing has changed, until it is confirmed.
  struct Probation {
    std::size_t processor = 0;
    std::uint64_t from = 0;
    std::uint64_t until = 0;
    double loss = 0;  // share of the period before
    double before = 1;
    double factor = 1;
    tpn::Mapping previous;
    ChangeStake stake{ChangeEnd::slow};
    std::vector<double> pairs{};
  };
  // Another mapping for beliefs, and what it is worth.
  struct Choice {
    std::optional<tpn::Mapping> mapping;
    std::string reason;  // if there is none
    Rational predicted;
    std::optional<Rational> as_it_was;
    double loss = 0;
    bool is_better = false;
  };
  // When an alarm was last weighed.
  struct Weighed {
    double stake = 0;
    std::size_t pairs = 0;
    std::uint64_t data_set = 0;
  };

  const Route& route_of(std::uint64_t data_set) const;
  const tpn::NetPart& part_of(std::size_t part, std::uint64_t data_set) const;
  const tpn::NetPart& checked_part(std::size_t processor, std::size_t part, std::uint64_t data_set) const;
  std::vector<double> stage_times(const Computed& computed, const tpn::NetPart& part) const;
  bool is_used(std::size_t processor) const;
  // Nothing that the pipeline waits for is on its way to it.
  bool is_idle(std::size_t processor) const;
  void note_due(std::uint64_t data_set);
  bool can_repeat(std::size_t processor, std::size_t what) const;

  void take(const DonePair& pair);
  void probe(std::size_t processor, const SeenTime& seen, std::uint64_t data_set);
  void weigh(const ChangeAlarm& alarm, std::uint64_t data_set, Ticks now);
  bool is_no_change(const ChangeAlarm& alarm, std::uint64_t data_set, Ticks now);
  bool lacks_pair(const ChangeAlarm& alarm);
  void weigh_change(const ChangeAlarm& alarm, std::uint64_t data_set, Ticks now);
  void weigh_return(const ChangeAlarm& alarm, std::uint64_t data_set, Ticks now);
  void watch_probations(std::uint64_t data_set);
  void take_back(const Probation& probation, std::uint64_t data_set);
  void plan(SafeDecision decision, const Choice& choice, SafeOutcome outcome);
  void write(SafeDecision decision, Ticks now);

  std::vector<Rational> ratios_with(std::size_t processor, double factor) const;
  Choice choose(std::size_t processor, double factor) const;
  double budget(std::uint64_t data_set) const;
  SafeDecision decision_for(const ChangeAlarm& alarm, std::uint64_t data_set) const;

  std::optional<std::size_t> idle_helper(std::size_t of) const;
  std::optional<std::size_t> busy_helper(std::size_t of) const;
  std::optional<ShadowWish> wish_for_alarm(std::uint64_t data_set, bool may_shadow);
  std::optional<ShadowWish> wish_of_idle(std::uint64_t data_set);
  std::optional<std::size_t> next_lender(std::size_t helper);
  bool may_shadow(Ticks now) const;

  const tpn::Document& problem_;
  tpn::ProblemView view_;
  Rational ticks_per_unit_;
  AdaptationTerms terms_;
  RunLog& log_;
  StageScale scale_;
  ChangeWatch watch_;
  ShadowBook shadows_;
  std::vector<std::size_t> processors_;  // that may compute
  std::vector<Followed> followed_;       // the present one last
  tpn::Mapping mapping_;                 // the present one
  tpn::Mapping first_;
  std::uint64_t let_in_ = 0;  // data sets below
  std::uint64_t first_data_set_ = 0;
  Ticks begin_ = 0;
  double period_ = 1;  // of the first mapping, in ticks, by the instance
  double spent_ = 0;   // periods
  double shadow_time_ = 0;
  std::map<std::size_t, double> charged_;  // for the last shadow of a processor in use, periods
  std::vector<Probation> probations_;
  std::set<std::size_t> changed_;  // processors of which there are news
  std::set<std::size_t> lacking_;  // whose alarm waits for a pair
  std::map<std::size_t, Weighed> weighed_;
  std::map<std::size_t, std::vector<ComputationKey>> due_;  // by processor: the last ones of mappings before
  std::map<std::size_t, std::uint64_t> calm_;               // when an idle processor last had a shadow
  std::set<std::size_t> told_;                              // whose alarms have no pair
  std::size_t turn_ = 0;
  struct Planned {
    SafeDecision decision;
    tpn::Mapping mapping;
    std::optional<Probation> probation;
  };
  std::optional<Planned> planned_;
};

}  // namespace takt::live
