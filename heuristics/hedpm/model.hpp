// The performance model of HeDPM: what a stage, a group or a replica costs per data set, and the means it sorts by.
//
// Problem. HeDPM sees a platform as matrices of bandwidths B and latencies c over the processors and node 0, the
// outside world, and judges a match of stages and processors while the neighbors may be undecided.
//
// Method. Execution time of the interval [a, b] on p: reception + computation + sending (Equations 2 to 4); of R
// replicas: the largest, over R (Equation 1). A neighbor that is matched to one processor costs its real link; one
// that is matched to several the mean B and the mean c over their links; one that is undecided the means over all
// links of p, node 0's and p's own entry of the diagonal included (a row of the matrices). An end of the pipeline
// costs the real link with source or sink, and nothing if the platform has none.
//
// What the paper leaves open, for a platform that is not given as matrices:
// - Means of B and of c are taken separately, over the links that exist; links with a fixed time count in c with that
//   time and have no B, so that a file's mean time is c + f d / B, where f is the share of links with a bandwidth.
// - The diagonal: a node reaches itself at the best B and the best c of its links.
// - Node 0's links, in the means only: no better than the processor's best link with another processor. (The case
//   study's slow processor is slow towards the world as well; its document says so of the other processors alone.)
// - A mean over processors is the time at their mean speed; where one has a fixed time, the mean of their times.
// - Where stages have times t(n, p) of their own, a processor's speed on a stage is the inverse of that: the mean over
//   processors is, stage by stage, the harmonic mean of their times; where one of them is fixed or 0, the plain one.
//
// Cost. Linear in processors and the links that the platform names to build, O(p) look-ups to take a processor away
// from the means, O(R q) an execution time where R replicas meet q processors of their neighbors.
//
// References. [moreno2017hedpm], Sections 3 and 4.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "heuristics/common/computation_times.hpp"
#include "maxplus/rational.hpp"
#include "tpn/document.hpp"
#include "tpn/problem_view.hpp"

namespace takt::heuristics::dynamic_mapping {

using maxplus::Rational;

/// Links of which only the means count.
struct LinkSums {
  Rational latency;
  Rational bandwidth;
  std::size_t links = 0;
  std::size_t with_bandwidth = 0;

  void add(const tpn::LinearTime& link);
  void add(const tpn::LinearTime& link, std::size_t count);
  void add(const LinkSums& other);
  void remove(const LinkSums& other);
  /// The mean latency and the mean bandwidth as one link; nothing without links.
  std::optional<tpn::LinearTime> mean() const;
};

/// Processors of which only the means count.
struct ProcessorSums {
  Rational speed;     // of those with a speed
  Rational fixed;     // of the fixed times
  Rational per_unit;  // of the times per unit of work
  std::size_t processors = 0;
  std::size_t with_speed = 0;

  void add(const tpn::LinearTime& processor);
  void remove(const tpn::LinearTime& processor);
  /// The average processor; there must be one.
  tpn::LinearTime mean() const;
};

/// As the platform is, or with every processor and every link replaced by the mean one.
enum class View { real, averaged };

/// Parts that are matched so far, by stage.
class Matches {
 public:
  explicit Matches(std::size_t stages) : part_of_(stages) {}
  void add(tpn::Part part);
  bool holds(std::size_t stage) const { return part_of_[stage].has_value(); }
  /// The processors of a stage that is matched.
  const std::vector<std::size_t>& processors(std::size_t stage) const { return parts_[*part_of_[stage]].processors; }
  /// All parts, in stage order.
  tpn::Mapping mapping() const;

 private:
  std::vector<tpn::Part> parts_;
  std::vector<std::optional<std::size_t>> part_of_;
};

class CostModel {
 public:
  /// Keeps references into the problem, which `tpn::validate` accepts. Throws tpn::InvalidInstance if a work or a
  /// size is absent that a speed or a bandwidth calls for.
  CostModel(const tpn::ProblemView& problem, View view);

  std::size_t stages() const { return works_.size(); }
  bool has_source() const { return problem_.platform.source.has_value(); }
  bool has_sink() const { return problem_.platform.sink.has_value(); }
  const std::vector<std::size_t>& processors() const { return all_processors_; }
  /// No stage has times of its own: `processor` and `work` say it all.
  bool is_by_work() const { return times_.are_by_work(); }
  const tpn::LinearTime& processor(std::size_t p) const { return processors_[p]; }
  /// The stages [first, last] on p: fixed + computation_before(last + 1) - computation_before(first).
  Rational computation(std::size_t first, std::size_t last, std::size_t p) const;
  const Rational& fixed(std::size_t p) const { return processors_[p].fixed; }
  /// What the stages before one take beyond what is fixed.
  Rational computation_before(std::size_t stage, std::size_t p) const;
  /// What the means make of a platform that the paper's matrices do not foresee, in whole sentences.
  std::vector<std::string> notes() const;

