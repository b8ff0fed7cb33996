#!/usr/bin/env python3
"""takt run with programs and functions as stages, of chains and of workflows: every result once and in order; data sets
that fail are recorded, told and run again, and no journal goes on with what is not its own.

Usage: run_programs_test.py TAKT FAILING_STAGES FOLDER   status 77 where there is no mpirun
"""
import json
import pathlib
import struct
import sys

import answer_schemas
from run_jobs import BAD_INPUT, EACH, LINES, RUN_FAILED, SOME_FAILED, Runs, text_of

UPPER = [line.upper() for line in LINES]
LINES_OF_INPUT = ("--records", "lines", "--input", "input")
SKIP = ("--on-failure", "skip")
CAT = {stage: EACH + "cat" for stage in ("first", "shout", "last")}


def test_journals_of_others(runs):
    """A program that ends: the job ends with its last words when all results before are there, and nothing else goes on
    with them, unless it is said to."""
    broken = {"first": "cat", "shout": "stdbuf -oL tr a-z A-Z",
              "last": "sed -u -e s/$/!/ -e 5q; echo the disk is gone >&2; exit 9"}
    # The sixth of b is the eleventh of all.
    _, err = runs.run(broken, "--journal", "mended", *LINES_OF_INPUT, status=RUN_FAILED)
    assert "processor b: stage last, data set 10: its program " in err, err
    assert "exit status 9; on standard error: the disk is gone; mended holds 10 of 40 data sets; the same" in err, err
    runs.expect_results("mended", [line + "!" for line in UPPER[:10]])
    before = runs.files("mended")

    # Changed, moved and cut lines are another input; more lines are more to do.
    for lines, what in ((LINES[:2] + ["X"] + LINES[3:], "its result for data set 2 is not that of line 3 of the input"),
                        (LINES[1::-1] + LINES[2:], "its result for data set 0 is not that of line 1"),
                        (LINES[:5], "it holds the result of data set 5, and the input has 5 lines")):
        runs.write("input", text_of(lines))
        runs.refuse(broken, "--journal", "mended", *LINES_OF_INPUT, status=BAD_INPUT,
                    says="a journal of another input: " + what)
    runs.write("input", text_of(LINES))
    sized = {"first": "cat", "shout": "python3 shout.py", "last": "cat"}
    for others, *options in ((broken | {"last": "cat"}, *LINES_OF_INPUT), (sized, *LINES_OF_INPUT[2:]),
                             (broken | {"last": EACH + broken["last"]}, *LINES_OF_INPUT)):
        runs.refuse(others, "--journal", "mended", *options, status=BAD_INPUT, says="a journal of other programs: ")
    for options in (("--data-sets", "6"), ("--input", "-")):
        runs.refuse(broken, "--journal", "mended", "--records", "lines", *options, status=BAD_INPUT,
                    says="a journal of another pipeline")
    assert runs.files("mended") == before

    # Changed on purpose: told once, noted, and the journal's own from then on, in whatever order.
    answer, err = runs.run(sized, "--journal", "mended", "--input", "input", "--same-journal", "--json")
    assert "mended notes that its programs differ from data set 10 on" in err, err
    runs.expect_results("mended", [line + "!" for line in UPPER[:10]] + UPPER[10:])
    expect_work(answer)
    runs.refuse(broken, "--journal", "mended", *LINES_OF_INPUT, status=BAD_INPUT, says="--same-journal")
    out, _ = runs.run(dict(reversed(sized.items())), "--journal", "mended", "--input", "input", "--status", "s.json",
                      "--status", "s.html")
    assert "Nothing is left to run." in out, out
    found = json.loads((runs.folder / "s.json").read_text())
    fault = answer_schemas.fault_of("run-status", found)
    assert not fault and (found["phase"], found["delivered"]) == ("ended", 40), (fault, found)


def test_results_that_nobody_keeps(runs):
    """That is told before they are made, and after."""
    out, err = runs.run(CAT, "--input", "input", "--data-sets", "2")
    assert "takt: results of stages are not kept; --journal FILE keeps them" in err, err
    assert "The results were not kept; --journal FILE keeps them." in out, out


