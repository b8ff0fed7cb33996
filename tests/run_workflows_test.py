#!/usr/bin/env python3
"""takt run with workflows: programs get the files of several stages by name, results of several exits are one.

Usage: run_workflows_test.py TAKT FOLDER   status 77 where there is no mpirun
"""
import json
import os
import struct
import subprocess
import sys

import mpi_jobs

USAGE = 2
BAD_INPUT = 3
SOME_FAILED = 71
STAGES = [{"name": "decode", "work": 1, "output": 1}, {"name": "detect", "work": 4, "output": 1},
          {"name": "thumbnail", "work": 1, "output": 1, "after": ["decode"]},
          {"name": "overlay", "work": 2, "after": ["decode", "detect", "thumbnail"]}]
LINES = [f"line {k}" for k in range(40)]
EACH = "each:"  # before a command that is started for each data set
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
SHOUT = """import struct, sys
while head := sys.stdin.buffer.read(8):
    data = sys.stdin.buffer.read(struct.unpack("<Q", head)[0])
    sys.stdout.buffer.write(head + data.upper())
    sys.stdout.buffer.flush()
"""
BY_LINES = ("while read -r a; do read -r b; read -r c; read -r d; read -r e; read -r f; "
            "printf '%s\\n' \"$a=$b; $c=$d; $e=$f\"; done")
BY_FILES = EACH + """printf '%s; %s; %s' "decode=$(cat {decode})" "detect=$(cat {detect})" "thumbnail=$(cat {thumbnail})" """
CUT = EACH + "cut -c1-4 | tr -d '\\n'"


def instance(stages, served, **platform):
    names = sorted({processor for part in served for processor in part[1]})
    return {"application": {"input": 1, "stages": stages},
            "platform": {"processors": [{"name": name, "speed": 1} for name in names], "bandwidth": 10, **platform},
            "mapping": [{"stages": of, "processors": processors} for of, processors in served]}


def whole(line):
    return f"decode={line}; detect={line.upper()}; thumbnail={line[:4]}"


class Runs:
    def __init__(self, takt, folder):
        self.takt = takt
        self.folder = folder
        (folder / "input").write_text("".join(line + "\n" for line in LINES))
        (folder / "overlay.py").write_text(OVERLAY)
        (folder / "shout.py").write_text(SHOUT)

    def run(self, document, journal, programs, *options):
        (self.folder / "instance.json").write_text(json.dumps(document))
        words = [self.takt, "run", "instance.json", "--unit", "1ms", "--journal", journal, *options]
        for stage, command in programs.items():
            kind = "--each" if command.startswith(EACH) else "--program"
            words += [kind, f"{stage}={command.removeprefix(EACH)}"]
        environment = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        return subprocess.run(words, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=120,
                              check=False)

    def content(self, journal, *options):
        words = [self.takt, "journal", journal, *options]
        return subprocess.run(words, cwd=self.folder, capture_output=True, check=True).stdout

    def results(self, journal):
        return self.content(journal, "--cat", "--lines").decode().splitlines()


def expect(ended, status):
    assert ended.returncode == status, (ended.returncode, ended.stdout, ended.stderr)


def files_come_by_name(runs):
    """Whatever the form of records, the model, and where parts are cut."""
    apart = [(["decode"], ["a"]), (["detect"], ["b", "c"]), (["thumbnail"], ["a"]), (["overlay"], ["d"])]
    joined = [(["decode", "detect"], ["a", "b"]), (["thumbnail", "overlay"], ["c"])]
    alone = [(["decode", "detect", "thumbnail", "overlay"], ["a", "b"])]
    sized = {"decode": "cat", "detect": "python3 shout.py", "thumbnail": CUT, "overlay": "python3 overlay.py"}
    lines = {"decode": "cat", "detect": "stdbuf -oL tr a-z A-Z", "thumbnail": "sed -u -E 's/^(....).*/\\1/'",
             "overlay": BY_LINES}
    each = {"decode": EACH + "printf %s {}", "detect": EACH + "tr a-z A-Z", "thumbnail": CUT, "overlay": BY_FILES}
    count = 0
    for served in (apart, joined, alone):
        for model in ("overlap", "strict"):
            for name, programs, records in (("sized", sized, "sized"), ("lines", lines, "lines"), ("each", each, None)):
                options = ("--records", records) if records else ()
                journal = f"{name}-{count}"
                expect(runs.run(instance(STAGES, served), journal, programs, "--input", "input", "--model", model,
                                *options), 0)
                assert runs.results(journal) == [whole(line) for line in LINES], runs.results(journal)
                count += 1
    # The mapping may be another where a run goes on, what stages take may not.
    served = instance(STAGES, apart)
    expect(runs.run(served, "each-2", each, "--input", "input"), 0)
    other = [*STAGES[:3], {**STAGES[3], "after": ["detect", "thumbnail"]}]
    ended = runs.run(instance(other, apart), "each-2", each, "--input", "input")
    expect(ended, BAD_INPUT)
    assert "a journal of another pipeline" in ended.stderr, ended.stderr
    print(f"{count} runs: files by name")


