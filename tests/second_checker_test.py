#!/usr/bin/env python3
"""takt check and the second checker agree on certificates that takt writes, and on what becomes of them by mutation.

Usage: second_checker_test.py TAKT SOURCE_FOLDER WORK_FOLDER [WORKFLOWS [SEED]]
WORKFLOWS: how many random ones, default: few. SEED: of these and of all that is random.
"""
import collections
import copy
import itertools
import json
import math
import os
import pathlib
import random
import subprocess
import sys

from second_checker import Net, parse, read_certificate, verdict_of

INSTANCES = ["examples/example-a.json", "examples/example-b.json", "examples/several-parts.json",
             "examples/weighted-round-robin.json", "examples/video.json", "tests/data/known/source-and-sink.json",
             "tests/data/known/everything.json", "tests/data/known/repeated-processor.json",
             "tests/data/known/speeds.json", "tests/data/known/fractions.json",
             "tests/data/known/stage-times.json",
             "tests/data/world/own-certificate-refused.json", "tests/data/world/own-certificate-refused-host.json",
             "tests/data/world/own-certificate-refused-turns.json"]
# By part, its stages, each with those whose files it takes, and how many processors it has: parts in a chain, a
# triangle, and two chains that have nothing to do with each other.
PLAIN_WORKFLOWS = [[({"a": "", "b": "a"}, 2), ({"c": "ab", "d": "a"}, 3), ({"e": "cd"}, 1)],
                   [({"a": ""}, 1), ({"b": "a"}, 2), ({"c": "ab"}, 1)],
                   [({"a": ""}, 2), ({"b": ""}, 1), ({"c": "a"}, 3), ({"d": "b"}, 2)]]
WAYS = [["--method", "sweep"], ["--method", "unfold"], ["--method", "pattern"], ["--method", "residue"],
        ["--max-rows", "1"]]
MODELS = [["overlap"], ["strict"], ["bounded"], ["bounded", "--rooms", "2"], ["overlap", "--window", "2"],
          ["strict", "--window", "3"]]
# Also what is room enough for files that are ahead, and for batches.
WORKFLOW_MODELS = [*MODELS, ["bounded", "--rooms", "6"], ["overlap", "--window", "12"]]
ALL = os.environ.get("TAKT_DRAWS") == "all"  # as scripts/check says
MUTANTS = 8 if ALL else 4
FLOORS = 20
HOSTS = 12 if ALL else 3
WORKFLOWS = 12 if ALL else 4
# Of the certificates that takt check gets at once.
PAIRS = 2000


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
    names = ["P0", "P1", "P2", "P3", "node0", "node1", "node2", "node0.1", "wire0", "wire0 forward", "segment",
             "source", "sink", "in", "out", "compute", "both", "strict", "overlap", "bounded"]
    container, key = pick(random_source, mutant)
    action = random_source.randrange(10)
    if action == 0:
        del container[key]
    elif action == 1 and isinstance(container, list):
        container.insert(key, copy.deepcopy(container[key]))
    elif action == 2 and isinstance(container, list):
        container[key], container[0] = container[0], container[key]
    elif action == 3:
        extra = random_source.choice(["lower", "upper", "period", "rooms", "window", "buffers", "port", "resource",
                                      "clocks", "data_set"])
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
    elif action == 7 and "buffers" in mutant:
        buffer = random_source.choice(mutant["buffers"])
        if random_source.random() < 0.3:
            buffer.pop("other", None)
        else:
            buffer["other"] = random_source.choice(["0", "1", "2", "3", "source", "sink", 1])
    else:
        container[key] = other(random_source, container[key], names)
    return mutant


def some_processors(random_source, most):
    """Hosts with several cores, with a second entry, or of one processor alone."""
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
    for h in range(draw(1, most + 1)):
        processors.append(card({"name": f"node{h}", "speed": draw(1, 4)}))
        if draw(most) > most // 3:
            processors[-1]["cores"] = draw(2, 5)
        if draw(most) == 0:
            processors.append({"name": f"gpu{h}", "host": f"node{h}", "speed": draw(2, 6)})
    return processors


def some_stages(random_source, count, processors):
    draw = random_source.randrange
    stages = [{"name": f"S{k}", "work": draw(20), "output": draw(1, 12)} for k in range(count)]
    for stage in stages:
        if draw(4) == 0:
            own = random_source.choice(processors)["name"]
            stage["time"] = {own: {"fixed": draw(9), "each": draw(6)}}
    return stages


