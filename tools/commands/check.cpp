// takt check: do certificates prove the periods of instances?
#include "evaluators/proof/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "maxplus/ratio_check.hpp"
#include "tools/answers/evaluation_output.hpp"
#include "tools/answers/limit_words.hpp"
#include "tools/cycle_ratio/ratio_certificate.hpp"
#include "tools/cycle_ratio/ratio_graph.hpp"
#include "tools/files/files.hpp"
#include "tools/files/several_files.hpp"
#include "tools/frame/command_line.hpp"
#include "tools/frame/options.hpp"
#include "tools/plan/plan_proof.hpp"
#include "tools/words/json_results.hpp"
#include "tools/words/time_words.hpp"
#include "tpn/errors.hpp"
#include "tpn/models.hpp"
#include "tpn/reader.hpp"
#include "tpn/visible.hpp"
#include "tpn/writer.hpp"

namespace takt::tools {

namespace {

struct CheckOptions {
  std::vector<std::string> files;  // instances, each followed by its certificate
  bool json = false;
  bool keep_going = false;
  std::optional<double> time_limit;
};

struct ProofFiles {
  std::string file;
  std::string certificate;
};

// A graph that is no pipeline, and a certificate of its cycles.
struct GraphProof {
  RatioGraph graph;
  RatioCertificate certificate;
};

// A document and certificates of it: of a mapping's period, of plans, or both; or else a graph.
struct Proof {
  ProofFiles files;
  tpn::Document document;
  std::optional<evaluators::Certificate> certificate;  // of the period
  std::optional<plan::PlanCertificate> plan;
  std::optional<GraphProof> graph;
  bool is_whole = false;  // all of it was read before the time was over
  double seconds = 0;     // that this took
};

// What came out for a certificate.
struct ProofVerdict {
  enum class Kind { proved, refused, undecided };
  Kind kind = Kind::proved;
  std::string why;
};

std::string_view word_of(ProofVerdict::Kind kind) {
  if (kind == ProofVerdict::Kind::proved) return "proved";
  return kind == ProofVerdict::Kind::refused ? "refused" : "undecided";
}

int status_of(ProofVerdict::Kind kind) {
  if (kind == ProofVerdict::Kind::proved) return kAnswered;
  return kind == ProofVerdict::Kind::refused ? kNo : kLimit;
}

std::vector<ProofFiles> pairs_of(const std::vector<std::string>& files) {
  if (files.size() % 2 != 0) {
    throw UsageError(fmt::format("found {} file{}, expected pairs: \"{}\" has no certificate after it", files.size(),
                                 files.size() == 1 ? "" : "s", files.back()));
  }
  require_one_stdin(files);
  std::vector<ProofFiles> pairs;
  for (std::size_t k = 0; k < files.size(); k += 2) pairs.push_back({files[k], files[k + 1]});
  return pairs;
}

std::string names_of(const ProofFiles& files) {
  return fmt::format("{}, {}", display_name(files.file), display_name(files.certificate));
}

// Of times that vary, behind the claim on those that do not.
template <typename Told>
std::string expected_claim(const evaluators::Certificate& certificate, Told told) {
  if (*certificate.expected_upper == certificate.lower)
    return fmt::format(", and {} is expected of times that vary by the file's laws,", told(certificate.lower));
  return fmt::format(", and between {} and {} is expected of times that vary by the file's laws,",
                     told(certificate.lower), told(*certificate.expected_upper));
}

std::string claim(const Proof& proof) {
  if (proof.graph) return claim_text(proof.graph->certificate);
  const evaluators::Certificate& certificate = *proof.certificate;
  const TimeWords times(proof.document);
  const auto told = [&](const maxplus::Rational& time) { return times.said(time); };
  const std::string title =
      tpn::title_of(certificate.model) + tpn::capacity_title(certificate.buffers.size(), certificate.window);
  const std::string varied = certificate.expected_upper ? expected_claim(certificate, told) : "";
  if (certificate.lower == certificate.upper) {
    return fmt::format("the period is {}{} under {}", told(certificate.upper), varied, title);
  }
  return fmt::format("the period lies between {} and {}{} under {}", told(certificate.lower), told(certificate.upper),
                     varied, title);
}

// Asks whether the rest of a limit has passed.
std::function<bool()> clock_of(const std::optional<double>& seconds) {
  if (!seconds) return {};
  const evaluators::Deadline deadline = deadline_in(std::max(*seconds, 0.0));
  return [deadline] { return evaluators::has_passed(deadline); };
}

// The certificate may not be whole where the time was over.
void read_graph_proof(Proof& proof, const std::string& graph, const std::string& certificate,
                      const std::function<bool()>& is_out_of_time) {
  auto read = read_ratio_certificate(certificate, proof.files.certificate, is_out_of_time);
  if (!read) return;
  auto proved = read_ratio_graph(graph, proof.files.file, is_out_of_time);
  if (!proved) return;
  proof.graph = GraphProof{*std::move(proved), *std::move(read)};
  proof.is_whole = true;
}

// A document without a mapping may be one of a plan's certificate where it has types.
tpn::Document read_proved(const ProofFiles& files, const std::string& text) {
  tpn::Document document = tpn::read_document(text, display_name(files.file), std::nullopt, tpn::Catalogues::accepted);
  if (document.platform.types.empty()) require_mapping(document, files.file);
  return document;
}

// The plan's half of a certificate's text; whether there is another.
bool read_plan(Proof& proof, const std::string& text, const std::function<bool()>& is_out_of_time) {
  // Most certificates have none, and are long.
  if (text.find("\"plan\"") == std::string::npos && text.find('\\') == std::string::npos) {
    proof.is_whole = true;
    return true;
  }
  auto half = plan::read_plan_half(text, display_name(proof.files.certificate), is_out_of_time);
  if (half) proof.plan = std::move(half->certificate);
  proof.is_whole = half.has_value();
  return !half || !half->is_alone;
}

// Of a period, of plans, or of both.
void read_period_proof(Proof& proof, const std::string& document, const std::string& certificate,
                       const std::function<bool()>& is_out_of_time) {
  proof.document = read_proved(proof.files, document);
  const bool has_period = read_plan(proof, certificate, is_out_of_time);
  if (!has_period || !proof.is_whole) return;
  if (!proof.plan) require_mapping(proof.document, proof.files.file);
  proof.certificate = evaluators::read_certificate(certificate, display_name(proof.files.certificate), is_out_of_time);
  proof.is_whole = proof.certificate.has_value();
}

// Of a pair that cannot be read: throws what is wrong with it where its files stand the other way round, or both are
// instances. A certificate has no application, what it is of has one.
void require_order(const ProofFiles& files, const std::string& proved, const std::string& certificate) {
  const auto is_document = [](const std::string& text) { return text.find("\"application\"") != std::string::npos; };
  if (!is_document(certificate)) return;
  if (is_document(proved)) {
    throw FileError(
        fmt::format("{}: found an instance, expected a certificate; takt evaluate {} --certificate OUT writes "
                    "one",
                    display_name(files.certificate), shell_word(files.file)));
  }
  throw UsageError(fmt::format("found the certificate before the instance (did you mean \"takt check {} {}\"?)",
                               shell_word(files.certificate), shell_word(files.file)));
}

Proof read_proof(const ProofFiles& files, const CheckOptions& options, Streams& streams) {
  using Clock = maxplus::SearchClock;
  const Clock::time_point start = Clock::now();
  const auto is_out_of_time = clock_of(options.time_limit);
  Proof proof{.files = files, .document = {}, .certificate = {}, .plan = {}, .graph = {}};
  const std::string proved = read_document_text(files.file, streams);
  const std::string text = read_text(files.certificate, streams);
  if (is_ratio_certificate(text, files.certificate)) {
    read_graph_proof(proof, proved, text, is_out_of_time);
  } else {
    try {
      read_period_proof(proof, proved, text, is_out_of_time);
    } catch (const tpn::ParseError&) {
      require_order(files, proved, text);
      throw;
    }
  }
  proof.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return proof;
}

constexpr const char* kTimeIsOver = "the time limit was reached";

template <typename Refusal, typename Timeout, typename Verdict>
ProofVerdict verdict_of(const Verdict& verdict) {
  if (const auto* refused = std::get_if<Refusal>(&verdict)) return {ProofVerdict::Kind::refused, refused->reason};
  if (const auto* too_large = std::get_if<tpn::TooLarge>(&verdict)) {
    return {ProofVerdict::Kind::undecided, too_large_text(*too_large)};
  }
  if (std::holds_alternative<Timeout>(verdict)) return {ProofVerdict::Kind::undecided, kTimeIsOver};
  return {};
}

ProofVerdict judge_graph(const GraphProof& proof, const std::function<bool()>& clock) {
  const auto made = proof_for(proof.graph, proof.certificate);
  if (const auto* why = std::get_if<std::string>(&made)) return {ProofVerdict::Kind::refused, *why};
  const maxplus::RatioVerdict verdict =
      check_cycle_ratio(proof.graph.vertices.size(), proof.graph.arcs.listed(),
                        std::get<maxplus::CycleRatioProof>(made), {maxplus::kMostCheckedProducts, clock});
  if (const auto* refused = std::get_if<maxplus::RatioRefused>(&verdict)) {
    return {ProofVerdict::Kind::refused, refused->reason};
  }
  if (const auto* unchecked = std::get_if<maxplus::RatioUnchecked>(&verdict)) {
    return {ProofVerdict::Kind::undecided,
            unchecked->is_out_of_time
                ? kTimeIsOver
                : fmt::format("its numbers take more than the limit of {} products of words", unchecked->limit)};
  }
  return {};
}

// The verdicts on both halves of a certificate, as far as they are there.
struct ProofVerdicts {
  std::optional<ProofVerdict> period;
  std::optional<ProofVerdict> plan;
  CheckedPlan checked;  // if there is one on the plan

