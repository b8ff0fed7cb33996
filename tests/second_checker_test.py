#!/usr/bin/env python3
"""takt check and the second checker agree on certificates that takt writes, and on what becomes of them by mutation.

Usage: second_checker_test.py TAKT SOURCE_FOLDER WORK_FOLDER
"""
import collections
import copy
import json
import math
import os
import pathlib
import random
import subprocess
import sys

from second_checker import verdict_of

INSTANCES = ["examples/example-a.json", "examples/example-b.json", "examples/several-parts.json",
             "examples/weighted-round-robin.json", "examples/video.json", "tests/data/known/source-and-sink.json",
             "tests/data/known/everything.json", "tests/data/known/repeated-processor.json",
             "tests/data/known/rates.json", "tests/data/known/speeds.json", "tests/data/known/fractions.json",
             "tests/data/known/stage-times.json"]
WAYS = [["--method", "sweep"], ["--method", "unfold"], ["--method", "pattern"], ["--method", "residue"],
        ["--max-rows", "1"]]
MODELS = [["overlap"], ["strict"], ["bounded"], ["bounded", "--rooms", "2"], ["overlap", "--window", "2"],
          ["strict", "--window", "3"]]
MUTANTS = 8
FLOORS = 20
HOSTS = 12


def pick(random_source, value):
    """A random container within a value, and a key or index of it."""
    while True:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        key = random_source.choice(keys)
        inner = value[key]
        if not isinstance(inner, (dict, list)) or not inner or random_source.random() < 0.15:
            return value, key
        value = inner


def other(random_source, value, names):
    """Something else in place of a value, of the same type most of the time."""
    if random_source.random() < 0.1:
        return random_source.choice([None, True, [], {}, -1, "x", "1/0", "0.5", 0.5, 2**64, "1" * 1001, "-1", "7/2",
                                     "2e1", "10 ms"])
    if isinstance(value, int):
        return max(0, value + random_source.choice([-2, -1, 1, 2]))
    if isinstance(value, str) and value.lstrip("-").replace("/", "").isdigit():
        above, _, below = value.partition("/")
        return f"{int(above) + random_source.choice([-9, -1, 1, 1, 9])}" + (f"/{below}" if below else "")
    return random_source.choice(names)


def mutate(random_source, certificate):
    mutant = copy.deepcopy(certificate)
    names = ["P0", "P1", "P2", "P3", "node0", "node1", "node0.1", "wire0", "wire0 forward", "segment", "source", "sink", "in", "out", "compute", "both", "strict", "overlap", "bounded"]
    container, key = pick(random_source, mutant)
    action = random_source.randrange(10)
    if action == 0:
        del container[key]
    elif action == 1 and isinstance(container, list):
        container.insert(key, copy.deepcopy(container[key]))
    elif action == 2 and isinstance(container, list):
        container[key], container[0] = container[0], container[key]
    elif action == 3:
        extra = random_source.choice(["lower", "upper", "period", "rooms", "window", "buffers", "port", "resource", "clocks", "data_set"])
        mutant[extra] = random_source.choice(["0", "1", "P0", "in", []])
    elif action in (4, 5) and "schedule" in mutant:
        # Another modulus, the starts repeated or cut: right or wrong, but of the right form.
        column = random_source.choice(mutant["schedule"])
        length = random_source.randrange(1, 2 * len(column["start"]) + 2)
        column["start"] = [column["start"][p % len(column["start"])] for p in range(length)]
        column["modulus"] = str(length)
    elif action == 6 and "period" in mutant:
        period = mutant.pop("period")
        above, _, below = period.partition("/")
        mutant["lower"] = random_source.choice([period, "0", f"{int(above) - 1}/{below or 1}"])
        mutant["upper"] = random_source.choice([period, f"{int(above) + 1}/{below or 1}", str(10**6)])
    else:
        container[key] = other(random_source, container[key], names)
    return mutant


