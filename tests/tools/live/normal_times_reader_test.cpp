// Normal times from traces: rows by data set, in the unit of the first processor; and what is no such trace.
#include "tools/live/normal_times_reader.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <string>
#include <vector>

#include "tools/files/files.hpp"

namespace takt::testing {
namespace {

using maxplus::Rational;
using tools::read_normal_times;

const std::string kHeader = "data_set,operation,stages,processor,start,end\n";

// Stages of work 10 and 30 on a processor of speed 1 and one of speed 2.
tpn::Document two_stages() {
  tpn::Document document;
  for (const auto& [name, work] : {std::pair("a", 10), std::pair("b;c", 30)}) {
    tpn::Stage& stage = document.application.stages.emplace_back();
    stage.name = name;
    stage.work = work;
    stage.output = 1;
  }
  document.platform.processors.push_back({.name = "p", .speed = Rational(1), .time = {}});
  document.platform.processors.push_back({.name = "q", .speed = Rational(2), .time = {}});
  document.platform.defaults.time = Rational(1);
  return document;
}

std::vector<std::vector<double>> rows_of(const std::string& lines) {
  auto rows = read_normal_times(kHeader + lines, "normal.csv", two_stages(), Rational(100));
  for (auto& row : rows)
    for (double& time : row) time = std::round(time);
  return rows;
}

std::string fault_of(const std::string& text) {
  try {
    read_normal_times(text, "normal.csv", two_stages(), Rational(100));
  } catch (const tools::FileError& error) {
    return error.what();
  }
  return "";
}

using Rows = std::vector<std::vector<double>>;

TEST_CASE("normal times are those of the first processor, data set by data set, in the order of these") {
  CHECK(rows_of("1,compute,a,p,0,12\n1,compute,b;c,q,12,30\n0,compute,a,q,0,4\n0,transfer,,q,4,5\n"
                "0,compute,b;c,p,5,36\n0,compute,,source,0,0\n") == Rows{{800, 3100}, {1200, 3600}});
}

TEST_CASE("a part of several stages is divided as the instance has it, and data sets that are not whole do not count") {
  CHECK(rows_of("3,compute,a;b;c,p,0,80\n4,compute,a,p,0,10\n") == Rows{{2000, 6000}});
}

TEST_CASE("what is no trace of these stages is told with its line") {
  CHECK(fault_of("") ==
        "normal.csv:1: found no row, expected a trace with the columns "
        "data_set,operation,stages,processor,start,end");
  CHECK(fault_of("data_set,operation,stages,start,end\n") ==
        "normal.csv:1: found no column \"processor\", expected a trace with the columns "
        "data_set,operation,stages,processor,start,end");
  CHECK(fault_of(kHeader + "0,compute,a,r,0,1\n") ==
        "normal.csv:2: found the processor \"r\", expected one of the instance");
  CHECK(fault_of(kHeader + "0,compute,d,p,0,1\n") ==
        "normal.csv:2: found the stages \"d\", expected stages of the instance that follow one another");
  CHECK(fault_of(kHeader + "0,compute,a,p,2,1\n") ==
        "normal.csv:2: found the end \"1\", expected one that is not before the start");
  CHECK(fault_of(kHeader + "x,compute,a,p,0,1\n") ==
        "normal.csv:2: found the data set \"x\", expected a whole number from 0 to 2^64 - 1");
  CHECK(fault_of(kHeader + "0,wait,a,p,0,1\n") ==
        "normal.csv:2: found the operation \"wait\", expected compute or transfer");
  CHECK(fault_of(kHeader + "0,compute,a,p,0\n") == "normal.csv:2: found 5 fields, expected 6, as the header has");
  CHECK(fault_of(kHeader + "0,compute,a,p,0,10\n") ==
        "normal.csv: found no data set that has passed all 2 stages, expected one or more");
}

TEST_CASE("the latest thousand data sets count") {
  std::string lines;
  for (int j = 0; j < 1001; ++j) {
    lines += std::to_string(j) + ",compute,a;b;c,p,0," + std::to_string(40 + (j == 0 ? 1000 : 0)) + "\n";
  }
  const Rows rows = rows_of(lines);
  CHECK(rows.size() == 1000);
  CHECK(rows.front() == std::vector<double>{1000, 3000});
}

}  // namespace
}  // namespace takt::testing