def commands_name_their_files(runs):
    served = [([stage["name"]], [name]) for stage, name in zip(STAGES, "abcd")]
    programs = {"decode": EACH + "printf %s {}", "detect": EACH + "cat", "thumbnail": EACH + "cat",
                "overlay": EACH + "cat"}
    ended = runs.run(instance(STAGES, served), "refused", programs, "--input", "input")
    expect(ended, USAGE)
    assert ("--each: stage overlay takes the files of decode, detect and thumbnail, but its command names none of them; "
            "{decode} stands for the file of decode") in ended.stderr, ended.stderr
    # What is named need not be all.
    expect(runs.run(instance(STAGES, served), "some", programs | {"overlay": EACH + "cat {detect} {detect}"}, "--input",
                    "input"), 0)
    assert runs.results("some") == [line + line for line in LINES], runs.results("some")


def failures_are_of_data_sets(runs):
    """Both branches fail on some data sets, and the first stage is named; what failed runs again."""
    served = [(["decode"], ["a"]), (["detect"], ["b", "c"]), (["thumbnail"], ["d"]), (["overlay"], ["a"])]
    fails = 'read -r x; case $x in *3) echo "{} cannot" >&2; exit 5;; esac; printf %s "$x"'
    fragile = {"decode": "cat", "detect": EACH + fails.replace("*3", "*[35]").format("detect"),
               "thumbnail": EACH + fails.format("thumbnail"), "overlay": BY_LINES}
    options = ("--input", "input", "--records", "lines", "--on-failure", "skip")
    ended = runs.run(instance(STAGES, served), "failing", fragile, *options)
    expect(ended, SOME_FAILED)
    said = json.loads(runs.content("failing", "--failed", "--json"))["failures"]
    assert [each["data_set"] for each in said] == [k for k in range(40) if k % 10 in (3, 5)], said
    assert all(each["stage"] == "detect" and "detect cannot" in each["words"] for each in said), said

    joining = fragile | {"detect": EACH + "tr -d '\\n'", "thumbnail": EACH + "tr -d '\\n'",
                         "overlay": BY_LINES.replace("printf", 'case $f in *7) exit 3;; esac; printf')}
    ended = runs.run(instance(STAGES, served), "joining", joining, *options)
    expect(ended, SOME_FAILED)
    runs.content("joining", "--failed", "--extract", "inputs")
    taken = (runs.folder / "inputs/00000007").read_text()
    assert taken == "decode\nline 7\ndetect\nline 7\nthumbnail\nline 7", taken

    mended = fragile | {"detect": EACH + "tr a-z A-Z", "thumbnail": CUT}
    expect(runs.run(instance(STAGES, served), "failing", mended, *options[:4], "--same-journal", "--again", "failed"), 0)
    results = runs.results("failing")
    assert all(results[k] == whole(LINES[k]) for k in range(40) if k % 10 in (3, 5)), results
    print("failures of branches: one of each data set, of the first stage; run again")


def exits_are_one_result(runs):
    """Two entries get the same input; a data set is delivered when both exits are, with names and files of both."""
    stages = [{"name": "left", "work": 1, "output": 1}, {"name": "right", "work": 6, "output": 1, "after": []},
              {"name": "end", "work": 1, "output": 1, "after": ["left"]},
              {"name": "stop", "work": 1, "output": 1, "after": ["left", "right"]}]
    served = [(["left"], ["a"]), (["right"], ["b", "c"]), (["end"], ["d"]), (["stop"], ["b"])]
    programs = {"left": "sed -u s/^/l/", "right": "sed -u s/^/r/", "end": "sed -u s/$/./",
                "stop": "while read -r a; do read -r b; read -r c; read -r d; echo \"$b $d\"; done"}
    expected = [["end", f"l{line}.", "stop", f"l{line} r{line}"] for line in LINES]
    for name, platform in (("no-ends", {}), ("both-ends", {"source": {}, "sink": {}})):
        for model in ("overlap", "strict"):
            document = instance(stages, served, **platform)
            journal = f"{name}-{model}"
            expect(runs.run(document, journal, programs, "--records", "lines", "--input", "input", "--model", model), 0)
            found = runs.results(journal)
            assert found == [line for four in expected for line in four], found
    each = {"left": EACH + "printf l%s {}", "right": EACH + "printf r%s {}", "end": EACH + "cat; printf .",
            "stop": EACH + "cat {left}; printf ' '; cat {right}"}
    expect(runs.run(instance(stages, served), "sized-exits", each, "--input", "input"), 0)
    sized = b"".join(struct.pack("<Q", len(text)) + text.encode() for four in expected for text in four)
    assert runs.content("sized-exits", "--cat") == sized
    print("several entries and exits: one result of each data set")


def main():
    folder = mpi_jobs.emptied_folder(sys.argv[2])
    runs = Runs(sys.argv[1], folder)
    files_come_by_name(runs)
    commands_name_their_files(runs)
    failures_are_of_data_sets(runs)
    exits_are_one_result(runs)


if __name__ == "__main__":
    main()