  ProofVerdict::Kind kind() const {
    using Kind = ProofVerdict::Kind;
    const auto is = [this](Kind kind) { return (period && period->kind == kind) || (plan && plan->kind == kind); };
    if (is(Kind::refused)) return Kind::refused;
    return is(Kind::proved) && !is(Kind::undecided) ? Kind::proved : Kind::undecided;
  }
};

ProofVerdicts judge(const Proof& proof, const CheckOptions& options) {
  ProofVerdicts verdicts;
  if (!proof.is_whole) {
    verdicts.period = ProofVerdict{ProofVerdict::Kind::undecided, kTimeIsOver};
    return verdicts;
  }
  std::optional<double> seconds = options.time_limit;
  if (seconds) *seconds -= proof.seconds;
  const auto clock = clock_of(seconds);
  if (proof.graph) verdicts.period = judge_graph(*proof.graph, clock);
  if (proof.certificate && proof.document.mapping) {
    verdicts.period = verdict_of<evaluators::Refused, evaluators::CheckTimeout>(
        evaluators::check(proof.document, *proof.certificate, {evaluators::kCheckedOperations, clock}));
  }
  if (proof.plan) {
    verdicts.checked = check_plan_half(proof.document, *proof.plan, clock);
    verdicts.plan = verdict_of<plan::PlanRefused, plan::PlanCheckTimeout>(verdicts.checked.verdict);
  }
  return verdicts;
}

void write_claim(tpn::JsonWriter& json, const Proof& proof) {
  const evaluators::Certificate& certificate = *proof.certificate;
  const auto exact = certificate.lower == certificate.upper ? std::optional(certificate.upper) : std::nullopt;
  tpn::write_model(json, certificate.model);
  if (certificate.window > 0) json.member("window", certificate.window);
  if (!certificate.buffers.empty()) json.member("limited_buffers", certificate.buffers.size());
  write_time_unit(json, TimeWords(proof.document));
  write_exact(json, "period", exact);
  write_exact(json, "period_lower_bound", certificate.lower);
  write_exact(json, "period_upper_bound", certificate.upper);
  if (certificate.expected_upper) {
    write_exact(json, "expected_period_lower_bound", certificate.lower);
    write_exact(json, "expected_period_upper_bound", certificate.expected_upper);
  }
}

void write_graph_claim(tpn::JsonWriter& json, const RatioCertificate& certificate) {
  json.member("claim", name_of(certificate.claim));
  if (certificate.claim == RatioClaim::deadlock || certificate.claim == RatioClaim::no_cycle) return;
  write_exact(json, "ratio", certificate.ratio);
}

std::string sentence(const std::string& claim, const ProofVerdict& verdict) {
  switch (verdict.kind) {
    case ProofVerdict::Kind::proved:
      return fmt::format("Proved: {}.", claim);
    case ProofVerdict::Kind::refused:
      return fmt::format("Refused: the certificate does not prove that {}: {}.", claim, verdict.why);
    case ProofVerdict::Kind::undecided:
      break;
  }
  return fmt::format("Undecided: the certificate cannot be checked: {}.", verdict.why);
}

std::vector<std::string> sentences(const Proof& proof, const ProofVerdicts& verdicts) {
  std::vector<std::string> lines;
  if (verdicts.period) {
    lines.push_back(sentence(proof.certificate || proof.graph ? claim(proof) : "", *verdicts.period));
  }
  if (!verdicts.plan) return lines;
  lines.push_back(sentence(plan_claim(proof.document, *proof.plan), *verdicts.plan));
  if (verdicts.checked.mapped) lines.push_back(mapped_sentence(proof.document, *proof.plan, verdicts.checked));
  if (proof.certificate && !verdicts.period)
    lines.emplace_back("Not checked: the period of a mapping, which this problem does not have.");
  return lines;
}

// The verdicts on all pairs, as they come.
class Verdicts {
 public:
  Verdicts(const CheckOptions& options, Streams& streams)
      : options_(options),
        streams_(streams),
        is_alone_(options.files.size() == 2),
        results_(is_alone_ ? JsonResults::Form::object : JsonResults::Form::array, streams.out) {}

