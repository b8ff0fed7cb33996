#!/usr/bin/env python3
"""takt beside SimGrid, which simulates the same pipelines and knows nothing of Petri nets.

Usage: simgrid_test.py s4u|smpi TAKT SOURCE_FOLDER PEERS_FOLDER WORK_FOLDER [CASES [SEED]]
CASES: random mappings, under each model; default: few.

s4u: on every instance of the repository and on random mappings, under both models, each operation of actors
     that hand each other messages ends when takt simulate says.
smpi: blocking MPI code (MPI_Recv, sleep, MPI_Ssend) takes the period that takt evaluate gives under STRICT, and each
     data set ends when takt simulate says. With MPI_Send and small messages it takes the largest cycle time.

Plans are made by second_checker.py, which reads instances without takt.
"""
import csv
import itertools
import json
import pathlib
import random
import shutil
import subprocess
import sys
from fractions import Fraction
from math import lcm

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from second_checker import Columns, parse  # noqa: E402

MODELS = ("strict", "overlap")
# Beyond this sum of ticks, sums of doubles are not exact.
MOST_TICKS = 2**50
# What SMPI adds to a message, and the longest that is sent.
ENVELOPE = 16
LONGEST_MESSAGE = 2_000_000
SMPI_EXAMPLES = ["examples/example-a.json", "examples/weighted-round-robin.json", "examples/several-parts.json",
                 "examples/unequal-links.json", "examples/hedpm-case-study.json",
                 "tests/data/known/no-critical-resource.json", "tests/data/known/source-and-sink.json"]
# Without a critical resource, and with each processor in one part.
SMPI_PITFALLS = ["examples/example-a.json", "examples/weighted-round-robin.json",
                 "tests/data/known/no-critical-resource.json"]
# A transfer takes its bytes over its bandwidth, and MPI takes no time.
NETWORK = ["network/model:CM02", "network/crosstraffic:0", "network/TCP-gamma:0", "network/weight-S:0",
           "network/latency-factor:1", "network/bandwidth-factor:1"]
MPI = ["smpi/async-small-thresh:0", "smpi/send-is-detached-thresh:0", "smpi/os:0:0:0", "smpi/or:0:0:0",
       "smpi/ois:0:0:0", "smpi/wtime:0", "smpi/simulate-computation:no"]
# No message waits for its receiver, if its call allows that. Each side then copies it at the pace of the links.
SMALL = ["smpi/send-is-detached-thresh:1000000000", "smpi/async-small-thresh:1000000000"]
COPYING = [f"smpi/{side}:0:{ENVELOPE}:1" for side in ("os", "or")]
SMPI_DATA_SETS = 600
MOST_SMPI_DATA_SETS = 38400
MOST_ROWS = 60


