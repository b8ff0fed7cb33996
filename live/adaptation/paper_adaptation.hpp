// Adapting as the paper has it.
//
// Problem. Processors become slower or faster while a pipeline runs. When is another mapping worth a switch, and which?
//
// Method. The monitor (live/adaptation/monitor.hpp) says when; then the problem as it is believed to be by now is
// mapped by a heuristic (live/adaptation/remapping.hpp). The present mapping stays where the heuristic finds it again,
// or one that is believed to be no faster, or none; then what the processors take now is from then on what is usual,
// lest the same be asked of every data set.
//
// Trap. Where times vary by themselves it maps anew again and again, for nothing.
//
// References. [gonzalez2006adaptive], Section 3.2, for the monitor; that a mapping must be believed to be faster is
// ours.
#pragma once

#include "live/adaptation/adaptation.hpp"

namespace takt::live {

class PaperAdaptation : public Adaptation {
 public:
  /// Keeps references to the problem and the log.
  PaperAdaptation(const tpn::Document& problem, const Rational& ticks_per_unit, AdaptationTerms terms, RunLog& log);

  SwitchKind kind() const override { return terms_.kind; }
  void begin(std::uint64_t data_set, const tpn::Mapping& mapping, std::span<const std::size_t> processors,
             Ticks now) override;
  void begun(std::size_t processor, std::size_t part, std::uint64_t data_set, Ticks start) override;
  void computed(const Computed& computed) override;
  bool is_called_for(std::uint64_t data_set, Ticks now) override;
  std::optional<Ticks> next() const override { return monitor_.next(); }
  std::vector<Rational> beliefs(Ticks now) const override;
  std::optional<tpn::Mapping> decide(std::uint64_t data_set, Ticks now) override;

 private:
  TuningPoint tuning_point(std::uint64_t data_set, Ticks now) const;
  void check(std::size_t processor, std::size_t part, std::uint64_t data_set) const;
  void write_measured(const MeasuredTime& measured, Ticks now);

  const tpn::Document& problem_;
  tpn::ProblemView view_;
  Rational ticks_per_unit_;
  AdaptationTerms terms_;
  RunLog& log_;
  Monitor monitor_;
  tpn::Mapping mapping_;  // the present one
  Ticks begin_ = 0;
};

}  // namespace takt::live