  int status() const { return status_; }

  void add(const Proof& proof) {
    const ProofVerdicts verdicts = judge(proof, options_);
    status_ = worse_status(status_, status_of(verdicts.kind()));
    if (options_.json) {
      write_json(proof, verdicts);
    } else if (is_alone_ && verdicts.period && !proof.plan && verdicts.period->kind == ProofVerdict::Kind::undecided) {
      tell(streams_, "the certificate cannot be checked: " + verdicts.period->why);
    } else {
      const std::string names = is_alone_ ? "" : names_of(proof.files) + ": ";
      for (const std::string& line : sentences(proof, verdicts)) streams_.out << names << tpn::visible(line) << '\n';
    }
    flush();
  }

  void add_failure(const ProofFiles& files, const FileFailure& failure) {
    status_ = worse_status(status_, failure.status);
    tell(streams_, failure.message);
    if (!options_.json) return;
    tpn::JsonWriter& json = begin_json(files);
    json.member(failure.status == kLimit ? "limit" : "error", failure.message);
    json.end();
    flush();
  }

  void finish() { results_.finish(); }

 private:
  tpn::JsonWriter& begin_json(const ProofFiles& files) {
    tpn::JsonWriter& json = results_.next();
    json.begin_object();
    json.member("file", files.file);
    json.member("certificate", files.certificate);
    return json;
  }