def expect_work(answer):
    """Real stages have 8 data sets for each processor under way; what its stages took."""
    assert (answer["window"], answer["window_reason"]) == (24, "rounds"), answer
    work = {(of["stage"], of["processor"]): of for of in answer["stage_work"]}
    calls = {place: of["calls"] for place, of in work.items()}
    assert calls == {("first", "a"): 30} | {(stage, on): 15 for stage in ("shout", "last") for on in "bc"}, calls
    assert all(of["wall_seconds"] > 0 and of["core_seconds"] > 0 for of in work.values()), work


def test_failures(runs):
    """Of programs for a data set, and of one for all of them, which starts again. A second try may do."""
    runs.write("odd.sh", 'read -r x; echo >> "tries-$TAKT_DATA_SET"; case "$x" in *7) echo "no sevens" >&2; exit 3;;\n'
               '"line 20") kill -9 $$;; *4) [ $(wc -l < "tries-$TAKT_DATA_SET") = 2 ] || exit 5;; esac\n'
               'printf %s "$x"\n')
    runs.write("filter.sh",
               'while read -r x; do case "$x" in *13) kill -SEGV $$;; *26) exit 0;; esac; echo "$x"; done\n')
    programs = {"first": EACH + "sh odd.sh", "shout": "exec sh filter.sh", "last": "stdbuf -oL tr a-z A-Z"}
    words = ("--journal", "failing", *LINES_OF_INPUT, "--on-failure")
    answer, err = runs.run(programs, *words, "retry:1", "--segment", "10", "--model", "overlap", "--window", "3",
                           "--json", status=SOME_FAILED)
    assert "takt: 7 of 40 data sets have failed: takt journal failing --failed" in err, err
    assert answer["failed"] == answer["journal"]["failed"] == 7 and answer["measured_period"] is None, answer
    sevens = {k: ("first", "its program ended: exit status 3; on standard error: no sevens", len(LINES[k]))
              for k in (7, 17, 27, 37)}
    failures = runs.failures("failing")
    shout = {k: failures.pop(k) for k in (13, 26)}
    assert failures == sevens | {20: ("first", "its program ended: ended by signal 9 (Killed)", 7)}, failures
    assert all(of[0] == "shout" for of in shout.values()) and "signal 11" in shout[13][1], shout
    failed = (7, 13, 17, 20, 26, 27, 37)
    runs.expect_results("failing", ["" if k in failed else line for k, line in enumerate(UPPER)])
    tries = {k: len((runs.folder / f"tries-{k}").read_text()) for k in range(40)}
    assert tries == {k: 2 if k in (*sevens, 20) or k % 10 == 4 else 1 for k in range(40)}, tries
    said = runs.journal("failing", "--failed", "--extract", "inputs").stdout.decode()
    assert "failing: 7 of 40 data sets failed\n" in said and "data set 20, stage first: its program " in said, said
    inputs = {int(path.name): path.read_text() for path in (runs.folder / "inputs").iterdir()}
    assert inputs == {k: LINES[k] for k in failed}, inputs
    runs.journal("failing", "--extract", "results")
    assert {int(path.name) for path in (runs.folder / "results").iterdir()} == set(range(40)) - set(failed)
    # Nothing is left to do, and the failures are still told.
    out, err = runs.run(programs, *words, "skip", status=SOME_FAILED)
    assert "Nothing is left to run." in out and "--again failed" in err, (out, err)

    # Only what has failed runs, that of dropped segments excepted, whoever dies meanwhile. What fails again has other
    # last words.
    (runs.folder / "failing.000001").unlink()
    runs.write("odd.sh", 'read -r x; case "$x" in *[13]7) exit 9;; esac; printf %s "$x"\n')
    runs.write("filter.sh", f'while read -r x; do case "$x" in *26) {runs.gate.stop};; esac; echo "$x"; done\n')
    again = (*words, "skip", "--again", "failed")
    job = runs.start(programs, *again, "--retries", "1")
    runs.gate.arrival()
    runs.kill(job, 2)
    runs.gate.let_in()
    _, err = runs.end(job, SOME_FAILED)
    assert "; start 2 of 2, " in err, err
    assert runs.failures("failing") == {k: ("first", "its program ended: exit status 9", 7) for k in (17, 37)}
    # Others on purpose.
    programs |= {"first": EACH + "cat"}
    runs.refuse(programs, *again, status=BAD_INPUT, says="a journal of other programs")
    out, _ = runs.run(programs, *again, "--same-journal")
    assert out.startswith("2 data sets delivered in order in "), out
    runs.expect_results("failing", UPPER[10:], "0 to 9 are not here: their segments are gone")
    found = runs.journal_json("failing")
    assert (found["failed"], found["data_sets"]) == (0, 40), found
    out, _ = runs.run(programs, *again)
    assert "Nothing is left to run." in out, out


