#!/usr/bin/env python3
"""takt check and a second checker of cycle ratios, written from docs/certificates.md and docs/formats.md alone, agree on
what takt writes of random graphs, and on what becomes of it by mutation.

Usage: second_ratio_checker_test.py TAKT WORK_FOLDER [GRAPHS]
"""
import collections
import copy
import json
import pathlib
import random
import subprocess
import sys

from second_checker import Refused, Unreadable, items, keys, need, number, parse, whole
from second_checker_test import pick

MUTANTS = 6
KEYS = {"largest ratio": ["ratio", "cycle", "denominator", "values"],
        "smallest ratio": ["ratio", "cycle", "denominator", "values"], "deadlock": ["cycle"], "no cycle": ["order"]}


def read_graph(path):
    """(from, to, weight, tokens) by the number of the arc, of JSON or of a list."""
    text = path.read_text()
    if not text.startswith("{"):
        words = [line.split("#")[0].split() for line in text.splitlines()]
        arcs = [(*line, "1")[:4] for line in words if line]
        return [(a, b, number(w), int(t)) for a, b, w, t in arcs], {end for arc in arcs for end in arc[:2]}
    graph = parse(path)
    times = {vertex["name"]: number(vertex.get("time", "0")) for vertex in graph["vertices"]}
    arcs = [(a["from"], a["to"], number(a["weight"]) + times[a["from"]], whole(a["tokens"])) for a in graph["arcs"]]
    return arcs, set(times)


def read_certificate(path):
    certificate = parse(path)
    need(isinstance(certificate, dict) and "claim" in certificate, "no claim")
    need(type(certificate["claim"]) is str and certificate["claim"] in KEYS, "no such claim")
    keys(certificate, ["claim", *KEYS[certificate["claim"]]])
    for step in items(certificate.get("cycle", [])):
        keys(step, ["arc", "from", "to"])
        step["arc"] = whole(step["arc"], 0, 2**64)
        need(type(step["from"]) is str and type(step["to"]) is str, "no name")
    for value in items(certificate.get("values", [])):
        keys(value, ["vertex", "value"])
        need(type(value["vertex"]) is str, "no name")
        value["value"] = whole(value["value"], float("-inf"))
    need(all(type(name) is str for name in items(certificate.get("order", []))), "no name")
    if "ratio" in certificate:
        certificate["ratio"] = number(certificate["ratio"])
        certificate["denominator"] = whole(certificate["denominator"], 1)
    return certificate


def check_cycle(certificate, arcs):
    cycle = certificate["cycle"]
    need(cycle, "no arc", Refused)
    for step in cycle:
        need(step["arc"] < len(arcs) and arcs[step["arc"]][:2] == (step["from"], step["to"]), "no such arc", Refused)
    for before, after in zip([cycle[-1], *cycle], cycle):
        need(before["to"] == after["from"], "no cycle", Refused)
    weight = sum(arcs[step["arc"]][2] for step in cycle)
    tokens = sum(arcs[step["arc"]][3] for step in cycle)
    if certificate["claim"] == "deadlock":
        need(tokens == 0, "tokens", Refused)
    else:
        need(tokens > 0 and weight == certificate["ratio"] * tokens, "another ratio", Refused)


def check(certificate, arcs, vertices):
    claim = certificate["claim"]
    if claim == "no cycle":
        order = certificate["order"]
        need(len(order) == len(vertices) and set(order) == vertices, "other vertices", Refused)
        place = {name: k for k, name in enumerate(order)}
        need(all(place[a] < place[b] for a, b, _, _ in arcs), "an arc leads back", Refused)
        return
    check_cycle(certificate, arcs)
    if claim == "deadlock":
        return
    values = {value["vertex"]: value["value"] for value in certificate["values"]}
    need(len(values) == len(certificate["values"]) and set(values) == vertices, "other vertices", Refused)
    sign = 1 if claim == "largest ratio" else -1
    for a, b, weight, tokens in arcs:
        rise = values[b] - values[a] - (weight - certificate["ratio"] * tokens) * certificate["denominator"]
        need(sign * rise >= 0, "an arc is not kept", Refused)


