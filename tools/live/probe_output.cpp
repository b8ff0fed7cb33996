// Large tables are told by their extremes.
#include "tools/live/probe_output.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <ostream>
#include <utility>
#include <vector>

#include "live/probing/significant.hpp"
#include "tools/words/json_results.hpp"
#include "tools/words/number_words.hpp"
#include "tools/words/table.hpp"
#include "tools/words/time_words.hpp"
#include "tpn/ends.hpp"
#include "tpn/json.hpp"

namespace takt::tools {

namespace {

using live::Likeness;
using live::MeasuredLink;
using live::ProbedDocument;
using maxplus::Rational;

// Columns of processors, and rows of links, that are shown.
constexpr std::size_t kMostColumns = 8;
constexpr std::size_t kMostLinks = 20;
// What a measured time is worth, as a rule.
constexpr int kDigits = 4;

class ProbeText {
 public:
  ProbeText(std::ostream& out, const PreparedProbe& asked, const ProbedDocument& probed)
      : out_(out),
        terms_(*asked.plan.probe),
        decides_(!asked.fit.is_alike.has_value()),
        probed_(probed),
        document_(probed.document),
        words_(document_) {}

  void write() {
    write_times();
    write_fit();
    if (decides_) write_likeness("processors", probed_.processors, terms_.repeats, "--repeat");
    if (probed_.links.empty()) return;
    out_ << '\n';
    write_links();
    if (decides_) write_likeness("links", probed_.links_by_size, terms_.exchanges, "--round-trips");
  }

 private:
  std::size_t processors() const { return document_.platform.processors.size(); }
  std::string stage(std::size_t k) const { return printable(document_.application.stages[k].name); }
  std::string processor(std::size_t p) const {
    if (p < processors()) return printable(document_.platform.processors[p].name);
    const std::string& name = tpn::end_at(document_.platform, p).name;
    if (!name.empty()) return printable(name);
    return tpn::EndNumbers(document_.platform).is_source(p) ? "(source)" : "(sink)";
  }
  std::string time(const Rational& seconds) const { return words_.readable(live::significant(seconds, kDigits)); }
  std::string size(const Rational& bytes) const { return words_.readable(bytes, tpn::Quantity::size); }

  void write_times() {
    fmt::print(out_, "{} on {}, {} each, {}; medians\n", plural(document_.application.stages.size(), "stage"),
               plural(processors(), "processor"), plural(terms_.repeats, "time"),
               terms_.in_turn ? "one processor after the other" : "all processors at once");
    Table table;
    const bool is_wide = processors() > kMostColumns;
    table.columns = {{"stage"}};
    if (is_wide) {
      for (const char* heading : {"fastest", "on", "slowest", "on"}) table.columns.push_back({heading, Align::right});
    }
    for (std::size_t p = 0; p < processors() && !is_wide; ++p) table.columns.push_back({processor(p), Align::right});
    table.columns.push_back({"file behind it", Align::right});
    for (std::size_t k = 0; k < probed_.times.size(); ++k) {
      auto& row = table.rows.emplace_back();
      row.push_back(stage(k));
      is_wide ? add_extremes(row, k) : add_times(row, k);
      row.push_back(size(document_.application.stages[k].output.value_or(0)));
    }
    table.write(out_);
  }

  void add_times(std::vector<std::string>& row, std::size_t k) const {
    for (const auto& seconds : probed_.times[k]) row.push_back(seconds ? time(*seconds) : "-");
  }

  void add_extremes(std::vector<std::string>& row, std::size_t k) const {
    std::optional<std::size_t> least;
    std::optional<std::size_t> most;
    const auto& times = probed_.times[k];
    for (std::size_t p = 0; p < times.size(); ++p) {
      if (!times[p]) continue;
      if (!least || *times[p] < *times[*least]) least = p;
      if (!most || *times[p] > *times[*most]) most = p;
    }
    for (const auto& extreme : {least, most}) {
      row.push_back(extreme ? time(*times[*extreme]) : "-");
      row.push_back(extreme ? processor(*extreme) : "");
    }
  }

