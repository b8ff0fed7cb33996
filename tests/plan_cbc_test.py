#!/usr/bin/env python3
"""Plans beside an integer program: the same random problems to `takt plan` and to CBC; and a second checker of the
certificates that no plan is cheaper.

Usage: plan_cbc_test.py CBC TAKT FOLDER [CASES [FIRST_SEED]]

The integer program is made from the document alone, by docs/formats.md and docs/planner.md: a binary for each edge of the
planner's graph, flow, counts, quotas and the latency; the checker by docs/certificates.md. CBC knows nothing of takt, and this
file nothing of takt's code.
"""

import json
import math
import pathlib
import random
import subprocess
import sys
from fractions import Fraction

MODELS = [("overlap", None), ("strict", None), ("bounded", 1), ("bounded", 2)]


def drawn_time(draw):
    if draw.random() < 0.12:
        return 0
    return draw.choice([draw.randint(1, 20), draw.randint(1, 40) / 2])


def drawn_link(draw):
    if draw.random() < 0.3:
        return {"time": drawn_time(draw)}
    link = {"bandwidth": draw.randint(1, 6)}
    if draw.random() < 0.3:
        link["latency"] = draw.randint(0, 2)
    return link


def drawn_stage(draw, number, types):
    stage = {"name": f"s{number}", "output": draw.randint(0, 12)}
    stage["time"] = {t["name"]: drawn_time(draw) for t in types if "time" not in t and draw.random() < 0.9}
    if not stage["time"]:
        del stage["time"]
    if draw.random() < 0.15:
        stage["replicable"] = False
    if draw.random() < 0.1:
        stage["apart"] = True
    if draw.random() < 0.3:
        stage["memory"] = draw.randint(1, 5)
    return stage


def drawn_ports(draw):
    return draw.choice([1, 1, 2, 3, "unlimited"])


def give_cores(draw, platform):
    """Cores and ports for a third of the problems."""
    if draw.random() < 2 / 3:
        return
    for kind in platform["types"]:
        kind["cores"] = draw.randint(1, 8)
        kind["ports"] = drawn_ports(draw)
    for end in ("source", "sink"):
        if end in platform:
            platform[end]["ports"] = drawn_ports(draw)


def give_more(draw, document):
    """Quotas, partitions and spot prices, each for a third of the problems."""
    types = document["platform"]["types"]
    if draw.random() < 1 / 3:
        quotas = document["platform"]["quotas"] = []
        for _ in range(draw.randint(1, 2)):
            quota = {draw.choice(["machines", "cores", "price"]): draw.randint(2, 60)}
            some = [t["name"] for t in types if draw.random() < 0.6]
            quotas.append({"types": some, **quota} if some else quota)
    if draw.random() < 1 / 3:
        for stage in document["application"]["stages"]:
            if draw.random() < 0.4:
                stage["partitions"] = draw.choice([2, 3, 4, 6, 8, 12, 24])
    if draw.random() < 1 / 3:
        for kind in types:
            if draw.random() < 0.7:
                kind["spot price"] = float(exact(kind["price"]) * draw.randint(0, 4) / 4)


def drawn_problem(draw):
    types = []
    for name in "abc"[: draw.randint(1, 3)]:
        kind = {"name": name, "price": draw.choice([draw.randint(0, 9), draw.randint(1, 36) / 4])}
        if draw.random() < 0.08:
            kind["time"] = drawn_time(draw)
        if draw.random() < 0.5:
            kind["count"] = draw.randint(0, 9)
        if draw.random() < 0.3:
            kind["bandwidth"] = draw.randint(1, 8)
        if draw.random() < 0.3:
            kind["memory"] = draw.randint(4, 20)
        types.append(kind)
    platform = {"types": types, "bandwidth": draw.randint(1, 6)}
    if draw.random() < 0.3:
        platform["latency"] = draw.randint(0, 2)
    names = [t["name"] for t in types]
    links = []
    for i, one in enumerate(names):
        for other in names[i:]:
            if draw.random() < 0.3:
                links.append({"from": one, "to": other, **drawn_link(draw)})
                if one != other and draw.random() < 0.2:
                    links[-1]["directed"] = True
    if links:
        platform["links"] = links
    for end in ("source", "sink"):
        if draw.random() < 0.6:
            platform[end] = drawn_link(draw) if draw.random() < 0.6 else {}
    stages = [drawn_stage(draw, k, types) for k in range(draw.randint(1, 9))]
    for t in types:
        # A type must compute something.
        if "time" not in t and not any(t["name"] in s.get("time", {}) for s in stages):
            stages[0].setdefault("time", {})[t["name"]] = drawn_time(draw)
    give_cores(draw, platform)
    document = {"application": {"input": draw.randint(0, 12), "stages": stages}, "platform": platform}
    give_more(draw, document)
    return document


