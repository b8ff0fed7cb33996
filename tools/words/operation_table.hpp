// Operations and their times as lines of CSV and objects of JSON.
#pragma once

#include <iosfwd>
#include <string_view>

#include "maxplus/rational.hpp"
#include "tools/words/operation_words.hpp"
#include "tpn/document.hpp"
#include "tpn/json_writer.hpp"

namespace takt::tools {

/// An operation in words and when it takes place, in time units. The data set may be negative; it stands in place of
/// the words' own.
struct TimedOperation {
  const OperationWords& words;
  const maxplus::Integer& data_set;
  const maxplus::Rational& start;
  const maxplus::Rational& end;
};

/// The fields of a line of CSV, in order.
inline constexpr std::string_view kOperationHeading =
    "model,data_set,operation,part,stages,processor,peer,start,end,start_decimal,end_decimal";

/// Those of an operation; no line feed.
void write_csv_fields(std::ostream& out, const tpn::Model& model, const TimedOperation& operation);

/// Those of an operation as members of an object, without the model.
void write_members(tpn::JsonWriter& json, const TimedOperation& operation);

}  // namespace takt::tools
