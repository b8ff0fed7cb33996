// One function for each section, from the top of the page to its end.
#include "tools/status/status_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "tools/pictures/svg.hpp"
#include "tools/report/page_colors.hpp"
#include "tpn/visible.hpp"

namespace takt::tools {

namespace {

constexpr double kWide = 1000;  // of the chart, in its own units
constexpr double kHigh = 200;
constexpr std::size_t kLatest = 12;  // events that are not folded away
constexpr double kSlow = 1.2;        // a slowdown that is told
constexpr double kBehind = 0.95;     // of the predicted pace

std::string time_words(double seconds) {
  if (seconds < 1) return fmt::format("{:.4g} ms", seconds * 1000);
  if (seconds < 100) return fmt::format("{:.2f} s", seconds);
  const auto whole = static_cast<std::uint64_t>(seconds);
  if (whole < 6000) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

std::string count_words(double number) { return fmt::format("{:.4g}", number); }

std::string percent(double share) { return fmt::format("{:.0f} %", share * 100); }

std::string slowdown_words(double slowdown) { return fmt::format("{:.3g} x", slowdown); }

// The least of 1, 2, 2.5, 5 times a power of ten that is not below.
double round_above(double number) {
  const double power = std::pow(10, std::floor(std::log10(number)));
  for (const double step : {1.0, 2.0, 2.5, 5.0}) {
    if (step * power >= number) return step * power;
  }
  return 10 * power;
}

class PageBuilder {
 public:
  explicit PageBuilder(const LiveStatus& status) : status_(status), page_(text_) {}

  std::string build() && {
    text_ = "<!DOCTYPE html>\n";
    page_.open("html").attribute("lang", "en").attribute("data-written", std::to_string(status_.written));
    if (goes_on()) page_.attribute("data-goes-on", "yes");
    head();
    page_.open("body");
    top();
    page_.open("main");
    story();
    pace();
    processors();
    page_.close();
    bottom();
    if (goes_on()) page_.open("script").raw(status_texts().script).close();
    page_.close().close();
    return std::move(text_) + "\n";
  }

 private:
  bool goes_on() const { return !is_last(status_.phase) && !status_.is_rehearsal; }

  // An element with a class and a text.
  SvgWriter& piece(std::string_view element, std::string_view style, std::string_view content) {
    return page_.open(element).attribute("class", style).text(content).close();
  }
  // An element of a class without content.
  SvgWriter& empty(std::string_view element, std::string_view style) {
    return page_.open(element).attribute("class", style).raw("").close();
  }

  void head() {
    page_.open("head").open("meta").attribute("charset", "utf-8").close();
    page_.open("meta").attribute("name", "viewport").attribute("content", "width=device-width,initial-scale=1").close();
    page_.open("meta")
        .attribute("http-equiv", "Content-Security-Policy")
        .attribute("content", "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'")
        .close();
    if (goes_on()) page_.raw("<noscript><meta http-equiv=\"refresh\" content=\"2\"></noscript>");
    page_.element("title", fmt::format("{}: {}", phase_words(), tpn::visible(status_.file)));
    page_.open("style").raw(page_colors() + status_texts().style).close().close();
  }

  std::string phase_words() const {
    return status_.is_rehearsal ? "rehearsal, " + std::string(name_of(status_.phase))
                                : std::string(name_of(status_.phase));
  }

  void top() {
    const bool is_bad = status_.phase == RunPhase::failed || status_.phase == RunPhase::interrupted ||
                        status_.phase == RunPhase::restarting;
    page_.open("header").open("h1").open("span").element("b", tpn::visible(status_.file));
    page_.text(" under " + status_.model).close();
    piece("span", is_bad ? "phase bad" : "phase", phase_words());
    page_.element("span", "after " + time_words(status_.seconds)).close();
    page_.open("p").attribute("class", "stale").attribute("id", "stale").attribute("hidden", "").raw("").close();
    page_.open("div").attribute("class", "hero").open("div");
    rate();
    page_.close().open("dl").attribute("class", "facts");
    facts();
    page_.close().close();
    if (const auto share = delivered_share()) {
      page_.open("div").attribute("class", "done").attribute("role", "img");
      page_.attribute("aria-label", percent(*share) + " delivered");
      page_.open("i").attribute("style", fmt::format("width:{:.2f}%", *share * 100)).raw("").close().close();
    }
    piece("p", "say", headline()).close();
  }

  std::optional<double> delivered_share() const {
    if (!status_.data_sets || *status_.data_sets == 0) return std::nullopt;
    return std::min(1.0, static_cast<double>(status_.delivered) / static_cast<double>(*status_.data_sets));
  }

  void rate() {
    page_.open("div").attribute("class", "big");
    page_.text(status_.rate ? count_words(*status_.rate) + " " : "- ");
    page_.element("small", status_.rate_seconds < 60 ? "data sets per second since the start"
                                                     : "data sets per second in the last minute");
    page_.close();
    std::string words;
    if (const auto predicted = predicted_rate(status_)) {
      words = fmt::format("predicted {} per second, {} per data set", count_words(*predicted),
                          time_words(status_.predicted_period));
    }
    if (status_.max_rate) words += fmt::format("; at most {} per second (--max-rate)", count_words(*status_.max_rate));
    if (status_.now_rate && !is_last(status_.phase)) {
      words += fmt::format("; {} in the last 5 s", count_words(*status_.now_rate));
    }
    piece("div", "sub", words);
  }

  void fact(std::string_view name, const std::string& value) {
    page_.open("div").element("dt", name).element("dd", value).close();
  }

  void facts() {
    fact("delivered", status_.data_sets ? fmt::format("{} of {}", status_.delivered, *status_.data_sets)
                                        : std::to_string(status_.delivered));
    if (!is_last(status_.phase)) {
      fact("left, at this rate", status_.seconds_left ? time_words(*status_.seconds_left) : "not known");
    } else {
      fact("took", time_words(status_.seconds));
    }
    fact("under way", status_.window > 0 ? fmt::format("{} of {}", status_.under_way, status_.window)
                                         : std::to_string(status_.under_way));
    fact("failed data sets", std::to_string(status_.failed));
    fact("started again", std::to_string(status_.restarts.size()));
    fact("mappings",
         fmt::format("{}{}", status_.mappings,
                     status_.decisions > 0
                         ? fmt::format(", looked for {}",
                                       status_.decisions == 1 ? "once" : fmt::format("{} times", status_.decisions))
                         : ""));
  }

  // The pace that the mapping and --max-rate allow.
  std::optional<double> expected_rate() const {
    const auto predicted = predicted_rate(status_);
    if (!predicted || !status_.max_rate) return predicted ? predicted : status_.max_rate;
    return std::min(*predicted, *status_.max_rate);
  }

  std::string slowest_words() const {
    const StatusProcessor* slowest = nullptr;
    for (const StatusProcessor& processor : status_.processors) {
      if (processor.slowdown.value_or(0) > (slowest != nullptr ? *slowest->slowdown : kSlow)) slowest = &processor;
    }
    if (slowest == nullptr) return "";
    return fmt::format(" {} takes {:.3g} times as long as the instance says.", slowest->name, *slowest->slowdown);
  }

  // One sentence or two that say how it stands.
  std::string headline() const {
    switch (status_.phase) {
      case RunPhase::starting:
        return "Processes are being started.";
      case RunPhase::restarting:
        return fmt::format("A job has failed, {} data sets are delivered; the next job is being started.",
                           status_.delivered);
      case RunPhase::failed:
        return fmt::format("The run has failed with {} data sets delivered. The end of the story says why.",
                           status_.delivered);
      case RunPhase::interrupted:
        return fmt::format("The run was interrupted with {} data sets delivered.", status_.delivered);
      case RunPhase::ended:
        return ended_words();
      case RunPhase::running:
        break;
    }
    return running_words();
  }

  std::string ended_words() const {
    std::string text = status_.failed == 0 ? "All data sets are delivered." : "The run has come to its end.";
    if (status_.failed > 0) text += fmt::format(" {} of them failed and have no result.", status_.failed);
    if (status_.is_rehearsal) text += " This is a rehearsal on a virtual clock: nothing was measured.";
    return text;
  }

  std::string running_words() const {
    const double still = std::max(5.0, 10 * status_.predicted_period);
    if (status_.under_way > 0 && status_.seconds_since_delivery > still) {
      return fmt::format("Nothing has been delivered for {}.{}", time_words(status_.seconds_since_delivery),
                         slowest_words());
    }
    const auto expected = expected_rate();
    const std::optional<double> rate = status_.now_rate ? status_.now_rate : status_.rate;
    if (!expected || !rate) return "The run goes on.";
    const double share = *rate / *expected;
    if (share >= kBehind) return "The run keeps the predicted pace of its mapping." + slowest_words();
    return fmt::format("The run is at {} of the predicted pace{}.{}", percent(share),
                       status_.now_rate ? " in the last 5 s" : "", slowest_words());
  }

  void story() {
    page_.open("section").element("h2", "What has happened");
    const std::size_t count = status_.events.size();
    const std::size_t latest = std::min(kLatest, count);
    if (latest < count) {
      page_.open("details").element("summary",
                                    fmt::format("{} earlier events", count - latest + status_.earlier_events));
      if (status_.earlier_events > 0) {
        piece("p", "note", fmt::format("The first {} are not kept.", status_.earlier_events));
      }
      events(0, count - latest);
      page_.close();
    }
    events(count - latest, count);
    page_.close();
  }

  void events(std::size_t first, std::size_t last) {
    page_.open("ol").attribute("class", "story");
    for (std::size_t k = first; k < last; ++k) {
      page_.open("li").element("time", time_words(status_.events[k].seconds));
      page_.element("span", sentence(status_.events[k].words)).close();
    }
    page_.raw("").close();
  }

  // Names stay as they are.
  std::string sentence(std::string words) const {
    const bool is_name = std::ranges::any_of(
        status_.processors, [&](const StatusProcessor& processor) { return words.starts_with(processor.name); });
    if (!is_name && !words.empty() && words[0] >= 'a' && words[0] <= 'z')
      words[0] = static_cast<char>(words[0] - 'a' + 'A');
    if (!words.empty() && !words.ends_with('.')) words += '.';
    return words;
  }

  struct Axes {
    double from = 0;
    double to = 1;
    double most = 1;  // data sets per second
    double x(double seconds) const { return kWide * std::clamp((seconds - from) / (to - from), 0.0, 1.0); }
    double y(double rate) const { return kHigh * (1 - std::min(1.0, rate / most)); }
  };

  // The pace between points that are far enough apart to say one.
  std::vector<std::pair<double, double>> rates() const {
    constexpr double kShown = 120;  // points
    const auto& points = status_.points;
    std::vector<std::pair<double, double>> rates;
    if (points.size() < 2) return rates;
    constexpr double kSteady = 10;  // data sets, between which a pace is one
    const double gap = std::max((points.back().seconds - points.front().seconds) / kShown,
                                std::min(kSteady * status_.predicted_period, points.back().seconds / kSteady));
    for (std::size_t a = 0, b = 1; b < points.size(); ++b) {
      const double time = points[b].seconds - points[a].seconds;
      if (time < gap || time <= 0) continue;
      rates.emplace_back(points[b].seconds, static_cast<double>(points[b].delivered - points[a].delivered) / time);
      a = b;
    }
    return rates;
  }

  std::string pace_path(const std::vector<std::pair<double, double>>& rates, const Axes& axes) const {
    std::string path;
    double from = axes.from;
    for (const auto& [to, rate] : rates) {
      path += fmt::format("{}{:.1f} {:.1f}H{:.1f}", path.empty() ? "M" : "L", axes.x(from), axes.y(rate), axes.x(to));
      from = to;
    }
    return path;
  }

  std::string predicted_path(const Axes& axes) const {
    std::string path;
    for (std::size_t k = 0; k < status_.predictions.size(); ++k) {
      const StatusPrediction& one = status_.predictions[k];
      if (one.period <= 0) continue;
      const double until = k + 1 < status_.predictions.size() ? status_.predictions[k + 1].seconds : axes.to;
      path += fmt::format("M{:.1f} {:.1f}H{:.1f}", axes.x(one.seconds), axes.y(1 / one.period), axes.x(until));
    }
    return path;
  }

  void pace() {
    const auto rates = this->rates();
    if (rates.empty()) return;
    Axes axes{status_.points.front().seconds, status_.points.back().seconds, 0};
    for (const auto& [moment, rate] : rates) axes.most = std::max(axes.most, rate);
    for (const StatusPrediction& one : status_.predictions) {
      if (one.period > 0) axes.most = std::max(axes.most, 1 / one.period);
    }
    if (axes.most <= 0) axes.most = 1;
    axes.most = round_above(1.05 * axes.most);
    page_.open("section").element("h2", "Pace");
    page_.open("div").attribute("class", "chart").open("div").attribute("class", "up");
    page_.element("span", count_words(axes.most) + " /s").element("span", "0").close();
    page_.open("svg").attribute("viewBox", fmt::format("0 0 {} {}", kWide, kHigh));
    page_.attribute("preserveAspectRatio", "none").attribute("role", "img");
    page_.attribute("aria-label", "data sets per second over time, measured and predicted");
    for (const StatusRestart& restart : status_.restarts) mark(axes.x(restart.seconds));
    for (std::size_t k = 1; k < status_.predictions.size(); ++k) mark(axes.x(status_.predictions[k].seconds));
    page_.open("path").attribute("class", "said").attribute("d", predicted_path(axes)).close();
    page_.open("path").attribute("class", "pace").attribute("d", pace_path(rates, axes)).close().close();
    page_.open("div").attribute("class", "along").element("span", time_words(axes.from));
    page_.element("span", time_words(axes.to)).close().close();
    page_.open("div").attribute("class", "key");
    key("l", "data sets per second");
    key("l said", "predicted of the mapping");
    if (status_.predictions.size() > 1 || !status_.restarts.empty()) key("l mark", "another mapping, or another start");
    page_.close().close();
  }

  void mark(double x) {
    page_.open("line").attribute("class", "mark").attribute("x1", x).attribute("x2", x);
    page_.attribute("y1", 0.0).attribute("y2", kHigh).close();
  }

  void key(std::string_view style, std::string_view words) {
    page_.open("span");
    empty("i", style);
    page_.text(words).close();
  }

  void processors() {
    page_.open("section").element("h2", "Processors");
    piece("p", "note", fmt::format("Of data set {} on: {}.", status_.mapping_from, status_.mapping));
    page_.open("div").attribute("class", "who").open("div").attribute("class", "hd");
    page_.element("span", "processor").element("span", status_.rate_seconds < 60 ? "so far" : "in the last minute");
    piece("span", "n", "slowdown");
    piece("span", "n", "waiting");
    page_.element("span", is_last(status_.phase) ? "had at the end" : "has now").close();
    for (const StatusProcessor& processor : status_.processors) row(processor);
    page_.close().open("div").attribute("class", "key");
    key("computing", "computes");
    key("transferring", "receives or sends");
    key("blocked", "has a file that waits for its receiver");
    key("starved", "waits for a file, or for a data set to begin");
    page_.close();
    piece("p", "note",
          "Slowdown: the time of the latest computations, divided by that in the instance; in brackets the estimate of "
          "an adapting run. Waiting: data sets that wait to be taken, computed or sent on.");
    page_.close();
  }

  void row(const StatusProcessor& processor) {
    page_.open("div");
    if (processor.is_left_out) page_.attribute("class", "gone");
    page_.open("span").element("b", processor.name);
    page_.element("small", processor.is_left_out      ? "left out"
                           : processor.stages.empty() ? "not in the mapping"
                                                      : processor.stages);
    page_.close();
    track(processor);
    const bool is_slow = processor.slowdown.value_or(1) > kSlow;
    page_.open("span").attribute("class", is_slow ? "n slow" : "n");
    piece("span", "label", "slowdown ");
    page_.text(processor.slowdown ? slowdown_words(*processor.slowdown) : "-");
    if (processor.believed) page_.text(fmt::format(" ({})", slowdown_words(*processor.believed)));
    page_.close().open("span").attribute("class", "n");
    piece("span", "label", "waiting ");
    page_.text(std::to_string(processor.queue)).close();
    page_.element("small", held_words(processor)).close();
  }

  void track(const StatusProcessor& processor) {
    if (!processor.shares) {
      piece("span", "dim", processor.is_left_out ? "" : processor.stages.empty() ? "no process" : "has not answered");
      return;
    }
    const ActivityShares& shares = *processor.shares;
    const std::array<std::pair<const char*, double>, 4> parts = {{{"computing", shares.computing},
                                                                  {"transferring", shares.transferring},
                                                                  {"blocked", shares.blocked},
                                                                  {"starved", shares.starved}}};
    std::string words;
    for (const auto& [name, share] : parts) {
      words += fmt::format("{}{} {}", words.empty() ? "" : ", ", name, percent(share));
    }
    page_.open("div").attribute("class", "track").attribute("role", "img").attribute("title", words);
    page_.attribute("aria-label", words);
    for (const auto& [name, share] : parts) {
      page_.open("i").attribute("class", name).attribute("style", fmt::format("width:{:.2f}%", share * 100));
      page_.raw("").close();
    }
    page_.close();
  }

  static std::string held_words(const StatusProcessor& processor) {
    std::string words;
    for (const StatusHolding& holding : processor.holds) {
      if (!words.empty()) words += "; ";
      words += holding.receiver.empty()
                   ? fmt::format("data set {}{} for {}", holding.data_set,
                                 holding.stages.empty() ? "" : " in " + holding.stages, time_words(holding.seconds))
                   : fmt::format("data set {}, for {} to take, for {}", holding.data_set, holding.receiver,
                                 time_words(holding.seconds));
    }
    return words.empty() ? "nothing" : words;
  }

  void bottom() {
    page_.open("footer");
    page_.text(fmt::format("takt {}.", TAKT_VERSION));
    if (goes_on()) page_.text(" takt run renews this page every second, and the page reloads itself every two.");
    if (status_.is_rehearsal) page_.text(" Times are those of a virtual clock; no process was started.");
    page_.close();
  }

  const LiveStatus& status_;
  std::string text_;
  SvgWriter page_;
};

}  // namespace

std::string status_page(const LiveStatus& status) { return PageBuilder(status).build(); }

}  // namespace takt::tools