def exact(number):
    return Fraction(str(number))


class Times:
    """How long everything takes by type, as docs/formats.md says."""

    def __init__(self, document):
        self.stages = document["application"]["stages"]
        self.platform = document["platform"]
        self.types = self.platform["types"]
        self.input = exact(document["application"]["input"])

    def runs(self, k, t):
        return "time" in t or t["name"] in self.stages[k].get("time", {})

    def computation(self, first, last, t):
        if "time" in t:
            return exact(t["time"])
        return sum(exact(self.stages[k]["time"][t["name"]]) for k in range(first, last + 1))

    def layered(self, layers, port, size):
        """The transfer by the first layer that says anything, the port between the named layers and the platform."""
        for layer in layers:
            if "time" in layer:
                return exact(layer["time"])
        latency = next((exact(layer["latency"]) for layer in [*layers, self.platform] if "latency" in layer), Fraction(0))
        return latency + size / port

    def transfer(self, last, one, other):
        found = [link for link in self.platform.get("links", [])
                 if (link["from"], link["to"]) == (one["name"], other["name"])
                 or (not link.get("directed") and (link["to"], link["from"]) == (one["name"], other["name"]))]
        found.sort(key=lambda link: not link.get("directed"))
        named = found[:1]
        if named and "bandwidth" in named[0]:
            bandwidth = exact(named[0]["bandwidth"])
        elif "bandwidth" in one or "bandwidth" in other:
            bandwidth = min(exact(t.get("bandwidth", self.platform["bandwidth"])) for t in (one, other))
        else:
            bandwidth = exact(self.platform["bandwidth"])
        return self.layered(named, bandwidth, exact(self.stages[last]["output"]))

    def end(self, name, t, size):
        if name not in self.platform:
            return Fraction(0)
        end = self.platform[name]
        own = exact(end.get("bandwidth", self.platform["bandwidth"]))
        port = min(own, exact(t["bandwidth"])) if "bandwidth" in t else own
        return self.layered([end], port, size)

    def busy_end(self, name, time):
        return shared(time, self.platform[name].get("ports", 1)) if name in self.platform else Fraction(0)


def shared(time, ports):
    """What a data set takes of all ports together."""
    return Fraction(0) if ports == "unlimited" else time / ports


def demand(model, rooms, cores, ports, receive, compute, send):
    by_ports = max(shared(receive, ports), shared(send, ports))
    if model == "strict":
        return max((receive + compute + send) / cores, by_ports)
    alone = max(compute / cores, by_ports)
    if model == "bounded":
        return max(alone, (max(receive, send) + compute) / (rooms * cores))
    return alone


