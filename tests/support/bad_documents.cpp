// Each is a good document in which something was changed.
#include "tests/support/bad_documents.hpp"

#include <utility>

#include "tests/support/temporary_folder.hpp"

namespace takt::support {

namespace {

// A message, and what stands in place of what in the good document, one after the other.
using Spoilt = std::pair<std::string, std::vector<std::string>>;

const std::string kOnes(1001, '1');

// What stands in place of a work, and the message behind its place.
const std::vector<std::pair<std::string, std::string>> kSpoiltWorks = {
    {R"("1/0")", R"(/application/stages/0/work: found the text "1/0", expected a denominator greater than 0)"},
    {"1e999999999", "found the number 1e999999999, expected a number with an exponent within +-300"},
    {"1e301", "/application/stages/0/work: found the number 1e301, expected a number with an exponent within +-300"},
    {"1e-999999999",
     "/application/stages/0/work: found the number 1e-999999999, expected a number with an exponent within +-300"},
    {R"("0x12")", R"(/application/stages/0/work: found the text "0x12", expected a number such as 12, 0.5 or "7/2")"},
    {"-Infinity", "found '-Infinity', expected a digit after '-'"},
    {"NaN", "found 'NaN', expected a JSON value"},
    {R"("-1/2")", R"(/application/stages/0/work: found the text "-1/2", expected a number of at least 0)"},
    {"-12", "/application/stages/0/work: found the number -12, expected a number of at least 0"},
    {"12.", "found '12.', expected a digit after '.'"},
    {R"("1/)" + kOnes + R"(")",
     "/application/stages/0/work: found the text "
     R"("1/1111111111111111111111111111111111111111111111111111111111...", expected a number of at most 1000 digits)"},
    {kOnes,
     "/application/stages/0/work: found the number "
     "111111111111111111111111111111111111111111111111111111111111..., expected a number of at most 1000 digits"},
    {R"("12 GFLOP")",
     R"(/application/stages/0/work: found the text "12 GFLOP", expected a number such as 12, 0.5 or "7/2", without )"
     "a unit"},
    {"[12]", R"(/application/stages/0/work: found an array, expected a number such as 12, 0.5 or "7/2")"},
    {"null", R"(/application/stages/0/work: found null, expected a number such as 12, 0.5 or "7/2")"},
};

const std::vector<Spoilt> kSpoilt = {
    {R"(6:16: found '"sa\ve"', expected one of "\/bfnrtu after a backslash)", {R"("save")", R"("sa\ve")"}},
    {"4:31: found '12', expected ':' between key and value", {R"("work": 12)", R"("work" 12)"}},
    {"7:5: found ']', expected a JSON value", {R"({"name": "save", "work": 3})", R"({"name": "save", "work": 3},)"}},
    {R"(4:35: found '"output"', expected ',' or '}')", {R"(12, "output")", R"(12 "output")"}},
    {"4:35: found ',', expected a key in double quotes", {R"(12, "output")", R"(12,, "output")"}},
    {"9:3: found '//', expected no comment, which JSON does not have: any object may have a text behind the key "
     R"("//")",
     {R"("platform")", "// speeds in GFLOP/s\n  \"platform\""}},
    {"9:3: found '/*', expected no comment, which JSON does not have: any object may have a text behind the key "
     R"("//")",
     {R"("platform")", R"(/* speeds in GFLOP/s */ "platform")"}},
    {R"(4:36: found the key "name" a second time, expected it once, as on line 4)",
     {R"("work": 12)", R"("work": 12, "name": "x")"}},
    {R"(10:113: /platform/processors/3/name: found the name "P0" a second time, expected a name of its own)",
     {"22}", R"(22}, {"name": "P0", "time": 1})"}},
    {R"(6:45: /application/stages/3/name: found the name "load" a second time, expected a name of its own)",
     {R"({"name": "save", "work": 3})", R"({"name": "save", "work": 3}, {"name": "load"})"}},
    {"17:14: /mapping: found an empty array, expected parts, at least one",
     {R"("mapping": [)", R"("mapping": [], "heuristic": [)"}},
    {"20:16: /mapping/2/stages: found an empty array, expected names of stages, at least one", {R"(["save"])", "[]"}},
    {"20:40: /mapping/2/processors: found an empty array, expected names of processors, at least one",
     {R"(["P2"])", "[]"}},
    {"4:48: /application/stages/0/consumes: found the number 2, expected 1: a data set is one firing of the first "
     "stage",
     {R"("work": 12)", R"("work": 12, "consumes": 2)"}},
    {R"(17:16: /heuristic: found the heuristic without "name", expected the key "name")",
     {R"("mapping")", R"("heuristic": {"seed": 1}, "mapping")"}},
    {"4:24: found 'work', expected a key in double quotes", {R"("work": 12)", "work: 12"}},
    {R"(11:14: /platform/links: found no bandwidth or time from "P0" to "P1", expected a link between them, or a )"
     "default of the platform",
     {R"("bandwidth")", R"("latency")"}},
    {"4:33: found '12', expected ',' or '}'", {R"("work": 12)", R"("work": 012)"}},
    {R"(6:16: found '"sa', expected text without line breaks and other control characters)",
     {R"("save")", "\"sa\nve\""}},
    {R"(14:7: /platform/links/2: found a link from "P2" to itself, expected two different processors)",
     {R"({"from": "P1")", R"({"from": "P2")"}},
    {R"(11:14: /platform/links: found no bandwidth or time from "P0" to "P1", expected a link between them, or a )"
     "default of the platform",
     {R"("from": "P0", "to": "P1", "bandwidth": 5)", R"("from": "P1", "to": "P0", "bandwidth": 5, "directed": true)"}},
    {R"(11:14: /platform/links: found no bandwidth or time from "P0" to "P1", expected a link between them, or a )"
     "default of the platform",
     {R"({"from": "P0", "to": "P1", "bandwidth": 5},)", ""}},
    {R"(5:7: /application/stages/1/output: found stage "rank" without "output", expected its size, as "P1" sends it )"
     R"(to "P2" at a bandwidth)",
     {R"(30, "output": 1)", "30"}},
    {R"(5:7: /application/stages/1/work: found stage "rank" without "work", expected its work, as "P1" computes it )"
     "at a speed",
     {R"("work": 30, )", ""}},
    {"6:16: /application/stages/2/name: found the number 7, expected a text: the name of a stage", {R"("save")", "7"}},
    {"6:16: /application/stages/2/name: found an empty name, expected a name", {R"("save")", R"("")"}},
    {R"(6:7: /application/stages/2: found a stage without "name", expected the key "name")",
     {R"("name": "save", )", ""}},
    {"12:61: /platform/links/0/latency: found the number -0.1, expected a number of at least 0",
     {R"("bandwidth": 5)", R"("bandwidth": 5, "latency": -0.1)"}},
    {"17:23: /predicted_period: found the number -1, expected a number of at least 0",
     {R"("mapping")", R"("predicted_period": -1, "mapping")"}},
    {"10:99: /platform/processors/2/time: found the number -22, expected a number of at least 0",
     {R"("time": 22)", R"("time": -22)"}},
    {R"(10:76: /platform/processors/2: found processor "P2" without "speed" and "time", expected one of them, or )"
     R"("P2" in the "time" of the stages it computes)",
     {R"(, "time": 22)", ""}},
    {R"(19:40: /mapping/1/processors: found several processors for stage "rank", which is not replicable, expected )"
     "one and the same processor",
     {R"("work": 30)", R"("work": 30, "replicable": false)", R"(["P1", "P1"])", R"(["P1", "P0"])"}},
    {"4:19: found the byte 0xe4, expected UTF-8 text", {R"("load")", "\"lo\xE4\""}},
    {"4:23: found a NUL byte, expected text", {R"("load", )", std::string("\"load\",\0", 8)}},
    {"17:56: /heuristic/options/starts: found an array, expected true, false, a number or a text",
     {R"("mapping")", R"("heuristic": {"name": "hedpm", "options": {"starts": [1, 2]}}, "mapping")"}},
    {R"(19:25: /mapping/1/stages/1: found stage "rank", expected no stage behind the last, "save")",
     {R"(["rank"])", R"(["save", "rank"])"}},
    {R"(20:61: /mapping/3/stages/0: found stage "load" a second time, expected no part behind the last stage)",
     {R"("processors": ["P2"]})", R"("processors": ["P2"]}, {"stages": ["load"], "processors": ["P2"]})"}},
    {R"(18:25: /mapping/0/stages/1: found stage "save", expected stage "rank", which follows "load")",
     {R"(["load"])", R"(["load", "save"])"}},
    {R"(18:17: /mapping/0/stages/0: found stage "rank", expected stage "load": parts hold every stage once, in the )"
     "order of the application",
     {R"(["load"])", R"(["rank"])"}},
    {R"(10:113: /platform/processors/3/name: found the name "sink", expected another name: the platform has a sink )"
     "already",
     {"22}", R"(22}, {"name": "sink", "time": 1})", R"("work": 3})", R"("work": 3, "output": 1})", R"("links": [)",
      R"("sink": {"time": 1}, "links": [)"}},
    {"5:48: /application/stages/1/produces: found the number 1.5, expected a whole number greater than 0",
     {R"("work": 30)", R"("work": 30, "produces": 1.5)"}},
    {"5:48: /application/stages/1/consumes: found the number 0, expected a whole number greater than 0",
     {R"("work": 30)", R"("work": 30, "consumes": 0)"}},
    {"9:9: /~1~1: found the number 7, expected a text: a remark", {R"("platform")", R"("//": 7, "platform")"}},
    {R"(6:49: /application/stages/2/replicable: found the text "no", expected true or false)",
     {R"("work": 3})", R"("work": 3, "replicable": "no"})"}},
    {"17:32: /rooms: found the number 1001, expected a whole number from 1 to 1000",
     {R"("mapping")", R"("model": "bounded", "rooms": 1001, "mapping")"}},
    {R"(17:31: /rooms: found "rooms" with the model "strict", expected "rooms" only with the model "bounded")",
     {R"("mapping")", R"("model": "strict", "rooms": 2, "mapping")"}},
    {R"(17:12: /rooms: found "rooms" without a "model", expected "rooms" only with the model "bounded")",
     {R"("mapping")", R"("rooms": 2, "mapping")"}},
    {R"(4:47: /application/stages/0/runs on: found "runs on" without "P2", which has a fixed "time", expected a )"
     R"("speed" there, or times in stages, in place of that "time")",
     {R"("work": 12)", R"("work": 12, "runs on": ["P0"])"}},
    {R"(18:41: /mapping/0/processors/0: found stage "load" on "P0", which its "runs on" rules out, expected a )"
     R"(processor that runs it: "P1" or "P2")",
     {R"("work": 12)", R"("work": 12, "runs on": ["P1", "P2"])", R"("time": 22)", R"("speed": 22)"}},
    {R"(4:54: /application/stages/0/runs on/1: found the unknown processor "gpus", expected the name of a processor )"
     "of the platform",
     {R"("work": 12)", R"("work": 12, "runs on": ["P0", "gpus"])"}},
    {R"(14:7: /platform/links/2: found a second directed link from "P0" to "P2", expected at most one)",
     {R"("time": 3)", R"("time": 3, "directed": true)", R"({"from": "P1", "to": "P2")",
      R"({"from": "P0", "to": "P2", "directed": true)"}},
    {R"(11:56: /platform/sink/links/1: found a second link of "P2", expected at most one)",
     {R"("work": 3})", R"("work": 3, "output": 1})", R"("links": [)",
      R"("sink": {"links": [{"processor": "P2", "time": 1}, {"processor": "P2", "time": 2}]}, "links": [)"}},
    {R"(14:7: /platform/links/2: found a second undirected link between "P0" and "P1", expected at most one)",
     {R"("from": "P1", "to": "P2")", R"("from": "P0", "to": "P1")"}},
    {R"(14:7: /platform/links/2: found a second undirected link between "P1" and "P0", expected one for both )"
     R"(directions: links are undirected unless "directed" is true; say so in both, or drop one)",
     {R"("from": "P1", "to": "P2")", R"("from": "P1", "to": "P0")"}},
    {"17:42: /heuristic/seed: found the number 0.5, expected a whole number of at least 0",
     {R"("mapping")", R"("heuristic": {"name": "hedpm", "seed": 0.5}, "mapping")"}},
    {"6:16: found ''save'', expected a JSON value", {R"("save")", "'save'"}},
    {R"(11:13: /platform/sink: found a sink, but no "output" of the last stage, "save", expected "output" in that )"
     "stage",
     {R"("links": [)", R"("sink": {"time": 1}, "links": [)"}},
    {R"(11:15: /platform/source: found no bandwidth or time from the source to "P0", expected a link between them, )"
     "or a default of the platform",
     {R"("stages": [)", R"("input": 6, "stages": [)", R"("links": [)", R"("source": {"latency": 1}, "links": [)"}},
    {R"(11:15: /platform/source: found a source, but no "input" of the application, expected "input" in )"
     R"("application")",
     {R"("links": [)", R"("source": {"bandwidth": 1}, "links": [)"}},
    {R"(6:7: /application/stages/2: found the text "save", expected an object: a stage)",
     {R"({"name": "save", "work": 3})", R"("save")"}},
    {R"(17:14: /mapping: found no part for stage "save", expected every stage in exactly one part)",
     {",\n    {\"stages\": [\"save\"], \"processors\": [\"P2\"]}", ""}},
    {R"(20:17: /mapping/1/stages/0: found stage "save", expected stage "rank": parts hold every stage once, in the )"
     "order of the application",
     {R"({"stages": ["rank"], "processors": ["P1", "P1"]},)", ""}},
    {R"(6:59: /application/stages/2/time/P2: found a time of the stage for "P2", whose own "time" at )"
     "/platform/processors/2 holds for whatever it computes, expected one of the two",
     {R"("work": 3})", R"("work": 3, "time": {"P0": 3, "P2": 4}})"}},
    {"6:50: /application/stages/2/time/P0: found the number -3, expected a number of at least 0",
     {R"("work": 3})", R"("work": 3, "time": {"P0": -3}})"}},
    {R"(5:44: /application/stages/1/time: found stage "rank" without a time on "P1", expected a processor that runs )"
     R"(it ("P0" or "P2"), or "P1" in the stage's "time")",
     {R"("work": 30)", R"("work": 30, "time": {"P0": 5})", R"("work": 12)", R"("work": 12, "time": {"P1": 5})",
      R"({"name": "P1", "speed": 1})", R"({"name": "P1"})"}},
    {"6:43: /application/stages/2/time: found an empty object, expected times by processor or type, at least one",
     {R"("work": 3})", R"("work": 3, "time": {}})"}},
    {R"(6:59: /application/stages/2/time/P9: found a time for the unknown processor "P9", expected the name of a )"
     "processor of the platform",
     {R"("work": 3})", R"("work": 3, "time": {"P0": 3, "P9": 4}})"}},
    {R"(20:25: /mapping/2/stages/1: found stage "save" a second time, expected no stage behind the last, "save")",
     {R"(["save"])", R"(["save", "save"])"}},
    {R"(20:17: /mapping/2/stages/0: found stage "rank" a second time, expected stage "save": parts hold every stage )"
     "once, in the order of the application",
     {R"(["save"])", R"(["rank"])"}},
    {"18:16: /mapping/0/stages: found an object, expected an array: names of stages",
     {R"(["load"])", R"({"load": 1})"}},
    {"23:1: found '{', expected nothing behind the document", {"  ]\n}\n", "  ]\n}\n{}\n"}},
    {R"(13:42: /platform/links/1/time: found "time" beside "bandwidth", expected one of them: a time is fixed and )"
     "says it all",
     {R"("time": 3)", R"("time": 3, "bandwidth": 1)"}},
    {R"(13:56: /platform/links/1/time: found "time" beside "latency", expected one of them: a time is fixed and )"
     "says it all",
     {R"("time": 3)", R"("latency": 1, "time": 3)"}},
    {R"(10:99: /platform/processors/2/time: found "time" beside "speed", expected one of them: a time is fixed and )"
     "says it all",
     {R"("time": 22)", R"("time": 22, "speed": 1)"}},
    {R"(6:32: /application/stages/2/time: found the number 3 as the "time" of a stage, expected times by processor )"
     R"(or type, such as {"P1": 30}, or "work" in the stage and "speed" in its processors; a "time" in a processor )"
     "is fixed for whatever it computes",
     {R"("work": 3})", R"("time": 3})"}},
    {R"(10:99: /platform/processors/2/time: found the text "22 ms" with a unit, though the number 2 at )"
     "/platform/processors/0/speed (line 10) has none, expected units on all times, latencies, bandwidths, speeds "
     "and predictions, or on nothing",
     {R"("time": 22)", R"("time": "22 ms")"}},
    {R"(17:3: /comment: found the unknown key "comment", expected "application", "platform", "mapping", )"
     R"("transfers", "order", "predicted_period", "heuristic", "model" or "rooms" in the document)",
     {R"("mapping")", R"("comment": "?", "mapping")"}},
    {R"(4:24: /application/stages/0/wrok: found the unknown key "wrok" (did you mean "work"?), expected "name", )"
     R"("work", "output", "replicable", "consumes", "produces", "time", "memory", "apart", "partitions", "runs on" )"
     R"(or "after" in a stage)",
     {R"("work")", R"("wrok")"}},
    {R"(17:12: /model: found the text "STRICT" (did you mean "strict"?), expected "overlap", "strict" or "bounded")",
     {R"("mapping")", R"("model": "STRICT", "mapping")"}},
    {R"(11:40: /platform/source/links/0/processor: found the unknown processor "P9", expected the name of a )"
     "processor of the platform",
     {R"("links": [)", R"("source": {"links": [{"processor": "P9", "time": 1}]}, "links": [)"}},
    {R"(14:16: /platform/links/2/from: found the unknown processor "P9", expected the name of a processor of the )"
     "platform",
     {R"({"from": "P1")", R"({"from": "P9")"}},
    {R"(20:41: /mapping/2/processors/0: found the unknown processor "P3", expected the name of a processor of the )"
     "platform",
     {R"(["P2"])", R"(["P3"])"}},
    {R"(20:17: /mapping/2/stages/0: found the unknown stage "safe", expected the name of a stage of the application)",
     {R"(["save"])", R"(["safe"])"}},
    {R"(12:47: /platform/links/0/bandwidth: found the text "0/7", expected a number greater than 0)",
     {R"("bandwidth": 5)", R"("bandwidth": "0/7")"}},
    {"10:44: /platform/processors/0/speed: found the number 0, expected a number greater than 0",
     {R"("speed": 2)", R"("speed": 0)"}},
};

// Of tests/data/full-units.json.
const std::vector<Spoilt> kSpoiltUnits = {
    {R"(33:71: /platform/source/links/0/bandwidth: found the number 3e9 without a unit, though the text "10 kB" at )"
     "/application/input (line 7) has one, expected units on all times, latencies, bandwidths, speeds and "
     "predictions, or on nothing",
     {R"("3 GB/h")", "3e9"}},
    {R"(20:45: /platform/processors/2/time: found the text "22 mss", expected a time in s, ms, us, ns, min or h, )"
     R"(such as "10 ms")",
     {R"("22ms")", R"("22 mss")"}},
    {R"(20:45: /platform/processors/2/time: found the text "22 MS", expected a time in s, ms, us, ns, min or h, )"
     R"(such as "10 ms" (did you mean "22 ms"?))",
     {R"("22ms")", R"("22 MS")"}},
    {R"(25:86: /platform/links/0/latency: found the text "200 MB", expected a time in s, ms, us, ns, min or h, such )"
     R"(as "10 ms", not a size)",
     {R"("200 ns")", R"("200 MB")"}},
    {R"(25:86: /platform/links/0/latency: found the text " ns", expected a number, or a time in s, ms, us, ns, min )"
     R"(or h, such as "10 ms")",
     {R"("200 ns")", R"(" ns")"}},
    {R"(25:86: /platform/links/0/latency: found the text "-200 ns", expected a number of at least 0)",
     {R"("200 ns")", R"("-200 ns")"}},
    {"25:86: /platform/links/0/latency: found the text "
     R"("111111111111111111111111111111111111111111111111111111111111...", expected a number of at most 1000 digits)",
     {R"("200 ns")", R"(")" + kOnes + R"( ns")"}},
};

std::string changed(std::string text, const std::vector<std::string>& changes) {
  for (std::size_t k = 0; k < changes.size(); k += 2) {
    text.replace(text.find(changes[k]), changes[k].size(), changes[k + 1]);
  }
  return text;
}

std::string text_in_data(const std::string& file) {
  return testing::text_of(std::string(TAKT_SOURCE_DIR) + "/tests/data/" + file);
}

}  // namespace

std::vector<BadDocument> bad_documents() {
  const std::string good = changed(text_in_data("bad/unknown-processor.json"), {R"("P3")", R"("P2")"});
  const std::string units = text_in_data("full-units.json");
  std::vector<BadDocument> all = {
      {"13:42: found the end of the file, expected a JSON value", good.substr(0, good.find("3},\n"))},
      {"1:1: found an array, expected an object: the document", "[[[]]]"},
      {"1:1: found an empty file, expected a JSON document", ""},
      {"1:28: /application/stages: found an empty array, expected stages, at least one",
       R"({"application": {"stages": []}, "platform": {"processors": [{"name": "P0", "speed": 1}]}})"},
      {"1:74: /platform/processors: found an empty array, expected processors, at least one",
       R"({"application": {"stages": [{"name": "S0"}]}, "platform": {"processors": []}})"},
      {"3:1: found an empty file, expected a JSON document", " \n\n"},
      {R"(19:17: found '"ra', expected text that ends with a double quote)",
       good.substr(0, good.find(R"(nk"], "processors")"))},
      {R"(1:1: found the document without "application", expected the key "application")",
       R"({"platform": {"processors": [{"name": "P0", "speed": 1}]}})"},
  };
  for (const auto& [work, message] : kSpoiltWorks) {
    all.push_back({"4:32: " + message, changed(good, {R"("work": 12)", R"("work": )" + work})});
  }
  for (const auto& [message, changes] : kSpoilt) all.push_back({message, changed(good, changes)});
  for (const auto& [message, changes] : kSpoiltUnits) all.push_back({message, changed(units, changes)});
  return all;
}

}  // namespace takt::support
