// stream-program: the graph of a StreamIt benchmark, filter by filter, replicated at random.
//
// What is drawn. Replicas, speeds and bandwidths; the graph, works and sizes of files are fixed facts of the programs,
// read off their sources: https://github.com/bthies/streamit, folder streams/apps/benchmarks/asplos06, the files named
// beside each function below, with the parameters that stand there. [gordon2006exploiting] and [thies2010empirical]
// tell of the benchmarks; numbers of filters differ between versions of a program, and ours are those of the file.
//
// How a program becomes a workflow. A filter is a stage; readers and writers of files are left out. A data set is one
// steady state: the fewest firings after which all queues are as before. A file holds the items that one taker takes of
// it per data set. Behind a splitter that duplicates all branches take the same file; behind one that deals each takes
// its share, and shares are equal here. A splitter is no stage where it stands behind a filter, a joiner none if it
// stands before one, for a stage takes the files of all branches and sends each its own. A joiner before a splitter,
// and a splitter that deals within a splitter that duplicates, are stages that move items.
//
// Ours. The sources say how many items each firing pops and pushes and what it loops over, not how long that takes. The
// work of a firing is a step for each item popped and pushed, and one for each multiply-add, comparison or look-up of
// its loops. Speeds and bandwidths are ours: an item takes as long as some ten steps. Filters that the sources call
// stateful, or that count, are not replicable; sliding windows are, as StreamIt's compiler replicates them.
//
// References. [gordon2006exploiting]; [thies2010empirical].
#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/draws/generator.hpp"
#include "experiments/draws/workflow_mapping.hpp"
#include "tpn/workflow.hpp"

namespace takt::experiments {

namespace {

using Stages = std::vector<std::size_t>;

// What a filter does per data set: so many firings, each of which pops and pushes items and takes steps.
struct Rates {
  std::int64_t firings = 1;
  std::int64_t pop = 0;
  std::int64_t push = 0;
  std::int64_t steps = 0;
};

// A program, put together filter by filter.
class StreamProgram {
 public:
  /// A filter behind those stages, whose files are dealt to so many takers; its number.
  std::size_t filter(const std::string& name, const Rates& rates, Stages after, std::int64_t takers = 1) {
    tpn::Stage stage;
    const std::size_t index = stages_.size();
    stage.name = name;
    stage.work = rates.firings * (rates.pop + rates.push + rates.steps);
    stage.output = Rational::fraction(rates.firings * rates.push, takers);
    std::ranges::sort(after);
    take_from(stage, index, std::move(after));
    stages_.push_back(std::move(stage));
    return index;
  }
  /// The same for one that keeps a state.
  std::size_t stateful(const std::string& name, const Rates& rates, Stages after) {
    const std::size_t index = filter(name, rates, std::move(after));
    stages_[index].replicable = false;
    return index;
  }
  /// A joiner, a splitter or both, which moves so many items and deals them to so many takers.
  std::size_t mover(const std::string& name, std::int64_t items, Stages after, std::int64_t takers) {
    return filter(name, {.pop = items, .push = items}, std::move(after), takers);
  }

  std::vector<tpn::Stage> take() { return std::move(stages_); }

