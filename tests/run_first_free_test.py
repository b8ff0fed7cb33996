#!/usr/bin/env python3
"""takt run --order first-free: the results of a run in turn, whatever is killed or fails, and less time where times vary.

Usage: run_first_free_test.py TAKT FOLDER   status 77 where there is no mpirun
"""
import json
import os
import random
import signal
import subprocess
import sys

import answer_schemas
import mpi_jobs
import run_programs_test as programs
import run_streams_test as streams

MISUSED = 2
PATIENCE = 60
SOME_FAILED = 71
FREE = ("--order", "first-free")
SKIP = ("--on-failure", "skip")
# Every ninth data set takes as long as the others of its round together.
SLEEPS = """import sys, time
for line in sys.stdin:
    time.sleep(0.06 if int(line.split()[1]) % 9 == 0 else 0.002)
    sys.stdout.write(line.upper())
    sys.stdout.flush()
"""


def answer_of(runs, words, status=0, text=None):
    answer = json.loads(runs.answer([*words, "--json"], text, status).stdout)
    fault = answer_schemas.fault_of("run", answer)
    assert not fault, fault
    return answer


def test_results(runs):
    """Those of a run in turn, under both models; the slow data sets hold back nobody but their processor."""
    (runs.folder / "sleeps.py").write_text(SLEEPS)
    stages = ["--records", "lines", "--program", "first=stdbuf -oL cat", "--program", "shout=python3 sleeps.py",
              "--program", "last=stdbuf -oL cat", "--input", "input", "--unit", "1ms"]
    for model in ("overlap", "strict"):
        words = [runs.takt, "run", "instance.json", "--model", model, *stages]
        in_turn = answer_of(runs, [*words, "--journal", f"turns-{model}"])
        free = answer_of(runs, [*words, "--journal", f"free-{model}", *FREE])
        assert runs.results(f"free-{model}") == [line.upper() for line in programs.LINES]
        assert (runs.folder / f"free-{model}").read_bytes() == (runs.folder / f"turns-{model}").read_bytes()
        assert in_turn["order"] == "in-turn" and in_turn["shares"] == [], in_turn
        assert free["order"] == "first-free" and free["delivered"] == 60, free
        assert free["predicted_period"] is None and free["period_in_turn"] is not None, free
        assert free["measured_period_decimal"] > 0 and free["interval"] is not None, free
        shares = {share["processor"]: share for share in free["shares"]}
        assert sorted(shares) == ["a", "b", "c", "d"], shares
        assert shares["a"]["data_sets"] == shares["d"]["data_sets"] == 60, shares
        assert shares["b"]["data_sets"] + shares["c"]["data_sets"] == 60, shares
        assert shares["b"]["data_sets_in_turn"] == shares["c"]["data_sets_in_turn"] == 30, shares
        assert all(0 <= share["computing_share"] <= 1 for share in shares.values()), shares


def test_words(runs):
    words = [runs.takt, "run", "instance.json", "--model", "strict", "--unit", "1ms", *FREE]
    said = runs.answer([*words, "--data-sets", "100"], None, 0).stdout
    for sentence in ("STRICT ONE-PORT, WINDOW OF", "FIRST FREE\n",
                     "by the instance's times: no prediction of this run, but a bound to beat\n",
                     "than in turn", "100 data sets delivered in order, none lost, none twice",
                     "The first free processor took the next data set\n"):
        assert sentence in said, (sentence, said)
    assert "predicted" not in said, said
    said = runs.answer([*words, "--data-sets", "100", "--rehearse"], None, 0).stdout
    assert "rehearsed " in said and "FIRST FREE" in said, said
    said = runs.answer([*words, "--data-sets", "5"], None, 0).stdout
    assert "5 data sets delivered in order" in said and "No period was measured: it takes at least 10 data sets." in said, said


def test_kills(runs):
    words = runs.command("undisturbed", *SKIP, "--input", "many", *FREE)
    (runs.folder / "many").write_text("".join(line + "\n" for line in streams.LINES))
    runs.answer(words, None, SOME_FAILED)
    runs.expect_results("undisturbed", streams.LINES)
    job = runs.start("killed", *SKIP, "--input", "many", *FREE, "--retries", "3")
    for size in (500, 3000):
        streams.wait_until(lambda: runs.size_of("killed") > size or job.poll() is not None, "results")
        ranks = [rank for launcher in streams.children_of(job.pid) for rank in streams.children_of(launcher)]
        if len(ranks) > 1:
            os.kill(random.choice(ranks[1:]), signal.SIGKILL)
    out, err = job.communicate(timeout=PATIENCE)
    assert job.returncode == SOME_FAILED, (job.returncode, out, err)
    assert "predicted" not in err and " died" in err, err
    assert (runs.folder / "killed").read_bytes() == (runs.folder / "undisturbed").read_bytes()


def test_stream(runs):
    words = runs.command("stream", *SKIP, "--input", "-", *FREE)
    answer = answer_of(runs, words, SOME_FAILED, "".join(line + "\n" for line in streams.LINES[:100]))
    assert (answer["data_sets"], answer["failed"], answer["shares"]) == (100, 1, []), answer
    runs.expect_results("stream", streams.LINES[:100])


def test_misuse(runs):
    words = [runs.takt, "run", "instance.json", "--model", "strict", *FREE]
    for options, why in ((["--adapt", "polish"], "--adapt exclude each other: a slow processor then takes fewer"),
                         (["--trace-file", "t.csv"], "--trace-file exclude each other"),
                         (["--tolerance", "0.1"], "--tolerance exclude each other"),
                         (["--anchor", "logical"], "--anchor logical exclude each other")):
        ended = runs.answer([*words, *options], None, MISUSED)
        assert f"--order first-free and {why}" in ended.stderr, ended.stderr
    twice = json.loads(json.dumps(programs.INSTANCE))
    twice["mapping"][2]["processors"] = ["b"]
    (runs.folder / "twice.json").write_text(json.dumps(twice))
    ended = runs.answer([runs.takt, "run", "twice.json", "--model", "strict", *FREE], None, MISUSED)
    assert "--order first-free: b serves several parts" in ended.stderr, ended.stderr


def main():
    runs = streams.Streams(sys.argv[1], mpi_jobs.emptied_folder(sys.argv[2]))
    for test in (test_results, test_words, test_kills, test_stream, test_misuse):
        test(runs)


if __name__ == "__main__":
    main()