def some_turns(random_source, processors, has_batches):
    draw = random_source.randrange
    names = [processor["name"] for processor in processors]
    turns = random_source.sample(names, min(len(names), draw(1, 3)))
    if draw(2):
        singles = [f"{p['name']}.{k + 1}" if "cores" in p else p["name"] for p in processors
                   for k in range(p.get("cores", 1))]
        turns = [random_source.choice(singles) for _ in range(draw(1, 4))]
    if has_batches:
        turns = [{"processor": name, "batch": draw(2, 4)} if draw(3) else name for name in turns]
    return turns


def write_plain_workflows(work):
    """Paths of instances with each processor in one part, and uneven links."""
    paths = []
    for parts in PLAIN_WORKFLOWS:
        names = [[f"P{i}{k}" for k in range(count)] for i, (_, count) in enumerate(parts)]
        every = [name for own in names for name in own]
        stages = [{"name": stage, "work": 40 + 30 * i, "output": 20 + 15 * i, "after": list(after)}
                  for i, (own, _) in enumerate(parts) for stage, after in own.items()]
        links = [{"from": here, "to": there, "bandwidth": f"{2 + (7 * k) % 5}/5"}
                 for k, (here, there) in enumerate(itertools.combinations(every, 2))]
        mapping = [{"stages": list(own), "processors": sequence} for (own, _), sequence in zip(parts, names)]
        paths.append(work / f"plain-{len(paths)}.json")
        paths[-1].write_text(json.dumps({
            "application": {"input": 5, "stages": stages}, "mapping": mapping,
            "platform": {"processors": [{"name": name, "speed": 1} for name in every], "links": links}}))
    return paths


def some_platform(random_source, processors):
    draw = random_source.randrange
    platform = {"processors": processors, "bandwidth": draw(1, 4)}
    hosts = [processor["name"] for processor in processors if "host" not in processor]
    pairs = [(here, there) for k, here in enumerate(hosts) for there in hosts[k + 1:]]
    links = [{"from": here, "to": there, "time": draw(9), "directed": bool(draw(2))} for here, there in pairs]
    if links := [link for link in links if draw(2)]:
        platform["links"] = links
    for end in ("source", "sink"):
        if draw(2):
            ends = [{"ports": draw(1, 4), "links": [{"processor": hosts[-1], "time": draw(6)}]}
                    for _ in range(draw(1, 3))]
            if draw(3):
                platform[end] = ends[0]
            else:
                platform[end + "s"] = [one | {"name": f"{end}{k}", "bandwidth": draw(1, 4)}
                                       for k, one in enumerate(ends)]
    ends = [one for end in ("source", "sink")
            for one in ([end] if end in platform else [entry["name"] for entry in platform.get(end + "s", [])])]
    if draw(2):
        platform["segments"] = some_segments(random_source, hosts + ends)
    return platform


def some_transfers(random_source, pairs):
    draw = random_source.randrange
    transfers = [{"from": here, "to": there, "ahead": draw(4)} for here, there in pairs if draw(3)]
    return {"transfers": transfers} if transfers and draw(2) else {}


def some_order(random_source, pairs):
    """Rooms of some transfers, and an order of all: each behind those that its sender receives."""
    draw = random_source.randrange
    rooms = [{"from": here, "to": there, "ahead": draw(3), "room": draw(1, 6)}
             for here, there in pairs if there != "sink" and draw(2)]
    order, left = [], list(pairs)
    while left:
        here, there = random_source.choice(left)
        if all(receiver != here for _, receiver in left):
            order.append({"from": here, "to": there})
            left.remove((here, there))
    return ({"transfers": rooms} if rooms and draw(2) else {}) | ({"order": order} if order and draw(2) else {})


def some_hosts(random_source):
    """An instance whose processors share hosts."""
    draw = random_source.randrange
    processors = some_processors(random_source, 3)
    stages = some_stages(random_source, draw(1, 4), processors)
    mapping = [{"stages": [stage["name"]], "processors": some_turns(random_source, processors, draw(4) == 0)}
               for stage in stages]
    platform = some_platform(random_source, processors)
    pairs = [(part, part + 1) for part in range(len(mapping) - 1)]
    pairs += [("source", 0)] if {"source", "sources"} & set(platform) else []
    pairs += [(len(mapping) - 1, "sink")] if {"sink", "sinks"} & set(platform) else []
    instance = {"application": {"input": 5, "stages": stages}, "platform": platform, "mapping": mapping}
    return instance | some_transfers(random_source, pairs)


