#!/usr/bin/env python3
"""takt run --order first-free, --jitter, --rate and --max-rate: who takes which data set, and when. What needs no
processes is rehearsed.

Usage: run_orders_test.py TAKT FOLDER   status 77 where there is no mpirun
"""
import csv
import json
import pathlib
import sys
from fractions import Fraction

import run_jobs
from run_jobs import EACH, INSTANCE, LINES

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"
FREE = ("--model", "strict", "--order", "first-free")
REHEARSED = (*FREE, "--rehearse", "--data-sets")


def trace(runs, name):
    with open(runs.folder / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def shares_of(answer):
    return {share["processor"]: share for share in answer["shares"]}


def test_first_free(runs):
    """Data set 0 stands at the gate until 12 stands there, too: who holds it takes no other meanwhile. In turn 12 would
    wait for it."""
    programs = {"first": "cat", "shout": EACH + f'read -r x; case $x in *" "0|*12) {runs.gate.stop};; esac; '
                'printf %s "$x"', "last": "stdbuf -oL tr a-z A-Z"}
    job = runs.start(programs, *FREE, "--records", "lines", "--input", "input", "--journal", "free", "--json")
    runs.gate.arrival()
    runs.gate.arrival()
    runs.gate.let_in(2)
    free, _ = runs.end(job)
    runs.expect_results("free", [line.upper() for line in LINES])
    assert free["order"] == "first-free" and free["delivered"] == 40, free
    assert free["predicted_period"] is None and free["period_in_turn"] is not None, free
    assert free["measured_period_decimal"] > 0 and free["interval"] is not None, free
    shares = shares_of(free)
    counts = {name: (share["data_sets"], share["data_sets_in_turn"]) for name, share in shares.items()}
    assert sorted(shares) == ["a", "b", "c"] and counts["a"] == (40, 40), shares
    assert counts["b"][1] == counts["c"][1] == 20 and counts["b"][0] + counts["c"][0] == 40, shares
    assert max(counts["b"][0], counts["c"][0]) >= 12, shares
    assert all(0 <= share["computing_share"] <= 1 for share in shares.values()), shares


def test_words(runs):
    said, _ = runs.run({}, *REHEARSED, 100)
    for sentence in ("STRICT ONE-PORT, WINDOW OF", "FIRST FREE\n", "rehearsed ",
                     "by the instance's times: no prediction of this run, but a bound to beat\n",
                     "than in turn", "100 data sets delivered in order, none lost, none twice",
                     "The first free processor took the next data set\n"):
        assert sentence in said, (sentence, said)
    assert "predicted" not in said, said
    said, _ = runs.run({}, *REHEARSED, 5)
    assert "No period was rehearsed: it takes at least 10 data sets." in said and "predicted" not in said, said
    answer, _ = runs.run({}, "--model", "strict", "--rehearse", "--json")
    assert answer["order"] == "in-turn" and answer["shares"] == [], answer
    explanation = answer["explanation"]
    rest = answer["measured_period_decimal"] - explanation["own_times_period_decimal"]
    assert abs(rest - explanation["rest_period_decimal"]) < 1e-9, explanation


def test_misuse(runs):
    for options, why in ((["--adapt", "polish"], "--adapt exclude each other: a slow processor then takes fewer"),
                         (["--trace-file", "t.csv"], "--trace-file exclude each other"),
                         (["--tolerance", "0.1"], "--tolerance exclude each other"),
                         (["--anchor", "logical"], "--anchor logical exclude each other")):
        runs.refuse({}, *FREE, *options, says=f"--order first-free and {why}")
    twice = json.loads(json.dumps(INSTANCE))
    twice["mapping"][1]["processors"] = ["a"]
    runs.write("twice.json", json.dumps(twice))
    runs.refuse({}, *FREE, instance="twice.json", says="--order first-free: a serves several parts")


def test_draws(runs):
    """By the logical clock each operation takes place when the rehearsal says: both ends of each transfer, and all
    ranks, draw the same."""
    words = ("--model", "strict", "--jitter", "gamma:0.7", "--seed", "5", "--data-sets", "30", "--trace-file")
    runs.run({}, *words, "run.csv", "--anchor", "logical")
    runs.run({}, *words, "rehearsed.csv", "--rehearse")
    assert trace(runs, "run.csv") == trace(runs, "rehearsed.csv") != []


def test_arrivals(runs):
    """No data set begins before it arrives, nor is a run faster than the play of its draws."""
    answer, _ = runs.run({}, "--model", "overlap", "--jitter", "lognormal:0.5", "--rate", "60/s", "--data-sets", "60",
                         "--trace-file", "run.csv", "--json", instance=EXAMPLES / "video.json")
    varied = answer["varied"]
    assert varied["arrivals"] == "periodic" and len(varied["run_figures"]) == 4, varied
    assert all(figure["observed"] >= figure["same_draws"] - 1e-6 for figure in varied["run_figures"]), varied
    starts = {}
    for row in trace(runs, "run.csv"):
        starts.setdefault(int(row["data_set"]), []).append(Fraction(row["start"]))
    assert len(starts) == 60, starts
    assert all(min(of) >= Fraction(j, 60) - Fraction(1, 1_000_000) for j, of in starts.items()), starts


def test_real_stages(runs):
    """A rate feeds real stages, too; their luck is not that of a play."""
    programs = {stage: "cat" for stage in ("decode", "detect", "track")}
    answer, _ = runs.run(programs, "--model", "overlap", "--rate", "60/s", "--data-sets", "30", "--json",
                         instance=EXAMPLES / "video.json")
    varied = answer["varied"]
    assert varied["law"] == "constant" and varied["arrival_gap"] > 0, varied
    assert all(figure["same_draws"] is None and figure["observed"] > 0 for figure in varied["run_figures"]), varied


def test_max_rate(runs):
    """39 gaps of 20 ms, and at the end the last data set, which takes 5.1 units of 1 ms on its way."""
    answer, _ = runs.run({}, "--model", "strict", "--rehearse", "--data-sets", "40", "--max-rate", "50", "--json")
    assert answer["measured_period"] is None and abs(answer["seconds"] - 0.7851) < 1e-9, answer


def main():
    runs = run_jobs.Runs(sys.argv[1], sys.argv[2])
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test(runs)


if __name__ == "__main__":
    main()
