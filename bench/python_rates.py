"""Periods per second that Python gets, beside those of C++ in the same minute. Usage: python_rates.py takt_mapping_rate

10 stages on 20 processors, times U(5..15), 1000 mappings: each stage alone, and all processors dealt at random, as in
the cases paper_10x20 of takt_bench. CPU time, the best of 60 repetitions. Ends with status 1 where a bar is missed.
"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import time

import numpy

from takt import _core

# Of the rate of C++, which every way must reach.
BARS = {"period(m)": 0.5, "periods_of_arrays(...)": 0.8}


def times(draw, count):
    return [draw.randint(5, 15) for _ in range(count)]


def problem(draw):
    stages, processors = 10, 20
    names = [f"P{p}" for p in range(processors)]
    return {
        "application": {
            "stages": [
                {"name": f"S{s}", "output": 1, "time": dict(zip(names, times(draw, processors)))} for s in range(stages)
            ]
        },
        "platform": {
            "processors": [{"name": name} for name in names],
            "links": [
                {"from": a, "to": b, "time": draw.randint(5, 15), "directed": True}
                for a in names
                for b in names
                if a != b
            ],
        },
    }


def mapping(draw):
    """Each stage has a processor, and all others are dealt."""
    processors = list(range(20))
    draw.shuffle(processors)
    parts = [(1, [processor]) for processor in processors[:10]]
    for processor in processors[10:]:
        parts[draw.randrange(10)][1].append(processor)
    return parts


def rate(count, ask):
    best = 0
    for _ in range(60):
        start = time.process_time()
        spent = asked = 0
        while spent < 0.02:
            ask()
            asked += count
            spent = time.process_time() - start
        best = max(best, asked / spent)
    return best


def arrays_of(mappings):
    parts = [part for parts in mappings for part in parts]
    return (
        numpy.cumsum([0] + [len(parts) for parts in mappings]).astype(numpy.int32),
        numpy.array([count for count, _ in parts], dtype=numpy.int32),
        numpy.array([len(processors) for _, processors in parts], dtype=numpy.int32),
        numpy.array([processor for _, processors in parts for processor in processors], dtype=numpy.int32),
    )


def one_by_one(ask, mappings):
    def all_of_them():
        for one in mappings:
            ask(one)

    return all_of_them


def rates_of_python(evaluator, mappings):
    names = [[(count, [f"P{p}" for p in processors]) for count, processors in parts] for parts in mappings]
    arrays = arrays_of(mappings)
    best = min(evaluator.periods(mappings))
    assert list(evaluator.periods_of_arrays(*arrays)) == [float(evaluator.period(one)) for one in mappings]
    asked = {
        "period(m)": one_by_one(evaluator.period, mappings),
        "period(m), names": one_by_one(evaluator.period, names),
        "period(m, cutoff=best)": one_by_one(lambda one: evaluator.period(one, best), mappings),
        "periods(list)": lambda: evaluator.periods(mappings),
        "periods(list, exact=False)": lambda: evaluator.periods(mappings, exact=False),
        "periods_of_arrays(...)": lambda: evaluator.periods_of_arrays(*arrays),
    }
    return {name: rate(len(mappings), ask) for name, ask in asked.items()}


def rate_of_program(program, document, mappings, model):
    lines = [" ".join(f"{n} {len(p)} {' '.join(map(str, p))}" for n, p in parts) for parts in mappings]
    with tempfile.TemporaryDirectory() as folder:
        paths = [pathlib.Path(folder) / name for name in ("problem.json", "mappings")]
        paths[0].write_text(json.dumps(document), encoding="utf-8")
        paths[1].write_text("\n".join(lines) + "\n", encoding="utf-8")
        ended = subprocess.run([program, *paths, model], capture_output=True, text=True, check=True)
    return float(ended.stdout)


def main(program):
    draw = random.Random(1)
    document = problem(draw)
    mappings = [mapping(draw) for _ in range(1000)]
    missed = False
    print("| periods per second | model | rate | of C++ |\n|---|---|---|---|")
    for model in ("overlap", "strict"):
        core = _core.Document(json.dumps(document).encode(), "document")
        evaluator = _core.Evaluator(core, model)
        before = rate_of_program(program, document, mappings, model)
        rates = rates_of_python(evaluator, mappings)
        native = max(before, rate_of_program(program, document, mappings, model))
        print(f"| C++ | {model} | {native:,.0f} | 1 |")
        for name, found in rates.items():
            is_missed = found < BARS.get(name, 0) * native
            missed = missed or is_missed
            note = f", the bar is {BARS[name]}" if is_missed else ""
            print(f"| {name} | {model} | {found:,.0f} | {found / native:.2f}{note} |")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