def some_workflow(random_source):
    """An instance whose stages take the files of several others, or of none."""
    draw = random_source.randrange
    processors = some_processors(random_source, 7)
    stages = some_stages(random_source, draw(3, 8), processors)
    takes = []
    for k, stage in enumerate(stages):
        takes.append([k - 1] if k > 0 else [])
        if draw(5) > 1:
            takes[k] = random_source.sample(range(k), min(k, random_source.choice([0, 1, 1, 2, 2, 3])))
            stage["after"] = [stages[before]["name"] for before in takes[k]]
    cuts = sorted(random_source.sample(range(1, len(stages)), draw(max(1, len(stages) - 3), len(stages))))
    bounds = list(zip([0, *cuts], [*cuts, len(stages)]))
    most_batches = random_source.choice([0, 0, 2])
    mapping = [{"stages": [stage["name"] for stage in stages[first:end]],
                "processors": some_turns(random_source, processors, draw(4) < most_batches)} for first, end in bounds]
    platform = some_platform(random_source, processors)
    part = [k for k, (first, end) in enumerate(bounds) for _ in range(first, end)]
    pairs = {(part[before], part[k]) for k, files in enumerate(takes) for before in files if part[before] != part[k]}
    if {"source", "sources"} & set(platform):
        pairs |= {("source", part[k]) for k, files in enumerate(takes) if not files}
    if {"sink", "sinks"} & set(platform):
        taken = set().union(*takes)
        pairs |= {(part[k], "sink") for k in range(len(stages)) if k not in taken}
    instance = {"application": {"input": 5, "stages": stages}, "platform": platform, "mapping": mapping}
    pairs = sorted(pairs, key=str)
    return instance | random_source.choice([some_transfers, some_order])(random_source, pairs)


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


def altered(random_source, instance):
    """Another instance, of which the certificates of this one may still hold."""
    other_one = copy.deepcopy(instance)
    stage = random_source.choice(other_one["application"]["stages"])
    container, key = random_source.choice([(stage, "work"), (stage, "output"), (other_one["application"], "input")])
    if "transfers" in other_one and random_source.random() < 0.3:
        container, key = random_source.choice(other_one["transfers"]), "ahead"
    container[key] = max(0, container[key] + random_source.choice([-1, 1, 2]))
    return other_one


def with_clocks(random_source, instance, path):
    """A schedule's certificate with clocks in its place: of all resources together, or by column."""
    certificate = read_certificate(path)
    net = Net(parse(instance), certificate)
    starts, upper = dict(certificate["schedule"]), certificate["upper"]

    def clock(resource):
        """When it has ended its last operation before round 0."""
        r, c = max((r - net.rows, c) for c, r in net.resources[resource])
        own = r % len(starts[c])
        end = starts[c][own] + upper * (r - own) + net.durations[c][r % net.period[c]]
        port = {"port": resource[1]} if resource[1] else {}
        return {"resource": resource[0], "value": str(end)} | port

    changed = json.loads(path.read_text())
    del changed["schedule"]
    # By column, where resources have several ports, takt plays fewer data sets, and may refuse what the other proves.
    if random_source.random() < 0.5 or any(net.places(resource) > 1 for resource in net.resources):
        changed["clocks"] = [clock(resource) for resource in net.resources]
        return changed
    by_column = collections.defaultdict(list)
    for resource in net.resources:
        by_column[net.first_column(resource)].append(clock(resource))
    changed["columns"] = [{"column": c, "clocks": clocks} for c, clocks in by_column.items()]
    return changed


def is_ahead(path):
    """Whether a net counts rounds, so that room or a window can be too little."""
    instance = json.loads(pathlib.Path(path).read_text())
    turns = [turn for part in instance["mapping"] for turn in part["processors"]]
    return any(transfer["ahead"] for transfer in instance.get("transfers", [])) or any(
        not isinstance(turn, str) for turn in turns)


def has_rooms(path):
    """Whether the instance limits rooms, which takt rooms finds."""
    return any("room" in transfer for transfer in json.loads(pathlib.Path(path).read_text()).get("transfers", []))


def write_instances(random_source, work, name, some, count):
    """Paths of instances whose sequences repeat soon enough for a slow checker."""
    paths = []
    while len(paths) < count:
        instance = some(random_source)
        cores = {p["name"]: p.get("cores", 1) for p in instance["platform"]["processors"]}
        lengths = [sum(cores.get(turn, 1) if isinstance(turn, str) else cores.get(turn["processor"], 1) * turn["batch"]
                       for turn in part["processors"]) for part in instance["mapping"]]
        lengths += [len(instance["platform"].get(ends, [0])) for ends in ("sources", "sinks")]
        if math.lcm(*lengths) <= 24:
            paths.append(work / f"{name}-{len(paths)}.json")
            paths[-1].write_text(json.dumps(instance))
    return paths


