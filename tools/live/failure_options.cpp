// The words of --on-failure: stop, skip, retry:N.
#include "tools/live/failure_options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

#include "live/process/journal_file.hpp"
#include "tools/command.hpp"
#include "tools/frame/options.hpp"
#include "tpn/visible.hpp"

namespace takt::tools {

namespace {

constexpr std::string_view kRetry = "retry:";
constexpr std::uint64_t kMostRetries = 1'000'000;

std::optional<live::FailurePlan> read_failure_plan(const std::string& text) {
  if (text == "stop") return live::FailurePlan{};
  live::FailurePlan plan;
  plan.stops = false;
  if (text == "skip") return plan;
  if (!text.starts_with(kRetry)) return std::nullopt;
  const char* const begin = text.data() + kRetry.size();
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(begin, end, plan.retries);
  if (error != std::errc() || rest != end || plan.retries == 0 || plan.retries > kMostRetries) return std::nullopt;
  return plan;
}

}  // namespace

void add_failure_options(CommandLine& line, RunChoices& choices) {
  const auto check = [](const std::string& text) {
    if (read_failure_plan(text)) return std::string();
    return fmt::format("found \"{}\", expected stop, skip or retry:N, N from 1 to {}", tpn::visible(text),
                       kMostRetries);
  };
  line.option("--on-failure", choices.on_failure,
              "if a stage fails on a data set: stop ends the run; skip puts the failure into the journal and goes on; "
              "retry:N tries N more times first")
      .check(check)
      .type_name("stop|skip|retry:N")
      .shows_default()
      .group("Failures");
  line.option("--again", choices.again, "\"failed\": run only the data sets that failed before")
      .check(one_of({"failed"}))
      .type_name("WHICH")
      .group("Failures");
}

void require_consistent_failures(const RunChoices& choices, live::KernelKind kernel) {
  const bool is_real = kernel == live::KernelKind::program || kernel == live::KernelKind::library;
  const bool skips = choices.on_failure != "stop";
  if (skips && !is_real) throw UsageError("--on-failure goes with --program, --each or --executable");
  if (skips && choices.journal.empty()) throw UsageError("--on-failure goes with --journal, which keeps what failed");
  if (choices.again.empty()) return;
  if (choices.journal.empty()) throw UsageError("--again goes with --journal, which knows what failed");
  if (choices.data_sets) throw UsageError("--again and --data-sets exclude each other: what failed runs again");
}

live::FailurePlan failure_plan_of(const RunChoices& choices) { return *read_failure_plan(choices.on_failure); }

JournalHoldings holdings_of(const std::string& journal) {
  std::error_code ignored;
  if (journal.empty() || !std::filesystem::exists(journal, ignored)) return {};
  try {
    const live::JournalScan scan = live::JournalInput(journal).scan();
    JournalHoldings holdings{scan.records, {}, scan.records - scan.present(), scan.repeated};
    for (const auto& [number, record] : scan.failed) holdings.failed.push_back(number);
    return holdings;
  } catch (const live::JournalError& error) {
    throw FileError(error.what());
  }
}

std::string failed_words(const std::string& journal, const JournalHoldings& holdings) {
  if (holdings.failed.empty()) return "";
  const bool is_one = holdings.failed.size() == 1;
  return fmt::format(
      "{} of {} data sets {} failed: takt journal {} --failed says why, and --again failed runs {} again",
      holdings.failed.size(), holdings.data_sets, is_one ? "has" : "have", tpn::shell_word(journal),
      is_one ? "it" : "them");
}

}  // namespace takt::tools
