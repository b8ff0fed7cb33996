#!/usr/bin/env python3
"""A mapping heuristic of one's own, for takt compare and experiments: equal shares of the work for the k fastest processors.

Reads a problem (a path, or standard input) whose processors have speeds and whose links are alike; prints a mapping and
the period that it predicts. Of all k it takes the one with the shortest longest turn: receive, compute, send. With
--lines it stays, and answers each line with a problem by a line with a mapping.
"""
import json
import sys
from fractions import Fraction


def intervals(works, k):
    """The stages in at most k intervals, each cut where the work so far has reached its share."""
    parts, done = [[]], 0
    for stage, work in enumerate(works):
        parts[-1].append(stage)
        done += work
        if len(parts) < k and stage + 1 < len(works) and done * k >= sum(works) * len(parts):
            parts.append([])
    return parts


def turn(stages, part, processor, bandwidth):
    """How long a processor takes for one data set, one thing at a time."""
    before = stages[part[0] - 1]["output"] if part[0] > 0 else 0
    after = stages[part[-1]]["output"] if part[-1] + 1 < len(stages) else 0
    work = sum(stages[stage]["work"] for stage in part)
    return Fraction(before + after) / bandwidth + Fraction(work) / processor["speed"]


def mapped(problem):
    """A mapping of the problem, and its predicted period."""
    stages = problem["application"]["stages"]
    fastest = sorted(problem["platform"]["processors"], key=lambda processor: -processor["speed"])
    bandwidth = problem["platform"]["bandwidth"]

    def period(parts):
        return max(turn(stages, part, fastest[i], bandwidth) for i, part in enumerate(parts))

    works = [stage["work"] for stage in stages]
    best = min((intervals(works, k + 1) for k in range(min(len(stages), len(fastest)))), key=period)
    mapping = [{"stages": [stages[stage]["name"] for stage in part], "processors": [fastest[i]["name"]]}
               for i, part in enumerate(best)]
    return {"mapping": mapping, "predicted_period": str(period(best))}


def main():
    if sys.argv[1:] == ["--lines"]:
        for line in sys.stdin:
            print(json.dumps(mapped(json.loads(line)["problem"])), flush=True)
        return
    with open(sys.argv[1]) if len(sys.argv) > 1 else sys.stdin as file:
        json.dump(mapped(json.load(file)), sys.stdout)


main()