def write_certificates(takt, runs, work, first=0):
    """Pairs of paths. Runs are instances with a model and a way, or with None for what takt rooms writes."""
    pairs = []
    for instance, model, way in runs:
        path = work / f"{first + len(pairs)}.json"
        if model is None:
            command = [takt, "rooms", str(instance), "--certificate", str(path)]
        else:
            command = [takt, "evaluate", str(instance), "--model", *model, *way, "--certificate", str(path)]
        status = subprocess.run(command, capture_output=True, check=False).returncode
        # 2: a method that does not fit, 3: too little room, or too small a window, or rooms that are known
        is_refused = has_rooms(instance) if model is None else False
        if model not in (["overlap"], ["strict"]) or has_rooms(instance):
            is_refused = is_refused or is_ahead(instance)
        if status in (0, 4):
            pairs.append((str(instance), path))
        elif status != 2 and not (status == 3 and is_refused):
            sys.exit(f"status {status}: {command}")
    return pairs


def all_runs(instances):
    """Every model by every way; else each example has a fourth of them, of all that have another."""
    for k, instance in enumerate(instances):
        runs = [(instance, model, way) for model in MODELS for way in WAYS]
        yield from runs if ALL else runs[k % 4::4]
        if not is_ahead(instance):
            yield instance, None, None


def some_runs(random_source, instances):
    """Under each model one of the ways."""
    for instance in instances:
        yield from ((instance, model, random_source.choice([[], *WAYS])) for model in WORKFLOW_MODELS)
        yield instance, None, None


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


def write_floors(random_source, instances, work):
    """Pairs of paths: certificates in form, of which some prove their claim."""
    pairs = []
    for instance in instances:
        mapping = json.loads(instance.read_text())["mapping"]
        lengths = [len(part["processors"]) for part in mapping]
        processor = mapping[0]["processors"][0]
        if len(lengths) > 4 or max(lengths) > 4 or not isinstance(processor, str):
            continue
        for k in range(FLOORS):
            upper = random_source.choice(["692/3", "231", "230", "250", "300", "500", "1000", "30", "120"])
            certificate = {"model": "strict", "lower": "0", "upper": upper, "resource": processor,
                           "floor": some_floor(random_source, lengths)}
            path = work / f"floor-{len(pairs)}.json"
            path.write_text(json.dumps(certificate if k % 4 else mutate(random_source, certificate)))
            pairs.append((str(instance), path))
    return pairs


def verdicts_of(takt, pairs):
    verdicts = []
    for k in range(0, len(pairs), PAIRS):
        arguments = [str(file) for pair in pairs[k:k + PAIRS] for file in pair]
        answer = subprocess.run([takt, "check", "--json", "--keep-going", *arguments], capture_output=True, check=False)
        verdicts += [verdict.get("verdict", "unreadable") for verdict in json.loads(answer.stdout)]
    return verdicts


def main(takt, source, work, workflows=WORKFLOWS, seed=1):
    work.mkdir(parents=True, exist_ok=True)
    random_source = random.Random(seed)
    instances = [source / instance for instance in INSTANCES]
    drawn = write_plain_workflows(work) + write_instances(random_source, work, "workflow", some_workflow, workflows)
    floors = instances + drawn[:WORKFLOWS]
    instances += write_instances(random_source, work, "hosts", some_hosts, HOSTS)
    pairs = write_certificates(takt, all_runs(instances), work)
    chains = len(pairs)
    pairs += write_certificates(takt, some_runs(random_source, drawn), work, chains)
    written = len(pairs)
    for instance, path in pairs[:]:
        certificate = json.loads(path.read_text())
        for k in range(MUTANTS):
            mutant = path.with_suffix(f".{k}.json")
            mutant.write_text(json.dumps(mutate(random_source, certificate)))
            pairs.append((instance, mutant))
    for instance, path in pairs[chains:written]:
        if "schedule" in json.loads(path.read_text()):
            changed = path.with_suffix(".clocks.json")
            changed.write_text(json.dumps(with_clocks(random_source, instance, path)))
            pairs.append((instance, changed))
    for k, (instance, path) in enumerate(pairs[chains:written]):
        other_one = work / f"altered-{k}.json"
        other_one.write_text(json.dumps(altered(random_source, json.loads(pathlib.Path(instance).read_text()))))
        pairs.append((str(other_one), path))
    pairs += write_floors(random_source, floors, work)
    counts = collections.Counter()
    differences = 0
    verdicts = verdicts_of(takt, pairs)
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
    main(sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]), *map(int, sys.argv[4:]))
