// Hands a page to the template; the only user of the library that fills it.
#include "tools/report/page_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <kainjow/mustache.hpp>

#include "maxplus/contract.hpp"
#include "tools/report/page_colors.hpp"

namespace takt::tools {

namespace {

using Fields = kainjow::mustache::data;
using FieldList = kainjow::mustache::list;

// The template leaves out what there is no text for.
Fields text_or_nothing(const std::string& text) { return text.empty() ? Fields(false) : Fields(text); }

Fields coordinate(double value) {
  std::string text = fmt::format("{:.1f}", value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return Fields(text);
}

Fields percentage(double share) { return Fields(fmt::format("{:.2f}", share * 100)); }

Fields mark(bool is_critical) { return Fields(is_critical ? " k" : ""); }

template <typename Range, typename Make>
FieldList list_of(const Range& range, const Make& make) {
  FieldList list;
  for (const auto& item : range) list.push_back(make(item));
  return list;
}

Fields fact(const PageFact& fact) {
  Fields fields;
  fields.set("name", fact.name);
  fields.set("value", fact.value);
  fields.set("note", text_or_nothing(fact.note));
  return fields;
}

Fields advice(const PageAdvice& advice) {
  if (advice.change.empty()) return Fields(false);
  Fields fields;
  fields.set("before", advice.before);
  fields.set("change", advice.change);
  fields.set("between", advice.between);
  fields.set("gain", advice.gain);
  fields.set("after", advice.after);
  return fields;
}

Fields shares(const PageShares& shares) {
  if (!shares.is_shown) return Fields(false);
  Fields fields;
  fields.set("introduction", shares.introduction);
  std::string description;
  for (const PageShare& part : shares.parts) {
    description += fmt::format("{}{}: {}", description.empty() ? "" : ", ", part.operation, part.time);
  }
  fields.set("description", description);
  fields.set("parts", list_of(shares.parts, [](const PageShare& part) {
               Fields one;
               one.set("operation", part.operation);
               one.set("label", part.label);
               one.set("time", part.time);
               one.set("exact", part.exact);
               one.set("flex", percentage(part.share));
               return one;
             }));
  return fields;
}

Fields bar(const PageBar& bar) {
  Fields fields;
  fields.set("kind", std::string(1, bar.kind));
  fields.set("bx", coordinate(bar.x));
  fields.set("by", coordinate(bar.y));
  fields.set("bw", coordinate(bar.width));
  fields.set("bh", coordinate(bar.height));
  return fields;
}

Fields box(const PageBox& box, double width) {
  constexpr double kPadding = PagePipeline::kPadding;
  Fields fields;
  fields.set("width", coordinate(width));
  fields.set("inner", coordinate(width - 2 * kPadding));
  fields.set("k", mark(box.is_critical));
  fields.set("title", box.title);
  fields.set("name", box.name);
  fields.set("busy", box.busy);
  fields.set("work", box.work);
  fields.set("least", text_or_nothing(box.least));
  fields.set("has_bars", Fields(box.has_bars));
  fields.set("x", coordinate(box.x));
  fields.set("y", coordinate(box.y));
  fields.set("left", coordinate(box.x + kPadding));
  fields.set("right", coordinate(box.x + width - kPadding));
  fields.set("line1", coordinate(box.y + 22));
  fields.set("line2", coordinate(box.y + 39));
  fields.set("line3", coordinate(box.y + 54));
  fields.set("track", coordinate(box.y + 47));
  fields.set("bars", list_of(box.bars, bar));
  return fields;
}

Fields curve(const PageCurve& curve) {
  Fields fields;
  fields.set("k", mark(curve.is_critical));
  fields.set("path", curve.path);
  fields.set("stroke", coordinate(curve.width));
  fields.set("title", curve.title);
  return fields;
}

FieldList curve_labels(const PagePipeline& pipeline) {
  FieldList labels;
  for (const PageCurve& curve : pipeline.curves) {
    if (curve.label.empty()) continue;
    Fields fields;
    fields.set("k", mark(curve.is_critical));
    fields.set("x", coordinate(curve.x));
    fields.set("y", coordinate(curve.y));
    fields.set("label", curve.label);
    labels.push_back(fields);
  }
  return labels;
}

Fields pipeline(const PagePipeline& pipeline) {
  // Texts of 12.5 are read best at about their own size.
  constexpr double kWidest = 1.12;
  constexpr double kNarrowest = 0.72;
  Fields fields;
  fields.set("introduction", pipeline.introduction);
  fields.set("description", pipeline.description);
  fields.set("width", coordinate(pipeline.width));
  fields.set("height", coordinate(pipeline.height));
  fields.set("widest", fmt::format("{:.0f}", pipeline.width * kWidest));
  fields.set("narrowest", fmt::format("{:.0f}", pipeline.width * kNarrowest));
  fields.set("headings", list_of(pipeline.headings, [](const PageHeading& heading) {
               Fields one;
               one.set("text", heading.text);
               one.set("x", coordinate(heading.x));
               one.set("y", coordinate(heading.y));
               return one;
             }));
  fields.set("curves", list_of(pipeline.curves, curve));
  fields.set("labels", curve_labels(pipeline));
  fields.set("boxes", list_of(pipeline.boxes, [&](const PageBox& one) { return box(one, pipeline.box_width); }));
  return fields;
}

Fields chart(const PageChart& chart) {
  if (chart.markup.empty()) return Fields(false);
  Fields fields;
  fields.set("markup", chart.markup);
  fields.set("has_critical", Fields(chart.has_critical));
  fields.set("cut", list_of(chart.cut, [](const std::string& text) { return Fields("text", text); }));
  return fields;
}

Fields lap(const PageLap& lap) {
  if (!lap.is_shown) return Fields(false);
  Fields fields;
  fields.set("introduction", lap.introduction);
  fields.set("chart", chart(lap.chart));
  return fields;
}

// The reason stands on that side of its bar if there is more room, or on the bar.
const char* side_of_reason(const PageStep& step) {
  constexpr double kEnough = 0.45;
  const double behind = 1 - step.start - step.width;
  if (std::max(step.start, behind) < kEnough && step.width > kEnough) return " within";
  return step.start > behind ? " before" : "";
}

Fields steps(const PageSteps& steps) {
  if (!steps.is_shown) return Fields(false);
  Fields fields;
  fields.set("introduction", steps.introduction);
  fields.set("step", list_of(steps.steps, [](const PageStep& step) {
               Fields one;
               one.set("operation", step.operation);
               one.set("data_set", step.data_set);
               one.set("duration", step.duration.readable);
               one.set("exact", text_or_nothing(step.duration.exact));
               one.set("start", percentage(step.start));
               one.set("span", percentage(step.width));
               one.set("side", side_of_reason(step));
               one.set("why", step.why);
               return one;
             }));
  fields.set("left_out", text_or_nothing(steps.left_out));
  return fields;
}

Fields help(const PageHelp& help) {
  Fields fields;
  fields.set("name", help.name);
  fields.set("critical", Fields(help.is_critical));
  fields.set("value", help.value.readable);
  fields.set("exact", text_or_nothing(help.value.exact));
  fields.set("curve", text_or_nothing(help.curve));
  fields.set("dot", coordinate(help.dot));
  fields.set("gain", help.helps ? "gain" : "zero");
  fields.set("gain_free", help.helps ? "some" : "zero");
  fields.set("faster", help.faster);
  fields.set("free", help.free);
  fields.set("limit", help.limit);
  fields.set("slack", help.slack);
  fields.set("slack_note", text_or_nothing(help.slack_note));
  return fields;
}

Fields helps(const PageHelps& helps) {
  if (!helps.is_shown) return Fields(false);
  Fields fields;
  fields.set("introduction", helps.introduction);
  fields.set("caption", helps.caption);
  fields.set("has_rows", Fields(!helps.first.empty()));
  fields.set("first", list_of(helps.first, help));
  fields.set("has_rest", Fields(!helps.rest.empty()));
  fields.set("rest", list_of(helps.rest, help));
  fields.set("summary", helps.summary);
  fields.set("left_out", text_or_nothing(helps.left_out));
  fields.set("one_more", text_or_nothing(helps.one_more));
  return fields;
}

Fields load(const PageLoad& load) {
  Fields fields;
  fields.set("name", load.name);
  fields.set("description", load.description);
  fields.set("utilization", load.utilization);
  fields.set("note", load.note);
  FieldList bars;
  for (const auto& [kind, share] : {std::pair{"r", load.receives}, {"c", load.computes}, {"s", load.sends}}) {
    Fields one;
    one.set("kind", kind);
    one.set("share", percentage(share));
    bars.push_back(one);
  }
  fields.set("bar", bars);
  return fields;
}

Fields loads(const PageLoads& loads) {
  Fields fields;
  fields.set("introduction", loads.introduction);
  fields.set("three", Fields(!loads.is_stacked));
  fields.set("form", loads.is_stacked ? "track" : "three");
  fields.set("processors", list_of(loads.processors, load));
  fields.set("left_out", text_or_nothing(loads.left_out));
  return fields;
}

// A number, and its exact text under a name of its own.
void set_number(Fields& fields, const char* name, const char* exact_name, const PageNumber& number) {
  fields.set(name, number.readable);
  fields.set(exact_name, text_or_nothing(number.exact));
}

Fields plan_table(const PageTable& table) {
  if (table.rows.empty()) return Fields(false);
  // A column without texts is left out.
  const auto is_shown = [&](std::size_t column) {
    return std::ranges::any_of(table.rows, [&](const auto& row) { return !row[column].empty(); });
  };
  const auto cell = [&](std::size_t column, const std::string& text) {
    Fields one;
    one.set("text", text);
    one.set("style", table.headings[column].is_number ? " class=\"n\"" : "");
    return one;
  };
  const auto cells = [&](const auto& text_of) {
    FieldList list;
    for (std::size_t k = 0; k < table.headings.size(); ++k) {
      if (is_shown(k)) list.push_back(cell(k, text_of(k)));
    }
    return list;
  };
  Fields fields;
  fields.set("headings", cells([&](std::size_t k) { return table.headings[k].text; }));
  fields.set("rows", list_of(table.rows, [&](const std::vector<std::string>& row) {
               Fields one;
               one.set("cells", cells([&](std::size_t k) { return row[k]; }));
               return one;
             }));
  return fields;
}

Fields plan(const PagePlan& plan) {
  if (!plan.is_shown) return Fields(false);
  Fields fields;
  fields.set("headline", plan.headline);
  fields.set("claims", text_or_nothing(plan.claims));
  fields.set("parts", plan_table(plan.parts));
  fields.set("stay", text_or_nothing(plan.stay));
  fields.set("upgrades", plan_table(plan.upgrades));
  fields.set("neighbors", text_or_nothing(plan.neighbors));
  fields.set("plot", text_or_nothing(plan.plot));
  fields.set("plot_description", plan.plot_description);
  return fields;
}

Fields vary(const PageVary& vary) {
  if (!vary.is_shown) return Fields(false);
  Fields fields;
  fields.set("claim", vary.claim);
  fields.set("note", vary.note);
  fields.set("plot", text_or_nothing(vary.plot));
  fields.set("plot_description", vary.plot_description);
  return fields;
}

Fields rooms(const PageRooms& rooms) {
  if (rooms.text.empty()) return Fields(false);
  Fields fields;
  fields.set("text", rooms.text);
  fields.set("more", rooms.more);
  return fields;
}

Fields start_up(const PageStartUp& start_up) {
  Fields fields;
  fields.set("introduction", start_up.introduction);
  fields.set("chart", chart(start_up.chart));
  fields.set("has_completions", Fields(!start_up.completions.empty()));
  fields.set("completions", list_of(start_up.completions, [](const PageCompletion& completion) {
               Fields one;
               one.set("sets", completion.data_sets);
               set_number(one, "time", "exact1", completion.time);
               set_number(one, "each", "exact2", completion.per_data_set);
               return one;
             }));
  fields.set("has_stays", Fields(!start_up.stays.empty()));
  fields.set("caption", start_up.caption);
  fields.set("stays", list_of(start_up.stays, [](const PageStay& stay) {
               Fields one;
               one.set("class", stay.data_set);
               set_number(one, "alone", "exact1", stay.alone);
               set_number(one, "paced", "exact2", stay.paced);
               return one;
             }));
  fields.set("left_out", text_or_nothing(start_up.left_out));
  return fields;
}

Fields schedule(const PageSchedule& schedule) {
  if (schedule.operations.empty()) return Fields(false);
  Fields fields;
  fields.set("introduction", schedule.introduction);
  fields.set("floats", Fields(schedule.has_floats));
  fields.set("operations", list_of(schedule.operations, [](const PageOperation& operation) {
               Fields one;
               one.set("operation", operation.operation);
               one.set("data_set", operation.data_set);
               one.set("critical", Fields(operation.is_critical));
               set_number(one, "start", "exact1", operation.start);
               set_number(one, "end", "exact2", operation.end);
               set_number(one, "grow", "exact3", operation.may_grow_by);
               return one;
             }));
  fields.set("left_out", text_or_nothing(schedule.left_out));
  return fields;
}

Fields sources(const PageSources& sources) {
  Fields fields;
  fields.set("witnesses", sources.witnesses);
  fields.set("command", text_or_nothing(sources.command));
  fields.set("has_downloads", Fields(!sources.downloads.empty()));
  FieldList downloads;
  for (const PageDownload& download : sources.downloads) {
    Fields one;
    one.set("separator", downloads.empty() ? "" : " · ");
    one.set("name", download.name);
    one.set("base64", download.base64);
    downloads.push_back(one);
  }
  fields.set("downloads", downloads);
  fields.set("left_out", list_of(sources.left_out, [](const std::string& text) { return Fields("text", text); }));
  return fields;
}

void set_headline(Fields& fields, const PageHeadline& headline) {
  fields.set("title", headline.title);
  constexpr std::size_t kLong = 12;
  fields.set("period", headline.period);
  fields.set("long", headline.period.size() > kLong ? " long" : "");
  fields.set("unit", headline.unit);
  fields.set("exactly", headline.exactly);
  fields.set("facts", list_of(headline.facts, fact));
  fields.set("lead", headline.bottleneck.lead);
  fields.set("rest", headline.bottleneck.rest);
  fields.set("advice", advice(headline.advice));
  fields.set("proved", Fields(headline.is_proved));
  fields.set("proof", headline.proof);
}

}  // namespace

std::string write_page(const ReportPage& page) {
  Fields fields;
  fields.set("version", TAKT_VERSION);
  fields.set("style", page_colors() + page_template().style);
  fields.set("script", page_template().script);
  fields.set("file", page.file);
  fields.set("model", page.model);
  fields.set("item", page.item);
  fields.set("items", page.items);
  set_headline(fields, page.headline);
  fields.set("shares", shares(page.shares));
  fields.set("pipeline", pipeline(page.pipeline));
  fields.set("lap", lap(page.lap));
  fields.set("steps", steps(page.steps));
  fields.set("helps", helps(page.helps));
  fields.set("plan", plan(page.plan));
  fields.set("vary", vary(page.vary));
  fields.set("loads", loads(page.loads));
  fields.set("rooms", rooms(page.rooms));
  fields.set("start_up", start_up(page.start_up));
  fields.set("schedule", schedule(page.schedule));
  fields.set("sources", sources(page.sources));
  fields.set("footer", page.footer);
  kainjow::mustache::mustache filled(page_template().html);
  std::string html = filled.render(fields);
  maxplus::expects(filled.is_valid(), "the page's template is well-formed");
  return html;
}

}  // namespace takt::tools