class Question:
    def __init__(self, draw, document):
        self.times = Times(document)
        self.model, self.rooms = draw.choice(MODELS)
        total = sum(max([exact(x) for x in s.get("time", {"": 6}).values()]) for s in self.times.stages) or Fraction(5)
        self.period = max(Fraction(draw.randint(1, 40), 2), Fraction(1, 2)) if draw.random() < 0.5 else (
            total / draw.randint(1, 12))
        has_partitions = any("partitions" in s for s in self.times.stages)
        self.spare = 0 if has_partitions else draw.choice([0, 0, 0, 1, 2])
        self.apart = draw.random() < 0.1
        self.latency = total * draw.randint(2, 12) / 8 if draw.random() < 0.35 else None
        self.quotas = self.times.platform.get("quotas", [])
        # The rate that machines on demand keep alone, 0: none; None: all have their full price.
        self.on_demand = None
        may_be_spot = self.spare == 0 and not has_partitions and not any("price" in q for q in self.quotas)
        if may_be_spot and any("spot price" in t for t in self.times.types):
            self.on_demand = draw.choice([Fraction(0), *(1 / (self.period * k) for k in (1, Fraction(3, 2), 2, 3, 5))])

    def price(self, t):
        """Of a machine that is not on demand."""
        price = exact(self.times.types[t].get("price", 1))
        return price if self.on_demand is None else exact(self.times.types[t].get("spot price", price))

    def premium(self, t):
        return exact(self.times.types[t].get("price", 1)) - self.price(t)

    def quota_rows(self):
        """(use of a machine by type, the most of it)."""
        for quota in self.quotas:
            (of,) = [key for key in quota if key != "types"]
            use = {"machines": lambda t: 1, "cores": lambda t: t.get("cores", 1), "price": lambda t: exact(t.get("price", 1))}
            counted = quota.get("types", [t["name"] for t in self.times.types])
            yield [Fraction(use[of](t)) if t["name"] in counted else Fraction(0) for t in self.times.types], exact(quota[of])

    def edges(self):
        """(tail, head, type, machines, stay, on demand): a part of each kind that can keep the period."""
        times, n = self.times, len(self.times.stages)
        for first in range(n):
            for last in range(first, n):
                part = times.stages[first:last + 1]
                if any(s.get("apart") or self.apart for s in part[1:]):
                    continue
                alone = any(s.get("replicable") is False for s in part)
                held = sum(exact(s.get("memory", 0)) for s in part)
                for t, kind in enumerate(times.types):
                    if held > exact(kind.get("memory", 10**9)) or not all(times.runs(k, kind) for k in range(first, last + 1)):
                        continue
                    compute = times.computation(first, last, kind)
                    for before in range(len(times.types)) if first > 0 else [None]:
                        receive = (times.end("source", kind, times.input) if before is None
                                   else times.transfer(first - 1, times.types[before], kind))
                        for after in range(len(times.types)) if last + 1 < n else [None]:
                            send = (times.end("sink", kind, exact(times.stages[last]["output"])) if after is None
                                    else times.transfer(last, kind, times.types[after]))
                            if before is None and times.busy_end("source", receive) > self.period:
                                continue
                            if after is None and times.busy_end("sink", send) > self.period:
                                continue
                            cores = 1 if alone else kind.get("cores", 1)
                            busy = demand(self.model, self.rooms, cores, kind.get("ports", 1), receive, compute, send)
                            working = max(1, math.ceil(busy / self.period))
                            if working > 1 and alone:
                                continue
                            partitions = math.gcd(*(s.get("partitions", 0) for s in part))
                            if partitions and not alone:
                                while working * cores <= partitions and partitions % (working * cores):
                                    working += 1
                                if working * cores > partitions:
                                    continue
                            on_demand = min(working, max(1, math.ceil(busy * self.on_demand))) if self.on_demand else 0
                            tail = "start" if before is None else (first, before, t)
                            head = "end" if after is None else (last + 1, t, after)
                            stay = receive + compute + (send if after is None else 0)
                            yield tail, head, t, working + self.spare, stay, on_demand


def integer_row(coefficients, most):
    scale = math.lcm(*(c.denominator for _, c in coefficients), most.denominator)
    return [(e, int(c * scale)) for e, c in coefficients], int(most * scale)


def terms(coefficients):
    lines = [f"{'+' if c >= 0 else '-'} {abs(c)} x{e}" for e, c in coefficients if c != 0]
    return "\n ".join(lines) if lines else "0 x0"


