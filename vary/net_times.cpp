// Means from the net; of parts of several stages, their shares from the document.
#include "vary/net_times.hpp"

#include <algorithm>

#include "tpn/timing.hpp"

namespace takt::vary {

namespace {

using maxplus::Integer;
using maxplus::Rational;

double in_units(const Rational& number) { return number.to_double().value_or(0); }

class TermMaker {
 public:
  TermMaker(const tpn::Document& document, const tpn::FoldedNet& net) : net_(net.pipeline), timing_(document) {}

  std::vector<TimeTerm> terms_of(tpn::ColumnIndex column) const {
    const tpn::Column& here = net_.columns[column];
    if (here.kind == tpn::ColumnKind::transfer) return {whole(here, stream_of(here))};
    const tpn::NetPart& part = net_.parts[here.part];
    if (part.role != tpn::PartRole::mapped) return {whole(here, DrawStream::of_stage(DrawStream::kOutside))};
    if (part.first_stage == part.last_stage || !is_sum_of_stages(column)) {
      return {whole(here, DrawStream::of_stage(part.first_stage))};
    }
    std::vector<TimeTerm> terms;
    for (std::size_t stage = part.first_stage; stage <= part.last_stage; ++stage) {
      TimeTerm term{.stream = DrawStream::of_stage(stage), .means = std::vector<double>(here.table.size())};
      for (std::size_t entry = 0; entry < here.sender_offset.size(); ++entry) {
        term.means[here.sender_offset[entry]] = in_units(stage_time(column, stage, entry));
      }
      terms.push_back(std::move(term));
    }
    return terms;
  }

 private:
  TimeTerm whole(const tpn::Column& column, DrawStream stream) const {
    TimeTerm term{.stream = stream, .means = {}};
    for (std::size_t i = 0; i < column.table.size(); ++i) {
      term.means.push_back(in_units(Rational::fraction(column.table[i], net_.scale)));
    }
    return term;
  }

  DrawStream stream_of(const tpn::Column& transfer) const {
    const tpn::NetPart& sender = net_.parts[transfer.part];
    const tpn::NetPart& receiver = net_.parts[transfer.receiver];
    const std::size_t from = sender.role != tpn::PartRole::mapped ? DrawStream::kOutside
                             : transfer.files.empty()             ? sender.last_stage
                                                                  : std::ranges::min(transfer.files);
    return DrawStream::of_transfer(
        from, receiver.role == tpn::PartRole::mapped ? receiver.first_stage : DrawStream::kOutside);
  }

  // What a stage takes in the computation of a round, with its batch.
  Rational stage_time(tpn::ColumnIndex column, std::size_t stage, std::size_t entry) const {
    const tpn::NetPart& part = net_.parts[net_.columns[column].part];
    const std::uint64_t size = part.computed_at(net_.data_set_of({entry, column}, part.sequence.size()));
    if (size == 0) return {};
    return timing_.computation(stage, stage, net_.sender_of({entry, column}), size);
  }

  // Not so where a processor has a fixed time, or stages of a batch share what they take once.
  bool is_sum_of_stages(tpn::ColumnIndex column) const {
    const tpn::Column& here = net_.columns[column];
    const tpn::NetPart& part = net_.parts[here.part];
    for (std::size_t entry = 0; entry < here.sender_offset.size(); ++entry) {
      Rational sum;
      for (std::size_t stage = part.first_stage; stage <= part.last_stage; ++stage) {
        sum += stage_time(column, stage, entry);
      }
      if (sum != Rational::fraction(here.table[here.sender_offset[entry]], net_.scale)) return false;
    }
    return true;
  }

  const tpn::Pipeline& net_;
  tpn::Timing timing_;
};

}  // namespace

NetTimes times_of(const tpn::Document& document, const tpn::FoldedNet& net, const Law& law) {
  const TermMaker maker(document, net);
  NetTimes times{.laws = {law}, .columns = {}};
  for (const tpn::ColumnIndex column : net.pipeline.all_columns()) times.columns.push_back(maker.terms_of(column));
  return times;
}

}  // namespace takt::vary
