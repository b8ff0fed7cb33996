#!/usr/bin/env python3
"""takt run, timed: runs on this machine take the periods of their nets, ranks with nothing to do hardly wake, and a run
that stands still says who holds what, is ended at its limit and starts again.

Usage: run_times_test.py TAKT SOURCES FUNCTIONS FOLDER   FUNCTIONS: failing_stages; status 77 where there is no mpirun
"""
import fractions
import json
import os
import pathlib
import re
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import mpi_jobs  # noqa: E402
from live_runs_test import Runs, expect  # noqa: E402

REPEATS = 3  # of what other programs may slow
WATCHED = 1  # seconds
MOST_WAKES = 30 * WATCHED  # of a rank that waits; there were 1000 a second where it looked every millisecond
PAIR = {
    "application": {"stages": [{"name": "a"}, {"name": "b"}]},
    "platform": {"processors": [{"name": "P", "time": 1}, {"name": "Q", "time": 1}],
                 "links": [{"from": "P", "to": "Q", "time": 1}]},
    "mapping": [{"stages": ["a"], "processors": ["P"]}, {"stages": ["b"], "processors": ["Q"]}],
}
TRIPLE = {
    "application": {"stages": [{"name": "first", "work": 1, "output": 1}, {"name": "second", "work": 1}]},
    "platform": {"processors": [{"name": name, "speed": 100} for name in "pqr"], "bandwidth": 1000},
    "mapping": [{"stages": ["first"], "processors": ["p"]}, {"stages": ["second"], "processors": ["q", "r"]}],
}


def takes_its_period(runs, instance, model, most, *words, least=0.99):
    """The run takes at most so many times its period. Load delays everything, so there are several tries."""
    for _ in range(REPEATS):
        answer = runs.run(instance, "--model", model, *words)
        share = answer["measured_period_decimal"] / answer["predicted_period_decimal"]
        expect(share > least, instance, model, words, share)
        if share < most:
            print(f"{instance}, {model} {words}: {share - 1:+.2%}")
            return
    expect(False, instance, model, words, f"{share} of its period")


def periods(runs, sources):
    (runs.folder / "pair.json").write_text(json.dumps(PAIR))
    for model in ("strict", "overlap"):
        # One data set at a time: all that wakes a rank is the message before. A missed bell costs a millisecond of 6.
        takes_its_period(runs, "pair.json", model, 1.12, "--unit", "2ms", "--window", 1, "--data-sets", 60)
        takes_its_period(runs, sources / "examples/cores.json", model, 1.1, "--data-sets", 150)
    # Where sends of small files returned at once, example A would take its largest cycle time, 6.4 % less.
    example = sources / "examples/example-a.json"
    told = json.loads(runs.tell("evaluate", example, "--model", "strict", "--json"))
    midway = (1 + float(fractions.Fraction(told["max_cycle_time"]) / fractions.Fraction(told["period"]))) / 2
    for anchor in ("agreed", "observed"):
        takes_its_period(runs, example, "strict", 1.5, "--data-sets", 120, "--bytes", 64, "--anchor", anchor,
                         least=midway)


def wakes_of(process):
    """How often its first thread went to sleep by itself."""
    text = pathlib.Path(f"/proc/{process}/task/{process}/status").read_text()
    return int(re.search(r"^voluntary_ctxt_switches:\s*(\d+)", text, re.MULTILINE)[1])


def waiting_ranks_hardly_wake(runs):
    for wait, most in (("bell", MOST_WAKES), ("poll", 4 * MOST_WAKES)):
        job = runs.start("triple.json", "--data-sets", 1, "--wait", wait, "--each", f"first={runs.gate.stop}; cat",
                         "--each", "second=cat")
        runs.gate.arrival()
        ranks = mpi_jobs.ranks_of(job.pid).values()
        time.sleep(1)
        before = [wakes_of(rank) for rank in ranks]
        time.sleep(WATCHED)
        wakes = [wakes_of(rank) - count for rank, count in zip(ranks, before)]
        expect(max(wakes) <= most, wait, wakes)
        runs.gate.let_in()
        runs.end(job)


def ended(runs, status, words, *sentences):
    _, err = runs.end(runs.start("triple.json", *words), status)
    for sentence in sentences:
        expect(re.search(sentence, err), f"expected {sentence}\nin {err}")
    return err


def stages_that_hang(runs, functions):
    program = 'x=$(cat); if [ "$x" = 7 ] && ! test -e hung; then touch hung; sleep 1000; fi; printf %s "$x"'
    words = ["--data-sets", 40, "--each", "first=cat", "--each", f"second={program}", "--journal", "program",
             "--stall-limit", "2s", "--retries", 1]
    said = ended(runs, 0, words, r"nothing has been delivered for \S+ s, data set 7 is next: r has had data set 7 in "
                 r"stage second for \S+ s", r"start 2 of 2, the same mapping")
    expect("does not answer" not in said, said)
    expect(runs.tell("journal", "program", "--cat", "--lines").split() == [str(k) for k in range(40)], "other results")
    (runs.folder / "words").write_text("go\n" * 5 + "hang\n" + "go\n" * 5)
    words = ["--executable", functions, "--input", "words", "--journal", "function", "--stall-limit", "1s",
             "--retries", 4]
    said = ended(runs, 70, words, r"data set 5 is next: r has had data set 5 in stage second for \S+ s")
    rests = re.findall(r"start (\d) of 5(?: in (\d) s)?, the same mapping", said)
    expect(rests == [("2", ""), ("3", "1"), ("4", "2"), ("5", "4")], said)


def ranks_that_are_stopped(runs):
    for rank, *sentences in ((2, r"q \(process \d+\) is stopped", r"start 2 of 2, mapped anew"),
                             (0, r"the coordinator .* has given no sign of life for \d+ s: is it stopped\?",
                              r"start 2 of 2, the same mapping")):
        journal = runs.folder / f"stopped-{rank}"
        job = runs.start("triple.json", "--data-sets", 800, "--journal", journal, "--stall-limit", "2s", "--retries", 1)
        while not journal.exists() or journal.stat().st_size <= 4096:
            time.sleep(0.02)
        victim = mpi_jobs.ranks_of(job.pid)[rank]
        os.kill(victim, signal.SIGSTOP)
        answer, err = runs.end(job)
        for sentence in (rf"\(process {victim}\)", *sentences):
            expect(re.search(sentence, err), f"expected {sentence}\nin {err}")
        expect(answer["journal"]["data_sets"] == 800, answer)


def main():
    takt, sources, functions = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
    runs = Runs(str(takt), mpi_jobs.emptied_folder(sys.argv[4]))
    (runs.folder / "triple.json").write_text(json.dumps(TRIPLE))
    periods(runs, sources)
    waiting_ranks_hardly_wake(runs)
    stages_that_hang(runs, functions)
    ranks_that_are_stopped(runs)


if __name__ == "__main__":
    main()
