#!/usr/bin/env python3
"""takt run: processes killed at random moments, and of each kind by each signal, cost no result and leave nothing.

Usage: live_kills_test.py TAKT SOURCES FOLDER [KILLS]   status 77 where there is no mpirun; KILLS per run, default: 20
"""
import contextlib
import os
import pathlib
import random
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import mpi_jobs  # noqa: E402
from live_runs_test import SOME_FAILED, Runs, expect  # noqa: E402

RANKS = [f"rank {number}" for number in range(1, 8)]
ROUNDS = ([RANKS], [RANKS, RANKS], [["launcher"], ["takt"]], [["rank 0"], RANKS], [["takt"], RANKS])
# The stages as programs; one of them ends with a status on some data sets, and by a signal on others.
FAILING = ["--records", "lines", "--on-failure", "skip",
           "--each", 's4=read -r x; case $((x % 77)) in 0|7|14|21|28|35|42|49|56|63|70) echo "no $x" >&2; '
                     'exit 5;; 11|22|33|44|55|66) kill -9 $$;; esac; printf %s "$x"']
for number in (0, 1, 2, 3, 5, 6, 7):
    FAILING += ["--program", f"s{number}=stdbuf -oL sed s/^/{number if number else ''}/"]


class Killer:
    """Kills what it is told to, somewhere on the way of a run that is to end all the same."""

    def __init__(self, runs, name, status, instance, *words):
        self.runs, self.name, self.status = runs, name, status
        self.words = [instance, "--model", "strict", "--data-sets", 300, *words, "--journal"]
        runs.end(runs.start(*self.words, name), status)
        self.whole = (runs.folder / name).read_bytes()
        self.journal = runs.folder / "killed"

    def start(self):
        return self.runs.start(*self.words, self.journal, "--retries", 2)

    def kill_one(self, job, kind):
        """False where the run was faster."""
        size = self.journal.stat().st_size if self.journal.exists() else 0
        while job.poll() is None and not (self.journal.exists() and self.journal.stat().st_size > size + 1000):
            time.sleep(0.005)
        time.sleep(random.random() * 0.1)
        if job.poll() is None:
            with contextlib.suppress(ProcessLookupError, KeyError, IndexError):
                self.runs.kill(job, kind)
                return True
        return False

    def round(self, kinds):
        self.journal.unlink(missing_ok=True)
        job = self.start()
        deaths = []
        for kind in map(random.choice, kinds):
            if not self.kill_one(job, kind):
                break
            deaths.append(kind)
            if kind == "takt":
                job = self.start()
        answer, _ = self.runs.end(job, self.status)
        # Whoever dies in the last moment is not missed.
        since = deaths[deaths.index("takt") + 1:] if "takt" in deaths else deaths
        restarts = answer["restarts"]
        expect(len(restarts) >= len(since) - 1, deaths, restarts)
        left_out = [each for each in restarts if each["processor"]]
        expect(len(left_out) == sum(kind in RANKS for kind in since[:len(restarts)]), deaths, restarts)
        expect(self.journal.read_bytes() == self.whole, self.name, deaths, "another journal than of an undisturbed run")
        return len(deaths)


def nothing_survives(runs):
    """While a stage waits for its program, at rank 2, and another has nothing to do."""
    for kind in ("takt", "launcher", "rank 0", "rank 2", "keeper 2", "keeper 4"):
        for number in (signal.SIGKILL, signal.SIGTERM):
            job = runs.start_chain(f"{kind}-{number}")
            runs.gate.arrival()
            runs.kill(job, kind, number)
            job.communicate()
            print(f"{kind}, signal {number}: nothing is left")


def main():
    sources = pathlib.Path(sys.argv[2]).resolve()
    runs = Runs(str(pathlib.Path(sys.argv[1]).resolve()), mpi_jobs.emptied_folder(sys.argv[3]))
    kills = int(sys.argv[4]) if len(sys.argv) > 4 else 20
    random.seed(1)
    nothing_survives(runs)
    chain = sources / "examples/adaptive.json"
    for killer in (Killer(runs, "chain", 0, chain, "--unit", "150ms"),
                   Killer(runs, "failing", SOME_FAILED, chain, "--unit", "150ms", *FAILING),
                   Killer(runs, "workflow", 0, runs.folder / "forks.json", "--unit", "1ms")):
        killed = 0
        while killed < kills:
            killed += killer.round(random.choice(ROUNDS))
        print(f"{killer.name}: {killed} processes killed: each journal has the bytes of an undisturbed run's")


if __name__ == "__main__":
    main()
