// Floors in the JSON of certificates.
#pragma once

#include <array>
#include <string_view>

#include "evaluators/floor_schedule.hpp"
#include "evaluators/proof/certificate_text.hpp"
#include "tpn/json_writer.hpp"

namespace takt::evaluators {

inline constexpr std::array<std::string_view, 3> kFloorKeys = {"unit", "highest", "transfers"};
inline constexpr std::array<std::string_view, 3> kTransferFloorKeys = {"sees", "keeps", "pairs"};
inline constexpr std::array<std::string_view, 3> kPairFloorKeys = {"sees", "keeps", "floor"};

/// What a floor is made of, for the parser.
inline constexpr tpn::json::ValueForm kFloorNumberForm{.content = tpn::json::ValueForm::Content::scalar};
inline constexpr tpn::json::ValueForm kFloorNumbersForm{.content = tpn::json::ValueForm::Content::array,
                                                        .items = &kFloorNumberForm};
inline constexpr tpn::json::ValueForm kPartSetsForm{.content = tpn::json::ValueForm::Content::array,
                                                    .items = &kFloorNumbersForm};
inline constexpr tpn::json::ValueForm::Member kPairFloorMembers[] = {{"floor", &kFloorNumbersForm}};
inline constexpr tpn::json::ValueForm kPairFloorForm{
    .content = tpn::json::ValueForm::Content::object, .keys = kPairFloorKeys, .members = kPairFloorMembers};
inline constexpr tpn::json::ValueForm kPairFloorsForm{.content = tpn::json::ValueForm::Content::array,
                                                      .items = &kPairFloorForm};
inline constexpr tpn::json::ValueForm::Member kTransferFloorMembers[] = {
    {"sees", &kPartSetsForm}, {"keeps", &kPartSetsForm}, {"pairs", &kPairFloorsForm}};
inline constexpr tpn::json::ValueForm kTransferFloorForm{
    .content = tpn::json::ValueForm::Content::object, .keys = kTransferFloorKeys, .members = kTransferFloorMembers};
inline constexpr tpn::json::ValueForm kTransferFloorsForm{.content = tpn::json::ValueForm::Content::array,
                                                          .items = &kTransferFloorForm};
inline constexpr tpn::json::ValueForm::Member kFloorMembers[] = {{"transfers", &kTransferFloorsForm}};
inline constexpr tpn::json::ValueForm kFloorForm{
    .content = tpn::json::ValueForm::Content::object, .keys = kFloorKeys, .members = kFloorMembers};

/// Throws tpn::ParseError where it is no floor.
FloorSchedule floor_of(const CertificateText& tree, const tpn::json::Value& value);

/// The member "floor" of an object that is open. Numbers of a pair that do not stand where its `offset` and that of the
/// next one say are left out.
void write_floor(tpn::JsonWriter& text, const FloorSchedule& floor);

}  // namespace takt::evaluators
