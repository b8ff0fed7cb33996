// Potentials to JSON and back: the numbers of a pair stand with it, and their offsets are what comes before.
#include "evaluators/proof/potential_text.hpp"

#include <cstddef>
#include <limits>
#include <string>
#include <utility>

namespace takt::evaluators {

namespace {

namespace json = tpn::json;
using maxplus::Rational;

std::vector<std::size_t> part_set_of(const CertificateText& tree, const json::Value& value) {
  return read_list<std::size_t>(tree, value, "a set of parts",
                                [](const CertificateText& text, const json::Value& item) {
                                  const Rational part = number_of(text, item, json::Bound::whole);
                                  if (!part.numerator().fits_ulong_p())
                                    json::fail(text, item, json::describe(item), "the number of a part");
                                  return part.numerator().get_ui();
                                });
}

std::int32_t potential_number_of(const CertificateText& tree, const json::Value& value) {
  const Rational number = number_of(tree, value, json::Bound::any);
  if (!number.is_integer() || number < Rational(std::numeric_limits<std::int32_t>::min()) ||
      number > Rational(std::numeric_limits<std::int32_t>::max())) {
    json::fail(tree, value, json::describe(value), "a whole number from -2^31 to 2^31 - 1");
  }
  return static_cast<std::int32_t>(number.numerator().get_si());
}

std::uint32_t set_index_of(const CertificateText& tree, const json::Value& object, std::string_view key) {
  const std::uint64_t index = whole_of(tree, object, "the floor of a pair", key, "the number of a set");
  if (index > std::numeric_limits<std::uint32_t>::max()) {
    const json::Value& value = *json::find(object, key);
    json::fail(tree, value, json::describe(value), "the number of a set");
  }
  return static_cast<std::uint32_t>(index);
}

TransferPotentials transfer_potential_of(const CertificateText& tree, const json::Value& value) {
  constexpr std::string_view kWhat = "the floor of a transfer";
  json::as_object(tree, value, kWhat, kTransferPotentialKeys);
  TransferPotentials potentials;
  potentials.sees = read_list<std::vector<std::size_t>>(tree, json::required(tree, value, kWhat, "sees"),
                                                        "the sets of parts seen", part_set_of);
  potentials.keeps = read_list<std::vector<std::size_t>>(tree, json::required(tree, value, kWhat, "keeps"),
                                                         "the sets of parts kept", part_set_of);
  const json::Value& pairs = json::required(tree, value, kWhat, "pairs");
  for (const json::Value& pair : json::as_array(tree, pairs, "the floors of the pairs")) {
    json::as_object(tree, pair, "the floor of a pair", kPairPotentialKeys);
    potentials.sees_of.push_back(set_index_of(tree, pair, "sees"));
    potentials.keeps_of.push_back(set_index_of(tree, pair, "keeps"));
    potentials.offset.push_back(potentials.potentials.size());
    const json::Value& numbers = json::required(tree, pair, "the floor of a pair", "floor");
    for (const json::Value& number : json::as_array(tree, numbers, "the numbers of a pair")) {
      potentials.potentials.push_back(potential_number_of(tree, number));
    }
  }
  return potentials;
}

void write_pair(tpn::JsonWriter& text, const TransferPotentials& potentials, std::size_t pair) {
  text.begin_object(tpn::JsonLayout::line);
  text.member("sees", pair < potentials.sees_of.size() ? potentials.sees_of[pair] : 0);
  text.member("keeps", pair < potentials.keeps_of.size() ? potentials.keeps_of[pair] : 0);
  text.key("floor");
  text.begin_array(tpn::JsonLayout::compact);
  const std::size_t end =
      pair + 1 < potentials.offset.size() ? potentials.offset[pair + 1] : potentials.potentials.size();
  for (std::size_t k = potentials.offset[pair]; k < end && end <= potentials.potentials.size(); ++k) {
    text.raw(std::to_string(potentials.potentials[k]));
  }
  text.end();
  text.end();
}

}  // namespace

PotentialSchedule potential_of(const CertificateText& tree, const json::Value& value) {
  constexpr std::string_view kWhat = "a floor";
  json::as_object(tree, value, kWhat, kPotentialKeys);
  PotentialSchedule potentials;
  potentials.unit = number_of(tree, json::required(tree, value, kWhat, "unit"), json::Bound::positive);
  const json::Value& highest = json::required(tree, value, kWhat, "highest");
  const Rational rise = number_of(tree, highest, json::Bound::whole);
  if (!rise.numerator().fits_slong_p()) json::fail(tree, highest, json::describe(highest), "a number below 2^63");
  potentials.highest = rise.numerator().get_si();
  potentials.transfers = read_list<TransferPotentials>(tree, json::required(tree, value, kWhat, "transfers"),
                                                       "the floors of the transfers", transfer_potential_of);
  return potentials;
}

void write_potentials(tpn::JsonWriter& text, const PotentialSchedule& potentials) {
  text.key("floor");
  text.begin_object(tpn::JsonLayout::block);
  text.member("unit", potentials.unit.to_string());
  text.key("highest");
  text.raw(std::to_string(potentials.highest));
  text.key("transfers");
  text.begin_array(tpn::JsonLayout::block);
  for (const TransferPotentials& transfer : potentials.transfers) {
    text.begin_object(tpn::JsonLayout::block);
    for (const auto& [key, sets] : {std::pair{"sees", &transfer.sees}, std::pair{"keeps", &transfer.keeps}}) {
      text.key(key);
      text.begin_array(tpn::JsonLayout::line);
      for (const std::vector<std::size_t>& parts : *sets) text.value(parts);
      text.end();
    }
    text.key("pairs");
    text.begin_array(tpn::JsonLayout::block);
    for (std::size_t pair = 0; pair < transfer.offset.size(); ++pair) write_pair(text, transfer, pair);
    text.end();
    text.end();
  }
  text.end();
  text.end();
}

}  // namespace takt::evaluators
