// What a probe has measured as a document in seconds: works, speeds, sizes and links.
#pragma once

#include <optional>
#include <vector>

#include "live/probing/likeness.hpp"
#include "live/probing/link_fit.hpp"
#include "live/probing/probe.hpp"
#include "live/probing/speed_fit.hpp"
#include "tpn/document.hpp"

namespace takt::live {

struct MeasuredLink {
  ProbedPair pair;
  std::vector<LinkSample> samples;  // bytes, and seconds of a message one way: half a round trip
  LinkFit fit;
};

struct ProbedDocument {
  tpn::Document document;
  std::vector<std::vector<std::optional<Rational>>> times;  // seconds per data set: medians, by stage, then processor
  SpeedFit fit;                                             // of times per firing
  bool has_fit = true;                                      // stages and processors have times in common
  bool has_alike_processors = false;                        // all have one speed
  std::optional<Likeness> processors;                       // by stage; nothing if that was not asked, or not told
  bool has_alike_links = false;                             // all have one latency and bandwidth
  std::optional<Likeness> links_by_size;                    // likewise, by kind of link and size
  bool has_own_times = false;                               // a time for each stage and processor, in place of the fit
  std::vector<MeasuredLink> links;
};

/// How measured times become works, speeds and links.
struct ProbeFit {
  Rational most_misfit;  // of works and speeds; less does not count between processors or links either
  /// One speed for all processors, one latency and bandwidth for all links; nothing: for each of both where they are
  /// found alike (live/probing/likeness.hpp).
  std::optional<bool> is_alike = false;
};

/// The document that was asked for, with what was measured in place of all that it says of times, speeds and sizes; its
/// mapping stays. Works are the seconds that stages take on the first processor, whose speed is 1/s. Unless one stage
/// alone was computed by all, stages have times of their own where the fit of works and speeds is further off than
/// `most_misfit`, or there is none. What was not measured of a stage that was measured elsewhere does not run: it has
/// no time, or else "runs on" names the others. Where all are taken to be alike, works are the medians over all
/// processors, and a latency and a bandwidth are fitted to the medians over all links, likewise over the source's and
/// over the sink's. Where the repeats of a stage on a processor differ they stay as samples, and the document's work or
/// time is their mean; of a work that processors of several speeds share, as multiples of each processor's median. A
/// time of 0 counts as a nanosecond. The result is of these terms, from this document.
ProbedDocument probed_document(const tpn::Document& asked, const ProbeTerms& terms, const ProbeResult& result,
                               const ProbeFit& fit);

}  // namespace takt::live