def best_by_cbc(cbc, question, path):
    edges = list(question.edges())
    if not any(tail == "start" for tail, *_ in edges) or not any(head == "end" for _, head, *_ in edges):
        return None
    costs = [(e, question.price(t) * machines + question.premium(t) * on_demand)
             for e, (_, _, t, machines, _, on_demand) in enumerate(edges)]
    scale = math.lcm(*(c.denominator for _, c in costs))
    rows = [(terms([(e, 1) for e, edge in enumerate(edges) if edge[0] == "start"]), "=", 1)]
    states = sorted({s for edge in edges for s in edge[:2] if s not in ("start", "end")})
    for state in states:
        flow = [(e, 1 if edge[0] == state else -1) for e, edge in enumerate(edges) if state in edge[:2]]
        rows.append((terms(flow), "=", 0))
    for t, kind in enumerate(question.times.types):
        if "count" in kind:
            used = [(e, edge[3]) for e, edge in enumerate(edges) if edge[2] == t]
            rows.append((terms(used), "<=", kind["count"]))
    for uses, quota in question.quota_rows():
        used, most = integer_row([(e, uses[edge[2]] * edge[3]) for e, edge in enumerate(edges)], quota)
        rows.append((terms(used), "<=", most))
    if question.latency is not None:
        stays, most = integer_row([(e, edge[4]) for e, edge in enumerate(edges)], question.latency)
        rows.append((terms(stays), "<=", most))
    text = "Minimize\n obj: " + terms([(e, int(c * scale)) for e, c in costs]) + "\nSubject To\n"
    text += "".join(f" r{i}: {left} {sign} {right}\n" for i, (left, sign, right) in enumerate(rows))
    text += "Binary\n" + "".join(f" x{e}\n" for e in range(len(edges))) + "End\n"
    program, solution = path.with_suffix(".lp"), path.with_suffix(".sol")
    program.write_text(text)
    subprocess.run([cbc, str(program), "ratioGap", "0", "allowableGap", "0", "solve", "solution", str(solution)],
                   check=True, stdout=subprocess.DEVNULL)
    first, *values = solution.read_text().splitlines()
    if "nfeasible" in first:
        return None
    assert first.startswith("Optimal"), first
    # The path itself, in whole numbers: nothing rests on CBC's tolerances.
    chosen = []
    for line in values:
        name, value = line.split()[1:3]
        if name.startswith("x") and float(value) > 0.5:
            chosen.append(int(name[1:]))
    at, taken, cost = "start", [], Fraction(0)
    while at != "end":
        (e,) = [e for e in chosen if edges[e][0] == at]
        taken.append(e)
        cost += costs[e][1]
        at = edges[e][1]
    for t, kind in enumerate(question.times.types):
        assert "count" not in kind or sum(edges[e][3] for e in taken if edges[e][2] == t) <= kind["count"]
    for uses, quota in question.quota_rows():
        assert sum(uses[edges[e][2]] * edges[e][3] for e in taken) <= quota
    assert question.latency is None or sum(edges[e][4] for e in taken) <= question.latency
    return cost


def divisor_of(numbers):
    """The largest that all are multiples of; 0 where all are 0."""
    scale = math.lcm(*(p.denominator for p in numbers))
    return Fraction(math.gcd(*(int(p * scale) for p in numbers)), scale)


