#!/usr/bin/env python3
"""What `takt plan` says where the answer is no, held against all plans of small catalogues, through the program's JSON.

Usage: plan_no_test.py TAKT FOLDER [COUNT [FIRST]]   COUNT random catalogues under both one-port models

Periods are the closed forms of typed plans, computed here: the greatest demand of a part over its machines. The rate
named is the greatest of all plans and is reached, a little more is not; what is named to be added is the least, and does.
"""
import copy
import json
import pathlib
import random
import subprocess
import sys
from fractions import Fraction
from itertools import product

EXTRA = 4  # machines of each type beyond those there are, among which all plans are tried
A_LITTLE_FASTER = Fraction(999_999, 1_000_000)


def random_catalogue(draw):
    stages = [{"name": f"s{k}", "work": draw.randint(1, 12)} for k in range(draw.randint(1, 3))]
    for stage in stages[:-1]:
        stage["output"] = draw.randint(1, 9)
    for stage in stages:
        if draw.random() < 0.15:
            stage["replicable"] = False
    types = [
        {"name": name, "speed": draw.randint(1, 4), "bandwidth": draw.randint(1, 4), "price": draw.randint(1, 3),
         "count": draw.randint(0, 3)}
        for name in "xy"[: draw.randint(1, 2)]
    ]
    if draw.random() < 1 / 3:
        for kind in types:
            kind["cores"] = draw.randint(1, 4)
            kind["ports"] = draw.choice([1, 2, "unlimited"])
    return {"application": {"stages": stages}, "platform": {"types": types}}


def demand_of(kind, is_fixed, receive, compute, send, model):
    """The period that one machine would allow: by its cores, one where a stage is not replicable, and by its ports."""
    cores, ports = 1 if is_fixed else kind.get("cores", 1), kind.get("ports", 1)
    by_cores = Fraction(compute if model == "overlap" else receive + compute + send, cores)
    return by_cores if ports == "unlimited" else max(by_cores, receive / ports, send / ports)


def divisions(stages):
    for cuts in product([False, True], repeat=len(stages) - 1):
        ends = [k + 1 for k, is_cut in enumerate(cuts) if is_cut] + [len(stages)]
        yield list(zip([0] + ends[:-1], ends))


def demands_of(stages, types, parts, chosen, model):
    def transfer(k):  # between the parts k - 1 and k
        if k in (0, len(parts)):
            return Fraction(0)
        bandwidth = min(types[chosen[k - 1]]["bandwidth"], types[chosen[k]]["bandwidth"])
        return Fraction(stages[parts[k][0] - 1]["output"], bandwidth)

    for k, (begin, end) in enumerate(parts):
        compute = Fraction(sum(stage["work"] for stage in stages[begin:end]), types[chosen[k]]["speed"])
        is_fixed = any(stage.get("replicable") is False for stage in stages[begin:end])
        yield demand_of(types[chosen[k]], is_fixed, transfer(k), compute, transfer(k + 1), model)


def all_plans(document, model, counts):
    """The period of each typed plan within the counts, and its machines by type."""
    stages, types = document["application"]["stages"], document["platform"]["types"]
    for parts in divisions(stages):
        fixed = [any(stage.get("replicable") is False for stage in stages[begin:end]) for begin, end in parts]
        for chosen in product(range(len(types)), repeat=len(parts)):
            demands = list(demands_of(stages, types, parts, chosen, model))
            most = [min(1, counts[t]) if is_fixed else counts[t] for t, is_fixed in zip(chosen, fixed)]
            for machines in product(*[range(1, m + 1) for m in most]):
                used = [sum(m for m, t in zip(machines, chosen) if t == kind) for kind in range(len(types))]
                if all(u <= c for u, c in zip(used, counts)):
                    yield max(demand / m for demand, m in zip(demands, machines)), used


class Case:
    def __init__(self, takt, folder, seed, model):
        draw = random.Random(seed)
        self.takt, self.folder, self.model = takt, folder, model
        self.document = random_catalogue(draw)
        self.period = Fraction(draw.randint(2, 60), draw.choice([4, 6]))
        self.where = f"seed {seed}, {model}, period {self.period}"
        self.types = self.document["platform"]["types"]
        self.counts = [kind["count"] for kind in self.types]

    def hold(self, holds, what):
        if not holds:
            raise SystemExit(f"{self.where}: {what}\n{json.dumps(self.document)}")

    def ask(self, document, period):
        path = self.folder / "catalogue.json"
        path.write_text(json.dumps(document))
        command = [self.takt, "plan", str(path), "--json", "--model", self.model, "--period", str(period)]
        ran = subprocess.run(command, capture_output=True, text=True)
        self.hold(ran.returncode in (0, 1), ran.stderr)
        answer = json.loads(ran.stdout)
        self.hold(answer["found"] == (ran.returncode == 0), "the exit status is another")
        return answer

    def judge(self):
        plans = list(all_plans(self.document, self.model, self.counts))
        answer = self.ask(self.document, self.period)
        self.hold(answer["found"] == any(period <= self.period for period, _ in plans), "there is a plan, or none")
        if answer["found"]:
            return "found"
        self.judge_additions(answer)
        if not plans:
            self.hold("reachable" not in answer, "there is no plan at all")
            return "without any plan"
        self.judge_reach(answer, plans)
        return "not reached"

    def judge_reach(self, answer, plans):
        reached = min(period for period, _ in plans)
        cost = min(sum(u * kind["price"] for u, kind in zip(used, self.types)) for p, used in plans if p == reached)
        named = answer["reachable"]
        self.hold(answer["reachable_is_fastest"], "the rate is not proved")
        self.hold(Fraction(named["period"]) == reached, "another rate is the greatest")
        self.hold(Fraction(named["cost"]) == cost, "the greatest rate costs less")
        self.hold(self.ask(self.document, reached)["found"], "the rate named is not reached")
        self.hold(not self.ask(self.document, reached * A_LITTLE_FASTER)["found"], "a greater rate is reached")
        for reason in answer.get("reasons", []):
            if "period" in reason:
                self.hold(self.period < Fraction(reason["period"]) <= reached, "a reason says more than is so")

    def judge_additions(self, answer):
        costs = [
            sum(max(0, u - kind["count"]) * kind["price"] for u, kind in zip(used, self.types))
            for period, used in all_plans(self.document, self.model, [count + EXTRA for count in self.counts])
            if period <= self.period
        ]
        named = answer.get("to_add")
        if not named:
            self.hold(not costs, "what to add is not named")
            return
        self.hold(named["is_least"], "the least to add is not proved")
        self.hold(not costs or Fraction(named["cost"]) <= min(costs), "less is enough")
        added = copy.deepcopy(self.document)
        cost = 0
        for kind in added["platform"]["types"]:
            more = named["machines"].get(kind["name"], 0)
            kind["count"] += more
            cost += more * kind["price"]
        self.hold(Fraction(named["cost"]) == cost, "what is added costs something else")
        self.hold(self.ask(added, self.period)["found"], "what is added does not do")


def main(takt, folder, count="300", first="1"):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    tally = {}
    for seed in range(int(first), int(first) + int(count)):
        for model in ("overlap", "strict"):
            outcome = Case(takt, folder, seed, model).judge()
            tally[outcome] = tally.get(outcome, 0) + 1
    print(f"{count} catalogues under two models: " + ", ".join(f"{n} {what}" for what, n in sorted(tally.items())))
    if tally.get("not reached", 0) * 10 < int(count):
        raise SystemExit("too few answers are no")


if __name__ == "__main__":
    main(*sys.argv[1:])