  void write_fit() {
    if (terms_.one_stage) {
      fmt::print(out_, "\nworks are those of {}, speeds those of {}\n", processor(0), stage(*terms_.one_stage));
      return;
    }
    if (!probed_.has_fit) {
      out_ << "\nno speed of a processor follows from the times: each stage has times of its own where it runs\n";
      return;
    }
    const live::SpeedFit& fit = probed_.fit;
    fmt::print(out_, "\ntime = work / speed is off by {} at worst{}: {}\n", percent(fit.worst_misfit),
               fit.worst_misfit.sign() > 0
                   ? fmt::format(" ({} on {})", stage(fit.worst_stage), processor(fit.worst_processor))
                   : "",
               probed_.has_own_times          ? own_times_words()
               : probed_.has_alike_processors ? "stages have works, all processors one speed"
                                              : "stages have works, processors speeds");
  }

  const char* own_times_words() const {
    const bool is_everywhere = std::ranges::all_of(probed_.times, [](const auto& times) {
      return std::ranges::all_of(times, [](const auto& time) { return time.has_value(); });
    });
    return is_everywhere ? "each stage has a time of its own for each processor"
                         : "each stage has times of its own where it runs";
  }

  // What was decided, by which numbers, and how to have it otherwise.
  void write_likeness(const char* things, const std::optional<Likeness>& likeness, std::uint64_t repeats,
                      const char* option) {
    if (!likeness) {
      if (repeats >= live::kFewestRepeats) return;
      fmt::print(out_, "too few repeats to tell whether {} are alike: {} {} or more\n", things, option,
                 live::kFewestRepeats);
      return;
    }
    const auto share = [](double deviation) {
      return deviation > 0 && deviation < 0.001 ? "less than 0.1 %" : fmt::format("{:.1f} %", 100 * deviation);
    };
    const char* const why = !likeness->is_alike                        ? ""
                            : likeness->difference <= likeness->spread ? ""
                                                                       : ", not enough to tell them apart";
    fmt::print(out_, "{} are {}alike: they differ by {}, repeats of one by {} (standard deviations){}; {}\n", things,
               likeness->is_alike ? "" : "not ", share(likeness->difference), share(likeness->spread), why,
               likeness->is_alike ? "--apart keeps them apart" : "--alike makes them alike");
  }

  // If there are many, those of the worst misfits.
  void write_links() {
    std::vector<const MeasuredLink*> links;
    for (const MeasuredLink& link : probed_.links) links.push_back(&link);
    const auto misfit = [](const MeasuredLink* link) { return link->fit.worst_misfit; };
    const MeasuredLink& worst = **std::ranges::max_element(links, {}, misfit);
    const bool is_long = links.size() > kMostLinks;
    if (is_long) {
      std::ranges::stable_sort(links, std::ranges::greater(), misfit);
      links.resize(kMostLinks);
    }
    Table table;
    table.columns = {{"link"},
                     {"latency", Align::right},
                     {"bandwidth", Align::right},
                     {"off by", Align::right},
                     {"with a file of", Align::right}};
    for (const MeasuredLink* link : links) {
      const live::LinkFit& fit = link->fit;
      table.rows.push_back({ends(*link), time(fit.latency),
                            fit.bandwidth
                                ? words_.readable(live::significant(*fit.bandwidth, kDigits), tpn::Quantity::bandwidth)
                                : "any",
                            percent(fit.worst_misfit), size(link->samples[fit.worst_sample].size)});
    }
    fmt::print(out_, "{}, {} of each of {}; medians, one way\n", plural(probed_.links.size(), "link"),
               plural(terms_.exchanges, "round trip"), plural(terms_.sizes.size(), "size"));
    table.write(out_);
    if (is_long) fmt::print(out_, "  and {} more\n", probed_.links.size() - kMostLinks);
    const std::string of =
        fmt::format(" ({}, a file of {})", ends(worst), size(worst.samples[worst.fit.worst_sample].size));
    fmt::print(out_, "\ntime = latency + size / bandwidth is off by {} at worst{}{}\n", percent(worst.fit.worst_misfit),
               worst.fit.worst_misfit.sign() > 0 ? of : "",
               probed_.has_alike_links ? ": one latency and bandwidth for all links" : "");
  }