def test_functions(runs, program):
    """A function that throws is tried again at once; one that ends its process, in the next job, on another one."""
    runs.write("two.json", json.dumps({
        "application": {"stages": [{"name": "first", "work": 1, "output": 1}, {"name": "second", "work": 1}]},
        "platform": {"processors": [{"name": name, "speed": 1000} for name in "abc"], "bandwidth": 1000},
        "mapping": [{"stages": ["first"], "processors": ["a"]}, {"stages": ["second"], "processors": ["b", "c"]}]}))
    words = ["fine"] * 12
    words[3], words[4], words[8] = "throw", "throw a number", "crash"
    runs.write("words", text_of(words))
    _, err = runs.run({}, "--executable", program, "--input", "words", "--journal", "functions", "--on-failure",
                      "retry:1", instance="two.json", status=SOME_FAILED)
    died = "its process died of: Segmentation fault"
    assert err.count(f"stage second, data set 8: {died}; functions holds ") == 2, err
    assert err.count("; try 2 of 2 follows on ") == 1, err
    assert err.count("; the run goes on without a result of this data set") == 1, err
    expected = {3: ("second", "no more\\u000aof this", 5), 8: ("second", died, 5),
                4: ("second", "it threw something else than a std::exception", 14)}
    assert runs.failures("functions") == expected, runs.failures("functions")
    runs.expect_results("functions", ["" if k in expected else "fine!" for k in range(12)])
    # Where that ends the run, what comes before it is there.
    runs.write("words", text_of(["fine"] * 7 + ["crash"] * 5))
    _, err = runs.run({}, "--executable", program, "--input", "words", "--journal", "ended", instance="two.json",
                      status=RUN_FAILED)
    assert f"stage second, data set 7: {died}; ended holds 7 of 12 data sets; the same" in err, err
    runs.expect_results("ended", ["fine!"] * 7)


# Two entries and two exits; overlay takes three files. Parts are one stage each, or cut elsewhere.
STAGES = [{"name": "decode", "work": 1, "output": 1}, {"name": "detect", "work": 4, "output": 1},
          {"name": "thumbnail", "work": 1, "output": 1, "after": ["decode"]},
          {"name": "overlay", "work": 2, "output": 1, "after": ["decode", "detect", "thumbnail"]},
          {"name": "right", "work": 1, "output": 1, "after": []},
          {"name": "stop", "work": 1, "output": 1, "after": ["thumbnail", "right"]}]
APART = [("decode", "a"), ("detect", "bc"), ("thumbnail", "a"), ("overlay", "d"), ("right", "b"), ("stop", "d")]
JOINED = [("decode detect", "ab"), ("thumbnail overlay", "c"), ("right stop", "d")]
# The program of docs/live.md.
OVERLAY = """import struct, sys

def record():
    head = sys.stdin.buffer.read(8)
    return sys.stdin.buffer.read(struct.unpack("<Q", head)[0]) if head else None

while (name := record()) is not None:
    files = {name: record()} | {record(): record() for _ in range(2)}
    data = b"; ".join(name + b"=" + files[name] for name in sorted(files))
    sys.stdout.buffer.write(struct.pack("<Q", len(data)) + data)
    sys.stdout.buffer.flush()
"""
BY_LINES = ("while read -r a; do read -r b; read -r c; read -r d; read -r e; read -r f; case $f in *9) exit 3;; esac; "
            "printf '%s\\n' \"$a=$b; $c=$d; $e=$f\"; done")


def workflow(served, **platform):
    return json.dumps({"application": {"input": 1, "stages": STAGES}, "platform": {
        "processors": [{"name": name, "speed": 1} for name in "abcd"], "bandwidth": 10, **platform},
        "mapping": [{"stages": of.split(), "processors": list(on)} for of, on in served]})


def exits_of(line):
    """Names and files of both."""
    return ["overlay", f"decode={line}; detect={line.upper()}; thumbnail={line}", "stop", f"{line} r{line}"]