  void write_json(const Proof& proof, const ProofVerdicts& verdicts) {
    tpn::JsonWriter& json = begin_json(proof.files);
    json.member("verdict", word_of(verdicts.kind()));
    if (verdicts.period && proof.certificate) write_claim(json, proof);
    if (proof.graph) write_graph_claim(json, proof.graph->certificate);
    if (verdicts.period && verdicts.period->kind == ProofVerdict::Kind::refused)
      json.member("reason", verdicts.period->why);
    if (verdicts.period && verdicts.period->kind == ProofVerdict::Kind::undecided)
      json.member("limit", verdicts.period->why);
    if (verdicts.plan) {
      json.key("plan_check");
      json.begin_object();
      write_checked_plan(json, *proof.plan, verdicts.checked, word_of(verdicts.plan->kind), verdicts.plan->why);
      json.end();
    }
    json.end();
  }

  void flush() {
    if (options_.json) results_.flush();
    streams_.out.flush();
  }

  const CheckOptions& options_;
  Streams& streams_;
  bool is_alone_;
  JsonResults results_;
  int status_ = kAnswered;
};

// Every pair is read before the first is checked: a bad one stops all.
void check_good_pairs(const std::vector<ProofFiles>& pairs, const CheckOptions& options, Streams& streams,
                      Verdicts& verdicts) {
  std::vector<Proof> proofs;
  proofs.reserve(pairs.size());
  for (const ProofFiles& files : pairs) proofs.push_back(read_proof(files, options, streams));
  for (const Proof& proof : proofs) {
    streams.document = display_name(proof.files.file);
    verdicts.add(proof);
  }
}

void check_each_pair(const std::vector<ProofFiles>& pairs, const CheckOptions& options, Streams& streams,
                     Verdicts& verdicts) {
  for (const ProofFiles& files : pairs) {
    const auto failure = failure_of(names_of(files), [&] { verdicts.add(read_proof(files, options, streams)); });
    if (failure) verdicts.add_failure(files, *failure);
  }
}

int check_certificates(const CheckOptions& options, Streams& streams) {
  const std::vector<ProofFiles> pairs = pairs_of(options.files);
  Verdicts verdicts(options, streams);
  if (options.keep_going) {
    check_each_pair(pairs, options, streams, verdicts);
  } else {
    check_good_pairs(pairs, options, streams, verdicts);
  }
  verdicts.finish();
  return verdicts.status();
}

}  // namespace

Action define_check(CommandLine& line) {
  auto options = std::make_shared<CheckOptions>();
  line.positional("FILE CERTIFICATE", options->files,
                  "an instance, catalogue or graph, and the certificate that takt evaluate, takt plan or takt "
                  "cycle-ratio wrote for it; several pairs are allowed; - is standard input");
  line.flag("--json", options->json, "print JSON: an object, or an array for several pairs");
  line.flag("--keep-going", options->keep_going, "if a pair cannot be read, report the error and go on with the next");
  add_time_limit(line, options->time_limit, "each pair", "there is no verdict");
  line.footer(
      "Exit status: 0 all proved, 1 a certificate refused, 3 bad input, 4 a limit was reached; of several pairs, the "
      "first\n"
      "of 3, 1 and 4 that occurs.\n"
      "\n"
      "Examples:\n"
      "  takt evaluate examples/example-a.json --model strict --certificate a.certificate.json\n"
      "  takt check examples/example-a.json a.certificate.json\n"
      "  takt check examples/example-a.json a.certificate.json examples/example-a.json a.certificate.json --json");
  return [options](Streams& streams) { return check_certificates(*options, streams); };
}

}  // namespace takt::tools