  /// Between different processors, and with the ends, which must exist; nothing if there is no link.
  std::optional<tpn::LinearTime> link(std::size_t from, std::size_t to) const;
  bool has_link(std::size_t from, std::size_t to) const { return timing_.has_link(from, to); }
  std::optional<tpn::LinearTime> source_link(std::size_t p) const;
  std::optional<tpn::LinearTime> sink_link(std::size_t p) const;

  bool is_replicable(std::size_t stage) const { return problem_.application.stages[stage].replicable; }
  /// Per data set; 0 if nothing depends on it.
  const Rational& work(std::size_t stage) const { return works_[stage]; }
  /// The file before a stage, or behind the last one.
  const Rational& file(std::size_t before) const { return files_[before]; }
  /// Whether a file is ever sent: all but those of a missing source or sink.
  bool is_sent(std::size_t file) const { return (file > 0 || has_source()) && (file < stages() || has_sink()); }

  /// The rows of the matrices: p's links in either direction, with node 0 and the diagonal.
  const LinkSums& incoming(std::size_t p) const { return incoming_[p]; }
  const LinkSums& outgoing(std::size_t p) const { return outgoing_[p]; }
  /// All entries of the matrices.
  const LinkSums& all_links() const { return all_; }
  /// The entries of p with itself, node 0 and the processors `others`.
  LinkSums entries(std::size_t p, std::span<const std::size_t> others) const;

  /// Time of a data set of the stages [first, last] on p, beside what is matched; nothing if a link is missing.
  std::optional<Rational> execution_time(std::size_t first, std::size_t last, std::size_t p,
                                         const Matches& matches) const;
  /// The same with one transfer, that behind the stage if any, at p's mean link to `others`: the last row of Table 2.
  std::optional<Rational> execution_time_beside(std::size_t stage, std::size_t p, std::span<const std::size_t> others,
                                                const Matches& matches) const;
  /// The production time of a mapping without repeated processors: the largest T of its parts, with all neighbors
  /// known. Nothing if a link is missing.
  std::optional<Rational> production_time(const tpn::Mapping& mapping) const;

 private:
  class MeansBuilder;

  void average();
  void average_own_times();
  std::optional<Rational> reception(std::size_t first, std::size_t p, const Matches& matches) const;
  std::optional<Rational> sending(std::size_t last, std::size_t p, const Matches& matches) const;

  const tpn::Document& problem_;
  const tpn::Timing& timing_;
  std::vector<std::size_t> all_processors_;
  ComputationTimes times_;
  std::vector<tpn::LinearTime> processors_;
  std::vector<Rational> mean_before_;         // in the averaged view, where stages have times of their own
  std::optional<tpn::LinearTime> mean_link_;  // in the averaged view
  std::vector<Rational> works_;
  std::vector<Rational> files_;
  std::vector<LinkSums> incoming_;
  std::vector<LinkSums> outgoing_;
  std::vector<LinkSums> world_;     // p's entries with node 0
  std::vector<LinkSums> diagonal_;  // p's entry with itself
  LinkSums all_;
  bool is_unequal_ = false;  // in the averaged view: the averages are not what the platform has
  std::size_t capped_ = 0;   // links with node 0 that the means take for slower ones
  std::size_t missing_ = 0;  // links between processors and with the ends that there are not
};

/// The average of some processors, of which more and more are taken away.
class AverageProcessor {
 public:
  /// Keeps a reference to the model.
  AverageProcessor(const CostModel& model, std::span<const std::size_t> processors);
  void remove(std::size_t p);
  /// How long it computes a stage alone; there must be a processor left.
  Rational time(std::size_t stage) const;
  /// The mean of that over some stages.
  Rational mean_time(std::span<const std::size_t> stages) const;

 private:
  struct StageSums {
    Rational times;
    Rational inverses;  // of times greater than 0
    std::size_t zeros = 0;
  };
  Rational own_time(std::size_t stage, std::size_t p) const;
  Rational inverse(const Rational& time) const;
  /// Without what is fixed.
  Rational growing(std::size_t stage) const;

  const CostModel& model_;
  bool is_short_;  // few processors: exact inverses do not grow long
  ProcessorSums sums_;
  std::size_t with_fixed_ = 0;
  std::vector<StageSums> stages_;  // where stages have times of their own
};

}  // namespace takt::heuristics::dynamic_mapping