def verdict_of(graph, certificate):
    try:
        check(read_certificate(certificate), *read_graph(graph))
        return "proved"
    except Unreadable:
        return "unreadable"
    except Refused:
        return "refused"


def write_graph(random_source, path):
    vertices = random_source.randrange(1, 7)
    names = [f"v{k}" for k in range(vertices)]
    arcs = []
    for _ in range(random_source.randrange(1, 3 * vertices + 1)):
        a, b = random_source.randrange(vertices), random_source.randrange(vertices)
        least = 0 if a < b or random_source.random() < 0.05 else 1
        weight = f"{random_source.randrange(-9, 10)}/{random_source.randrange(1, 9)}"
        arcs.append((names[a], names[b], weight, random_source.randrange(least, 4)))
    if random_source.random() < 0.5:
        path.write_text("".join(f"{a} {b} {w} {t}\n" for a, b, w, t in arcs))
    else:
        times = [{"name": name, "time": f"{random_source.randrange(9)}/7"} for name in names]
        listed = [dict(zip(["from", "to", "weight", "tokens"], arc)) for arc in arcs]
        path.write_text(json.dumps({"arcs": listed, "vertices": times}))


def mutate(random_source, certificate):
    mutant = copy.deepcopy(certificate)
    container, key = pick(random_source, mutant)
    action = random_source.randrange(8)
    value = container[key]
    if action == 0:
        del container[key]
    elif action == 1 and isinstance(container, list):
        container.insert(key, copy.deepcopy(value))
    elif action == 2 and isinstance(container, list):
        container[key], container[0] = container[0], value
    elif action == 3:
        container[key] = random_source.choice([None, True, [], {}, -1, "x", "1/0", 0.5, 2**64, "7/2", "v1"])
    elif action == 4:
        mutant["claim"] = random_source.choice(list(KEYS))
    elif isinstance(value, int):
        container[key] = max(0, value + random_source.choice([-1, 1]))
    elif isinstance(value, str) and value.lstrip("-").replace("/", "").isdigit():
        above, _, below = value.partition("/")
        container[key] = f"{int(above) + random_source.choice([-9, -1, 1, 9])}" + (f"/{below}" if below else "")
    else:
        container[key] = random_source.choice(["v0", "v1", "v2", *KEYS])
    return mutant


def main(takt, work, graphs=60):
    work.mkdir(parents=True, exist_ok=True)
    random_source = random.Random(2)
    pairs = []
    for k in range(graphs):
        graph, certificate = work / f"{k}.graph", work / f"{k}.json"
        write_graph(random_source, graph)
        command = [takt, "cycle-ratio", str(graph), "--certificate", str(certificate), *random_source.choice([[], ["--min"]])]
        status = subprocess.run(command, capture_output=True, check=False).returncode
        if status not in (0, 1):
            sys.exit(f"status {status}: {command}")
        pairs.append((graph, certificate))
    for graph, certificate in pairs[:]:
        written = json.loads(certificate.read_text())
        for m in range(MUTANTS):
            mutant = certificate.with_suffix(f".{m}.json")
            mutant.write_text(json.dumps(mutate(random_source, written)))
            pairs.append((graph, mutant))
    arguments = [str(file) for pair in pairs for file in pair]
    answer = subprocess.run([takt, "check", "--json", "--keep-going", *arguments], capture_output=True, check=False)
    verdicts = [verdict.get("verdict", "unreadable") for verdict in json.loads(answer.stdout)]
    counts = collections.Counter(verdicts)
    differences = 0
    for (graph, certificate), first in zip(pairs, verdicts, strict=True):
        second = verdict_of(graph, certificate)
        if first != second:
            differences += 1
            print(f"takt: {first}, second checker: {second}: {graph} {certificate}")
    print(f"{len(pairs)} certificates, {graphs} of them as written: {dict(counts)}, {differences} differences")
    few = [name for name in ("proved", "refused", "unreadable") if counts[name] < graphs // 2]
    if few or differences or set(verdicts[:graphs]) != {"proved"}:
        sys.exit(f"too few: {few}, or they do not agree, or one that takt wrote is not proved")


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]), *map(int, sys.argv[3:]))
