#!/usr/bin/env python3
"""takt run --jitter and --rate: processes draw what a rehearsal draws, and no data set begins before it arrives.

Usage: run_varied_test.py TAKT FOLDER   status 77 where there is no mpirun
"""
import csv
import json
import pathlib
import subprocess
import sys
from fractions import Fraction

import answer_schemas
import mpi_jobs

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"
ROUNDING = 1e-6


class Runs:
    def __init__(self, takt, folder):
        self.takt = takt
        self.folder = folder

    def run(self, example, *options):
        words = [self.takt, "run", EXAMPLES / example, *options]
        ended = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, timeout=120, check=False)
        assert ended.returncode == 0, (ended.args, ended.returncode, ended.stdout, ended.stderr)
        return ended.stdout

    def varied(self, example, *options):
        answer = json.loads(self.run(example, *options, "--json"))
        fault = answer_schemas.fault_of("run", answer)
        assert not fault, fault
        return answer["varied"]

    def trace(self, name):
        with open(self.folder / name, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))


def test_draws(runs):
    """By the logical clock each operation takes place when the rehearsal says: both ends of each transfer, and all
    ranks, draw the same."""
    for example, law in (("example-a.json", "lognormal:0.5"), ("video-analytics.json", "exponential"),
                         ("video-jitter.json", "file"), ("cores.json", "gamma:0.7")):
        for model in ("overlap", "strict"):
            options = ["--model", model, "--jitter", law, "--seed", "5", "--data-sets", "30"]
            runs.run(example, *options, "--anchor", "logical", "--trace-file", "run.csv")
            runs.run(example, *options, "--rehearse", "--trace-file", "rehearsed.csv")
            assert runs.trace("run.csv") == runs.trace("rehearsed.csv"), (example, model)


def test_arrivals(runs):
    """No data set begins before it arrives, nor is a run faster than the play of its draws."""
    for arrivals in ("periodic", "poisson"):
        varied = runs.varied("video.json", "--model", "overlap", "--jitter", "lognormal:0.5", "--rate", "60/s",
                             "--arrivals", arrivals, "--data-sets", "60", "--trace-file", "run.csv")
        assert varied["arrivals"] == arrivals and len(varied["run_figures"]) == 4, varied
        for figure in varied["run_figures"]:
            assert figure["observed"] >= figure["same_draws"] - ROUNDING, figure
        if arrivals == "periodic":
            starts = {}
            for row in runs.trace("run.csv"):
                j = int(row["data_set"])
                starts[j] = min(starts.get(j, float("inf")), Fraction(row["start"]))
            assert all(start >= Fraction(j, 60) - Fraction(1, 1_000_000) for j, start in starts.items()), starts


def test_real_stages(runs):
    """A rate feeds real stages, too; their luck is not that of a play."""
    program = [f"--program={stage}=cat" for stage in ("decode", "detect", "track")]
    varied = runs.varied("video.json", "--model", "overlap", *program, "--rate", "60/s", "--data-sets", "30")
    assert varied["law"] == "constant" and varied["arrival_gap"] > 0, varied
    assert all(figure["same_draws"] is None and figure["observed"] > 0 for figure in varied["run_figures"]), varied


def main():
    runs = Runs(sys.argv[1], mpi_jobs.emptied_folder(sys.argv[2]))
    for test in (test_draws, test_arrivals, test_real_stages):
        test(runs)


if __name__ == "__main__":
    main()
