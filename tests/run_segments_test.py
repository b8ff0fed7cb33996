#!/usr/bin/env python3
"""takt run --segment: the same bytes in all segments whatever is killed, also where a consumer drops them meanwhile.

Usage: run_segments_test.py TAKT FOLDER   status 77 where there is no mpirun
"""
import json
import os
import random
import signal
import subprocess
import sys
import time

import answer_schemas
import mpi_jobs
import run_programs_test as programs
from run_streams_test import children_of

SEED = 20261125
DATA_SETS = 240
SEGMENT = 20
PATIENCE = 120
SOME_FAILED = 71


class Segments(programs.Runs):
    def command(self, journal, *options):
        return [self.takt, "run", "instance.json", "--model", "strict", "--unit", "6ms", "--data-sets", str(DATA_SETS),
                "--journal", journal, *options]

    def start(self, journal, *options):
        return subprocess.Popen(self.command(journal, *options), cwd=self.folder, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)

    def ended(self, job, status=0):
        out, err = job.communicate(timeout=PATIENCE)
        assert job.returncode == status, (job.returncode, out, err)
        return out, err

    def files(self, journal):
        """All of a journal, by name."""
        return {path.name.removeprefix(journal): path.read_bytes() for path in self.folder.glob(journal + "*")}

    def answer(self, *words):
        ended = subprocess.run([self.takt, "journal", *words], cwd=self.folder, capture_output=True, check=True)
        return ended.stdout

    def json(self, journal):
        found = json.loads(self.answer(journal, "--json"))
        fault = answer_schemas.fault_of("journal", found)
        assert not fault, fault
        return found


def kill_someone(job, kinds):
    """A rank or a launcher of a job that has begun, if there is one by now."""
    launchers = children_of(job.pid)
    ranks = [rank for launcher in launchers for rank in children_of(launcher)]
    victims = {"rank": ranks[1:], "coordinator": ranks[:1], "launcher": launchers}[random.choice(kinds)]
    if victims:
        try:
            os.kill(random.choice(victims), signal.SIGKILL)
        except ProcessLookupError:
            pass


def test_kills(runs, whole):
    """Ranks, coordinators, launchers and takt itself die; the bytes are those of a run in which nobody does."""
    restarts = 0
    for round_number in range(3):
        name = f"killed{round_number}"
        options = ["--segment", str(SEGMENT), "--retries", "20"]
        job = runs.start(name, *options)
        for kind in ("job", "takt", "job"):
            time.sleep(random.uniform(0.9, 1.6))
            if job.poll() is not None:
                break
            if kind == "job":
                kill_someone(job, ["rank", "rank", "coordinator", "launcher"])
                continue
            job.kill()
            restarts += "start 2 of" in job.communicate()[1]
            job = runs.start(name, *options[2:])  # a journal knows its segments
        restarts += "start 2 of" in runs.ended(job)[1]
        assert runs.files(name) == whole, (round_number, sorted(runs.files(name)))
    assert restarts >= 2, restarts


def test_consumer(runs, whole):
    """Whoever reads and deletes complete segments meanwhile has all results, each once."""
    job = runs.start("consumed", "--segment", str(SEGMENT), "--retries", "20")
    taken = b""
    count = 0
    has_killed = False
    while job.poll() is None:
        time.sleep(0.05)
        segment = runs.folder / f"consumed.{count + 1:06}"
        if not segment.exists():
            continue
        assert segment.read_bytes() == whole[f".{count + 1:06}"]
        taken += runs.answer(segment.name, "--cat")
        segment.unlink()
        count += 1
        if count >= 3 and not has_killed:
            has_killed = True
            kill_someone(job, ["rank"])
    out, _ = runs.ended(job)
    assert has_killed and "has had 240 of 240 data sets, in order, each once; the segments of" in out, out
    taken += runs.answer("consumed", "--cat")
    assert taken == runs.answer("whole", "--cat")
    found = runs.json("consumed")
    assert found["data_sets"] == DATA_SETS and found["segment_data_sets"] == SEGMENT, found
    assert found["dropped_segments"] == [{"from_data_set": 0, "data_sets": count * SEGMENT}], found


def test_failures(runs):
    """Data sets that failed run again, those of dropped segments excepted."""
    stages = ["--each", "first=cat", "--each", "shout=tr a-z A-Z", "--input", "input"]
    last = ["--each", 'last=read -r x; case $x in *5) [ -e mended ] || exit 5;; esac; printf %s "$x"']
    words = [runs.takt, "run", "instance.json", "--model", "strict", "--journal", "failing", *stages, *last]
    options = {"cwd": runs.folder, "capture_output": True, "text": True, "timeout": PATIENCE, "check": False}
    first = subprocess.run([*words, "--on-failure", "skip", "--segment", "10"], **options)
    assert first.returncode == SOME_FAILED, first
    assert runs.json("failing")["failed"] == 6
    (runs.folder / "failing.000001").unlink()
    (runs.folder / "mended").touch()
    again = subprocess.run([*words, "--again", "failed"], **options)
    assert again.returncode == 0, again
    assert "5 data sets delivered" in again.stdout, again.stdout
    found = runs.json("failing")
    assert (found["failed"], found["data_sets"]) == (0, 60), found
    lines = runs.answer("failing", "--cat", "--lines").decode().splitlines()
    assert lines == [line.upper() for line in programs.LINES[10:]], lines


def main():
    random.seed(SEED)
    runs = Segments(sys.argv[1], mpi_jobs.emptied_folder(sys.argv[2]))
    runs.ended(runs.start("whole", "--segment", str(SEGMENT)))
    whole = runs.files("whole")
    assert sorted(whole) == ["", *(f".{k + 1:06}" for k in range(DATA_SETS // SEGMENT))], sorted(whole)
    assert runs.json("whole")["dropped_segments"] == []
    test_kills(runs, whole)
    test_consumer(runs, whole)
    test_failures(runs)


if __name__ == "__main__":
    main()
