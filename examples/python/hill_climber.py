#!/usr/bin/env python3
"""A mapping heuristic of one's own: a hill climber that asks takt for every neighbor's exact period.

Usage: hill_climber.py [PROBLEM]   with import takt; default: examples/hedpm-problem.json
"""
import random
import sys
from fractions import Fraction
from typing import List, Tuple

import takt

Mapping = List[Tuple[int, List[int]]]


def neighbor(mapping: Mapping, processors: int, rng: random.Random) -> Mapping:
    """A mapping one step away: a processor more, less or exchanged, or a stage that moves to the part beside it."""
    parts = [(count, list(used)) for count, used in mapping]
    idle = sorted(set(range(processors)) - {p for _, used in parts for p in used})
    k = rng.randrange(len(parts))
    count, used = parts[k]
    step = rng.randrange(5)
    if step == 0 and idle:
        used.append(rng.choice(idle))
    elif step == 1 and len(used) > 1:
        used.remove(rng.choice(used))
    elif step == 2 and idle:
        used[rng.randrange(len(used))] = rng.choice(idle)
    elif step == 3 and k > 0 and count > 1:
        parts[k - 1] = (parts[k - 1][0] + 1, parts[k - 1][1])
        parts[k] = (count - 1, used)
    elif step == 4 and count > 1 and idle:
        first = rng.randrange(1, count)
        parts[k:k + 1] = [(first, used), (count - first, [rng.choice(idle)])]
    elif k > 0:  # two parts become one
        parts[k - 1:k + 1] = [(parts[k - 1][0] + count, parts[k - 1][1])]
    return parts


def climb(evaluator: takt.Evaluator, steps: int, seed: int = 1) -> Tuple[Mapping, Fraction]:
    """The best mapping found in `steps` steps, and its period."""
    rng = random.Random(seed)
    here: Mapping = [(len(evaluator.stages), [0])]
    best = here
    period = least = evaluator.period(here)
    for step in range(steps):
        mapping = neighbor(here, len(evaluator.processors), rng)
        # Early on what is somewhat worse will do as well: the first hill need not be the highest.
        limit = float(period) * (1 + 0.3 * rng.random() * (1 - step / steps))
        found = evaluator.period(mapping, cutoff=limit)  # None: certainly not below the limit
        if found is not None:
            here, period = mapping, found
            if period < least:
                best, least = here, period
    return best, least


if __name__ == "__main__":
    problem = takt.load(sys.argv[1] if len(sys.argv) > 1 else "examples/hedpm-problem.json")
    evaluator = takt.Evaluator(problem, model="overlap")
    mapping, period = climb(evaluator, steps=20_000)
    print(f"hill climber  {period} (about {float(period):.4f})")
    names: List[takt.Heuristic] = ["bsc", "hill-climbing", "polish"]
    for heuristic in names:
        mapped = takt.map(problem, heuristic, model="overlap")
        exact = takt.evaluate(mapped, model="overlap").period
        print(f"{heuristic:<13} {exact} (about {float(exact):.4f})")
