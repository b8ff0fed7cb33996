// takt as a library: what programs may rely on, in one include.
//
// What these headers declare is the public interface; docs/library.md says which header is for what, what may be called
// from several threads, and what is thrown. Other installed headers are there because these include them, or for
// programs that look further inside; they change without notice.
#pragma once

#include "evaluators/evaluate.hpp"
#include "evaluators/insight/completion.hpp"
#include "evaluators/insight/latency.hpp"
#include "evaluators/insight/paced.hpp"
#include "evaluators/insight/sensitivity.hpp"
#include "evaluators/mappings/evaluator.hpp"
#include "evaluators/play/simulate.hpp"
#include "evaluators/proof/certificate.hpp"
#include "evaluators/proof/certify.hpp"
#include "evaluators/proof/check.hpp"
#include "heuristics/heuristic.hpp"
#include "heuristics/registry.hpp"
#include "heuristics/verdict.hpp"
#include "maxplus/deadline.hpp"
#include "maxplus/rational.hpp"
#include "tpn/document.hpp"
#include "tpn/errors.hpp"
#include "tpn/folded_net.hpp"
#include "tpn/models.hpp"
#include "tpn/reader.hpp"
#include "tpn/units.hpp"
#include "tpn/validate.hpp"
#include "tpn/writer.hpp"