 private:
  std::vector<tpn::Stage> stages_;
};

std::string numbered(std::string_view name, std::size_t i) { return std::string(name) + "." + std::to_string(i); }

// A window of `taps` samples for each item.
Rates window(std::int64_t firings, std::int64_t taps) {
  return {.firings = firings, .pop = 1, .push = 1, .steps = taps};
}

// beamformer/streamit/BeamFormer1.str: 12 channels, each generated and filtered twice, into 4 beams. Samples are
// complex, two items each; the second filter takes every other one.
void beamformer(StreamProgram& program) {
  constexpr std::int64_t kChannels = 12;
  constexpr std::int64_t kBeams = 4;
  constexpr std::int64_t kTaps = 64;
  constexpr std::int64_t kMatchedTaps = 128;
  constexpr std::int64_t kComplex = 4;  // multiply-adds of two complex numbers
  Stages channels;
  for (std::size_t i = 0; i < kChannels; ++i) {
    const auto input = program.stateful(numbered("InputGenerate", i), {.firings = 2, .push = 2}, {});
    const auto coarse = program.stateful(numbered("CoarseFilter", i),
                                         {.firings = 2, .pop = 2, .push = 2, .steps = kComplex * kTaps}, {input});
    channels.push_back(
        program.stateful(numbered("FineFilter", i), {.pop = 4, .push = 2, .steps = kComplex * kTaps}, {coarse}));
  }
  const auto joined = program.mover("Join", 2 * kChannels, channels, 1);
  for (std::size_t i = 0; i < kBeams; ++i) {
    const auto beam = program.filter(numbered("BeamForm", i),
                                     {.pop = 2 * kChannels, .push = 2, .steps = kComplex * kChannels}, {joined});
    const auto matched =
        program.stateful(numbered("MatchedFilter", i), {.pop = 2, .push = 2, .steps = kComplex * kMatchedTaps}, {beam});
    program.filter(numbered("Magnitude", i), {.pop = 2, .push = 1, .steps = 3}, {matched});
  }
}

// bitonic-sort/streamit/BitonicSort1.str: 16 keys, merged in 1 + 2 + 3 + 4 steps of eight comparisons. Each step takes
// the keys of the one before in another order.
void bitonic_sort(StreamProgram& program) {
  constexpr std::int64_t kKeys = 16;
  constexpr std::size_t kSteps = 10;
  std::size_t from = program.filter("KeySource", {.push = kKeys}, {}, kKeys / 2);
  for (std::size_t step = 0; step < kSteps; ++step) {
    Stages exchanges;
    for (std::size_t i = 0; i < kKeys / 2; ++i) {
      exchanges.push_back(program.filter(numbered("CompareExchange", (kKeys / 2) * step + i),
                                         {.pop = 2, .push = 2, .steps = 1}, {from}));
    }
    if (step + 1 < kSteps) from = program.mover(numbered("Join", step), kKeys, exchanges, kKeys / 2);
  }
}

// channelvocoder/streamit/ChannelVocoder7.str: a pitch detector beside 16 bands, of 50 samples one.
void channel_vocoder(StreamProgram& program) {
  constexpr std::int64_t kDecimation = 50;
  constexpr std::int64_t kTaps = 64;
  constexpr std::int64_t kPitchWindow = 100;
  constexpr std::size_t kBands = 16;
  const auto signal = program.filter("LowPass", window(kDecimation, kTaps), {});
  const auto clipped =
      program.filter("CenterClip", {.firings = kDecimation, .pop = 1, .push = 1, .steps = 2}, {signal});
  program.filter("CorrPeak", {.pop = kDecimation, .push = 1, .steps = kPitchWindow * (kPitchWindow + 1) / 2},
                 {clipped});
  for (std::size_t i = 0; i < kBands; ++i) {
    const auto low = program.filter(numbered("BandLowPass", i), window(kDecimation, kTaps), {signal});
    const auto high = program.filter(numbered("BandHighPass", i), window(kDecimation, kTaps), {low});
    program.filter(numbered("Compressor", i), {.pop = kDecimation, .push = 1}, {high});
  }
}

// dct/streamit/DCT2.str: the inverse transform of 16 x 16 values, 16 columns beside each other, then 16 rows.
void dct(StreamProgram& program) {
  constexpr std::int64_t kSize = 16;
  constexpr Rates kTransform = {.pop = kSize, .push = kSize, .steps = kSize * kSize};
  const auto values = program.filter("IntToFloat", {.firings = kSize * kSize, .pop = 1, .push = 1}, {}, kSize);
  Stages columns;
  for (std::size_t i = 0; i < kSize; ++i)
    columns.push_back(program.filter(numbered("ColumnDCT", i), kTransform, {values}));
  const auto joined = program.mover("Join", kSize * kSize, columns, kSize);
  for (std::size_t i = 0; i < kSize; ++i) program.filter(numbered("RowDCT", i), kTransform, {joined});
}

// des/streamit/DES2.str: four rounds over 64 bits, each of which makes its key from the start.
void des(StreamProgram& program) {
  constexpr std::int64_t kHalf = 32;
  constexpr std::int64_t kBlock = 64;
  constexpr std::size_t kRounds = 4;
  constexpr std::int64_t kTables = 8;
  const auto key = [&](std::size_t round) {
    const auto name = [&](const std::string& part) { return numbered(part, round); };
    std::size_t last = program.filter(name("Key"), {.push = 2}, {});
    last = program.filter(name("IntoBits"), {.firings = 2, .pop = 1, .push = kHalf}, {last});
    last = program.filter(name("PC1"), {.pop = kBlock, .push = 56}, {last});
    for (std::size_t i = 0; i <= round; ++i)
      last = program.filter(numbered(name("Rotate"), i), {.firings = 2, .pop = 28, .push = 28}, {last});
    return program.filter(name("PC2"), {.pop = 56, .push = 48}, {last});
  };
  std::size_t block = program.filter("IP", {.pop = kBlock, .push = kBlock}, {});
  Stages halves;
  for (std::size_t round = 0; round < kRounds; ++round) {
    const auto name = [&](const std::string& part) { return numbered(part, round); };
    if (round > 0) block = program.mover(name("Join"), kBlock, halves, 1);
    const auto split = program.mover(name("Split"), kBlock, {block}, 2);
    const auto expanded = program.filter(name("Expand"), {.pop = kHalf, .push = 48}, {split});
    const auto mixed =
        program.filter(name("KeyXor"), {.firings = 48, .pop = 2, .push = 1, .steps = 1}, {expanded, key(round)});
    const auto chosen = program.filter(name("Sboxes"), {.pop = 48, .push = kHalf, .steps = kTables}, {mixed});
    const auto permuted = program.filter(name("Permute"), {.pop = kHalf, .push = kHalf}, {chosen});
    const auto left = program.filter(name("Identity"), {.firings = kHalf, .pop = 1, .push = 1}, {split});
    const auto right =
        program.filter(name("Xor"), {.firings = kHalf, .pop = 2, .push = 1, .steps = 1}, {permuted, left});
    halves = {right, program.filter(name("NextLeft"), {.pop = kBlock, .push = kHalf}, {block})};
  }
  const auto crossed = program.filter("CrissCross", {.pop = kBlock, .push = kBlock}, halves);
  program.filter("FinalPermutation", {.pop = kBlock, .push = kBlock}, {crossed});
}

// fft/streamit/FFT5.str: a chain of 7 stages that reorder 256 complex samples and 8 that combine them.
void fft(StreamProgram& program) {
  constexpr std::int64_t kSamples = 256;
  constexpr std::int64_t kButterfly = 8;  // multiply-adds for two items each way
  Stages last;
  for (std::int64_t i = 1; i < kSamples / 2; i *= 2) {
    const std::int64_t size = kSamples / i;
    last = {program.filter(numbered("Reorder", static_cast<std::size_t>(size)),
                           {.firings = i, .pop = 2 * size, .push = 2 * size}, last)};
  }
  for (std::int64_t size = 2; size <= kSamples; size *= 2) {
    last = {program.filter(
        numbered("Combine", static_cast<std::size_t>(size)),
        {.firings = kSamples / size, .pop = 2 * size, .push = 2 * size, .steps = kButterfly * size / 2}, last)};
  }
}

// filterbank/streamit/FilterBank6.str: 8 bands, of 8 samples one and back.
void filterbank(StreamProgram& program) {
  constexpr std::int64_t kBands = 8;
  constexpr std::int64_t kTaps = 128;
  Stages bands;
  for (std::size_t i = 0; i < kBands; ++i) {
    const auto low = program.filter(numbered("BandLowPass", i), window(kBands, kTaps), {});
    const auto high = program.filter(numbered("BandHighPass", i), window(kBands, kTaps), {low});
    const auto compressed = program.filter(numbered("Compressor", i), {.pop = kBands, .push = 1}, {high});
    const auto processed = program.filter(numbered("Process", i), {.pop = 1, .push = 1}, {compressed});
    const auto expanded = program.filter(numbered("Expander", i), {.pop = 1, .push = kBands}, {processed});
    const auto below = program.filter(numbered("StopLowPass", i), window(kBands, kTaps), {expanded});
    const auto above = program.filter(numbered("StopHighPass", i), window(kBands, kTaps), {expanded});
    bands.push_back(
        program.filter(numbered("StopAdder", i), {.firings = kBands, .pop = 2, .push = 1, .steps = 2}, {below, above}));
  }
  program.filter("Adder", {.firings = kBands, .pop = kBands, .push = 1, .steps = kBands}, bands);
}

// fm/streamit/FMRadio5.str: five samples in, one out; an equalizer of six bands, each the difference of two low passes.
void fm_radio(StreamProgram& program) {
  constexpr std::int64_t kDecimation = 5;
  constexpr std::int64_t kTaps = 128;
  constexpr std::int64_t kBands = 6;
  const auto samples = program.stateful("FloatOneSource", {.firings = kDecimation, .push = 1}, {});
  const auto low = program.filter("LowPass", {.pop = kDecimation, .push = 1, .steps = kTaps}, {samples});
  const auto sound = program.filter("Demodulator", {.pop = 1, .push = 1, .steps = 2}, {low});
  Stages bands;
  for (std::size_t i = 0; i < kBands; ++i) {
    const auto from = program.filter(numbered("BandFrom", i), window(1, kTaps), {sound});
    const auto to = program.filter(numbered("BandTo", i), window(1, kTaps), {sound});
    const auto band = program.filter(numbered("Subtracter", i), {.pop = 2, .push = 1, .steps = 1}, {from, to});
    bands.push_back(program.filter(numbered("Gain", i), {.pop = 1, .push = 1, .steps = 1}, {band}));
  }
  program.filter("Sum", {.pop = kBands, .push = 1, .steps = kBands}, bands);
}

struct Benchmark {
  std::string_view name;
  void (*describe)(StreamProgram& program);
};
constexpr auto kBenchmarks = std::to_array<Benchmark>({{"beamformer", beamformer},
                                                       {"bitonic-sort", bitonic_sort},
                                                       {"channel-vocoder", channel_vocoder},
                                                       {"dct", dct},
                                                       {"des", des},
                                                       {"fft", fft},
                                                       {"filterbank", filterbank},
                                                       {"fm-radio", fm_radio}});

std::vector<tpn::Stage> stages_of(const Arguments& arguments) {
  StreamProgram program;
  std::ranges::find(kBenchmarks, arguments.choice("benchmark"), &Benchmark::name)->describe(program);
  return program.take();
}

tpn::Document draw_stream_program(const Arguments& arguments, const DrawKey& key) {
  tpn::Document document;
  document.application.stages = stages_of(arguments);
  const std::vector<bool> is_exit = tpn::exit_stages(document.application);
  for (std::size_t k = 0; k < is_exit.size(); ++k) {
    if (is_exit[k]) document.application.stages[k].output.reset();
  }
  add_mapping(document, arguments, key);
  return document;
}

std::optional<std::string> objection_of_stream_program(const Arguments& arguments) {
  return objection_of_mapping(arguments, stages_of(arguments).size());
}

std::vector<GeneratorParameter> program_parameters() {
  std::vector<std::string_view> names;
  names.reserve(std::size(kBenchmarks));
  for (const Benchmark& benchmark : kBenchmarks) names.push_back(benchmark.name);
  std::vector<GeneratorParameter> all = {{.name = "benchmark",
                                          .help = "the program",
                                          .kind = ParameterKind::choice,
                                          .standard = "fm-radio",
                                          .choices = std::move(names)}};
  std::vector<GeneratorParameter> more = mapping_parameters("50..150 by 10", "5..15");
  all.insert(all.end(), std::move_iterator(more.begin()), std::move_iterator(more.end()));
  return all;
}

}  // namespace

Generator stream_program() {
  return {.name = "stream-program",
          .summary = "the graph of a StreamIt benchmark, with filters replicated at random",
          .source = "gordon2006exploiting",
          .kind = DrawnKind::instance,
          .parameters = program_parameters(),
          .objection = objection_of_stream_program,
          .draw = draw_stream_program,
          .forks_or_joins = [](const Arguments& arguments) { return arguments.choice("benchmark") != "fft"; }};
}

}  // namespace takt::experiments