class Plan:
    """An instance as the peers take it: whole ticks, `scale` of them in a time unit, which are rounded where exact
    ones would be too many. Transfers that take time take `envelope` ticks or more, and at most `longest` if said."""

    def __init__(self, path, model, data_sets, envelope=1, longest=None):
        columns = Columns(parse(path), model)
        self.model, self.data_sets = model, data_sets
        names = sorted({name for _, sequence in columns.parts for name in sequence})
        number = {name: k for k, name in enumerate(names)}
        durations = [duration for column in columns.durations for duration in column]
        # Nothing ends after the sum of all.
        finest = MOST_TICKS / (sum(max(column) for column in columns.durations) * data_sets)
        slowest = max((duration for column in columns.durations[1::2] for duration in column), default=0)
        if longest is not None and slowest > 0:
            finest = min(finest, longest / slowest)
        self.scale = envelope * lcm(*(duration.denominator for duration in durations))
        self.is_exact = self.scale <= finest
        if not self.is_exact:
            self.scale = finest
        self.columns = [[(number[columns.processor(c // 2, j)], number[columns.processor((c + 1) // 2, j)],
                          round(duration * self.scale)) for j, duration in enumerate(column)]
                        for c, column in enumerate(columns.durations)]
        self.processors = len(names)
        self.rows = columns.rows

    def transfers(self):
        return [(here, there, ticks) for column in self.columns[1::2] for here, there, ticks in column if here != there]

    def write(self, path):
        lines = [f"{self.model} {self.data_sets}", f"{self.processors} {len(self.columns)}"]
        for column in self.columns:
            lines.append(str(len(column)))
            lines += [" ".join(map(str, operation)) for operation in column]
        path.write_text("\n".join(lines) + "\n")


class Bench:
    def __init__(self, takt, source, peers, work):
        self.takt, self.source, self.peers, self.work = takt, pathlib.Path(source), pathlib.Path(peers), work
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)

    def output_of(self, *command):
        ended = subprocess.run(list(map(str, command)), check=False, capture_output=True, text=True)
        if ended.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))}: status {ended.returncode}\n{ended.stdout}{ended.stderr}")
        return ended.stdout

    def instances(self):
        folders = [self.source / "examples", self.source / "tests/data/known"]
        return [path for folder in folders for path in sorted(folder.glob("*.json"))
                if self.is_played(json.loads(path.read_text()))]

    @staticmethod
    def is_played(document):
        """A mapping of a chain on processors with cards of their own: the peers know no hosts, segments or batches."""
        if "mapping" not in document or "segments" in document["platform"]:
            return False
        if any("after" in stage for stage in document["application"]["stages"]):
            return False
        turns = [turn for part in document["mapping"] for turn in part["processors"]]
        machines = document["platform"]["processors"] + document["platform"].get("types", [])
        return all(isinstance(turn, str) for turn in turns) and not any(
            key in one for one in machines for key in ("cores", "host", "ports"))

    def simulated(self, path, model, data_sets):
        """The ends of all operations, by data set, then column."""
        text = self.output_of(self.takt, "simulate", path, "--model", model, "--data-sets", data_sets)
        return [Fraction(row["end"]) for row in csv.DictReader(text.splitlines())]

    def evaluated(self, path, model):
        result = json.loads(self.output_of(self.takt, "evaluate", path, "--model", model, "--json"))
        return {**result, "period": Fraction(result["period"])}

    def drawn(self, draw, source):
        """A random mapping: the paper's kind, or any: processors in several parts and turns."""
        path = self.work / f"drawn-{draw}.json"
        if draw % 2 == 0:
            self.output_of(self.takt, "generate", "replicated-mapping", "--stages", source.randint(2, 5),
                           "--processors", source.randint(5, 12), "--network", "pair", "--transfer", "5..40",
                           "--draw", draw, "-o", path)
            return path
        stages, processors = source.randint(2, 6), source.randint(2, 6)
        text = self.output_of(self.takt, "generate", "skeleton-pair", "--stages", stages, "--processors", processors,
                              "--works", "1..20", "--sizes", "1..20", "--links", source.choice(["unequal", "free"]),
                              "--ends", source.choice(["both", "source", "sink", "none"]), "--draw", draw)
        document = json.loads(text)
        names = [processor["name"] for processor in document["platform"]["processors"]]
        cuts = sorted(source.sample(range(1, stages), source.randint(0, stages - 1)))
        document["mapping"] = [{"stages": [stage["name"] for stage in document["application"]["stages"][begin:end]],
                                "processors": [source.choice(names) for _ in range(source.choice([1, 1, 2, 3, 4]))]}
                               for begin, end in zip([0, *cuts], [*cuts, stages])]
        path.write_text(json.dumps(document))
        return path


def furthest(found, expected, scale):
    """The largest difference, in time units, and beside the last time expected."""
    if len(found) != len(expected):
        sys.exit(f"{len(found)} times in place of {len(expected)}")
    most = max(abs(Fraction(there) - here * scale) for there, here in zip(found, expected))
    last = max(expected) * scale
    return most, most / last if last else most


def hold_s4u(bench, path, model, data_sets):
    """Whether all ticks were whole. Then ends are equal; else to nine digits."""
    plan = Plan(path, model, data_sets)
    file = bench.work / "plan.txt"
    plan.write(file)
    rows = [line.split() for line in bench.output_of(bench.peers / "s4u_peer", file).splitlines()]
    most, ratio = furthest([float(row[2]) for row in rows], bench.simulated(path, model, data_sets), plan.scale)
    if most != 0 if plan.is_exact else ratio > Fraction(1, 10**9):
        sys.exit(f"{path}, {model}: an operation ends {float(most)} ticks off")
    return plan.is_exact, len(rows)


def test_s4u(bench, cases, seed):
    source = random.Random(seed)
    paths = [(path, 200) for path in bench.instances()]
    paths += [(bench.drawn(draw, source), 100) for draw in range(seed * 1_000_000, seed * 1_000_000 + cases)]
    exact = operations = 0
    for path, data_sets in paths:
        for model in MODELS:
            was_exact, count = hold_s4u(bench, path, model, data_sets)
            exact += was_exact
            operations += count
    print(f"{len(paths)} instances under {len(MODELS)} models: {operations} operations end alike, in {exact} of"
          f" {len(paths) * len(MODELS)} plays to the last bit, in the others to nine digits")


def write_platform(plan, path):
    pairs = sorted({(here, there) for here, there, _ in plan.transfers()})
    lines = ["<?xml version='1.0'?>", "<!DOCTYPE platform SYSTEM 'https://simgrid.org/simgrid.dtd'>",
             "<platform version='4.1'>", "<zone id='zone' routing='Full'>"]
    lines += [f"<host id='p{k}' speed='1f'/>" for k in range(plan.processors)]
    lines += [f"<link id='{here}-{there}' bandwidth='1Bps' latency='0s' sharing_policy='FATPIPE'/>"
              for here, there in pairs]
    lines += [f"<route src='p{here}' dst='p{there}' symmetrical='NO'><link_ctn id='{here}-{there}'/></route>"
              for here, there in pairs]
    path.write_text("\n".join([*lines, "</zone>", "</platform>"]) + "\n")


