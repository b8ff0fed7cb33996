// A problem and what is derived from it for all of its mappings: made once, read by everybody.
//
// Problem. Heuristics, bounds, loads and evaluators ask for the same things of one problem: its durations, its links,
// its times in ticks. Each is linear in the document to make, or quadratic in the processors, and a search that asks
// other searches for a start would make them dozens of times.
//
// Method. The durations are there from the start; what is large, or not always wanted, is made at the first
// use. Threads may share a view.
//
// Cost. That of Timing; then once that of LinkTable and of TickTimes, if they are used.
#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <span>

#include "tpn/absent_times.hpp"
#include "tpn/document.hpp"
#include "tpn/links.hpp"
#include "tpn/tick_times.hpp"
#include "tpn/timing.hpp"

namespace takt::tpn {

class ProblemView {
 public:
  /// Keeps a reference to the document, which `validate` accepts; a mapping that it has does not count.
  explicit ProblemView(const Document& document);
  explicit ProblemView(Document&&) = delete;
  /// Of with_prohibitive_times(...): `absent` says which times are no real ones, and must outlive the view.
  ProblemView(const Document& completed, const AbsentTimes& absent);
  ProblemView(const ProblemView&) = delete;
  ProblemView& operator=(const ProblemView&) = delete;
  ~ProblemView();

  const Document& document() const { return document_; }
  const Timing& timing() const { return timing_; }
  /// Which times are prohibitive; null if all are real, or absent.
  const AbsentTimes* absent_times() const { return absent_; }
  /// Whether the processor runs all of these stages.
  bool can_run(std::size_t first_stage, std::size_t last_stage, std::size_t processor) const {
    return absent_ == nullptr || absent_->can_run(first_stage, last_stage, processor);
  }
  /// Whether the processors of each part run all of its stages.
  bool can_run(std::span<const Part> mapping) const {
    return absent_ == nullptr || std::ranges::all_of(mapping, [this](const Part& part) {
             return std::ranges::all_of(part.processors, [&](std::size_t p) {
               return absent_->can_run(part.first_stage, part.last_stage, p);
             });
           });
  }
  /// Quadratic memory in the processors.
  const LinkTable& links() const;

  /// TickTimes::exact and TickTimes::rounded_down; null if there are none.
  const TickTimes* exact_ticks() const;
  const TickTimes* rounded_ticks() const;
  /// Times of at most TickTimes::kMostRoundedTicks: the exact ones where they keep to that, else those rounded down.
  const TickTimes* short_ticks() const;

 private:
  // Made when first asked for; null if it could not be made.
  template <typename Value>
  struct Lazy {
    std::once_flag made;
    std::unique_ptr<const Value> value;
  };
  template <typename Value, typename Make>
  static const Value* get(Lazy<Value>& lazy, Make make);

  const Document& document_;
  const AbsentTimes* absent_ = nullptr;
  Timing timing_;
  mutable Lazy<LinkTable> links_;
  mutable Lazy<TickTimes> exact_ticks_;
  mutable Lazy<TickTimes> rounded_ticks_;
};

}  // namespace takt::tpn