  std::string ends(const MeasuredLink& link) const {
    return fmt::format("{} - {}", processor(link.pair.from), processor(link.pair.to));
  }

  std::ostream& out_;
  const live::ProbeTerms& terms_;
  bool decides_;  // whether processors and links are alike
  const ProbedDocument& probed_;
  const tpn::Document& document_;
  TimeWords words_;
};

void write_stages(tpn::JsonWriter& json, const ProbedDocument& probed) {
  const tpn::Document& document = probed.document;
  json.key("stage_times");
  json.begin_array();
  for (std::size_t k = 0; k < probed.times.size(); ++k) {
    json.begin_object(tpn::JsonLayout::line);
    json.member("name", document.application.stages[k].name);
    json.key("seconds_by_processor");
    json.begin_object();
    for (std::size_t p = 0; p < probed.times[k].size(); ++p) {
      const auto& time = probed.times[k][p];
      if (time) json.member(document.platform.processors[p].name, time->to_double());
    }
    json.end();
    json.member("output_bytes", document.application.stages[k].output->to_double());
    json.end();
  }
  json.end();
}

// A name, or null and which end without a name it is.
void write_end(tpn::JsonWriter& json, const char* key, const tpn::Document& document, std::size_t processor) {
  const auto& processors = document.platform.processors;
  if (processor < processors.size()) return json.member(key, processors[processor].name);
  const std::string& name = tpn::end_at(document.platform, processor).name;
  if (!name.empty()) return json.member(key, name);
  json.member(key, nullptr);
  json.member("outer_end", tpn::EndNumbers(document.platform).is_source(processor) ? "source" : "sink");
}

void write_links(tpn::JsonWriter& json, const ProbedDocument& probed) {
  write_objects(json, "links", probed.links, [&](const MeasuredLink& link) {
    write_end(json, "from", probed.document, link.pair.from);
    write_end(json, "to", probed.document, link.pair.to);
    json.member("latency_seconds", link.fit.latency.to_double());
    json.key("bytes_per_second");
    link.fit.bandwidth ? json.value(link.fit.bandwidth->to_double()) : json.value(nullptr);
    json.member("misfit", link.fit.worst_misfit.to_double());
    write_list(json, "seconds_by_size", link.samples,
               [&](const live::LinkSample& sample) { json.value(sample.time.to_double()); });
  });
}

void write_likeness_json(tpn::JsonWriter& json, const char* key, const std::optional<Likeness>& likeness) {
  if (!likeness) return json.member(key, nullptr);
  json.key(key);
  json.begin_object();
  json.member("difference", likeness->difference);
  json.member("spread", likeness->spread);
  json.end();
}

}  // namespace

void write_probe(std::ostream& out, const PreparedProbe& asked, const ProbedDocument& probed) {
  ProbeText(out, asked, probed).write();
}

void write_probe_json(tpn::JsonWriter& json, const PreparedProbe& asked, const ProbedDocument& probed,
                      const std::string& file, const std::string& output) {
  const live::ProbeTerms& terms = *asked.plan.probe;
  json.begin_object();
  json.member("file", file);
  json.member("output_file", output);
  json.member("kernel", live::name_of(asked.plan.kernel));
  json.member("ranks", asked.plan.processors.size() + 1);
  json.member("repeats", terms.repeats);
  json.member("in_turn", terms.in_turn);
  json.key("one_stage");
  terms.one_stage ? json.value(asked.document.application.stages[*terms.one_stage].name) : json.value(nullptr);
  json.key("misfit");
  terms.one_stage || !probed.has_fit ? json.value(nullptr) : json.value(probed.fit.worst_misfit.to_double());
  json.member("alike", probed.has_alike_processors);
  json.member("links_alike", probed.has_alike_links);
  write_likeness_json(json, "processor_likeness", probed.processors);
  write_likeness_json(json, "link_likeness", probed.links_by_size);
  json.member("own_times", probed.has_own_times);
  write_stages(json, probed);
  json.member("round_trips", terms.exchanges);
  json.member("sizes", terms.sizes);
  write_links(json, probed);
  json.end();
}

}  // namespace takt::tools