def run_smpi(bench, plan, call, *settings):
    """When each data set ends, in ticks."""
    platform, hosts, file = bench.work / "platform.xml", bench.work / "hosts", bench.work / "plan.txt"
    write_platform(plan, platform)
    hosts.write_text("".join(f"p{k}\n" for k in range(plan.processors)))
    plan.write(file)
    text = bench.output_of("smpirun", "-np", plan.processors, "-platform", platform, "-hostfile", hosts,
                           *(f"--cfg={setting}" for setting in (*NETWORK, *MPI, *settings)),
                           "--log=root.threshold:error", bench.peers / "smpi_peer", file, call)
    ends = dict(line.split() for line in text.splitlines())
    return [float(ends[str(j)]) for j in range(plan.data_sets)]


def period_of(ends, plan):
    """Time units per data set once deliveries repeat: each is a constant later than the one a fixed number before it.
    None where they do not within these data sets."""
    delivered = list(itertools.accumulate(ends, max))
    for size in range(plan.rows, len(ends) // 2, plan.rows):
        growth = [end - before for end, before in zip(delivered[-size:], delivered[-2 * size:-size])]
        if max(growth) - min(growth) <= 1e-9 * ends[-1]:
            return growth[0] / size / float(plan.scale)
    return None


def hold_period(what, ends, plan, exact):
    """To six digits; false where it cannot be seen yet."""
    measured = period_of(ends, plan)
    if measured is None:
        return False
    if abs(measured - float(exact)) > 1e-6 * float(exact):
        sys.exit(f"{what}: {measured} time units per data set, expected {float(exact)}")
    return True


def smpi_plan(path, data_sets=SMPI_DATA_SETS):
    """None where a message would be shorter than its envelope, or rows are too many to see the period."""
    plan = Plan(path, "strict", data_sets, ENVELOPE, Fraction(LONGEST_MESSAGE))
    return plan if all(ticks >= ENVELOPE for _, _, ticks in plan.transfers()) and plan.rows <= MOST_ROWS else None


def hold_smpi(bench, path, plan):
    """Nets far from their steady state are run for longer."""
    while not hold_smpi_once(bench, path, plan):
        if plan.data_sets >= MOST_SMPI_DATA_SETS:
            sys.exit(f"{path}: it does not repeat itself within {plan.data_sets} data sets")
        plan = smpi_plan(path, 4 * plan.data_sets)


def hold_smpi_once(bench, path, plan):
    ends = run_smpi(bench, plan, "ssend")
    expected = bench.simulated(path, "strict", plan.data_sets)[len(plan.columns) - 1::len(plan.columns)]
    most, ratio = furthest(ends, expected, plan.scale)
    if ratio > Fraction(1, 10**9 if plan.is_exact else 10**6):
        sys.exit(f"{path}: a data set ends {float(most)} ticks off")
    return hold_period(f"{path}, blocking MPI", ends, plan, bench.evaluated(path, "strict")["period"])


def hold_pitfall(bench, path, plan):
    """Small messages. MPI_Ssend waits for the receiver all the same. MPI_Send does not, and the same code becomes a
    pipeline whose processors are held up by nothing but their own work: it takes the largest cycle time."""
    result = bench.evaluated(path, "strict")
    if result["has_critical_resource"]:
        sys.exit(f"{path}: a critical resource hides what waiting does")
    ends = run_smpi(bench, plan, "ssend", *SMALL)
    held = hold_period(f"{path}, MPI_Ssend of small messages", ends, plan, result["period"])
    ends = run_smpi(bench, plan, "send", *SMALL, *COPYING)
    if not hold_period(f"{path}, MPI_Send of small messages", ends, plan, Fraction(result["max_cycle_time"])) or not held:
        sys.exit(f"{path}: it does not repeat itself within {plan.data_sets} data sets")


def test_smpi(bench, cases, seed):
    for name in SMPI_EXAMPLES:
        hold_smpi(bench, bench.source / name, smpi_plan(bench.source / name))
    source = random.Random(seed)
    draw, held, alone = seed * 1_000_000, 0, 0
    while held < cases:
        path = bench.drawn(draw, source)
        draw += 1
        if plan := smpi_plan(path):
            hold_smpi(bench, path, plan)
            held += 1
            alone += not bench.evaluated(path, "strict")["has_critical_resource"]
    for name in SMPI_PITFALLS:
        hold_pitfall(bench, bench.source / name, smpi_plan(bench.source / name))
    print(f"{len(SMPI_EXAMPLES)} examples and {held} random mappings, {alone} of these without a critical resource: the"
          f" MPI code takes the exact period. With MPI_Send it takes the largest cycle time, {len(SMPI_PITFALLS)} of"
          f" {len(SMPI_PITFALLS)} times")


def main():
    kind, takt, source, peers, work = sys.argv[1:6]
    bench = Bench(takt, source, peers, pathlib.Path(work))
    cases = int(sys.argv[6]) if len(sys.argv) > 6 else None
    seed = int(sys.argv[7]) if len(sys.argv) > 7 else 1
    if kind == "s4u":
        test_s4u(bench, 20 if cases is None else cases, seed)
    else:
        test_smpi(bench, 12 if cases is None else cases, seed)


main()
