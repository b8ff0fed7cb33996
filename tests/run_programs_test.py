#!/usr/bin/env python3
"""takt run with programs as stages: every result once and in order, also where a program fails and the run goes on.

Usage: run_programs_test.py TAKT FOLDER   status 77 where there is no mpirun
"""
import json
import os
import subprocess
import sys

import mpi_jobs

RUN_FAILED = 70
INSTANCE = {
    "application": {"stages": [{"name": "first", "work": 1, "output": 1}, {"name": "shout", "work": 4, "output": 1},
                               {"name": "last", "work": 1}]},
    "platform": {"processors": [{"name": name, "speed": 1} for name in "abcd"], "bandwidth": 10},
    "mapping": [{"stages": ["first"], "processors": ["a"]}, {"stages": ["shout"], "processors": ["b", "c"]},
                {"stages": ["last"], "processors": ["d"]}],
}
LINES = [f"line {k}" for k in range(60)]
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
        words = [self.takt, "run", "instance.json", "--model", "strict", "--unit", "1ms", "--journal", journal, *options]
        for stage, command in programs.items():
            words += ["--program", f"{stage}={command}"]
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


def main():
    folder = mpi_jobs.emptied_folder(sys.argv[2])
    runs = Runs(sys.argv[1], folder)

    sized = {"first": "cat", "shout": "python3 shout.py", "last": "cat"}
    expect(runs.run("sized", sized, "--input", "input", "--records", "sized"), 0)
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
    expect(runs.run("mended", programs, *lines), 0)
    assert runs.results("mended") == whole


if __name__ == "__main__":
    main()