def is_proved(question, plan):
    """Whether the plan's half of a certificate proves its claim, which must be about this question."""
    assert (plan["class"], plan["model"], plan.get("rooms")) == ("typed", question.model, question.rooms), plan
    assert Fraction(plan["period"]) == question.period and int(plan.get("spare", 0)) == question.spare, plan
    assert plan.get("apart", False) == question.apart, plan
    assert question.latency == (Fraction(plan["latency"]) if "latency" in plan else None), plan
    types = question.times.types
    names = [t["name"] for t in types]
    multipliers = {name: Fraction(value) for name, value in plan.get("multipliers", {}).items()}
    by_latency = Fraction(plan.get("latency_multiplier", 0))
    if by_latency < 0 or (by_latency > 0 and question.latency is None):
        return False
    if any(m < 0 or (m > 0 and "count" not in types[names.index(name)]) for name, m in multipliers.items()):
        return False
    ends, potentials = {}, {}
    for item in plan["potentials"]:
        t = names.index(item["type"])
        key = (item["stage"], t, names.index(item["next"])) if "next" in item else ("end", t)
        assert key not in potentials, item
        potentials[key] = Fraction(item["value"])
        if "next" not in item:
            ends[t] = potentials[key]
    is_bound = "bound" in plan
    assert plan.get("spot", False) == (question.on_demand is not None and any(question.premium(t) for t in range(len(types))))
    assert "spot" not in plan or plan.get("on_demand") == (str(1 / question.on_demand) if question.on_demand else None)
    prices = [question.price(t) if is_bound else Fraction(0) for t in range(len(types))]
    premiums = [question.premium(t) if is_bound and question.on_demand else Fraction(0) for t in range(len(types))]
    quotas = list(question.quota_rows())
    by_quota = [Fraction(value) for value in plan.get("quota_multipliers", [0] * len(quotas))]
    if len(by_quota) != len(quotas) or any(m < 0 for m in by_quota):
        return False
    charges = [multipliers.get(name, 0) + sum(m * uses[t] for m, (uses, _) in zip(by_quota, quotas))
               for t, name in enumerate(names)]
    for tail, head, t, machines, stay, on_demand in question.edges():
        before = Fraction(0) if tail == "start" else potentials.get(tail)
        if before is None:
            continue
        after = potentials.get(("end", t) if head == "end" else head)
        cost = machines * (prices[t] + charges[t]) + premiums[t] * on_demand + by_latency * stay
        if after is None or after > before + cost:
            return False
    if not ends:
        return True
    proved = min(ends.values()) - by_latency * (question.latency or 0)
    proved -= sum(m * types[names.index(name)].get("count", 0) for name, m in multipliers.items())
    # As much of a quota as machines can take: a multiple of what they take.
    for m, (uses, quota) in zip(by_quota, quotas):
        unit = divisor_of(uses)
        proved -= m * (quota // unit * unit if unit else quota)
    if not is_bound:
        return proved > 0
    step = divisor_of([*prices, *premiums])
    return Fraction(plan["bound"]) <= max(0, math.ceil(proved / step) * step if step else proved)


def look_at_certificate(takt, question, command, path, cost):
    """Trouble with the certificate of that answer, if there is any; and whether it proves all of it."""
    proof = path.with_suffix(".certificate.json")
    proof.unlink(missing_ok=True)
    subprocess.run([*command, "--certificate", str(proof)], capture_output=True, check=False)
    if not proof.exists():
        return None, False
    plan = json.loads(proof.read_text()).get("plan")
    if plan is None:
        return None, False
    checked = subprocess.run([takt, "check", str(path), str(proof)], capture_output=True, text=True, check=False)
    if checked.returncode != 0:
        return f"takt check: {checked.stdout}{checked.stderr}", False
    if not is_proved(question, plan):
        return "takt check proves what this checker refuses", False
    if cost is None:
        return None, "impossible" in plan
    return (None, Fraction(plan["bound"]) == cost) if "bound" in plan else ("impossible, but there is a plan", False)


def command_of(takt, question, path):
    command = [takt, "plan", str(path), "--period", str(question.period), "--model", question.model, "--json"]
    if question.rooms is not None:
        command += ["--rooms", str(question.rooms)]
    if question.spare:
        command += ["--survive", str(question.spare)]
    if question.apart:
        command += ["--apart"]
    if question.latency is not None:
        command += ["--latency", str(question.latency)]
    if question.on_demand is not None:
        command += ["--on-demand", str(question.on_demand)]
    return command


def best_by_takt(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 1:
        return None
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: status {done.returncode}: {done.stderr}")
    answer = json.loads(done.stdout)
    assert answer["optimal"], command
    return Fraction(answer["cost"])


def main():
    cbc, takt, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    cases = int(sys.argv[4]) if len(sys.argv) > 4 else 100
    first = int(sys.argv[5]) if len(sys.argv) > 5 else 1
    folder.mkdir(parents=True, exist_ok=True)
    feasible = bound = differences = certified = 0
    for seed in range(first, first + cases):
        draw = random.Random(seed)
        document = drawn_problem(draw)
        question = Question(draw, document)
        path = folder / "problem.json"
        path.write_text(json.dumps(document))
        command = command_of(takt, question, path)
        by_takt, by_cbc = best_by_takt(command), best_by_cbc(cbc, question, path)
        feasible += by_cbc is not None
        if question.latency is not None or question.quotas or any("count" in t for t in question.times.types):
            bound += 1
        if by_takt != by_cbc:
            differences += 1
            print(f"seed {seed}: takt {by_takt}, CBC {by_cbc}")
        trouble, is_whole = look_at_certificate(takt, question, command, path, by_takt)
        certified += is_whole
        if trouble:
            differences += 1
            print(f"seed {seed}: {trouble}")
    print(f"{cases} problems, {feasible} feasible, {bound} with counts, quotas or a latency, {certified} proved by certificates, "
          f"{differences} differences")
    return 1 if differences or feasible < cases // 4 else 0


if __name__ == "__main__":
    sys.exit(main())
