// Potentials in the JSON of certificates.
#pragma once

#include <array>
#include <string_view>

#include "evaluators/potential_schedule.hpp"
#include "evaluators/proof/certificate_text.hpp"
#include "tpn/json_writer.hpp"

namespace takt::evaluators {

inline constexpr std::array<std::string_view, 3> kPotentialKeys = {"unit", "highest", "transfers"};
inline constexpr std::array<std::string_view, 3> kTransferPotentialKeys = {"sees", "keeps", "pairs"};
inline constexpr std::array<std::string_view, 3> kPairPotentialKeys = {"sees", "keeps", "floor"};

/// What the member "floor" is made of, for the parser.
inline constexpr tpn::json::ValueForm kPotentialNumberForm{.content = tpn::json::ValueForm::Content::scalar};
inline constexpr tpn::json::ValueForm kPotentialNumbersForm{.content = tpn::json::ValueForm::Content::array,
                                                            .items = &kPotentialNumberForm};
inline constexpr tpn::json::ValueForm kPartSetsForm{.content = tpn::json::ValueForm::Content::array,
                                                    .items = &kPotentialNumbersForm};
inline constexpr tpn::json::ValueForm::Member kPairPotentialMembers[] = {{"floor", &kPotentialNumbersForm}};
inline constexpr tpn::json::ValueForm kPairPotentialForm{
    .content = tpn::json::ValueForm::Content::object, .keys = kPairPotentialKeys, .members = kPairPotentialMembers};
inline constexpr tpn::json::ValueForm kAllPairsForm{.content = tpn::json::ValueForm::Content::array,
                                                    .items = &kPairPotentialForm};
inline constexpr tpn::json::ValueForm::Member kTransferPotentialMembers[] = {
    {"sees", &kPartSetsForm}, {"keeps", &kPartSetsForm}, {"pairs", &kAllPairsForm}};
inline constexpr tpn::json::ValueForm kTransferPotentialForm{.content = tpn::json::ValueForm::Content::object,
                                                             .keys = kTransferPotentialKeys,
                                                             .members = kTransferPotentialMembers};
inline constexpr tpn::json::ValueForm kAllTransfersForm{.content = tpn::json::ValueForm::Content::array,
                                                        .items = &kTransferPotentialForm};
inline constexpr tpn::json::ValueForm::Member kPotentialMembers[] = {{"transfers", &kAllTransfersForm}};
inline constexpr tpn::json::ValueForm kPotentialForm{
    .content = tpn::json::ValueForm::Content::object, .keys = kPotentialKeys, .members = kPotentialMembers};

/// Throws tpn::ParseError if it is no potential.
PotentialSchedule potential_of(const CertificateText& tree, const tpn::json::Value& value);

/// The member "potential" of an object that is open. Numbers of a pair that do not stand where its `offset` and that of
/// the next one say are left out.
void write_potentials(tpn::JsonWriter& text, const PotentialSchedule& potentials);

}  // namespace takt::evaluators
