// The largest of what is wanted, the least of what is permitted.
#include "tools/live/window_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "evaluators/insight/window.hpp"
#include "tools/frame/options.hpp"
#include "tools/words/number_words.hpp"
#include "tools/words/time_words.hpp"
#include "tpn/capacity.hpp"
#include "tpn/timing.hpp"
#include "tpn/window.hpp"

namespace takt::tools {

using maxplus::Rational;

namespace {

// What looking for the least window may take, in seconds.
constexpr double kWindowSearch = 5;
constexpr std::uint64_t kSpare = 2;

// Where the search does not end: two data sets for each turn of each part.
std::uint64_t safe_window(const tpn::Pipeline& pipeline) {
  std::uint64_t turns = 0;
  for (const tpn::NetPart& part : pipeline.parts) turns += part.sequence.size();
  return 2 * turns;
}

std::uint64_t least_kept(const EvaluatedInstance& instance, std::uint64_t most) {
  evaluators::Options options;
  options.deadline = evaluators::Deadline(deadline_in(kWindowSearch));
  std::optional<std::uint64_t> least;
  if (instance.evaluation.exact()) {
    least = evaluators::least_window(instance.net, instance.evaluation.upper, most, options);
  }
  return least.value_or(safe_window(instance.net.pipeline)) + kSpare;
}

std::uint64_t processors_in(const tpn::Pipeline& pipeline) {
  std::set<std::size_t> processors;
  for (const tpn::NetPart& part : pipeline.parts) {
    if (part.role == tpn::PartRole::mapped) processors.insert(part.sequence.begin(), part.sequence.end());
  }
  return processors.size();
}

// Of one data set; nothing if the document has no units, or no sizes.
std::optional<Rational> largest_file(const tpn::Document& document) {
  if (document.time_unit != tpn::TimeUnit::second) return std::nullopt;
  const tpn::Timing timing(document);
  const tpn::Application& application = document.application;
  Rational largest = application.input.value_or(0);
  for (std::size_t k = 0; k < application.stages.size(); ++k) {
    largest = std::max(largest, application.stages[k].output.value_or(0) * timing.gain(k));
  }
  return largest.sign() > 0 ? std::optional(largest) : std::nullopt;
}

// Of files of that size in the permitted memory, one at least.
std::uint64_t files_in_memory(const Rational& file) {
  const maxplus::Integer files = (Rational(kWindowBytes) / file).floor();
  return files < 1 ? 1 : files.fits_ulong_p() ? files.get_ui() : tpn::kMostWindow;
}

}  // namespace

WindowChoice choose_window(const EvaluatedInstance& instance, const tpn::Document& document, std::uint64_t data_sets,
                           bool vary) {
  // Of fewer data sets the window is none.
  const std::uint64_t fewest = tpn::too_narrow_window(instance.net.pipeline) + 1;
  const std::uint64_t most = std::max(std::min(data_sets, tpn::kMostWindow), fewest);
  WindowChoice choice{least_kept(instance, most), WindowReason::least, processors_in(instance.net.pipeline)};
  const auto raise_to = [&](std::uint64_t window, WindowReason reason) {
    if (window > choice.window) choice = {window, reason, choice.processors, choice.file_bytes};
  };
  if (vary) {
    const std::uint64_t rounds = kWindowRounds * choice.processors;
    const std::optional<Rational> file = largest_file(document);
    const std::uint64_t held = file ? files_in_memory(*file) : rounds;
    if (file) choice.file_bytes = *file;
    raise_to(std::min(rounds, held), held < rounds ? WindowReason::memory : WindowReason::rounds);
  }
  if (choice.window >= most && most >= data_sets) choice.reason = WindowReason::all;
  choice.window = std::min(choice.window, most);
  return choice;
}

std::string reason_words(const WindowChoice& choice) {
  switch (choice.reason) {
    case WindowReason::asked:
      break;
    case WindowReason::least:
      return " (the least that keeps the period, plus two)";
    case WindowReason::rounds:
      return fmt::format(
          " ({} for {})", kWindowRounds,
          choice.processors == 1 ? "one processor" : fmt::format("each of {} processors", choice.processors));
    case WindowReason::memory:
      return fmt::format(" (files of up to {}: {} under way at most)",
                         TimeWords::of_seconds().readable(choice.file_bytes, tpn::Quantity::size),
                         TimeWords::of_seconds().readable(Rational(kWindowBytes), tpn::Quantity::size));
    case WindowReason::all:
      return " (all of them)";
  }
  return "";
}

const char* name_of(WindowReason reason) {
  switch (reason) {
    case WindowReason::asked:
      return "asked";
    case WindowReason::least:
      return "least";
    case WindowReason::rounds:
      return "rounds";
    case WindowReason::memory:
      return "memory";
    case WindowReason::all:
      break;
  }
  return "all";
}

}  // namespace takt::tools
