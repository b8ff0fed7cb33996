#!/usr/bin/env python3
"""takt run with programs as stages: every result once and in order, also where a program fails and the run goes on.

Usage: run_programs_test.py TAKT FOLDER   status 77 where there is no mpirun
"""
import json
import os
import subprocess
import sys

import mpi_jobs

BAD_INPUT = 3
RUN_FAILED = 70
INSTANCE = {
    "application": {"stages": [{"name": "first", "work": 1, "output": 1}, {"name": "shout", "work": 4, "output": 1},
                               {"name": "last", "work": 1}]},
    "platform": {"processors": [{"name": name, "speed": 1} for name in "abcd"], "bandwidth": 10},
    "mapping": [{"stages": ["first"], "processors": ["a"]}, {"stages": ["shout"], "processors": ["b", "c"]},
                {"stages": ["last"], "processors": ["d"]}],
}
LINES = [f"line {k}" for k in range(60)]
EACH = "each:"  # before a command that is started for each data set
# The program of docs/formats.md.
SHOUT = """import struct, sys
while head := sys.stdin.buffer.read(8):
    data = sys.stdin.buffer.read(struct.unpack("<Q", head)[0])
    sys.stdout.buffer.write(head + data.upper())
    sys.stdout.buffer.flush()
"""


class Runs:
    def __init__(self, takt, folder):
        self.takt = takt
        self.folder = folder
        (folder / "instance.json").write_text(json.dumps(INSTANCE))
        (folder / "input").write_text("".join(line + "\n" for line in LINES))
        (folder / "shout.py").write_text(SHOUT)

    def run(self, journal, programs, *options):
        words = [self.takt, "run", "instance.json", "--unit", "1ms", "--journal", journal, *options]
        words += [] if "--model" in options else ["--model", "strict"]
        for stage, command in programs.items():
            kind = "--each" if command.startswith(EACH) else "--program"
            words += [kind, f"{stage}={command.removeprefix(EACH)}"]
        environment = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        return subprocess.run(words, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=120,
                              check=False)

    def results(self, journal):
        words = [self.takt, "journal", journal, "--cat", "--lines"]
        ended = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, check=True)
        assert ended.stderr == "", ended.stderr
        return ended.stdout.splitlines()


def expect(ended, status):
    assert ended.returncode == status, (ended.returncode, ended.stdout, ended.stderr)


def expect_explained(result):
    """Real stages have 8 data sets for each processor under way; what explains the run, and what its stages took."""
    assert (result["window"], result["window_reason"]) == (32, "rounds"), result
    explanation = result["explanation"]
    rest = result["measured_period_decimal"] - explanation["own_times_period_decimal"]
    assert abs(rest - explanation["rest_period_decimal"]) < 1e-9, explanation
    work = {(of["stage"], of["processor"]): of for of in result["stage_work"]}
    calls = {place: of["calls"] for place, of in work.items()}
    assert calls == {("first", "a"): 60, ("shout", "b"): 30, ("shout", "c"): 30, ("last", "d"): 60}, calls
    assert all(of["wall_seconds"] > 0 and of["core_seconds"] > 0 for of in work.values()), work


def main():
    folder = mpi_jobs.emptied_folder(sys.argv[2])
    runs = Runs(sys.argv[1], folder)

    sized = {"first": "cat", "shout": "python3 shout.py", "last": "cat"}
    ended = runs.run("sized", sized, "--input", "input", "--records", "sized", "--json")
    expect(ended, 0)
    expect_explained(json.loads(ended.stdout))
    assert runs.results("sized") == [line.upper() for line in LINES]

    # A program that ends: the job ends with its last words, and the results that are there stand.
    # Without input the first stage gets numbers.
    lines = ("--records", "lines", "--data-sets", "30")
    programs = {"first": "while read -r line; do echo data set $line; done", "shout": "stdbuf -oL tr a-z A-Z",
                "last": "sed -u s/$/!/"}
    whole = [f"DATA SET {k}!" for k in range(30)]
    broken = programs | {"last": "sed -u -e s/$/!/ -e 20q; echo the disk is gone >&2; exit 9"}
    ended = runs.run("mended", broken, *lines)
    expect(ended, RUN_FAILED)
    assert "stage last, data set 20: its program " in ended.stderr, ended.stderr
    assert "exit status 9; on standard error: the disk is gone" in ended.stderr, ended.stderr
    kept = runs.results("mended")
    assert len(kept) <= 20 and kept == whole[:len(kept)], kept
    refused = runs.run("mended", programs, *lines)
    expect(refused, BAD_INPUT)
    assert "a journal of other programs" in refused.stderr, refused.stderr
    expect(runs.run("mended", programs, *lines, "--same-journal"), 0)
    assert runs.results("mended") == whole
    test_journals_of_others(runs)


def test_journals_of_others(runs):
    lines = ("--records", "lines", "--input", "letters")
    letters = runs.folder / "letters"
    programs = {"first": "cat", "shout": "stdbuf -oL tr a-z A-Z", "last": "sed -u s/$/!/"}
    letters.write_text("a\nb\nc\nd\ne\n")
    expect(runs.run("letters.journal", programs, *lines), 0)
    before = (runs.folder / "letters.journal").read_bytes()

    # Changed, moved and cut lines are another input; more lines are more to do.
    for text, what in (("a\nb\nX\nd\ne\nf\n", "its result for data set 2 is not that of line 3 of the input"),
                       ("b\na\nc\nd\ne\nf\n", "its result for data set 0 is not that of line 1"),
                       ("a\nb\nc\n", "it holds the result of data set 3, and the input has 3 lines")):
        letters.write_text(text)
        ended = runs.run("letters.journal", programs, *lines)
        expect(ended, BAD_INPUT)
        assert "a journal of another input: " + what in ended.stderr, ended.stderr
    letters.write_text("a\nb\nc\nd\ne\nf\n")

    changed = programs | {"last": "sed -u s/$/?/"}
    started_for_each = programs | {"last": EACH + programs["last"]}
    for others, options in ((changed, lines), (started_for_each, lines),
                            (programs, ("--records", "sized", "--input", "letters"))):
        ended = runs.run("letters.journal", others, *options)
        expect(ended, BAD_INPUT)
        assert "a journal of other programs: " in ended.stderr and "--same-journal" in ended.stderr, ended.stderr
    ended = runs.run("letters.journal", programs, "--records", "lines", "--data-sets", "6")
    expect(ended, BAD_INPUT)
    assert "a journal of another pipeline: " in ended.stderr, ended.stderr
    assert (runs.folder / "letters.journal").read_bytes() == before
    expect(runs.run("letters.journal", dict(reversed(programs.items())), *lines), 0)
    assert runs.results("letters.journal") == [f"{letter}!" for letter in "ABCDEF"]

    # Changed on purpose: told once, noted, and the journal's own from then on.
    letters.write_text("a\nb\nc\nd\ne\nf\ng\n")
    ended = runs.run("letters.journal", changed, *lines, "--same-journal")
    expect(ended, 0)
    assert "letters.journal notes that its programs differ from data set 6 on" in ended.stderr, ended.stderr
    letters.write_text("a\nb\nc\nd\ne\nf\ng\nh\n")
    expect(runs.run("letters.journal", programs, *lines), BAD_INPUT)
    expect(runs.run("letters.journal", changed, *lines), 0)
    assert runs.results("letters.journal") == ["A!", "B!", "C!", "D!", "E!", "F!", "G?", "H?"]


if __name__ == "__main__":
    main()