def some_hosts(random_source):
    """An instance whose processors share hosts."""
    draw = random_source.randrange

    def card(value):
        if draw(2):
            value["ports"] = random_source.choice([1, 2, 3, "unlimited"])
        if draw(3) == 0:
            value["bandwidth"] = draw(1, 5)
        if draw(3) == 0:
            value["memory bandwidth"] = draw(1, 5)
        return value

    processors = []
    for h in range(draw(1, 4)):
        processors.append(card({"name": f"node{h}", "speed": draw(1, 4)}))
        if draw(3):
            processors[-1]["cores"] = draw(2, 5)
        if draw(3) == 0:
            processors.append({"name": f"gpu{h}", "host": f"node{h}", "speed": draw(2, 6)})
    names = [processor["name"] for processor in processors]
    singles = [f"{p['name']}.{k + 1}" if "cores" in p else p["name"] for p in processors for k in range(p.get("cores", 1))]
    stages = [{"name": f"S{k}", "work": draw(20), "output": draw(1, 12)} for k in range(draw(1, 4))]
    mapping = []
    for stage in stages:
        turns = random_source.sample(names, min(len(names), draw(1, 3)))
        if draw(2):
            turns = [random_source.choice(singles) for _ in range(draw(1, 4))]
        if draw(4) == 0:
            turns = [{"processor": name, "batch": draw(2, 4)} if draw(3) else name for name in turns]
        if draw(4) == 0:
            stage["time"] = {random_source.choice(names): {"fixed": draw(9), "each": draw(6)}}
        mapping.append({"stages": [stage["name"]], "processors": turns})
    platform = {"processors": processors, "bandwidth": draw(1, 4)}
    hosts = [name for name in names if name.startswith("node")]
    if len(hosts) > 1 and draw(2):
        platform["links"] = [{"from": hosts[0], "to": hosts[1], "time": draw(9), "directed": bool(draw(2))}]
    for end in ("source", "sink"):
        if draw(2):
            ends = [{"ports": draw(1, 4), "links": [{"processor": hosts[-1], "time": draw(6)}]} for _ in range(draw(1, 3))]
            if draw(3):
                platform[end] = ends[0]
            else:
                platform[end + "s"] = [one | {"name": f"{end}{k}", "bandwidth": draw(1, 4)} for k, one in enumerate(ends)]
    ends = [one for end in ("source", "sink")
            for one in ([end] if end in platform else [entry["name"] for entry in platform.get(end + "s", [])])]
    if draw(2):
        platform["segments"] = some_segments(random_source, hosts + ends)
    instance = {"application": {"input": 5, "stages": stages}, "platform": platform, "mapping": mapping}
    transfers = [{"from": part, "to": part + 1, "ahead": draw(4)} for part in range(len(mapping) - 1) if draw(3)]
    if {"source", "sources"} & set(platform) and draw(2):
        transfers.append({"from": "source", "to": 0, "ahead": draw(3)})
    if {"sink", "sinks"} & set(platform) and draw(2):
        transfers.append({"from": len(mapping) - 1, "to": "sink", "ahead": draw(3)})
    if transfers and draw(2):
        instance["transfers"] = transfers
    return instance


def some_segments(random_source, machines):
    """Up to two, each between some of the machines and some others."""
    draw = random_source.randrange
    segments = []
    for k in range(draw(1, 3) if len(machines) > 1 else 0):
        shuffled = random_source.sample(machines, len(machines))
        cut = draw(1, len(shuffled))
        segment = {"name": f"wire{k}", "between": [shuffled[:cut], shuffled[cut:][:draw(1, 4)]]}
        if draw(2):
            segment["ports"] = random_source.choice([1, 2, 3, "unlimited"])
        if draw(2):
            segment["bandwidth"] = draw(1, 4)
        if draw(2):
            segment["duplex"] = bool(draw(2))
        segments.append(segment)
    return segments


def is_ahead(path):
    """Whether a net counts rounds, so that room or a window can be too little."""
    instance = json.loads(pathlib.Path(path).read_text())
    turns = [turn for part in instance["mapping"] for turn in part["processors"]]
    return any(transfer["ahead"] for transfer in instance.get("transfers", [])) or any(
        not isinstance(turn, str) for turn in turns)


def write_hosts(random_source, work, count):
    """Paths of instances whose sequences repeat soon enough for a slow checker."""
    paths = []
    while len(paths) < count:
        instance = some_hosts(random_source)
        cores = {p["name"]: p.get("cores", 1) for p in instance["platform"]["processors"]}
        lengths = [sum(cores.get(turn, 1) if isinstance(turn, str) else cores.get(turn["processor"], 1) * turn["batch"]
                       for turn in part["processors"]) for part in instance["mapping"]]
        lengths += [len(instance["platform"].get(ends, [0])) for ends in ("sources", "sinks")]
        if math.lcm(*lengths) <= 24:
            paths.append(work / f"hosts-{len(paths)}.json")
            paths[-1].write_text(json.dumps(instance))
    return paths


