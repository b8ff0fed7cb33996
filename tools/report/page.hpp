// What the page of a report says, as plain data: every text, number and coordinate, and nothing of HTML.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace takt::tools {

/// A number to be read and, where that is not all of it, the exact one.
struct PageNumber {
  std::string readable;
  std::string exact;  // or empty
};

/// One of the facts beside the period.
struct PageFact {
  std::string name;
  std::string value;
  std::string note;  // small and grey; may be empty
};

/// A sentence whose beginning stands out.
struct PageSentence {
  std::string lead;
  std::string rest;
};

/// What helps most: "a 10 % faster P0 → P2" gives "3.9 %" more; nothing if `change` is empty.
struct PageAdvice {
  std::string before;
  std::string change;
  std::string between;
  std::string gain;
  std::string after;
};

struct PageHeadline {
  std::string title;   // of the document
  std::string period;  // large
  std::string unit;    // beside it
  std::string exactly;
  std::vector<PageFact> facts;
  PageSentence bottleneck;
  PageAdvice advice;
  bool is_proved = false;
  std::string proof;  // what was verified, or why nothing was
};

/// A part of the bar that adds up to the period.
struct PageShare {
  std::string operation;
  std::string label;  // empty if the part is too narrow for it
  double share = 0;   // of the period, from 0 to 1
  std::string time;   // per data set
  std::string exact;
};

struct PageShares {
  bool is_shown = false;
  std::string introduction;
  std::vector<PageShare> parts;
};

struct PageBar {
  char kind = 'c';  // r, c, s: receives, computes, sends
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
};

/// A processor that serves a part; or a part, if there are too many processors.
struct PageBox {
  std::string name;
  std::string busy;
  std::string work;
  std::string least;  // in place of bars
  std::string title;  // all of it in full
  bool is_critical = false;
  double x = 0;
  double y = 0;
  bool has_bars = false;
  std::vector<PageBar> bars;  // shares of the period
};

struct PageHeading {
  std::string text;
  double x = 0;
  double y = 0;
};

/// A transfer between two boxes: a path, and the time of one file if there is a place for it.
struct PageCurve {
  std::string path;
  double width = 1;
  bool is_critical = false;
  std::string title;
  std::string label;  // or empty
  double x = 0;
  double y = 0;
};

struct PagePipeline {
  static constexpr double kBoxHeight = 62;
  static constexpr double kPadding = 12;  // of a box, on either side
  double box_width = 0;
  std::string introduction;
  std::string description;  // for those who do not see it
  double width = 0;
  double height = 0;
  std::vector<PageHeading> headings;
  std::vector<PageBox> boxes;
  std::vector<PageCurve> curves;  // the critical ones last
};

/// A Gantt chart.
struct PageChart {
  std::string markup;  // by tools/gantt; empty if there is no chart
  std::vector<std::string> cut;
  bool has_critical = false;
};

/// The steady state over one lap of the critical circuit.
struct PageLap {
  bool is_shown = false;
  std::string introduction;
  PageChart chart;
};

/// A step of the critical circuit.
struct PageStep {
  std::string operation;
  std::string data_set;
  PageNumber duration;
  double start = 0;  // share of the time axis
  double width = 0;
  std::string why;
};

struct PageSteps {
  bool is_shown = false;
  std::string introduction;
  std::vector<PageStep> steps;
  std::string left_out;
};

/// The effect of one number of the instance on the period.
struct PageHelp {
  std::string name;
  PageNumber value;
  std::string curve;  // a path in a field of kCurveWidth x kCurveHeight; empty if it is not drawn
  double dot = 0;     // the period now, half way along
  std::string faster;
  std::string free;
  std::string limit;
  std::string slack;
  std::string slack_note;
  bool helps = false;
  bool is_critical = false;
};

struct PageHelps {
  static constexpr double kCurveWidth = 92;
  static constexpr double kCurveHeight = 26;
  bool is_shown = false;
  std::string introduction;
  std::string caption;
  std::vector<PageHelp> first;
  std::vector<PageHelp> rest;  // folded up
  std::string summary;         // of the rest
  std::string left_out;
  std::string one_more;  // of ports and cores
};

/// How busy one processor is.
struct PageLoad {
  std::string name;
  std::string description;
  std::string utilization;
  std::string note;
  double receives = 0;  // shares, from 0 to 1
  double computes = 0;
  double sends = 0;
};

struct PageLoads {
  std::string introduction;
  bool is_stacked = false;  // one bar; else three
  std::vector<PageLoad> processors;
  std::string left_out;
};

/// What buffers have to hold; nothing if `text` is empty.
struct PageRooms {
  std::string text;
  std::string more;
};

/// Completion times of the first data sets, from an empty pipeline.
struct PageCompletion {
  std::string data_sets;
  PageNumber time;
  PageNumber per_data_set;
};

/// How long a class of data sets stays.
struct PageStay {
  std::string data_set;
  PageNumber alone;
  PageNumber paced;
};

struct PageStartUp {
  std::string introduction;
  PageChart chart;
  std::vector<PageCompletion> completions;
  std::string caption;  // of the stays
  std::vector<PageStay> stays;
  std::string left_out;
};

/// An operation of the paced schedule.
struct PageOperation {
  std::string operation;
  std::string data_set;
  PageNumber start;
  PageNumber end;
  PageNumber may_grow_by;
  bool is_critical = false;
};

struct PageSchedule {
  std::string introduction;
  bool has_floats = false;
  std::vector<PageOperation> operations;
  std::string left_out;
};

/// A file that the page carries.
struct PageDownload {
  std::string name;
  std::string base64;
};

struct PageSources {
  std::string witnesses;
  std::string command;  // that checks
  std::vector<PageDownload> downloads;
  std::vector<std::string> left_out;
};

/// A table of texts.
struct PageTable {
  struct Heading {
    std::string text;
    bool is_number = false;  // to the right
  };
  std::vector<Heading> headings;
  std::vector<std::vector<std::string>> rows;
};

/// Of an instance that takt plan made: how it lies among other plans.
struct PagePlan {
  bool is_shown = false;
  std::string headline;
  std::string claims;
  PageTable parts;
  std::string stay;
  PageTable upgrades;
  std::string neighbors;
  std::string plot;  // SVG, as base64; may be empty
  std::string plot_description;
};

/// Of an instance whose times vary.
struct PageVary {
  bool is_shown = false;
  std::string claim;
  std::string note;
  std::string plot;  // SVG, as base64; may be empty
  std::string plot_description;
};

struct ReportPage {
  std::string file;
  std::string model;
  std::string item;   // "frame", what people call a data set
  std::string items;  // several
  PageHeadline headline;
  PageShares shares;
  PagePipeline pipeline;
  PageLap lap;
  PageSteps steps;
  PageHelps helps;
  PagePlan plan;
  PageLoads loads;
  PageRooms rooms;
  PageVary vary;
  PageStartUp start_up;
  PageSchedule schedule;
  PageSources sources;
  std::string footer;
};

}  // namespace takt::tools
