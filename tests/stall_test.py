#!/usr/bin/env python3
"""A run that stands still says who holds what, is ended at its limit and starts again: stages that hang, ranks and
coordinators that are stopped. Restarts that come no further wait longer each time.

Usage: stall_test.py TAKT FUNCTIONS FOLDER   FUNCTIONS: failing_stages; status 77 where there is no mpirun
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import mpi_jobs

PATIENCE = 120
STAGES = ["first", "second"]
INSTANCE = {
    "application": {"stages": [{"name": "first", "work": 1, "output": 1}, {"name": "second", "work": 1}]},
    "platform": {"processors": [{"name": name, "speed": 100} for name in "pqr"], "bandwidth": 1000},
    "mapping": [{"stages": ["first"], "processors": ["p"]}, {"stages": ["second"], "processors": ["q", "r"]}],
}
DATA_SETS = 40


class Run:
    def __init__(self, takt, folder, *options):
        environment = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        self.said = ""
        self.job = subprocess.Popen([takt, "run", "instance.json", *options], cwd=folder, env=environment,
                                    stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def end(self, status, *sentences):
        said = self.job.communicate(timeout=PATIENCE)[1]
        assert self.job.returncode == status, (self.job.returncode, said)
        for sentence in sentences:
            assert re.search(sentence, said), f"expected {sentence}\nin {said}"
        return said

    def ranks(self):
        """By number: the coordinator, then processors in order. Ranks fork while MPI starts: descendants lists a parent
        before its children, and the parent is the rank."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            found = {}
            for number in descendants(self.job.pid):
                try:
                    variables = pathlib.Path(f"/proc/{number}/environ").read_bytes().split(b"\0")
                    if pathlib.Path(f"/proc/{number}/comm").read_text().strip() == "takt-live":
                        rank = int(dict(v.split(b"=", 1) for v in variables if b"=" in v)[b"OMPI_COMM_WORLD_RANK"])
                        found.setdefault(rank, number)
                except (OSError, KeyError):
                    pass
            if len(found) == 4:
                return found
            time.sleep(0.02)
        sys.exit("no ranks")


def descendants(process):
    found = []
    for path in pathlib.Path(f"/proc/{process}/task").glob("*/children"):
        try:
            for child in path.read_text().split():
                found += [int(child), *descendants(int(child))]
        except OSError:
            pass
    return found


def extracted(takt, journal, folder):
    return subprocess.run([takt, "journal", journal, "--cat", "--lines"], cwd=folder, capture_output=True, check=True).stdout


def wait_for_records(takt, journal, folder, count):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if (folder / journal).exists() and (folder / journal).stat().st_size > count:
            return
        time.sleep(0.02)
    sys.exit(f"{journal} does not grow")


def hanging_program(takt, folder):
    """Hangs on data set 7 the first time."""
    program = 'x=$(cat); if [ "$x" = 7 ] && ! test -e hung; then touch hung; sleep 1000; fi; printf %s "$x"'
    options = ["--data-sets", str(DATA_SETS), "--each", "first=cat", "--each", f"second={program}", "--journal", "program"]
    said = Run(takt, folder, *options, "--stall-limit", "2s", "--retries", "1").end(
        0, r"nothing has been delivered for \S+ s, data set 7 is next: r has had data set 7 in stage second for \S+ s",
        r"start 2 of 2, the same mapping")
    assert "does not answer" not in said, said
    assert extracted(takt, "program", folder) == "".join(f"{k}\n" for k in range(DATA_SETS)).encode(), "other results"


def hanging_function(takt, functions, folder):
    words = ["go"] * 5 + ["hang"] + ["go"] * 5
    (folder / "words").write_text("".join(word + "\n" for word in words))
    options = ["--executable", functions, "--input", "words", "--journal", "function", "--stall-limit", "1s"]
    Run(takt, folder, *options).end(
        70, r"nothing has been delivered for \S+ s, data set 5 is next: r has had data set 5 in stage second for \S+ s")
    said = Run(takt, folder, *options, "--retries", "4").end(70, r"start 2 of 5, the same mapping", r"start 5 of 5 in 4 s")
    rests = re.findall(r"start (\d) of 5(?: in (\d) s)?,", said)
    assert rests == [("2", ""), ("3", "1"), ("4", "2"), ("5", "4")], said


def stopped(takt, folder, rank, *sentences):
    journal = f"stopped-{rank}"
    run = Run(takt, folder, "--data-sets", "800", "--journal", journal, "--stall-limit", "2s", "--retries", "1")
    victim = run.ranks()[rank]
    wait_for_records(takt, journal, folder, 4096)
    os.kill(victim, signal.SIGSTOP)
    run.end(0, rf"\(process {victim}\)", *sentences)
    whole = json.loads(subprocess.run([takt, "journal", journal, "--json"], cwd=folder, capture_output=True, check=True).stdout)
    assert whole["data_sets"] == 800, whole


def main():
    takt, functions = sys.argv[1:3]
    folder = mpi_jobs.emptied_folder(sys.argv[3])
    (folder / "instance.json").write_text(json.dumps(INSTANCE))
    hanging_program(takt, folder)
    hanging_function(takt, functions, folder)
    stopped(takt, folder, 2, r"q \(process \d+\) is stopped", r"start 2 of 2, mapped anew")
    stopped(takt, folder, 0, r"the coordinator .* has given no sign of life for \d+ s: is it stopped\?",
            r"start 2 of 2, the same mapping")


if __name__ == "__main__":
    main()