def write_certificates(takt, instances, work):
    """Pairs of paths, those that takt wrote first."""
    pairs = []
    for instance in instances:
        for model in MODELS:
            for way in WAYS:
                path = work / f"{len(pairs)}.json"
                command = [takt, "evaluate", str(instance), "--model", *model, *way, "--certificate", str(path)]
                status = subprocess.run(command, capture_output=True, check=False).returncode
                if status in (0, 4):
                    pairs.append((str(instance), path))
                elif status != 2 and not (status == 3 and model not in MODELS[:2] and is_ahead(instance)):
                    sys.exit(f"status {status}: {command}")  # 2: a method that does not fit, 3: too little room
        if is_ahead(instance):
            continue
        path = work / f"{len(pairs)}.json"
        command = [takt, "rooms", str(instance), "--certificate", str(path)]
        subprocess.run(command, capture_output=True, check=True)
        pairs.append((str(instance), path))
    return pairs


def some_floor(random_source, lengths):
    """A floor for parts with sequences of these lengths; there may be no such parts."""
    n = len(lengths)
    numbers = random_source.choice([lambda: 0, lambda: random_source.randrange(-200, 200)])

    def some_set(least):
        return sorted(set(least) | {part for part in range(n) if random_source.random() < 0.4})

    transfers = []
    for t in range(n - 1):
        sees = [some_set({t, t + 1}) for _ in range(2)]
        keeps = [some_set(()), list(range(n))]
        pairs = []
        for _ in range(lengths[t] * lengths[t + 1]):
            seen = random_source.randrange(2)
            classes = 1
            for part in sees[seen]:
                classes *= 1 if part in (t, t + 1) else lengths[part]
            pairs.append({"sees": seen, "keeps": random_source.choice([0, 1, 1]),
                          "floor": [numbers() for _ in range(classes)]})
        transfers.append({"sees": sees, "keeps": keeps, "pairs": pairs})
    return {"unit": random_source.choice(["1", "2/7", "60"]), "highest": random_source.choice([1000, 6000]),
            "transfers": transfers}


def write_floors(random_source, source, work):
    """Pairs of paths: certificates in form, of which some prove their claim."""
    pairs = []
    for instance in INSTANCES:
        mapping = json.loads((source / instance).read_text())["mapping"]
        lengths = [len(part["processors"]) for part in mapping]
        if len(lengths) > 4 or max(lengths) > 4:
            continue
        processor = mapping[0]["processors"][0]
        for k in range(FLOORS):
            upper = random_source.choice(["692/3", "231", "230", "250", "300", "500", "1000", "30"])
            certificate = {"model": "strict", "lower": "0", "upper": upper, "resource": processor,
                           "floor": some_floor(random_source, lengths)}
            path = work / f"floor-{len(pairs)}.json"
            path.write_text(json.dumps(certificate if k % 4 else mutate(random_source, certificate)))
            pairs.append((str(source / instance), path))
    return pairs


def main(takt, source, work):
    work.mkdir(parents=True, exist_ok=True)
    random_source = random.Random(1)
    instances = [source / instance for instance in INSTANCES]
    instances += write_hosts(random_source, work, int(os.environ.get("TAKT_HOSTS", HOSTS)))
    pairs = write_certificates(takt, instances, work)
    written = len(pairs)
    for instance, path in pairs[:]:
        certificate = json.loads(path.read_text())
        for k in range(MUTANTS):
            mutant = path.with_suffix(f".{k}.json")
            mutant.write_text(json.dumps(mutate(random_source, certificate)))
            pairs.append((instance, mutant))
    pairs += write_floors(random_source, source, work)
    arguments = [str(file) for pair in pairs for file in pair]
    answer = subprocess.run([takt, "check", "--json", "--keep-going", *arguments], capture_output=True, check=False)
    verdicts = [verdict.get("verdict", "unreadable") for verdict in json.loads(answer.stdout)]
    counts = collections.Counter()
    differences = 0
    for (instance, path), first in zip(pairs, verdicts, strict=True):
        second, why = verdict_of(instance, path)
        counts[first] += 1
        if first != second:
            differences += 1
            print(f"takt: {first}, second checker: {second} {why}: {instance} {path}")
    print(f"{len(pairs)} certificates, {written} of them as written: {dict(counts)}, {differences} differences")
    few = [name for name in ("proved", "refused", "unreadable") if counts[name] < 100]
    if few or differences or set(verdicts[:written]) != {"proved"}:
        sys.exit(f"too few: {few}, or they do not agree, or one that takt wrote is not proved")


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
