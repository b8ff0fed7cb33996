"""Memory stays as it is over many calls of each kind: answers, errors, batches.

Usage: flat_memory.py [CALLS]   CALLS: of all kinds together; default: 1000000. Takes minutes; ends with status 1 where the
process has grown by more than 4 MiB since the first tenth.
"""
import gc
import os
import pickle
import sys

import takt

EXAMPLE = "examples/example-a.json"
GROWTH = 4 * 2**20


def resident():
    gc.collect()
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def failing(call, *arguments, **named):
    try:
        call(*arguments, **named)
    except (takt.TaktError, ValueError, TypeError):
        return
    raise AssertionError(f"{call} has an answer for {arguments}, {named}")


def kinds():
    """Pairs: a call, and how often a round has it."""
    document = takt.load(EXAMPLE)
    evaluator = takt.Evaluator("examples/hedpm-problem.json", model="strict")
    mapping = [(4, [0, 1]), (len(evaluator.stages) - 4, [2])]
    ring = ("abc", "bca", [3, "7/2", 1], [0, 0, 2])
    result = takt.evaluate(document, model="strict")
    return [
        (lambda: evaluator.period(mapping), 500),
        (lambda: evaluator.period(mapping, cutoff=1), 100),
        (lambda: failing(evaluator.period, [(1, [99])]), 100),
        (lambda: evaluator.periods([mapping] * 10, exact=False), 50),
        (lambda: evaluator.document(mapping), 20),
        (lambda: takt.exact("692/3"), 100),
        (lambda: takt.evaluate(document, model="strict").bottleneck, 20),
        (lambda: failing(takt.evaluate, {"application": 7}, model="strict"), 20),
        (lambda: result.table() and result.certificate and repr(result), 20),
        (lambda: pickle.loads(pickle.dumps(result)), 20),
        (lambda: takt.cycle_ratio(*ring).potentials, 20),
        (lambda: failing(takt.cycle_ratio, [0], [0], [1], [0]), 10),
        (lambda: takt.simulate(document, model="strict", data_sets=10).start, 10),
        (lambda: takt.verify("examples/hedpm-case-study.json", model="strict").holds, 4),
        (lambda: takt.rooms(document).buffers, 2),
        (lambda: takt.Evaluator(document, model="overlap"), 4),
    ]


def main(calls):
    rounds = kinds()
    in_round = sum(times for _, times in rounds)
    count = max(10, calls // in_round)
    first = None
    for number in range(count):
        for call, times in rounds:
            for _ in range(times):
                call()
        if number == count // 10:
            first = resident()
    last = resident()
    print(f"{count * in_round} calls: {first / 2**20:.1f} MiB after a tenth, {last / 2**20:.1f} MiB at the end")
    return 0 if last - first <= GROWTH else 1


if __name__ == "__main__":
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000))