def test_workflows(runs):
    """Programs get the files of several stages by name, whatever the form of records, the model, and where parts are
    cut. A data set is delivered when all exits are, and fails once, of the first stage that does."""
    fails = 'read -r x; case $x in *3) echo "{} cannot" >&2; exit 5;; esac; printf %s "$x" | tr {}'
    programs = {"decode": "cat", "detect": EACH + fails.replace("*3", "*[35]").format("detect", "a-z A-Z"),
                "thumbnail": EACH + fails.format("thumbnail", "x x"), "overlay": BY_LINES, "right": "sed -u s/^/r/",
                "stop": EACH + "cat {thumbnail}; printf ' '; cat {right}"}
    runs.write("flow.json", workflow(APART))
    runs.write("few", text_of(LINES[:20]))
    words = ("--journal", "flow", "--input", "few")
    # What is named need not be all, but something.
    runs.refuse(programs | {"overlay": EACH + "cat"}, *words, instance="flow.json",
                says="--each: stage overlay takes the files of decode, detect and thumbnail, but its command names "
                     "none of them; {decode} stands for the file of decode")
    options = (*SKIP, "--model", "strict", "--records", "lines")
    runs.run(programs, *words, *options, instance="flow.json", status=SOME_FAILED)
    said = runs.failures("flow")
    assert sorted(said) == [3, 5, 9, 13, 15, 19], said
    assert all(of[0] == "detect" and "detect cannot" in of[1] for k, of in said.items() if k % 10 < 9), said
    assert all(of[0] == "overlay" for k, of in said.items() if k % 10 == 9), said
    runs.journal("flow", "--failed", "--extract", "taken")
    taken = (runs.folder / "taken/00000009").read_text()
    assert taken == "decode\nline 9\ndetect\nLINE 9\nthumbnail\nline 9", taken

    # The mapping may be another where a run goes on, what stages take may not.
    runs.write("overlay.py", OVERLAY)
    programs = {"decode": EACH + "printf %s {}", "detect": "python3 shout.py", "thumbnail": EACH + "cat",
                "overlay": "python3 overlay.py", "right": EACH + "printf r%s {}", "stop": programs["stop"]}
    runs.write("other.json", workflow(APART).replace('"after": ["thumbnail", "right"]', '"after": ["right"]'))
    more = (*words, "--same-journal", "--again", "failed", "--model", "overlap")
    runs.refuse(programs, *more, instance="other.json", status=BAD_INPUT, says="a journal of another pipeline")
    runs.write("flow.json", workflow(JOINED, source={}, sink={}))
    runs.run(programs, *more, instance="flow.json")
    found = runs.journal("flow", "--cat", "--lines").stdout
    of_line = ["\n".join(exits_of(line)).encode() for line in LINES[:20]]
    for k in said:
        of_line[k] = b"".join(struct.pack("<Q", len(text)) + text.encode() for text in exits_of(LINES[k]))
    assert found == b"".join(each + b"\n" for each in of_line), found


def test_misuse(runs):
    for options, says in ((("--on-failure", "perhaps"), 'found "perhaps", expected stop, skip or retry:N'),
                          (("--on-failure", "retry:0"), 'found "retry:0"'),
                          (("--on-failure", "retry:1x"), 'found "retry:1x"'),
                          (("--again", "failed", "--data-sets", "3"), "--again and --data-sets exclude each other")):
        runs.refuse(CAT, "--journal", "misuse", "--input", "input", *options, says=says)
    runs.refuse(CAT | {"last": EACH + "cat '{}'"}, says="--each: the command of stage last has {} between quotes: takt "
                "itself puts quotes around what takes its place, so write it without")
    for options in (SKIP, ("--again", "failed")):
        runs.refuse(CAT, *options, says="goes with --journal")
    runs.refuse({}, "--journal", "misuse", *SKIP, says="--on-failure goes with --program, --each or --executable")
    assert not (runs.folder / "misuse").exists()


def main():
    runs = Runs(sys.argv[1], sys.argv[3])
    test_journals_of_others(runs)
    test_results_that_nobody_keeps(runs)
    test_failures(runs)
    if pathlib.Path(sys.argv[2]).exists():
        test_functions(runs, pathlib.Path(sys.argv[2]).resolve())
    else:
        print(f"no {sys.argv[2]}, which takes zlib: functions are not tested")
    test_workflows(runs)
    test_misuse(runs)


if __name__ == "__main__":
    main()
